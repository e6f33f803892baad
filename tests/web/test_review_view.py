"""The test page's own view of an input says what the list of inputs says."""

from __future__ import annotations

from reviewapp import tests
from reviewapp.answers import save_answer
from reviewapp.domain.tests import Test
from reviewapp.web.review_view import ReviewPage, View
from reviewapp.workspaces import Workspace


def test_the_row_of_an_input_is_that_of_the_list(workspace: Workspace, sinks: Test) -> None:
    def rows_agree() -> None:
        listed = tests.list_inputs(workspace, sinks.id, by="Ann")
        assert len(listed) == sinks.input_count
        assert [ReviewPage(workspace, sinks, View(), "Ann", row.position).row for row in listed] == listed

    rows_agree()
    save_answer(workspace, sinks.id, 0, "width", "accept", by="Ann")
    save_answer(workspace, sinks.id, 0, "width", "reject", by="Bob")
    save_answer(workspace, sinks.id, 0, "material", "cant_tell", by="Bob")
    rows_agree()
    save_answer(workspace, sinks.id, 0, "width", None, by="Ann")
    rows_agree()
