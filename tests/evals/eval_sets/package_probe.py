"""Runs in a venv that has the `uipath` package: one job a line of JSON on stdin, its outcome a line on
stdout.

Imports nothing of reviewapp. Jobs:
``{"do": "row", …}``, ``{"do": "set", "file": …}``, ``{"do": "evaluator", "file": …}``,
``{"do": "project", "eval_set": path}``, ``{"do": "time", …}``.
"""

import asyncio
import json
import logging
import os
import sys
import time
from types import SimpleNamespace

logging.disable(logging.CRITICAL)

from opentelemetry.sdk.trace import ReadableSpan  # noqa: E402
from pydantic import ValidationError  # noqa: E402
from uipath.eval.evaluators.evaluator_factory import EvaluatorFactory  # noqa: E402
from uipath.eval.helpers import EvalHelpers, discriminate_eval_set  # noqa: E402
from uipath.eval.mocks._mockito_mocker import MockitoMocker  # noqa: E402
from uipath.eval.mocks._types import MockingContext  # noqa: E402
from uipath.eval.models.evaluation_set import EvaluationItem  # noqa: E402
from uipath.eval.models.models import EvaluationResultDto, WorkloadExecution  # noqa: E402
from uipath.eval.runtime._types import UiPathEvalRunResult, UiPathEvalRunResultDto  # noqa: E402
from uipath.eval.runtime.runtime import (  # noqa: E402
    compute_dataset_evaluator_results,
    compute_evaluator_scores,
)
from uipath.platform.chat import UiPathLlmChatService  # noqa: E402


def main():
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        try:
            done = globals()["do_" + job["do"]](job)
        except Exception as error:
            done = {"raised": told(error)}
        out.write(json.dumps(done) + "\n")
        out.flush()


def told(error):
    cause = error.__cause__ if error.__cause__ is not None else error
    found = {"type": type(error).__name__, "message": str(error).partition("\n\nTraceback")[0]}
    info = getattr(error, "error_info", None)
    if info is not None:
        found["code"] = info.code.removeprefix("Python.").removeprefix("UiPathEvaluation.")
    if isinstance(cause, ValidationError):
        found["fields"] = [
            ".".join(str(p) for p in e["loc"] if "[" not in str(p)) + ": " + e["type"] for e in cause.errors()
        ]
    return found


def make(job):
    file = {
        "version": "1.0",
        "id": "E",
        "evaluatorTypeId": job["type"],
        "evaluatorConfig": {"name": "E", **job["config"]},
    }
    return EvaluatorFactory.create_evaluator(file)


def spans(trace):
    return [ReadableSpan(name=s["name"], attributes=s["attributes"]) for s in trace]


def do_row(job):
    evaluator = EvaluatorFactory.create_evaluator(job["file"]) if "file" in job else make(job)
    row = WorkloadExecution(
        agent_input=job.get("inputs", {}),
        workload_output=job["output"],
        workload_trace=spans(job.get("trace", [])),
        expected_agent_behavior=job.get("behaviour"),
    )
    asked = judge(evaluator, job["reply"]) if "reply" in job else []
    result = asyncio.run(evaluator.validate_and_evaluate_criteria(row, job["criteria"]))
    details = result.details
    if hasattr(details, "model_dump"):
        details = details.model_dump(mode="json")
    return {"score": result.score, "details": details, "score_type": int(result.score_type), "asked": asked}


def judge(evaluator, reply):
    """A model that gives this reply; what it is asked is put into the list."""
    asked = []

    async def chat(**request):
        asked.append(
            {
                "model": request["model"],
                "prompt": request["messages"][-1]["content"],
                "temperature": request.get("temperature", 0.0),
                "max_tokens": request.get("max_tokens"),
            }
        )
        if "raise" in reply:
            raise RuntimeError(reply["raise"])
        calls = [SimpleNamespace(arguments=reply["arguments"])] if "arguments" in reply else []
        message = SimpleNamespace(tool_calls=calls, content=reply.get("text"))
        return SimpleNamespace(choices=[SimpleNamespace(message=message)] * reply.get("choices", 1))

    if hasattr(evaluator, "llm_service"):
        evaluator.llm_service = chat
    else:
        evaluator.llm = UiPathLlmChatService.__new__(UiPathLlmChatService)
        evaluator.llm.chat_completions = chat
    return asked


def do_set(job):
    loaded = discriminate_eval_set(job["file"])
    return {"loaded": loaded.model_dump(by_alias=True, mode="json")}


def do_evaluator(job):
    loaded = EvaluatorFactory.create_evaluator(job["file"])
    return {"class": type(loaded).__name__, "id": loaded.id, "name": loaded.name}


def do_project(job):
    loaded, path = EvalHelpers.load_eval_set(job["eval_set"])
    evaluators = asyncio.run(_evaluators(path, loaded))
    return {"loaded": loaded.model_dump(by_alias=True, mode="json"), "evaluator_ids": [e.id for e in evaluators]}


async def _evaluators(path, loaded):
    return await EvalHelpers.load_evaluators(path, loaded)


def do_run(job):
    evaluators = [EvaluatorFactory.create_evaluator(file) for file in job["evaluators"]]
    results = [asyncio.run(_item(evaluators, item)) for item in job["items"]]
    final, scores = compute_evaluator_scores(results, evaluators, job["weights"])
    metrics = compute_dataset_evaluator_results(results, evaluators)
    return {
        "final": final,
        "scores": scores,
        "metrics": {key: {"score": one.score, "details": one.details} for key, one in metrics.items()},
        "items": [[[one.evaluator_name, one.result.score] for one in r.evaluation_run_results] for r in results],
    }


async def _item(evaluators, item):
    kept = UiPathEvalRunResult(evaluation_name=item["name"], evaluation_run_results=[])

    def keep(name, id, result, is_line=False):
        made = UiPathEvalRunResultDto(evaluator_name=name, evaluator_id=id, result=result, is_line_result=is_line)
        kept.evaluation_run_results.append(made)

    try:
        for evaluator in evaluators:
            if evaluator.id not in item["criteria"]:
                continue
            given = item["criteria"][evaluator.id]
            row = WorkloadExecution(agent_input={}, workload_output=item["output"] or {}, workload_trace=[])
            criteria = evaluator.evaluation_criteria_type(**given) if given else None
            result = await evaluator.validate_and_evaluate_criteria(row, criteria)
            lines = getattr(result, "_line_by_line_results", None)
            for number, line in lines.line_results if lines else ():
                line_result = EvaluationResultDto.from_evaluation_result(line)
                keep(f"{evaluator.name} (Line {number})", f"{evaluator.id}_line_{number}", line_result, is_line=True)
            keep(evaluator.name, evaluator.id, EvaluationResultDto.from_evaluation_result(result))
    except Exception:
        for evaluator in evaluators:
            keep(evaluator.name, evaluator.id, EvaluationResultDto(score=0))
    return kept


def do_mock(job):
    item = {"id": "1", "name": "i", "inputs": {}, "evaluationCriterias": {}, "mockingStrategy": job["strategy"]}
    strategy = EvaluationItem.model_validate(item).mocking_strategy
    mocker = MockitoMocker(MockingContext(strategy=strategy, inputs={}, name="n"))
    return {"answers": [_mocked(mocker, call) for call in job["calls"]]}


def _mocked(mocker, call):
    def real(*args, **kwargs):
        return "real"

    try:
        given = (tuple(call["args"]), call["kwargs"])
        answer = asyncio.run(mocker.response(real, {"name": call["function"]}, given))
    except Exception as error:
        return {"raise": type(error).__name__, "cause": type(error.__cause__).__name__}
    return {"return": answer if not isinstance(answer, Exception) else type(answer).__name__}


def do_time(job):
    evaluator = make(job)
    criteria = job["criteria"]
    row = WorkloadExecution(agent_input={}, workload_output=job["output"], workload_trace=[])

    async def run(times):
        begun = time.process_time()
        for _ in range(times):
            await evaluator.validate_and_evaluate_criteria(row, criteria)
        return (time.process_time() - begun) / times

    return {"seconds": min(asyncio.run(run(job["times"])) for _ in range(5))}


if __name__ == "__main__":
    main()
