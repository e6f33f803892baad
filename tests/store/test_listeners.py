"""Who waits for new tests is told after the commit, also where the start is a part of a larger transaction."""

from __future__ import annotations

import pytest

from reviewapp.store import DataFolder
from reviewapp.tests import cancel_test, get_test, start_test
from tests.builders import started

TEXTS = {"Shelf": "Width: 60 cm"}


def test_a_listener_sees_the_committed_test_after_the_outermost_commit(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    first = started(workspace, TEXTS)
    cancel_test(workspace, first.id, by="eva")
    seen: list[tuple[bool, int]] = []

    def listen() -> None:
        other = DataFolder(data_folder.path)  # another connection sees only what is committed
        seen.append((inside, len(other.workspace("default").tests.open_ids())))
        other.close()

    data_folder.listeners.append(listen)
    inside = True
    with workspace.atomic():
        test = start_test(workspace, workflow="shelves", everything=True, by="eva")
        assert seen == []
        with workspace.atomic():
            workspace.changed_tests()
        assert seen == []
        inside = False
    assert seen == [(False, 1), (False, 1)]
    assert get_test(workspace, test.id).status == "queued"


def test_nobody_is_told_of_what_is_undone(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    first = started(workspace, TEXTS)
    cancel_test(workspace, first.id, by="eva")
    told: list[str] = []
    data_folder.listeners.append(lambda: told.append("told"))

    def start_and_fail() -> None:
        with workspace.atomic():
            start_test(workspace, workflow="shelves", everything=True, by="eva")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        start_and_fail()
    assert told == []
    start_test(workspace, workflow="shelves", everything=True, by="eva")
    assert told == ["told"]
