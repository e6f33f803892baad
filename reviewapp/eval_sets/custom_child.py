"""The child process of `CustomEvaluator`: one row a line on stdin, its score a line on stdout.

Run as ``python -P custom_child.py FILE CLASS JSON-of-the-evaluator``, or with ``--describe`` for JSON to print what
the class is (settings, schemas). Uses the `uipath` package where it is installed, else the stand-ins beside this file.
Runs in any project's Python that has pydantic.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import sys
import warnings
from pathlib import Path
from typing import Any

# This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from reviewapp.child import private_pipes, write

SAID_LIMIT = 500


def main(file: str, name: str, given: str) -> None:
    """Answer until stdin ends."""
    requests, answers = private_pipes()
    warnings.simplefilter("ignore")
    if given == "--describe":
        answers.write(json.dumps(_told(lambda: described(file, name))).encode() + b"\n")
        return
    scorer: Scorer | None = None
    for line in requests:
        try:
            if scorer is None:
                scorer = Scorer(file, name, json.loads(given))
            answer = scorer.score(json.loads(line))
        except Exception as error:
            answer = {"raised": {"stage": "criteria", "type": type(error).__name__, "message": _words(error)}}
        write(answers, json.dumps(answer, default=str).encode() + b"\n")


class Scorer:
    """The evaluator, made once."""

    def __init__(self, file: str, name: str, content: dict[str, Any]) -> None:
        self.standins = _standins()
        kind = load_class(file, name)
        if hasattr(kind, "from_file"):
            self.evaluator = kind.from_file(content)
        else:
            from pydantic import TypeAdapter

            self.evaluator = TypeAdapter(kind).validate_python(content)

    def score(self, request: dict[str, Any]) -> dict[str, Any]:
        """What is raised here fails the whole row; what the class itself raises comes as a result of kind error."""
        from uipath.eval.models import WorkloadExecution

        execution = WorkloadExecution(
            agent_input=request["inputs"],
            workload_output=request["output"],
            workload_trace=[self._span(one) for one in request["trace"]],
            expected_agent_behavior=request["behaviour"],
        )
        try:
            result = asyncio.run(self.evaluator.validate_and_evaluate_criteria(execution, request["criteria"]))
        except AttributeError as error:
            if "evaluation_time" not in str(error):
                raise
            raise TypeError(f"evaluate() gave no EvaluationResult ({error}); give one") from None
        details = result.details
        if hasattr(details, "model_dump"):
            details = details.model_dump(mode="json")
        if int(result.score_type) == 2:
            # With a traceback behind it in newer versions; the first line is what a person needs.
            said = str(details).partition("\n\nTraceback")[0].removeprefix("Exception thrown by evaluator: ")
            said = said or "it raised an error without a word, such as a bare assert"
            return {"raised": {"stage": "evaluate", "message": said[:SAID_LIMIT]}}
        return {"score": float(result.score), "details": details}

    def _span(self, one: dict[str, Any]) -> Any:
        attributes = one.get("attributes") or {}
        if self.standins is not None:
            return self.standins.Span(str(one.get("name")), attributes, one.get("start_time"), one.get("end_time"))
        from opentelemetry.sdk.trace import ReadableSpan

        return ReadableSpan(
            name=str(one.get("name")),
            attributes=attributes,
            start_time=one.get("start_time"),
            end_time=one.get("end_time"),
        )


def load_class(file: str, name: str) -> Any:
    """The class out of the file, which is executed."""
    spec = importlib.util.spec_from_file_location(f"custom_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{Path(file).name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(Path(file).parent))
    spec.loader.exec_module(module)
    from uipath.eval.evaluators import BaseEvaluator

    if name == "":
        kinds = [k for k in vars(module).values() if inspect.isclass(k) and issubclass(k, BaseEvaluator)]
        # pydantic puts filled generics into the module too: ``BaseEvaluator[…]``.
        own = [k for k in kinds if k.__module__ == spec.name and "[" not in k.__name__]
        if not own:
            raise ValueError(f"{Path(file).name} has no class that derives from BaseEvaluator")
        return own[0]
    kind = getattr(module, name, None)
    if kind is None:
        raise ValueError(f"Class {name!r} is not in {Path(file).name}")
    if not inspect.isclass(kind) or not issubclass(kind, BaseEvaluator):
        raise ValueError(f"Class '{name}' must be a subclass of BaseEvaluator")
    return kind


def described(file: str, name: str) -> dict[str, Any]:
    """Class name, default settings, and the JSON schemas of settings, criteria and justification."""
    _standins()
    kind = load_class(file, name)
    arguments = next(
        (found for base in inspect.getmro(kind) if len(found := _arguments(base)) >= 2),
        (),
    )
    if len(arguments) < 2:
        raise ValueError(f"{kind.__name__} must derive from BaseEvaluator[Criteria, Config, Justification]")
    criteria, config = arguments[0], arguments[1]
    justification: Any = arguments[2] if len(arguments) > 2 else str
    plain = {"type": "string"} if not hasattr(justification, "model_json_schema") else justification.model_json_schema()
    return {
        "class": kind.__name__,
        "description": inspect.cleandoc(kind.__doc__ or "").partition("\n")[0],
        "config": config().model_dump(mode="json", by_alias=True),
        "schemas": {
            "evaluatorConfigSchema": config.model_json_schema(by_alias=True),
            "evaluationCriteriaSchema": criteria.model_json_schema(by_alias=True),
            "justificationSchema": plain,
        },
    }


def _arguments(base: Any) -> tuple[Any, ...]:
    """What a class's generic base was filled with, by pydantic or by typing."""
    filled = getattr(base, "__pydantic_generic_metadata__", None)
    if filled and filled.get("args"):
        return tuple(filled["args"])
    for origin in getattr(base, "__orig_bases__", ()):
        found = tuple(getattr(origin, "__args__", ()))
        if len(found) >= 2 and all(isinstance(one, type) for one in found[:2]):
            return found
    return ()


def _standins() -> Any:
    """The stand-ins, put in place, where the package is not installed; None where it is."""
    # In this order: a module that was put in place cannot be sought.
    if "custom_standins" not in sys.modules and importlib.util.find_spec("uipath") is not None:
        return None
    if "custom_standins" not in sys.modules:
        spec = importlib.util.spec_from_file_location("custom_standins", Path(__file__).with_name("custom_standins.py"))
        assert spec is not None  # noqa: S101 - a file beside this one
        assert spec.loader is not None  # noqa: S101
        module = importlib.util.module_from_spec(spec)
        sys.modules["custom_standins"] = module
        spec.loader.exec_module(module)
        module.put_in_place()
    return sys.modules["custom_standins"]


def _told(make: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = make()
        return found
    except Exception as error:
        return {"raised": {"message": f"{type(error).__name__}: {_words(error)}"}}


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:SAID_LIMIT]


if __name__ == "__main__":
    main(*sys.argv[1:4])
