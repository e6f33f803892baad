"""How far people are: one person's tests, and everybody on a test."""

from __future__ import annotations

from collections.abc import Sequence

from reviewapp import tests
from reviewapp.domain.base import Model
from reviewapp.domain.tests import Test
from reviewapp.errors import NotFound
from reviewapp.workspaces import Workspace


class Progress(Model):
    """How far one person is on one test."""

    test: Test
    answerable: int
    """Values that there are to answer now."""
    answered: int
    """Of these by anybody; in blind review, where each person answers for themselves, by this person."""
    mine: int
    """Of these by this person."""

    @property
    def is_open(self) -> bool:
        """Whether something is left to answer, or more is being read."""
        return self.answered < self.answerable or self.test.status in ("queued", "running")


def of_person(workspace: Workspace, name: str, *, only: Sequence[str] | None = None, limit: int = 50) -> list[Progress]:
    """The tests that a person may answer, those with something open first, then newest first.

    `only`: ids of the tests that they may come to; None: all. Of all of them the latest `limit` are looked at.
    """
    if only is None:
        found = tests.list_tests(workspace, limit=limit)
    else:
        found = [test for id in only if (test := _there(workspace, id)) is not None]
    rows = [_progress(workspace, test, name) for test in found]
    return sorted(rows, key=lambda row: (not row.is_open, -row.test.number))


def of_test(workspace: Workspace, test: str) -> dict[str, int]:
    """Values of a test that each person has answered, most first. Raises NotFound."""
    tests.get_test(workspace, test)
    found: dict[str, int] = {}
    for person, _, count in workspace.answers.progress(test):
        if person:
            found[person] = found.get(person, 0) + count
    return dict(sorted(found.items(), key=lambda row: (-row[1], row[0])))


def finished_inputs(workspace: Workspace, test: str) -> dict[str, int]:
    """Inputs of which a person has answered every value, by person."""
    return workspace.answers.finished_inputs(test)


def _there(workspace: Workspace, test: str) -> Test | None:
    try:
        return tests.get_test(workspace, test)
    except NotFound:
        return None


def _progress(workspace: Workspace, test: Test, name: str) -> Progress:
    everybody = tests.counts_seen(workspace, test, name)
    mine = tests.counts(workspace, test.id, by=name)
    return Progress(test=test, answerable=everybody.answerable, answered=everybody.answered, mine=mine.answered)
