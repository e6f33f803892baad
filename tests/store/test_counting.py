"""The chips' numbers, counted all at once, are those of the lists that the chips lead to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewapp import answers, reviewers, second_looks, tests
from reviewapp.domain.tests import InputFilter, InputResult, Test
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.workspaces import Workspace
from tests.web import world

NAMES = [prop.name for prop in world.PROPERTIES]
PEOPLE = ("Ann", "Ben", "Eve")
ASKED: dict[str, dict[str, Any]] = {
    "all": {},
    "passed": {"outcome": "written"},
    "review": {"outcome": "review"},
    "no_value": {"outcome": "no_value"},
    "unanswered": {"unanswered": True},
    "disputed": {"disputed": True},
    "sent_back": {"look": "sent_back"},
    "look": {"look": "wanted"},
}
"""What each number counts, as a filter of its own; `failed` counts what is no value of a list too."""

values = st.tuples(st.integers(0, 1), st.sampled_from(NAMES))
steps = st.lists(
    st.tuples(values, st.sampled_from(PEOPLE), st.sampled_from(["accept", "reject", "cant_tell", "look", "back"])),
    max_size=12,
)
filters = st.builds(
    dict,
    property=st.none() | st.sampled_from(NAMES),
    support_from=st.none() | st.sampled_from([0.0, 0.6, 0.9]),
    support_below=st.none() | st.sampled_from([0.7, 0.91, 1.0]),
    search=st.sampled_from(["", "sink", "LAUNDRY", "nowhere"]),
    answered_by=st.none() | st.sampled_from(PEOPLE),
    assigned_to=st.none() | st.just("Ann"),
    by=st.just("Ann"),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(overlap=st.integers(1, 2), steps=steps, filter=filters, queue=st.booleans())
def test_every_number_is_that_of_its_list(
    overlap: int, steps: list[tuple[tuple[int, str], str, str]], filter: dict[str, Any], queue: bool
) -> None:
    with Workspace.in_memory() as workspace:
        test = world.sinks(workspace)
        if overlap > 1:
            reviewers.set_overlap(workspace, test.id, overlap, by="Eve")
        if queue:
            workspace.reviewers.assign(test.id, [(1, "Ann")])
        for (position, name), person, step in steps:
            _take(workspace, test, position, name, person, step)
        found = tests.count_within(workspace, test.id, InputFilter.model_validate(filter))
        listed = {
            chip: len(_list(workspace, test, InputFilter.model_validate({**filter, **asked})))
            for chip, asked in ASKED.items()
        }
        assert {chip: getattr(found, chip) for chip in ASKED} == listed


def _take(workspace: Workspace, test: Test, position: int, name: str, person: str, step: str) -> None:
    """An answer or a second look; one that is not possible there is left out."""
    try:
        if step in ("look", "back"):
            verdict = "confirm" if step == "look" else "send_back"
            second_looks.look_again(workspace, test.id, position, name, verdict, by=person)  # type: ignore[arg-type]
        else:
            answers.save_answer(workspace, test.id, position, name, step, by=person)  # type: ignore[arg-type]
    except (InvalidInput, Conflict):
        return


def _list(workspace: Workspace, test: Test, filter: InputFilter) -> list[object]:
    return list(tests.list_values(workspace, test.id, filter, "property", limit=100))


@pytest.mark.parametrize(
    ("filter", "failed"),
    [
        ({}, 3),
        ({"search": "sink"}, 2),
        ({"search": "broken"}, 1),
        ({"property": "bowl width"}, 2),
        ({"property": "bowl width", "search": "sink"}, 1),
        ({"support_from": 0.1}, 0),
        ({"answered_by": "Ann"}, 0),
    ],
)
def test_what_failed_is_counted_as_the_summary_does(filter: dict[str, Any], failed: int) -> None:
    """A second reading and an input whose reader failed are among them, though no value of theirs is in a list."""
    with Workspace.in_memory() as workspace:
        texts = [("4.1 kitchen", world.KITCHEN), ("4.2 laundry", world.LAUNDRY), ("4.3 broken", "No text to speak of.")]
        results = [
            world.kitchen_result(),
            world.laundry_result(),
            InputResult(failed="The reader's reply was cut off."),
        ]
        test = world.run(workspace, world.fill(workspace, texts), results)
        assert tests.counts(workspace, test.id).failed == 3
        assert tests.count_within(workspace, test.id, InputFilter.model_validate(filter)).failed == failed
