"""What a revision reads in texts that it did not learn from, against their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviewapp.calls.budgets import check_budget
from reviewapp.calls.desk import CallDesk, asks_models
from reviewapp.choices import with_models
from reviewapp.domain.learning import Graded, GradedChange, ReliabilityBin
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import InputResult, ReadValue
from reviewapp.domain.values import values_equal
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.errors import Conflict
from reviewapp.evals.gate import Point, study
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.extraction.reading import make_reader
from reviewapp.learning.material import AnsweredText
from reviewapp.models import estimate_micro_usd
from reviewapp.store.workspace import Workspace


@dataclass(frozen=True)
class GradedAnswer:
    """One held-out answer and what a revision read for it."""

    name: str
    property: str
    expected: Value | None
    read: ReadValue | None
    right: bool


def read_held_out(
    workspace: Workspace, workflow: str, texts: Sequence[AnsweredText], settings: WorkflowSettings, evidence: Evidence
) -> list[GradedAnswer]:
    """The answers to the texts beside what settings read, as tests read them: through the line of blocks.

    Raises Conflict where a model that a block asks cannot be asked, BudgetExceeded.
    """
    settings = with_models(workspace, workflow, settings)
    desk = None
    if asks_models(settings):
        check_budget(workspace, workflow, estimate_micro_usd(settings, [len(text.text) for text in texts]))
        desk = CallDesk(workspace, scope="trial", workflow=workflow)
    reader = make_reader(settings, evidence)
    try:
        return [row for text in texts for row in _rows(text, reader.read(text.text, desk), settings)]
    except ReaderStopped as stopped:
        raise Conflict(stopped.message, code="model_call_failed") from None
    finally:
        reader.close()


def _rows(text: AnsweredText, result: InputResult, settings: WorkflowSettings) -> Iterator[GradedAnswer]:
    """A text that could not be read has nothing right."""
    for example in text.examples:
        prop = settings.property(example.property)
        if prop is None or example.verdict == "wrong":
            continue  # it says what is wrong, not what is right
        read = read_for(example.property, result.values)
        kept = None if read is None or read.outcome not in ("written", "review") else read
        right = result.failed is None and _is_right(example.value, kept, prop)
        yield GradedAnswer(text.name, example.property, example.value, kept, right)


def _is_right(expected: Value | None, read: ReadValue | None, prop: Property) -> bool:
    if expected is None or read is None or read.value is None:
        return expected is None and read is None
    return values_equal(expected, read.value, prop.value_type)


def graded(rows: Sequence[GradedAnswer]) -> Graded:
    read = [(row, row.read) for row in rows if row.read is not None]
    written = [row for row, value in read if value.outcome == "written"]
    points = [
        Point(support=value.support, right=row.right, property=row.property)
        for row, value in read
        if value.support is not None
    ]
    studied = study(points)
    return Graded(
        right=sum(row.right for row in rows),
        values=len(rows),
        written=len(written),
        written_wrong=sum(not row.right for row in written),
        calibration_error=studied.calibration_error,
        bins=tuple(
            ReliabilityBin(low=b.low, high=b.high, values=b.values, support=b.support, right=b.right)
            for b in studied.bins
            if b.values
        ),
    )


def changes(before: Sequence[GradedAnswer], after: Sequence[GradedAnswer]) -> Iterator[GradedChange]:
    for old, new in zip(before, after, strict=True):
        if old.right != new.right:
            yield GradedChange(
                name=new.name,
                property=new.property,
                expected=new.expected,
                before=None if old.read is None else old.read.value,
                after=None if new.read is None else new.read.value,
                better=new.right,
            )
