"""Short ways to a workspace with records, a workflow and a test that was read; nothing is extracted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reviewapp.datasets import export_file
from reviewapp.domain.places import Grounding, Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import InputResult, Outcome, ReadValue, Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.store import Workspace
from reviewapp.tests import save_result, start_test
from reviewapp.workflows import put_workflow

WIDTH = Property(name="width", value_type="f64", unit="cm", minimum=0, maximum=1_000)
COLOUR = Property(name="colour", value_type="keyword", options=("red", "blue"))


def records(texts: Mapping[str, str]) -> list[IncomingRecord]:
    return [IncomingRecord(name=name, text=text) for name, text in texts.items()]


def value(
    property: str,
    value: Value | None,
    *,
    text: str = "",
    quote: str = "",
    outcome: Outcome = "written",
    support: float | None = 0.9,
    **more: Any,
) -> ReadValue:
    """A reading; its quote is grounded where `text` holds it."""
    grounding = None
    if quote and quote in text:
        start = text.index(quote)
        place = (Span(start=start, end=start + len(quote)),)
        grounding = Grounding(method="exact", place=place, score=100)
    printed = more.pop("printed", str(value))
    return ReadValue(
        property=property,
        value=value,
        printed=printed,
        quote=quote,
        grounding=grounding,
        outcome=outcome,
        support=support,
        **more,
    )


def started(
    workspace: Workspace,
    texts: Mapping[str, str],
    *,
    properties: Sequence[Property] = (WIDTH, COLOUR),
    workflow: str = "shelves",
    collection: str = "tenders",
    **more: Any,
) -> Test:
    """A queued test of a workflow on all these texts."""
    import_records(workspace, collection, records(texts), by="eva")
    definition = WorkflowDefinition(name=workflow, collection=collection, properties=tuple(properties))
    put_workflow(workspace, definition, by="eva")
    return start_test(workspace, workflow=workflow, everything=True, by="eva", **more)


def done(
    workspace: Workspace,
    texts: Mapping[str, str],
    readings: Mapping[str, Sequence[ReadValue] | InputResult],
    **more: Any,
) -> Test:
    """A finished test: every text with its readings (none where it is not in `readings`)."""
    test = started(workspace, texts, **more)
    for input in workspace.results.unread(test.id, limit=100_000):
        reading = readings.get(input.label, ())
        result = reading if isinstance(reading, InputResult) else InputResult(values=tuple(reading))
        assert save_result(workspace, test.id, input.position, result)
    workspace.tests.finish(test.id, "done")
    return test


def zipped(workspace: Workspace, dataset: str) -> bytes:
    """A dataset's zip with both files."""
    return b"".join(export_file(workspace, dataset, "dataset.zip"))


def both_files(workspace: Workspace, dataset: str) -> dict[str, bytes]:
    return {n: b"".join(export_file(workspace, dataset, n)) for n in ("records.json", "expected.json")}
