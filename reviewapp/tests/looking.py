"""Tests are looked at: their numbers, their inputs, and values by filter and order."""

from __future__ import annotations

from typing import Literal

from reviewapp.domain.records import Page
from reviewapp.domain.tests import (
    InputFilter,
    InputRow,
    Order,
    Test,
    TestCounts,
    TestInput,
    ValueAt,
    ValueCounts,
)
from reviewapp.errors import NotFound
from reviewapp.records import TWINS_NAMED, page_image, the_one
from reviewapp.store.workspace import Workspace


def get_test(workspace: Workspace, id: str) -> Test:
    """Raises NotFound."""
    found = workspace.tests.get(id)
    if found is None:
        raise NotFound("test", id)
    return found


def test_version(workspace: Workspace, id: str) -> int:
    """What a poll compares; grows with every result, answer and status. One cheap query. Raises NotFound."""
    found = workspace.tests.version(id)
    if found is None:
        raise NotFound("test", id)
    return found


test_version.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for a test by its name


def list_tests(
    workspace: Workspace, *, workflow: str | None = None, after: str | None = None, limit: int = 50
) -> list[Test]:
    """Newest first, behind the test with the id `after`."""
    return workspace.tests.rows(workflow=workflow, after=after, limit=limit)


def stopped_tests(workspace: Workspace, *, limit: int = 5) -> list[Test]:
    """Tests that can be gone on with, newest first."""
    return workspace.tests.stopped(limit=limit)


def counts(workspace: Workspace, id: str, *, by: str | None = None) -> TestCounts:
    """The summary of a test; with `by`, `answered` counts only this person's answers. Raises NotFound."""
    found = workspace.tests.counts(id, by=by)
    if found is None:
        raise NotFound("test", id)
    return found


def counts_seen(workspace: Workspace, test: Test, by: str) -> TestCounts:
    """The summary that this person may see: in blind review `answered` counts their own answers alone."""
    return counts(workspace, test.id, by=by if test.overlap > 1 else None)


def get_input(workspace: Workspace, id: str, at: int | str) -> TestInput:
    """An input by position or IRI, with its result. Raises NotFound."""
    found = workspace.results.input(id, at)
    if found is None:
        get_test(workspace, id)
        raise NotFound(f"input of test {id}", str(at))
    return found


def find_input(workspace: Workspace, id: str, named: str) -> TestInput:
    """An input by IRI, or by its record's name where one alone has it. Raises NotFound, InvalidInput."""
    found = workspace.results.input(id, named)
    if found is not None:
        return found
    called = workspace.results.called(id, named, TWINS_NAMED)
    if called:
        return get_input(workspace, id, the_one(called, named))
    test, first = get_test(workspace, id), get_inputs(workspace, id, limit=1)[0]
    way_out = f"Inputs are named by IRI or by name, for example {first.iri}."
    raise NotFound(f"input of test {test.number}", named, way_out=way_out)


def get_inputs(workspace: Workspace, id: str, *, after: int = -1, limit: int = 100) -> list[TestInput]:
    """Inputs with their results, by position, behind position `after`: to go through a whole test in pieces."""
    return workspace.results.inputs(id, after=after, limit=limit)


def input_text(workspace: Workspace, input: TestInput) -> str:
    """The text this input was (or will be) read from; empty where there was none."""
    if input.text_hash is None:
        return ""
    return workspace.records.text(input.text_hash) or ""


def input_pages(workspace: Workspace, input: TestInput) -> list[Page]:
    """The pages that the input's text was taken from, with the boxes of their words; none where it came without."""
    return [] if input.text_hash is None else workspace.records.pages(input.iri, input.text_hash)


def input_page_image(workspace: Workspace, input: TestInput, page: int) -> bytes:
    """One of these pages as PNG; `page` counts from 0. Raises NotFound."""
    return page_image(workspace, input.iri, page, of_text=input.text_hash)


def count_not_read(workspace: Workspace, id: str) -> int:
    """Inputs whose reader failed, and those that have no result: what `run_again` would read."""
    return workspace.tests.count_not_read(id)


def text_state(workspace: Workspace, input: TestInput) -> Literal["current", "changed", "gone"]:
    """Whether the record still has the text that the test reads; answers on a `changed` one are older than its text."""
    now = workspace.records.text_hash(input.iri)
    if now is None:
        return "gone"
    return "current" if now == input.text_hash else "changed"


def list_inputs(
    workspace: Workspace,
    id: str,
    filter: InputFilter | None = None,
    *,
    by: str = "",
    after: int = -1,
    before: int | None = None,
    limit: int = 1_000,
) -> list[InputRow]:
    """Inputs that pass the filter, by position; `by` is whose answers `mine` counts.

    The first `limit` behind position `after`, or with `before` the last `limit` ahead of that position.
    """
    return workspace.listing.rows(id, filter or InputFilter(), by=by, after=after, before=before, limit=limit)


def list_values(
    workspace: Workspace,
    id: str,
    filter: InputFilter,
    order: Order,
    *,
    beside: tuple[int, str] | None = None,
    back: bool = False,
    limit: int = 50,
) -> list[ValueAt]:
    """Values of the filter in the order `weakest` or `property`: the first `limit` behind the value `beside`.

    With `back` those ahead of it, nearest first. `filter.by` is whose answers count as given.
    """
    return workspace.finding.rows(id, filter, order, beside=beside, back=back, limit=limit)


def count_within(workspace: Workspace, id: str, filter: InputFilter) -> ValueCounts:
    """The values of a filter by outcome and answers; the filter itself names the inputs' words, an assigned person, a
    property, support, or whose answers alone. A test of 300,000 values takes 0.02 s, with all of them answered 0.3."""
    return workspace.counting.within(id, filter)


def count_inputs(workspace: Workspace, id: str, filter: InputFilter | None = None) -> int:
    """How many inputs pass the filter."""
    return workspace.listing.count(id, filter or InputFilter())


def next_open(
    workspace: Workspace, id: str, filter: InputFilter | None = None, *, by: str, from_position: int = 0
) -> int | None:
    """Position of the first input from `from_position` on that passes the filter and still wants an answer of `by`."""
    return workspace.listing.next_open(id, filter or InputFilter(), by=by, from_position=from_position)
