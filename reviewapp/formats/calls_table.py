"""The call log as a file: CSV for a spreadsheet, JSONL with the replies."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from reviewapp.domain.calls import ModelCall
from reviewapp.formats.safe_cells import defused

COLUMNS = (
    "id", "at", "route", "workflow", "test", "position", "use", "provider", "model", "effort", "status",
    "input_tokens", "output_tokens", "cost_micro_usd", "milliseconds", "error", "source",
)  # fmt: skip


def calls_csv(calls: Iterable[ModelCall]) -> Iterator[bytes]:
    """A heading and a row a call, without replies; costs in millionths of a US dollar. Texts cannot run as formulas."""
    yield ",".join(COLUMNS).encode() + b"\r\n"
    for call in calls:
        row = io.StringIO()
        csv.writer(row).writerow([_cell(getattr(call, column)) for column in COLUMNS])
        yield row.getvalue().encode()


def calls_jsonl(calls: Iterable[ModelCall]) -> Iterator[bytes]:
    """Every call with its reply, one object a line."""
    for call in calls:
        yield call.model_dump_json().encode() + b"\n"


def _cell(value: object) -> object:
    if value is None:
        return ""
    return defused(value) if isinstance(value, str) else str(value)
