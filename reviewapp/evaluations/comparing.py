"""Comparing evaluations of datasets: two side by side, many in a matrix, one against a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewapp.domain.evaluations import Basis, CaseResult, Evaluation, Verdict
from reviewapp.errors import Conflict
from reviewapp.evals.comparison import Change, ChangeKind, Comparison, Pairing, changes
from reviewapp.evals.grading import ANSWER_KEY, verdicts_of
from reviewapp.evaluations.running import all_results, get_evaluation, list_evaluations
from reviewapp.store.workspace import Workspace

MATRIX_ROWS = 20
EPSILON = 1e-9
"""Two figures no further apart are the same: 0.81 − 0.80 is no more than 0.01."""
_Rows = list[dict[str, Any]]
"""Verdicts as plain JSON."""


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
        if a is None:
            pairing.only_after += 1
        elif b is None:
            pairing.only_before += 1
        elif _was_learnt(first, second, a, b):
            pairing.seen += 1
        elif (rows := _verdicts(a, b)) is None:
            pairing.unread += 1
        elif _key(a) != _key(b):
            pairing.changed += 1
        else:
            pairing.add(*rows)
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
    for a, b in _pairs(workspace, first, second, behind):
        if a is None or b is None or _was_learnt(first, second, a, b) or _key(a) != _key(b):
            continue
        rows = _verdicts(a, b)
        shown = () if rows is None else tuple(_changes(*rows, basis, kinds, property))
        if shown:
            found.append(ItemChanges(b.position, b.name, shown))
        if len(found) == limit:
            break
    return found


def _changes(
    before: _Rows, after: _Rows, basis: Basis, kinds: tuple[ChangeKind, ...], property: str | None
) -> Iterator[Change]:
    for name, kind in changes(before, after, basis):
        if kind in kinds and property in (None, name):
            yield Change(property=name, kind=kind, before=_of(before, name), after=_of(after, name))


def matrix(workspace: Workspace, dataset: str) -> list[Evaluation]:
    """The latest evaluation of each thing graded on a dataset, newest first: the rows of revisions × properties."""
    rows: dict[str, Evaluation] = {}
    for evaluation in list_evaluations(workspace, dataset=dataset, limit=200):
        if evaluation.status == "done":
            rows.setdefault(evaluation.grading.label, evaluation)
    return list(rows.values())[:MATRIX_ROWS]


def worse_by(comparison: Comparison) -> float:
    """How much F1 fell on the items that both read; negative where it rose. Where nothing was expected and nothing
    given, F1 counts as 1."""
    before, after = comparison.total.f1_before, comparison.total.f1_after
    return (1.0 if before is None else before) - (1.0 if after is None else after)


def is_worse(comparison: Comparison, by: float) -> bool:
    """Whether F1 fell by more than this. Raises Conflict where no item can be compared."""
    if comparison.items == 0:
        raise Conflict("The two evaluations have no item in common that both read and held against the same.")
    return worse_by(comparison) > by + EPSILON


def _ended(workspace: Workspace, id: str) -> Evaluation:
    found = get_evaluation(workspace, id)
    if found.status != "done" or found.header.kind != "dataset":
        said = found.status if found.header.kind == "dataset" else f"of kind {found.header.kind}"
        raise Conflict(f"Evaluation {found.number} is {said}; only evaluations of datasets that are done compare.")
    return found


def _pairs(
    workspace: Workspace, first: Evaluation, second: Evaluation, behind: int = -1
) -> Iterator[tuple[CaseResult | None, CaseResult | None]]:
    """Items of both, the same one by name and text; None where one has it not. In the order of the second, behind
    position `behind` of it."""
    a, b = first.grading, second.grading
    if (a.dataset, a.dataset_version) == (b.dataset, b.dataset_version):
        both = (all_results(workspace, e.id, after=behind, outputs=False) for e in (first, second))
        yield from zip(*both, strict=True)
        return
    there = {(r.name, r.inputs_fingerprint): r for r in all_results(workspace, first.id, outputs=False)}
    for result in all_results(workspace, second.id, after=behind, outputs=False):
        yield there.pop((result.name, result.inputs_fingerprint), None), result
    yield from ((left, None) for left in there.values())


def _was_learnt(first: Evaluation, second: Evaluation, a: CaseResult, b: CaseResult) -> bool:
    return first.grading.was_learnt(a.inputs_fingerprint) or second.grading.was_learnt(b.inputs_fingerprint)


def _verdicts(a: CaseResult, b: CaseResult) -> tuple[_Rows, _Rows] | None:
    rows = verdicts_of(a), verdicts_of(b)
    return None if rows[0] is None or rows[1] is None else (rows[0], rows[1])


def _key(result: CaseResult) -> str | None:
    """Hash of what the item was held against; None where it was not judged."""
    score = result.scores.get(ANSWER_KEY)
    return None if score is None or score.error is not None else score.details["key"]


def _of(rows: _Rows, name: str) -> tuple[Verdict, ...]:
    return tuple(Verdict.model_validate(row) for row in rows if row["property"] == name)
