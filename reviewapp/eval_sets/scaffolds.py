"""Custom evaluators: a file to begin with, and its registration."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.eval_sets.custom import CHILD, MEGABYTES, interpreter_of
from reviewapp.evals.eval_sets.strict import TYPE_ID
from reviewapp.formats.eval_sets.documents import Document, create_document
from reviewapp.formats.eval_sets.projects import find_project
from reviewapp.programs.process import Program, ProgramFault

SECONDS = 60.0
FOLDER = Path("evaluations") / "evaluators"
_TEMPLATE = '''"""{class_name}: say here what it judges."""

from uipath.eval.evaluators import BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig
from uipath.eval.models import EvaluationResult, NumericEvaluationResult, WorkloadExecution


class {class_name}Criteria(BaseEvaluationCriteria):
    """What an item says under evaluationCriterias; at least one field."""

    expected_value: str


class {class_name}Config(BaseEvaluatorConfig[{class_name}Criteria]):
    """Settings, under evaluatorConfig in the evaluator's file."""

    name: str = "{class_name}"


class {class_name}(BaseEvaluator[{class_name}Criteria, {class_name}Config, str]):
    """Scores 1 where the expected value stands in the output."""

    @classmethod
    def get_evaluator_id(cls) -> str:
        return "{class_name}"

    async def evaluate(
        self, execution: WorkloadExecution, evaluation_criteria: {class_name}Criteria
    ) -> EvaluationResult:
        # Also there: execution.agent_input, execution.workload_trace (spans: name, attributes).
        found = evaluation_criteria.expected_value in str(execution.workload_output)
        return NumericEvaluationResult(score=1.0 if found else 0.0, details="found" if found else "not found")
'''


def add_evaluator(root: Path, name: str) -> Path:
    """Write ``evaluations/evaluators/custom/<name>.py`` and give its path. Raises InvalidInput, Conflict."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    if not words or words[0][0].isdigit():
        raise InvalidInput(f"{name!r} is no name for an evaluator; begin with a letter, as in `polite-tone`.")
    _refuse_api_workflow(root)
    path = root / FOLDER / "custom" / f"{'_'.join(words).lower()}.py"
    if path.exists():
        raise Conflict(f"{path.name} is there already; choose another name, or go on with it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    class_name = "".join(word[0].upper() + word[1:] for word in words) + "Evaluator"
    path.write_text(_TEMPLATE.format(class_name=class_name), encoding="utf-8")
    return path


def register_evaluator(root: Path, file: str) -> tuple[Document, Document]:
    """Run the file, and write the evaluator's and its types' JSON. Raises NotFound, InvalidInput, Conflict.

    (evaluator, types). The evaluator's id is its file's name, so that both dialects find it.
    """
    _refuse_api_workflow(root)
    path = _sought(root, file)
    told = _described(root, path)
    name = str(told["class"])
    kebab = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
    evaluators = root / FOLDER
    target = evaluators / f"{kebab}.json"
    if target.exists():
        raise Conflict(f"{target.name} is registered already; delete its file first to register it anew.")
    types_path = evaluators / "custom" / "types" / f"{kebab}-types.json"
    types_path.unlink(missing_ok=True)
    types = create_document(types_path, told["schemas"])
    evaluator = create_document(
        target,
        {
            "version": "1.0",
            "id": kebab,
            "evaluatorTypeId": f"file://types/{kebab}-types.json",
            "evaluatorSchema": f"file://{path.name}:{name}",
            "description": told["description"],
            "evaluatorConfig": {**told["config"], "defaultEvaluationCriteria": None},
        },
    )
    return evaluator, types


def _refuse_api_workflow(root: Path) -> None:
    """Raises Conflict: nothing is made beside its own folder, where nobody would look for it."""
    with suppress(InvalidInput):  # no eval sets yet
        layout = find_project(root)
        if layout.dialect != "strict" or not layout.sure:
            return
        raise Conflict(
            f"{root.name} is an API workflow, told by {layout.reason}; it knows {TYPE_ID} only, so a custom evaluator "
            "would never judge. Add it to a coded agent's project."
        )


def _sought(root: Path, file: str) -> Path:
    named = Path(file if file.endswith(".py") else f"{file}.py")
    for folder in (root / FOLDER / "custom", root / FOLDER, root):
        path = folder / named
        if path.is_file():
            return path
    raise NotFound("file", str(named), way_out=f"Put it into {FOLDER / 'custom'}, or make one with `evaluator add`.")


def _described(root: Path, path: Path) -> dict[str, Any]:
    try:
        program = Program((interpreter_of(root), "-P", str(CHILD), str(path), "", "--describe"), megabytes=MEGABYTES)
        try:
            told: dict[str, Any] = json.loads(program.ask_once(b"", SECONDS).splitlines()[-1])
        finally:
            program.close()
    except (ProgramFault, ValueError, IndexError) as error:
        raise InvalidInput(f"{path.name} cannot be registered: {error}") from error
    if "raised" in told:
        raised = told["raised"]
        said = raised["message"] if isinstance(raised, dict) else raised
        raise InvalidInput(f"{path.name} cannot be registered: {said}")
    return told
