"""What stands beside a number and keeps it from being written, and writings of amounts and units."""

from __future__ import annotations

from decimal import Decimal

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, Rules, WorkflowSettings
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.quantities import find_quantities


def read(text: str, prop: Property) -> tuple[Value | None, str]:
    values = extract(text, WorkflowSettings(collection="any", properties=(prop,)), Evidence()).values
    return (values[0].value, values[0].outcome) if values else (None, "none")


def outcome(text: str, unit: str | None) -> tuple[Value | None, str]:
    return read(text, Property(name="value", value_type="f64", unit=unit, aliases=("Wert", "Total")))


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        # Digits that scans tear apart or mix with letters
        ("Total RM5 .90", "MYR"),
        ("Total RM 15. 90", "MYR"),
        ("Total: 1, 234.50 USD", "USD"),
        ("Total: 12O.50 USD", "USD"),
        ("Value: 3 5 kg", "kg"),
        ("Value: 5,5,5 kg", "kg"),
        # Several, or a part only
        ("Value: 12 x 30 mm", "mm"),
        ("Value: 2 x 12 kg", "kg"),
        ("Value: 3 ft 4", "mm"),
        ("Wert: zwei Jahre und sechs Monate", "month"),
        ("Value: two (2) years and six (6) months", "month"),
        # Changed, void, in question
        ("Value: 35 kg → 40 kg", "kg"),
        ("Value: 35 kg statt 40 kg", "kg"),
        ("Value: 40 kg instead of 35 kg", "kg"),
        ("Value: 35 kg VOID", "kg"),
        ("Wert: 35 kg (storniert)", "kg"),
        ("Value: 35 kg? (check)", "kg"),
        ("Value: ~~35 kg~~ 40 kg", "kg"),
        # Bounds and signs
        ("Value: from $40", "USD"),
        ("Value: starting at $40", "USD"),
        ("Value: 5 °C below zero", "°C"),
        ("Wert: 1.234,50 EUR -", "EUR"),
        # Units
        ("Value: 90 days", "month"),
        ("Value: 5 nm", "km"),
    ],
)
def test_is_not_written(text: str, unit: str) -> None:
    assert outcome(text, unit)[1] != "written"


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("Wert: 1.234,50 EUR-", "EUR", -1234.5),
        ("Wert: 1.234,50- EUR", "EUR", -1234.5),
        ("Wert: (1.234,50) EUR", "EUR", -1234.5),
        ("Value: minus 5 °C", "°C", -5),
        ("Value: 12 kg 500 g", "kg", 12.5),
        ("Wert: zwei Jahre, sechs Monate", "month", 30),
        ("Total: 1 234:50 kr", "SEK", 1234.5),
        ("Total: 49:- kr", "SEK", 49),
        ("Total: 4.500.000 đ", "VND", 4_500_000),
        ("Total: 350.00 บาท", "THB", 350),
        ("Total: 1,250.00 ر.س", "SAR", 1250),
        ("Total: 1万円", "JPY", 10_000),
        ("Total: 15,000원", "KRW", 15_000),
        ("Value: 12 킬로그램", "kg", 12),
        ("Value: 9,870.500 KGS", "kg", 9870.5),
        ("Value: 1 ½ cups", "ml", 354.8823547500001),
        ("Total: 40 kg each", "kg", 40),
    ],
)
def test_is_written(text: str, unit: str, value: float) -> None:
    read, became = outcome(text, unit)
    assert became == "written"
    assert read == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("10 minus 5", [("10", None), ("5", None)]),
        ("zwanzig (20,00) EUR", [("20.00", "EUR")]),
        ("3 years, 2 months and 14 days", [("38", "mo"), ("14", "d")]),
        ("5 cubic feet, 3 cu ft", [("5", "ft^3"), ("3", "ft^3")]),
        ("at 12:50", []),
        ("12:50 kr", [("12.50", "kr")]),
        ("12,00- 15,00 EUR", [("12.00", None), ("15.00", "EUR")]),
    ],
)
def test_what_only_looks_so(text: str, quantities: list[tuple[str, str | None]]) -> None:
    found = find_quantities(text, Rules(), Evidence())
    numbers = [(abs(n.value), q.unit) for q in found for n in q.numbers]
    wanted = [(Decimal(value), unit) for value, unit in quantities]
    assert [v for v, _ in numbers] == [v for v, _ in wanted]
    assert {u for _, u in numbers} >= {u for _, u in wanted} - {None}


@pytest.mark.parametrize(
    "text",
    [
        "Delivery: 12.03.2026 (cancelled)",
        "Delivery: 12.03.2026 instead of 10.03.2026",
        "Delivery: 12.03.2026 → 14.03.2026",
        "Delivery: 12.03.2026?",
        "Delivery: three weeks after 12 March 2026",
        "Delivery: 14 days from 12.03.2026",
        "Lieferung: 14 Tage nach dem 12.03.2026",
        "Delivery: originally 12.03.2026",
    ],
)
def test_a_day_is_not_written(text: str) -> None:
    assert read(text, Property(name="delivery", value_type="date", aliases=("Lieferung",)))[1] == "review"


@pytest.mark.parametrize(
    ("text", "prop"),
    [
        ("Fire class: at least EI30", Property(name="fire_class", options=("EI30", "EI60"))),
        ("Grade: B+", Property(name="grade", options=("A", "B"))),
        ("Class A or better", Property(name="class", options=("A", "B"))),
        ("Fire rated: yes, except door 4", Property(name="fire_rated", value_type="bool")),
        ("Certified? No, but planned", Property(name="certified", value_type="bool")),
        ("Zertifiziert: wahrscheinlich ja", Property(name="zertifiziert", value_type="bool")),
    ],
)
def test_an_answer_with_more_to_it_is_not_written(text: str, prop: Property) -> None:
    assert read(text, prop)[1] == "review"
