"""The gate of a workflow, from the answers that people gave on its tests."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer, same_value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test
from reviewapp.domain.workflows import DEFAULT_GATE, DROP_BELOW, Workflow, WorkflowDefinition, WorkflowSettings
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evals.gate import GateStudy, Point, Suggestion, study, suggest
from reviewapp.evals.sampling import Knowledge, knowledge
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, get_test, list_tests
from reviewapp.workflows import get_workflow, put_workflow

PIECE = 200
MOST_TESTS = 50
"""Latest tests of a workflow that are looked through."""
KEPT = 4
"""Sets of points kept in memory."""


def gate_points(workspace: Workspace, workflow: str, *, test: str | None = None) -> list[Point]:
    """Every value with a standing answer and a support: of one test, or of all tests of the revision in use (whatever
    its gate). Support of another revision means something else, so those tests are left out.

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
    wanted = _but_for_its_gate(get_workflow(workspace, workflow).active.settings)
    tests = list_tests(workspace, workflow=workflow, limit=MOST_TESTS)
    return _points_of(workspace, [t for t in tests if _but_for_its_gate(t.settings) == wanted])


_kept: OrderedDict[tuple[tuple[str, int], ...], list[Point]] = OrderedDict()
"""Points by tests and their versions, which grow with every answer: a page asks three times for the same ones."""
_keeping = threading.Lock()


def _points_of(workspace: Workspace, tests: Sequence[Test]) -> list[Point]:
    key = tuple((t.id, t.version) for t in tests)
    with _keeping:
        if key in _kept:
            _kept.move_to_end(key)
            return list(_kept[key])
    points = [point for t in tests for point in _points(workspace, t)]
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


def set_gate(workspace: Workspace, workflow: str, gate: float, *, by: str, expected: str | None = None) -> Workflow:
    """Put the revision in use with another gate: a new revision. The same gate changes nothing.

    `expected` is the revision that was looked at. Raises NotFound, InvalidInput, Conflict.
    """
    if not DROP_BELOW <= gate <= 1:
        raise InvalidInput(f"The gate {gate:g} is not between {DROP_BELOW:g} and 1.", param="gate")
    with workspace.atomic():
        present = get_workflow(workspace, workflow)
        if expected is not None and present.active.id != expected:
            raise Conflict(
                f"Workflow {workflow!r} has changed in the meantime; look at its answers and set the gate again.",
                code="workflow_revision_conflict",
            )
        settings = present.active.settings
        shared = WorkflowSettings.model_fields.keys() & WorkflowDefinition.model_fields.keys() - {"gate"}
        definition = WorkflowDefinition(
            name=workflow, gate=round(gate, 4), **{field: getattr(settings, field) for field in shared}
        )
        note = f"gate {settings.gate:g} → {gate:g}, from answers"
        return put_workflow(workspace, definition, by=by, note=note)


def _of(points: Sequence[Point], property: str | None) -> Sequence[Point]:
    return points if property is None else [p for p in points if p.property == property]


def _but_for_its_gate(settings: WorkflowSettings) -> str:
    return settings.model_copy(update={"gate": DEFAULT_GATE}).fingerprint


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
