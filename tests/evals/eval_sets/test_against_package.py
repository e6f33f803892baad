"""Random rows and odd files, taken here and by the real package: scores, details and errors to the letter."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

import pytest

from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.files import read_eval_set
from reviewapp.evals.eval_sets.judges import Judge, JudgeReply, JudgeRequest
from reviewapp.evals.eval_sets.old_others import make_old_evaluator
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.table import TYPES, configured, make_evaluator
from tests.evals.eval_sets.generated import Job, jobs
from tests.evals.eval_sets.generated_files import file_jobs
from tests.evals.eval_sets.generated_old import OLD_KINDS, old_jobs
from tests.evals.eval_sets.package import ask

ROWS = int(os.environ.get("REVIEWAPP_DIFFERENTIAL_ROWS", "500"))
SEED = int(os.environ.get("REVIEWAPP_DIFFERENTIAL_SEED", "1"))
"""Another number: other rows."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
def test_random_rows_score_as_the_package_scores_them(kind: str) -> None:
    made = jobs(kind, ROWS, SEED)
    for job, theirs in zip(made, ask(made), strict=True):
        # As JSON: 1 is not 1.0 there, and true is neither.
        assert json.dumps(ours(job), sort_keys=True) == json.dumps(brief(theirs), sort_keys=True), json.dumps(job)


@pytest.mark.slow
@pytest.mark.parametrize("kind", OLD_KINDS)
def test_random_rows_of_the_old_format(kind: str) -> None:
    made = old_jobs(kind, ROWS, SEED)
    for job, theirs in zip(made, ask(made), strict=True):
        found = brief(theirs)
        if "fields" in found:  # behind the name of their class
            found["fields"] = [field.rpartition(".")[2] for field in found["fields"]]
        kind_of_score = found.pop("score_type", None)
        if kind_of_score == 0:  # as a run counts true
            found["score"] *= 100.0
        assert json.dumps(ours_old(job), sort_keys=True) == json.dumps(found, sort_keys=True), json.dumps(job)


def ours_old(job: Job) -> Job:
    asked: list[Job] = []
    try:
        _, evaluator = make_old_evaluator(job["file"], judge=scripted(job, asked))
        row = Row(job["output"], job["inputs"], tuple(job["trace"]))
        scored = evaluator.evaluate(row, job["criteria"])
    except Fault as fault:
        fields = {field.rpartition(".")[2] for field in fault.fields}
        return {"raised": fault.code or fault.type, "fields": sorted(fields)}
    return {"score": scored.counted, "details": scored.details, "asked": asked}


def ours(job: Job) -> Job:
    asked: list[Job] = []

    try:
        evaluator = configured(job["type"], job["config"], judge=scripted(job, asked))
        row = Row(job["output"], job.get("inputs", {}), tuple(job.get("trace", ())))
        scored = evaluator.evaluate(row, job["criteria"])
    except Fault as fault:
        return {"raised": fault.code or fault.type, "fields": sorted(set(fault.fields))}
    return {"score": scored.score, "details": scored.details, "score_type": scored.score_type, "asked": asked}


def scripted(job: Job, asked: list[Job]) -> Judge:
    """Gives the job's reply and keeps what it is asked."""

    def judge(request: JudgeRequest) -> JudgeReply:
        asked.append(dataclasses.asdict(request))
        reply = job["reply"]
        if "raise" in reply:
            raise RuntimeError(reply["raise"])
        return JudgeReply(reply.get("arguments"), reply.get("text"), reply.get("choices", 1))

    return judge


def brief(theirs: Job) -> Job:
    if raised := theirs.get("raised"):
        return {"raised": raised.get("code") or raised["type"], "fields": sorted(set(raised.get("fields", ())))}
    return {**theirs, "details": _without_traceback(theirs["details"])}


def _without_traceback(details: Any) -> Any:
    if details is None:
        return None
    if isinstance(details, str):
        return details.partition("\n\nTraceback")[0]
    for line in details.get("line_by_line_results", ()):
        line["details"] = _without_traceback(line["details"])
    return details


def eval_set(**fields: Any) -> dict[str, Any]:
    return {"do": "set", "file": {"version": "1.0", "id": "s", "name": "S", **fields}}


def one_item(**fields: Any) -> dict[str, Any]:
    return eval_set(evaluations=[{"id": "1", "name": "i", "inputs": {}, "evaluationCriterias": {}, **fields}])


def one_evaluator(kind: str = "uipath-exact-match", **fields: Any) -> dict[str, Any]:
    file = {"version": "1.0", "id": "E", "evaluatorTypeId": kind, "evaluatorConfig": {"name": "E"}}
    return {"do": "evaluator", "file": {**file, **fields}}


def config(**fields: Any) -> dict[str, Any]:
    return one_evaluator(evaluatorConfig={"name": "E", **fields})


AGGREGATED = {"classes": ["a"], "aggregators": [{"type": "recall", "averaging": "macro"}]}
FILES = [
    *(eval_set(version=version) for version in (1, 1.5, True, None, [], "1", "2.0", "0.5", "x")),
    *(
        eval_set(evaluatorConfigs=given)
        for given in (["E", None], [{"ref": 3}], [{"ref": "E", "weight": "2"}], [{"w": 1}])
    ),
    *(eval_set(evaluatorRefs=given) for given in ("E", None, [1])),
    *(eval_set(evaluations=given) for given in (None, {}, [3])),
    eval_set(id=3),
    eval_set(modelSettings=[{}]),
    eval_set(agentMemoryEnabled="x"),
    *(one_item(mockingStrategy=given) for given in ({}, [], "x", {"a": 1}, {"type": 3}, {"type": "zzz"})),
    one_item(mockingStrategy={"type": "mockito", "behaviors": [{"function": "f", "then": [{"type": "return"}]}]}),
    one_item(mockingStrategy={"type": "llm", "prompt": "p"}),
    *(one_item(inputMockingStrategy=given) for given in ({}, {"prompt": "p", "model": {}})),
    *(one_item(expectedOutput=given) for given in (3, [1], "x")),
    *(one_item(evaluationCriterias=given) for given in (None, {"E": 3}, {"E": None})),
    one_item(id=5),
    one_item(name=None),
    one_item(inputs=[]),
    *(one_evaluator(version=version) for version in (1, "2.0", None)),
    *(one_evaluator(name=given) for given in (3, None, "N")),
    *(one_evaluator(evaluatorConfig=given) for given in ([], None, {})),
    one_evaluator(id=5),
    *(one_evaluator(given) for given in ("uipath-nope", "")),
    *(config(targetOutputKey=given) for given in (None, 3, [1], [])),
    *(config(caseSensitive=given) for given in ("maybe", "yes", 1)),
    config(**AGGREGATED),
    config(**AGGREGATED, negated=True),
    config(**AGGREGATED, caseSensitive=True),
    config(**AGGREGATED, lineByLineEvaluator=True),
    config(aggregators=AGGREGATED["aggregators"]),
    config(**{**AGGREGATED, "classes": ["a", "A"]}),
    config(**{**AGGREGATED, "classes": [" a"]}),
    config(classes=["a"], aggregators=[{"type": "fscore", "averaging": "macro", "fValue": 0}]),
    config(classes=["a"], aggregators=[{"type": "accuracy"}, {"averaging": "macro"}, {"type": "precision"}]),
    *(config(defaultEvaluationCriteria=given) for given in ({}, 3, {"searchText": "x"})),
    *(one_evaluator(kind, evaluatorConfig={}) for kind in TYPES),
    *(
        one_evaluator(
            kind,
            evaluatorConfig={
                "strict": "x",
                "targetOutputKey": 5,
                "model": 3,
                "fValue": "x",
                "classes": [1],
                "prompt": 1,
            },
        )
        for kind in TYPES
    ),
]


@pytest.mark.slow
def test_files_load_and_are_refused_as_by_the_package() -> None:
    for job, theirs in zip(FILES, ask(FILES), strict=True):
        assert ours_loaded(job) == theirs_loaded(job, theirs), json.dumps(job)


@pytest.mark.slow
def test_random_files_load_and_are_refused_as_by_the_package() -> None:
    made = file_jobs(ROWS, SEED)
    for job, theirs in zip(made, ask(made), strict=True):
        found, wanted = ours_loaded(job), theirs_loaded(job, theirs)
        if wanted == {"code": None, "fields": []}:  # it broke while it read: here a sentence says what is wrong
            assert "fields" in found, json.dumps(job)
        else:
            assert found == wanted, json.dumps(job)


def ours_loaded(job: dict[str, Any]) -> dict[str, Any]:
    try:
        if job["do"] == "set":
            read_eval_set(job["file"])
            return {"loaded": True}
        _, made = make_evaluator(job["file"])
    except Fault as fault:
        return {"code": fault.code, "fields": sorted(set(fault.fields))}
    return {"class": made.class_name, "name": made.name}


def theirs_loaded(job: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    if raised := theirs.get("raised"):
        return {"code": raised.get("code"), "fields": sorted(set(raised.get("fields", ())))}
    return {"loaded": True} if job["do"] == "set" else {"class": theirs["class"], "name": theirs["name"]}
