"""Values one by one in the orders that cut across inputs, and filters that speak of one and the same value."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewapp import answers, tests
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputFilter, InputResult, Order, ReadValue, Test
from reviewapp.workspaces import Workspace
from tests.web import world


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.in_memory() as opened:
        yield opened


@pytest.fixture
def sinks(workspace: Workspace) -> Test:
    return world.sinks(workspace)


NAMES = ("material", "width", "depth", "colour", "bowl width")
PROPERTIES = [f"{position} {name}" for name in NAMES for position in (0, 1)]
WEAKEST = [
    *("0 bowl width", "0 depth", "1 colour", "1 depth", "1 material", "1 width", "0 width", "0 material"),
    *("0 colour", "1 bowl width"),
]


def walk(workspace: Workspace, test: Test, order: Order, filter: InputFilter, **more: object) -> list[str]:
    rows = tests.list_values(workspace, test.id, filter, order, **more)  # type: ignore[arg-type]
    return [f"{row.position} {row.property}" for row in rows]


@pytest.mark.parametrize(("order", "expected"), [("property", PROPERTIES), ("weakest", WEAKEST)])
def test_every_value_has_its_place_and_its_neighbours(
    workspace: Workspace, sinks: Test, order: Order, expected: list[str]
) -> None:
    assert walk(workspace, sinks, order, InputFilter()) == expected
    assert walk(workspace, sinks, order, InputFilter(), back=True) == expected[::-1]
    for at, value in enumerate(expected):
        position, name = value.split(" ", 1)
        beside = (int(position), name)
        assert walk(workspace, sinks, order, InputFilter(), beside=beside) == expected[at + 1 :]
        assert walk(workspace, sinks, order, InputFilter(), beside=beside, back=True) == expected[:at][::-1]


@pytest.mark.parametrize(
    ("filter", "property_order"),
    [
        ({"property": "width"}, ["0 width", "1 width"]),
        ({"outcome": "review"}, ["0 depth", "1 colour"]),
        ({"outcome": "no_value"}, ["0 colour", "1 bowl width"]),
        ({"outcome": "failed"}, ["0 bowl width"]),
        ({"support_from": 0.6, "support_below": 0.91}, ["1 material", "1 width", "1 depth", "1 colour"]),
        ({"search": "LAUNDRY", "property": "depth"}, ["1 depth"]),
        ({"unanswered": True, "by": "Ann", "property": "width"}, ["1 width"]),
        ({"unanswered": True, "by": "Ann", "outcome": "no_value"}, ["0 colour", "1 bowl width"]),
        ({"answered_by": "Ann"}, ["0 width"]),
        ({"answered_by": "Ben"}, []),
        ({"decision": "accept"}, ["0 width"]),
        ({"decision": "reject"}, []),
    ],
)
def test_a_filter_is_the_same_in_every_order(
    workspace: Workspace, sinks: Test, filter: dict[str, object], property_order: list[str]
) -> None:
    answers.save_answer(workspace, sinks.id, 0, "width", "accept", by="Ann")
    wanted = InputFilter.model_validate(filter)
    assert walk(workspace, sinks, "property", wanted) == property_order
    assert walk(workspace, sinks, "weakest", wanted) == [v for v in WEAKEST if v in property_order]
    inputs = [row.position for row in tests.list_inputs(workspace, sinks.id, wanted)]
    assert inputs == sorted({int(value[0]) for value in property_order})


def test_all_parts_of_a_filter_speak_of_one_value(workspace: Workspace, sinks: Test) -> None:
    answers.save_answer(workspace, sinks.id, 0, "depth", "accept", by="Ann")
    wanted = InputFilter(outcome="review", unanswered=True, by="Ann")
    assert [row.position for row in tests.list_inputs(workspace, sinks.id, wanted)] == [1]
    assert tests.next_open(workspace, sinks.id, InputFilter(outcome="review"), by="Ann") == 1


def test_whether_a_value_still_wants_an_answer_is_in_its_row(workspace: Workspace, sinks: Test) -> None:
    answers.save_answer(workspace, sinks.id, 1, "width", "accept", by="Ben")
    rows = tests.list_values(workspace, sinks.id, InputFilter(by="Ann", property="width"), "property")
    assert [(row.label, row.answered) for row in rows] == [("4.1 kitchen", False), ("4.2 laundry", True)]


def test_the_next_value_of_a_large_test_is_found_without_looking_at_all(workspace: Workspace) -> None:
    """Steps of SQLite's machine, in thousands: few, wherever one stands and however many values share one support."""
    properties = [Property(name=f"p{n:02}", value_type="f64") for n in range(40)]
    test = world.fill(workspace, [(f"text {n:03}", f"p00: {n}") for n in range(150)], properties)
    read = [
        ReadValue(property=p.name, value=1.0, printed="1", quote="", outcome="review", support=0.6) for p in properties
    ]
    test = world.run(workspace, test, [InputResult(values=tuple(read[: 20 + n % 20])) for n in range(150)])
    steps: list[int] = []
    with workspace.tests._connections.read() as connection:
        connection.set_progress_handler(lambda: steps.append(1), 1000)
    try:
        for beside in (None, (0, "p00"), (70, "p10"), (70, "p39"), (149, "p39")):
            for back in (False, True):
                steps.clear()
                tests.list_values(
                    workspace,
                    test.id,
                    InputFilter(by="Ann", unanswered=True),
                    "weakest",
                    beside=beside,
                    back=back,
                    limit=1,
                )
                assert len(steps) < 150, (beside, back)
    finally:
        with workspace.tests._connections.read() as connection:
            connection.set_progress_handler(None, 0)
