"""Four times the text may cost about four times the time, also where it is one unit over and over."""

from __future__ import annotations

import time

import pytest

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
QUICK_SECONDS = 0.4
"""Below this a long text is quick whatever the ratio; the clock's grain and other programs make ratios of it jump."""
MOST_GROWTH = 9
"""Where cost grows with the square it is 16."""

UNITS = (
    "[x] a ", "☐ a ", "a ☐ ", "[x] yes ", "yes/no ", "yes / ", "(5)", "(five) ", "½", "5½", "a", "A ", "1 ", "1.", "1/",
    "total: ", "Total 5,00 EUR\n", "width 5 mm; ", "5 x ", "width x ", "A and ", "Acme GmbH, ", "State of New York ",
    "12 Main Street, ", "12345 Berlin\n", "tel ", "a@", "a@b.", "+49 ", "DE12 3456 ", "A1-", "X5CrNi18-", '(the "A") ',
    "1 January ", "January ", "at least ", "from 5 to ", "5 and ", "5 ft ", "thirty (30) days ", '5" ', "“a” ", "'",
    "a  5  ", "| a ", "\t5", "     5\n", "Total\n5\n", "e\u0301", "a\u00ad", "a-\n", "red, dark red, ", "( ", "a: ",
    ".", "a..", "a = 5; ", "Herr A, ", "- nachstehend A genannt - ", "Y\n", "total: Y ", "Pump 2\n", "A (\"total\") ",
)  # fmt: skip


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    made = make_extractor(SETTINGS)
    extract("Total 5.00 EUR, 1/2 day, 1 January 2026", SETTINGS, Evidence(), made)  # tables are loaded at first use
    return made


def seconds_of(unit: str, length: int, extractor: Extractor) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    begun = time.process_time()
    assert extract(text, SETTINGS, Evidence(), extractor).failed is None
    return time.process_time() - begun


@pytest.mark.parametrize("unit", UNITS)
def test_a_longer_text_costs_as_much_more_as_it_is_longer(unit: str, extractor: Extractor) -> None:
    long = seconds_of(unit, SHORT * TIMES, extractor)
    if long > QUICK_SECONDS:
        assert long / seconds_of(unit, SHORT, extractor) < MOST_GROWTH
