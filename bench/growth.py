"""Four times the text may cost about four times the time, also where it is one unit over and over.

    python -m bench.growth

Every unit is read at 6,000 and at 24,000 characters; where cost grows with the square the ratio is 16.
"""

from __future__ import annotations

import statistics
import time

from bench.harness import Goal, finish, print_table
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.extraction.extractors import Extractor, make_extractor
from reviewapp.extraction.pipeline import extract

PROPERTIES = (
    Property(name="total", value_type="f64", unit="EUR"),
    Property(name="width", value_type="f64", unit="mm"),
    Property(name="invoice_number", value_type="text"),
    Property(name="date", value_type="date"),
    Property(name="company", value_type="text"),
    Property(name="address", value_type="text"),
    Property(name="jurisdiction", value_type="text"),
    Property(name="material", value_type="text"),
    Property(name="term", value_type="text", description="duration of the agreement"),
    Property(name="colour", value_type="keyword", options=("red", "a", "dark red")),
    Property(name="certified", value_type="bool"),
)
SETTINGS = WorkflowSettings(collection="any", properties=PROPERTIES, extractor=RulesExtractor())
SHORT, TIMES = 6_000, 4
RUNS = 3
GOAL_RATIO = 9.0

UNITS = (
    "[x] a ", "☐ a ", "a ☐ ", "[x] yes ", "yes/no ", "yes / ", "(5)", "(five) ", "½", "5½", "a", "A ", "1 ", "1.", "1/",
    "total: ", "Total 5,00 EUR\n", "width 5 mm; ", "5 x ", "width x ", "A and ", "Acme GmbH, ", "State of New York ",
    "12 Main Street, ", "12345 Berlin\n", "tel ", "a@", "a@b.", "+49 ", "DE12 3456 ", "A1-", "X5CrNi18-", '(the "A") ',
    "1 January ", "January ", "at least ", "from 5 to ", "5 and ", "5 ft ", "thirty (30) days ", '5" ', "“a” ", "'",
    "a  5  ", "| a ", "\t5", "     5\n", "Total\n5\n", "e\u0301", "a\u00ad", "a-\n", "red, dark red, ", "( ", "a: ",
    ".", "a..", "a = 5; ", "Herr A, ", "- nachstehend A genannt - ", "Y\n", "total: Y ", "Pump 2\n", "A (\"total\") ",
)  # fmt: skip


def main() -> None:
    extractor = make_extractor(SETTINGS)
    seconds_of("Total 5.00 EUR, 1/2 day, 1 January 2026\n", SHORT, extractor)  # tables are loaded at first use
    rows = []
    for unit in UNITS:
        runs = [[seconds_of(unit, length, extractor) for length in (SHORT, SHORT * TIMES)] for _ in range(RUNS)]
        short, long = (statistics.median(column) for column in zip(*runs, strict=True))
        rows.append((long / short, unit, short, long))
    rows.sort(reverse=True)
    print_table(
        f"Reading {SHORT:,} and {SHORT * TIMES:,} characters of one unit",
        ("unit", "short", "long", "ratio"),
        [
            (repr(unit), f"{s * 1e3:.0f} ms", f"{long * 1e3:.0f} ms", f"{ratio:.1f}")
            for ratio, unit, s, long in rows[:12]
        ],
    )
    finish([Goal("steepest growth over four times the text", rows[0][0], GOAL_RATIO)])


def seconds_of(unit: str, length: int, extractor: Extractor) -> float:
    """Processor time of one reading."""
    text = (unit * (length // len(unit) + 1))[:length]
    begun = time.process_time()
    assert extract(text, SETTINGS, Evidence(), extractor).failed is None
    return time.process_time() - begun


if __name__ == "__main__":
    main()
