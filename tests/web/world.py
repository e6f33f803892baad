"""A workspace as the page tests need it: tender positions, a workflow, and a test with results made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from fpdf import FPDF

from reviewapp import records, tests, workflows
from reviewapp.domain.places import Grounding, Span
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import InputResult, Outcome, ReadValue, Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.formats.readers import read_files
from reviewapp.formats.sources import Upload
from reviewapp.workspaces import Workspace

KITCHEN = """Item 4.1 — Built-in sink for the tea kitchen, ground floor.

Stainless steel 1.4301, brushed, one bowl with draining board, reversible. \
Width of the sink 600 mm, depth approx. 500, bowl 340 x 400 mm, bowl depth 150 mm. \
Waste kit 3½", overflow, tap hole Ø 35 mm.

Make offered: ________________
"""
LAUNDRY = "Item 4.2 — Utility sink for the laundry.\n\nPlastic, white. Width 550 mm, depth 450 mm."
PROPERTIES = (
    Property(name="material", value_type="keyword"),
    Property(name="width", value_type="f64", unit="cm", aliases=("Breite",), minimum=1),
    Property(name="depth", value_type="f64", unit="cm"),
    Property(name="colour", value_type="keyword", options=("white", "black")),
    Property(name="bowl width", value_type="f64", unit="cm"),
)


def value(
    text: str,
    name: str,
    read: str | float | None,
    quote: str,
    outcome: Outcome = "written",
    *,
    support: float | None = 0.9,
    nearest: str | None = None,
    printed: str | None = None,
    **more: str,
) -> ReadValue:
    """A value read from `text`, with its quote where it first stands."""
    at = text.find(quote)
    grounding = None
    if at >= 0 and outcome != "quote_not_found":
        grounding = Grounding(method="exact", place=(Span(start=at, end=at + len(quote)),), score=100)
    near = None if nearest is None else Span(start=text.index(nearest), end=text.index(nearest) + len(nearest))
    return ReadValue(
        property=name,
        value=read,
        printed=printed if printed is not None else f"{read:g}" if isinstance(read, float) else str(read),
        quote=quote,
        grounding=grounding,
        nearest=near,
        support=support,
        outcome=outcome,
        **more,
    )


def kitchen_result() -> InputResult:
    """One card of each kind: passed, converted, to review, none, not found; and a second reading."""
    return InputResult(
        values=(
            value(KITCHEN, "material", "stainless steel", "Stainless steel 1.4301, brushed", support=0.94),
            value(KITCHEN, "width", 60.0, "Width of the sink 600 mm", stated="600 mm", support=0.91),
            value(
                KITCHEN, "depth", 50.0, "depth approx. 500", "review",
                support=0.58, unconfirmed="The unit is not stated; mm was assumed.",
            ),
            value(
                KITCHEN, "bowl width", 36.0, "bowl 360 x 400 mm", "quote_not_found",
                support=None, nearest="bowl 340 x 400 mm", detail="These words are not in the text.",
            ),
            value(KITCHEN, "width", 34.0, "bowl 340 x 400 mm", "duplicate", support=None),
        )
    )  # fmt: skip


def laundry_result() -> InputResult:
    return InputResult(
        values=(
            value(LAUNDRY, "material", "plastic", "Plastic"),
            value(LAUNDRY, "width", 55.0, "Width 550 mm", stated="550 mm"),
            value(LAUNDRY, "depth", 45.0, "depth 450 mm", stated="450 mm"),
            value(LAUNDRY, "colour", "white", "white", "review", support=0.7),
        )
    )


def fill(
    workspace: Workspace,
    texts: Sequence[tuple[str, str]] = (("4.1 kitchen", KITCHEN), ("4.2 laundry", LAUNDRY)),
    properties: Sequence[Property] = PROPERTIES,
    *,
    collection: str = "tenders",
    workflow: str = "sinks",
) -> Test:
    """Records, a workflow on them and a queued test of all."""
    incoming = [IncomingRecord(name=name, text=text) for name, text in texts]
    records.import_records(workspace, collection, incoming, by="Ann")
    definition = WorkflowDefinition(name=workflow, collection=collection, properties=tuple(properties))
    workflows.put_workflow(workspace, definition, by="Ann")
    return tests.start_test(workspace, workflow=workflow, everything=True, by="Ann")


def run(workspace: Workspace, test: Test, results: Sequence[InputResult], *, finish: bool = True) -> Test:
    """Give the first inputs these results, as the runner would."""
    workspace.tests.mark_running(test.id)
    for position, result in enumerate(results):
        tests.save_result(workspace, test.id, position, result)
    if finish:
        workspace.tests.finish(test.id, "done")
    return tests.get_test(workspace, test.id)


def sinks(workspace: Workspace) -> Test:
    """The test that most page tests answer on, read to the end."""
    return run(workspace, fill(workspace), [kitchen_result(), laundry_result()])


def offer_pdf(pages: int = 2) -> bytes:
    """Up to two pages; the words of the second stand on its own lines."""
    pdf = FPDF()
    pdf.set_font("Helvetica", size=14)
    for lines in (("Offer 12", "Built-in sink", "Width of the sink 600 mm"), ("Page two", "Depth 500 mm"))[:pages]:
        pdf.add_page()
        for line in lines:
            pdf.cell(0, 12, line, new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def offer(workspace: Workspace, pages: int = 2) -> Test:
    """A test on a record that came from a PDF; a quote stands on each of its pages."""
    incoming = read_files([Upload("offer.pdf", offer_pdf(pages))])
    records.import_records(workspace, "offers", incoming.records, by="Ann")
    definition = WorkflowDefinition(name="offers", collection="offers", properties=PROPERTIES[1:3])
    workflows.put_workflow(workspace, definition, by="Ann")
    test = tests.start_test(workspace, workflow="offers", everything=True, by="Ann")
    text = tests.input_text(workspace, tests.get_input(workspace, test.id, 0))
    values = (value(text, "width", 60.0, "sink 600 mm", stated="600 mm"), value(text, "depth", 50.0, "Depth 500 mm"))
    return run(workspace, test, [InputResult(values=values[:pages])])
