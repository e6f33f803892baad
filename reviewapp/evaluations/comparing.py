"""Comparing evaluations of datasets: two side by side, many in a matrix, one against a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewapp.domain.evaluations import Basis, CaseResult, Evaluation, Verdict
from reviewapp.errors import Conflict
from reviewapp.evals.comparison import Change, ChangeKind, Comparison, Pairing, changes
from reviewapp.evals.grading import ANSWER_KEY
from reviewapp.evaluations.running import all_results, get_evaluation, list_evaluations
from reviewapp.store.workspace import Workspace

MATRIX_ROWS = 20


@dataclass(frozen=True)
class ItemChanges:
    """One item in both runs."""

    position: int
    """In the later run."""
    name: str
    changes: tuple[Change, ...]


def compare(workspace: Workspace, before: str, after: str, basis: Basis = "written") -> Comparison:
    """Two evaluations by their ids, item by item. Raises NotFound, Conflict where one has not ended."""
    first, second = _ended(workspace, before), _ended(workspace, after)
    pairing = Pairing(basis)
    for a, b in _pairs(workspace, first, second):
        if a is None or b is None:
            if a is None:
                pairing.only_after += 1
            else:
                pairing.only_before += 1
        elif first.grading.was_learnt(a.inputs_fingerprint) or second.grading.was_learnt(b.inputs_fingerprint):
            pairing.seen += 1
        elif a.execution.failed is not None or b.execution.failed is not None:
            pairing.unread += 1
        elif _details(a)["key"] != _details(b)["key"]:
            pairing.changed += 1
        else:
            pairing.add(_details(a)["verdicts"], _details(b)["verdicts"])
    order = [] if second.report is None else list(second.report.properties)
    return pairing.result(order)


def list_changes(
    workspace: Workspace,
    before: str,
    after: str,
    basis: Basis = "written",
    *,
    kinds: tuple[ChangeKind, ...] = ("fixed", "broken"),
    property: str | None = None,
    behind: int = -1,
    limit: int = 50,
) -> list[ItemChanges]:
    """Items with changes of these kinds (of one property), by position in the later run, behind position `behind`."""
    found: list[ItemChanges] = []
    first, second = _ended(workspace, before), _ended(workspace, after)
    for a, b in _pairs(workspace, first, second):
        if a is None or b is None or b.position <= behind or a.execution.failed or b.execution.failed:
            continue
        if first.grading.was_learnt(a.inputs_fingerprint) or second.grading.was_learnt(b.inputs_fingerprint):
            continue
        if _details(a)["key"] != _details(b)["key"]:
            continue
        rows = (_details(a)["verdicts"], _details(b)["verdicts"])
        shown = tuple(
            Change(property=name, kind=kind, before=_of(rows[0], name), after=_of(rows[1], name))
            for name, kind in changes(*rows, basis)
            if kind in kinds and property in (None, name)
        )
        if shown:
            found.append(ItemChanges(b.position, b.name, shown))
    return sorted(found, key=lambda item: item.position)[:limit]


def matrix(workspace: Workspace, dataset: str) -> list[Evaluation]:
    """The latest evaluation of each thing graded on a dataset, newest first: the rows of revisions × properties."""
    rows: dict[str, Evaluation] = {}
    for evaluation in list_evaluations(workspace, dataset=dataset, limit=200):
        if evaluation.status == "done":
            rows.setdefault(evaluation.grading.label, evaluation)
    return list(rows.values())[:MATRIX_ROWS]


def worse_by(comparison: Comparison) -> float:
    """How much F1 fell on the items that both read; negative where it rose. Where nothing can be said: 0."""
    before, after = comparison.total.f1_before, comparison.total.f1_after
    return 0.0 if before is None or after is None else before - after


def _ended(workspace: Workspace, id: str) -> Evaluation:
    found = get_evaluation(workspace, id)
    if found.status != "done" or found.header.kind != "dataset":
        said = found.status if found.header.kind == "dataset" else f"of kind {found.header.kind}"
        raise Conflict(f"Evaluation {found.number} is {said}; only evaluations of datasets that are done compare.")
    return found


def _pairs(
    workspace: Workspace, first: Evaluation, second: Evaluation
) -> Iterator[tuple[CaseResult | None, CaseResult | None]]:
    """Items of both, the same one by name and text; None where one has it not."""
    a, b = first.grading, second.grading
    if (a.dataset, a.dataset_version) == (b.dataset, b.dataset_version):
        both = zip(
            all_results(workspace, first.id, outputs=False),
            all_results(workspace, second.id, outputs=False),
            strict=True,
        )
        yield from both
        return
    there = {(r.name, r.inputs_fingerprint): r for r in all_results(workspace, first.id, outputs=False)}
    for result in all_results(workspace, second.id, outputs=False):
        yield there.pop((result.name, result.inputs_fingerprint), None), result
    yield from ((left, None) for left in there.values())


def _details(result: CaseResult) -> Any:
    return result.scores[ANSWER_KEY].details


def _of(rows: Any, name: str) -> tuple[Verdict, ...]:
    return tuple(Verdict.model_validate(row) for row in rows if row["property"] == name)
