"""Several people on one test: whom it asks for what, and how many must agree."""

from __future__ import annotations

from collections.abc import Sequence

from reviewapp.disputes import find_disputes
from reviewapp.domain.base import NAME_LIMIT, Model
from reviewapp.domain.shares import share
from reviewapp.domain.tests import DROPPED, InputFilter, Test, TestCounts
from reviewapp.errors import InvalidInput
from reviewapp.store.workspace import Workspace
from reviewapp.tests import count_inputs, get_test

MOST_OVERLAP = 20
"""More answers on one value are a slip of the finger."""


class Queue(Model):
    """What one person is asked for in one test."""

    test: Test
    asked: int
    """Inputs."""
    open: int
    """Of these, with a value that still wants this person's answer."""


def assign(workspace: Workspace, test_id: str, people: Sequence[str], *, shares: bool, by: str) -> Test:
    """Ask people for all inputs of a test, or with `shares` split them so that every input has as many people as
    the test wants answers (its overlap). Who is asked for an input already stays so and counts.

    Raises NotFound, InvalidInput (no names, or fewer people than answers wanted).
    """
    test = get_test(workspace, test_id)
    names = list(dict.fromkeys(name.strip() for name in people if name.strip()))
    if not names:
        raise InvalidInput("Name at least one person to ask.", param="people")
    for name in names:
        if len(name) > NAME_LIMIT:
            raise InvalidInput(f"A name has at most {NAME_LIMIT} characters; this one has {len(name)}.", param="people")
    with workspace.atomic():
        asked = workspace.reviewers.asked_for(test_id)
        known = {person for there in asked.values() for person in there}
        if shares and len(known | set(names)) < test.overlap:
            raise InvalidInput(
                f"Every value wants {test.overlap} answers, and {len(names)} people were named; name at least "
                f"{test.overlap}, or ask for fewer answers.",
                param="people",
            )
        positions = range(test.input_count)
        pairs = (
            share(positions, names, test.overlap, asked)
            if shares
            else [(position, name) for position in positions for name in names]
        )
        workspace.reviewers.assign(test_id, pairs)
        workspace.trail.note(by, "assign test", f"{test_id}: {', '.join(names)}")
    return get_test(workspace, test_id)


def unassign(workspace: Workspace, test_id: str, person: str | None = None, *, by: str) -> None:
    """Ask a person (None: anybody) for nothing any more; answers stay. Raises NotFound."""
    get_test(workspace, test_id)
    with workspace.atomic():
        workspace.reviewers.unassign(test_id, person)
        workspace.trail.note(by, "unassign test", f"{test_id}: {person or 'everybody'}")


def assigned(workspace: Workspace, test_id: str) -> dict[str, int]:
    """How many inputs each person is asked for, by name."""
    return workspace.reviewers.assigned(test_id)


def is_asked(workspace: Workspace, test_id: str, person: str) -> bool:
    """Whether the test asks this person for inputs of their own."""
    return workspace.reviewers.is_asked(test_id, person)


def queue_counts(workspace: Workspace, test_id: str, person: str, *, outcomes: bool = True) -> TestCounts:
    """The summary of what a person is asked for in a test: `answered` by them, or by anybody where one answer is
    enough. Without `outcomes`, which cost a look at every value, what was read is left at 0."""
    counts = workspace.reviewers.queue(test_id, person)
    if not outcomes:
        return counts
    found = workspace.reviewers.queue_outcomes(test_id, person)
    failed = found.pop("failed", 0)
    return counts.model_copy(
        update={
            "passed": found.get("written", 0),
            "review": found.get("review", 0),
            "failed": failed + sum(found.get(outcome, 0) for outcome in DROPPED),
        }
    )


def queue_of(workspace: Workspace, person: str) -> list[Queue]:
    """The tests that ask a person for something, newest first."""
    return [_queue(workspace, get_test(workspace, id), person) for id in workspace.reviewers.tests_of(person)]


def _queue(workspace: Workspace, test: Test, person: str) -> Queue:
    mine = InputFilter(by=person, assigned_to=person)
    return Queue(
        test=test,
        asked=count_inputs(workspace, test.id, mine),
        open=count_inputs(workspace, test.id, mine.model_copy(update={"unanswered": True})),
    )


def set_overlap(workspace: Workspace, test_id: str, overlap: int, *, by: str) -> Test:
    """How many people must agree on a value, at the start or later; answers stay, what counts is found anew.

    Raises NotFound, InvalidInput.
    """
    if not 1 <= overlap <= MOST_OVERLAP:
        raise InvalidInput(f"{overlap} answers per value: 1 to {MOST_OVERLAP} can be asked for.", param="overlap")
    with workspace.atomic():
        test = get_test(workspace, test_id)
        if test.overlap != overlap:
            workspace.reviewers.set_overlap(test_id, overlap)
            workspace.trail.note(by, "set overlap", f"{test_id}: {overlap}")
            find_disputes(workspace, test_id)
    return get_test(workspace, test_id)
