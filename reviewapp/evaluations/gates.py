"""The gate of a workflow, from the answers that people gave on its tests."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer, same_value
from reviewapp.domain.evaluations import Evaluation, RevisionSubject, Verdict
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test
from reviewapp.domain.workflows import DEFAULT_GATE, DROP_BELOW, Workflow, WorkflowSettings
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evals.gate import GateStudy, Point, Suggestion, study, suggest
from reviewapp.evals.grading import verdicts_of
from reviewapp.evals.sampling import Knowledge, knowledge
from reviewapp.evaluations.running import all_results, list_evaluations
from reviewapp.store.workspace import Workspace
from reviewapp.tests import counts, get_inputs, get_test, list_tests
from reviewapp.workflows import get_workflow, put_workflow

PIECE = 200
MOST_TESTS = 50
"""Latest tests of a workflow that are looked through."""
MOST_EVALUATIONS = 100
"""Latest evaluations that are looked through."""
KEPT = 4
"""Sets of points kept in memory."""


@dataclass(frozen=True)
class GateAnswers:
    """Answered values with their support, and where they are from."""

    points: list[Point]
    evaluation: Evaluation | None = None
    """They are of this grading of the revision in use; None: of tests."""
    other: Test | None = None
    """They are of this test of another revision, whose support may mean something else."""


def gate_answers(workspace: Workspace, workflow: str, *, test: str | None = None) -> GateAnswers:
    """Answers to find a gate by: those on `test`; else, of the revision in use (whatever its gates), those on its tests
    or those in the dataset of its newest grading (but for texts that it learnt from), whichever are more; where there
    are none, those on the newest answered test of another revision.

    Raises NotFound, InvalidInput (a test of another workflow).
    """
    points = gate_points(workspace, workflow, test=test)
    if test is not None:
        return GateAnswers(points)
    graded = _newest_grading(workspace, workflow)
    if graded is not None and len(known := _graded_points(workspace, graded)) > len(points):
        return GateAnswers(known, evaluation=graded)
    if points:
        return GateAnswers(points)
    for other in list_tests(workspace, workflow=workflow):
        if counts(workspace, other.id).answered and (points := gate_points(workspace, workflow, test=other.id)):
            return GateAnswers(points, other=other)
    return GateAnswers([])


def gate_points(workspace: Workspace, workflow: str, *, test: str | None = None) -> list[Point]:
    """Every value with a standing answer and a support: of one test, or of all tests of the revision in use (whatever
    its gates). Support of another revision means something else, so those tests are left out.

    An accept, and a correction to the same value, is right; a reject or another correction is wrong; can't tell says
    nothing. Raises NotFound, InvalidInput (a test of another workflow).
    """
    if test is not None:
        chosen = get_test(workspace, test)
        if chosen.workflow != workflow:
            raise InvalidInput(
                f"Test {chosen.number} is of workflow {chosen.workflow!r}, not of {workflow!r}.", param="test"
            )
        return _points_of(workspace, [chosen])
    wanted = _but_for_its_gates(get_workflow(workspace, workflow).active.settings)
    tests = list_tests(workspace, workflow=workflow, limit=MOST_TESTS)
    return _points_of(workspace, [t for t in tests if _but_for_its_gates(t.settings) == wanted])


_Key = tuple[tuple[str, int], ...]
_kept: OrderedDict[_Key, list[Point]] = OrderedDict()
"""Points by tests and their versions, which grow with every answer: a page asks three times for the same ones."""
_keeping = threading.Lock()


def _points_of(workspace: Workspace, tests: Sequence[Test]) -> list[Point]:
    key = tuple((t.id, t.version) for t in tests)
    return _remembered(key, lambda: [point for t in tests for point in _points(workspace, t)])


def _graded_points(workspace: Workspace, graded: Evaluation) -> list[Point]:
    return _remembered(((graded.id, 0),), lambda: list(_points_of_grading(workspace, graded)))


def _remembered(key: _Key, find: Callable[[], list[Point]]) -> list[Point]:
    with _keeping:
        if key in _kept:
            _kept.move_to_end(key)
            return list(_kept[key])
    points = find()
    with _keeping:
        _kept[key] = points
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return list(points)


def gate_study(points: Sequence[Point], property: str | None = None) -> GateStudy:
    """The curve and the reliability diagram, of one property or of all."""
    return study(_of(points, property))


def suggest_gate(points: Sequence[Point], wanted: float, property: str | None = None) -> Suggestion:
    """The gate for a wanted precision (0.5 to 1). Raises InvalidInput."""
    if not 0.5 <= wanted <= 1:
        raise InvalidInput(
            f"The wanted precision {wanted:g} is not between 0.5 and 1; 0.98 means 98 %.", param="wanted"
        )
    return suggest(_of(points, property), wanted)


def known_of(points: Sequence[Point], properties: Sequence[str]) -> list[Knowledge]:
    """How right each property's values were, and how many more answers would make that exact."""
    return [knowledge(n, sum(p.right for p in own), len(own)) for n in properties for own in [_of(points, n)]]


def set_gate(
    workspace: Workspace,
    workflow: str,
    gate: float | None,
    *,
    property: str | None = None,
    by: str,
    expected: str | None = None,
) -> Workflow:
    """Put the revision in use with another gate, or with one of its own for a property (None: the workflow's again): a
    new revision. The same gates change nothing.

    `expected` is the revision that was looked at. Raises NotFound, InvalidInput, Conflict.
    """
    if gate is None and property is None:
        raise InvalidInput("Name the gate, or the property that is to have the workflow's.", param="gate")
    if gate is not None and not DROP_BELOW <= gate <= 1:
        raise InvalidInput(f"The gate {gate:g} is not between {DROP_BELOW:g} and 1.", param="gate")
    with workspace.atomic():
        present = get_workflow(workspace, workflow)
        if expected is not None and present.active.id != expected:
            raise Conflict(
                f"Workflow {workflow!r} has changed in the meantime; look at its answers and set the gate again.",
                code="workflow_revision_conflict",
            )
        settings = present.active.settings
        if property is None:
            changed: dict[str, Any] = {"gate": round(gate or 0, 4)}
            note = f"gate {settings.gate:g} → {gate:g}, from answers"
        else:
            if settings.property(property) is None:
                names = ", ".join(prop.name for prop in settings.properties)
                raise InvalidInput(f"{workflow!r} reads no {property!r}; it reads {names}.", param="property")
            others = {name: own for name, own in settings.gates.items() if name != property}
            changed = {"gates": others if gate is None else {**others, property: round(gate, 4)}}
            after = settings.gate if gate is None else gate
            note = f"gate of {property} {settings.gate_of(property):g} → {after:g}, from answers"
        definition = settings.defined_as(workflow).model_copy(update=changed)
        return put_workflow(workspace, definition, by=by, note=note)


def _of(points: Sequence[Point], property: str | None) -> Sequence[Point]:
    return points if property is None else [p for p in points if p.property == property]


def _but_for_its_gates(settings: WorkflowSettings) -> str:
    return settings.model_copy(update={"gate": DEFAULT_GATE, "gates": {}}).fingerprint


def _newest_grading(workspace: Workspace, workflow: str) -> Evaluation | None:
    """Of the revision in use, whatever its gates; among the latest evaluations."""
    wanted = _but_for_its_gates(get_workflow(workspace, workflow).active.settings)
    for found in list_evaluations(workspace, kind="dataset", limit=MOST_EVALUATIONS):
        subject = found.grading.subject
        if found.status != "done" or not isinstance(subject, RevisionSubject) or subject.workflow != workflow:
            continue
        if _but_for_its_gates(subject.settings) == wanted:
            return found
    return None


def _points_of_grading(workspace: Workspace, graded: Evaluation) -> Iterator[Point]:
    for result in all_results(workspace, graded.id, outputs=False):
        if graded.grading.was_learnt(result.inputs_fingerprint):
            continue
        for verdict in map(Verdict.model_validate, verdicts_of(result) or ()):
            found = verdict.found
            kind = verdict.kinds["read"]
            if found is None or found.support is None or kind not in ("right", "wrong", "forbidden"):
                continue  # one that a check dropped, or that nobody can judge
            yield Point(
                support=found.support, right=kind == "right", property=found.property, confirmed=not found.unconfirmed
            )


def _points(workspace: Workspace, test: Test) -> Iterator[Point]:
    after = -1
    while inputs := get_inputs(workspace, test.id, after=after, limit=PIECE):
        first, after = inputs[0].position, inputs[-1].position
        given = answers_of_inputs(workspace, test.id, first, after)
        for input in inputs:
            if input.position not in given or input.result is None:
                continue
            for name, standing in standing_answers(test, input, given[input.position]).items():
                read = read_for(name, input.result.values)
                if standing.answer is None or read is None or read.support is None:
                    continue
                right = was_right(read, standing.answer)
                if right is not None:
                    yield Point(support=read.support, right=right, property=name, confirmed=read.unconfirmed is None)


def was_right(read: ReadValue, answer: Answer) -> bool | None:
    """What an answer says of the value read; None: nothing."""
    if answer.decision == "accept":
        return True
    if answer.decision == "correct" and read.value is not None and answer.value is not None:
        return same_value(read.value, answer.value)
    return None if answer.decision in ("cant_tell", None) else False
