"""Cases from the field on numbers, units and dates, with their right outcomes.

The number before each is its row in the list of cases that people who do this job ran into with other tools.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from reviewapp.domain.dates import find_dates
from reviewapp.domain.properties import Property
from reviewapp.domain.values import parse_typed, print_value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput
from reviewapp.extraction.evidence import evidence_for, observe
from reviewapp.extraction.normalise import Invalid, Normalised, normalise
from reviewapp.extraction.quantities import find_quantities

RULES, NOTHING = Rules(), Evidence()


def read(raw: str, quote: str, unit: str | None, context: str | None = None) -> Normalised:
    prop = Property(name="p", value_type="f64", unit=unit)
    result = normalise(raw, quote, prop, RULES, evidence_for(quote, NOTHING), context)
    assert isinstance(result, Normalised), result
    return result


def numbers(text: str) -> list[tuple[Decimal, str | None]]:
    return [(q.value, q.unit) for q in find_quantities(text, RULES, evidence_for(text, NOTHING))]


@pytest.mark.parametrize(
    ("row", "text", "expected"),
    [
        (11, "n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K (pre\u2011test)", [("42", None), ("-3.5", "K")]),
        (16, "الوزن الصافي: ١٢٫٥ كغ (12.5 kg)", [("12.5", "kg"), ("12.5", "kg")]),
        (20, "capacity 589,2MT/year", [("589.2", "t/yr")]),
        (22, "4.255.142 (76,18%)", [("4255142", None), ("76.18", "%")]),
        (22, "CHF 1'234.56", [("1234.56", "CHF")]),
        (22, "CHF 1’234.56", [("1234.56", "CHF")]),
        (22, "12\u202f345,6 kg", [("12345.6", "kg")]),
        (23, "R$ -2,00", [("-2", "BRL")]),
        (23, "-kr 6.645", [("-6645", "kr")]),
        (23, "−$100,000.00", [("-100000", "$")]),
        (31, "k = 1.5 × 10−3 s−1", [("0.0015", "1/s")]),
        (31, "1.5e-3", [("0.0015", None)]),
        (31, "1.5·10⁻³", [("0.0015", None)]),
        (31, "2.23 × 1019 m−2", [("2.23e19", "1/m^2")]),
        (31, "6.67430(15)e-11", [("6.6743e-11", None)]),
        (32, "Total:9.00Cash:10.00Change1.00", [("9", None), ("10", None), ("1", None)]),
        (32, "Net 12 kgGross 15 kg", [("12", "kg"), ("15", "kg")]),
        (37, "rated 11 kV", [("11", "kV")]),
        (37, "3 cm3, 4 cm^3, 1 cc, 2 ml", [("3", "cm^3"), ("4", "cm^3"), ("1", "cm^3"), ("2", "ml")]),
        (38, "5 gramm", [("5", "g")]),
        (38, "20 degrees C", [("20", "°C")]),
        (38, "3 inchy", [("3", None)]),
        (38, "7 cm+cm", [("7", None)]),
        (40, "18 1/4 x 4 1/4 in", [("18.25", "in"), ("4.25", "in")]),
        (41, "length is 1 in", [("1", "in")]),
        (41, "2 in 5 patients", [("2", None), ("5", None)]),
        (41, "Its a mix", []),
        (41, "a axy", []),
        (44, "groups got 5 and 6 mg, respectively", [("5", "mg"), ("6", "mg")]),
        (50, "open 22-23 February", []),
        (50, "part no. 1A2B", []),
        (109, "07.01.2025 Direct debit ACME  304-0000   49,90", [("49.9", None)]),
        (110, "Net weight   Gross weight\n12 kg        15 kg", [("12", "kg"), ("15", "kg")]),
    ],
)
def test_numbers_and_units(row: int, text: str, expected: list[tuple[str, str | None]]) -> None:
    assert numbers(text) == [(Decimal(value), unit) for value, unit in expected], row


@pytest.mark.parametrize(
    ("row", "raw", "quote", "unit", "value"),
    [
        (34, "25 °C", "ambient 25 °C", "K", 298.15),
        (34, "25 °C", "temperature rise of 25 °C", "K", 25.0),
        (34, "2 K/min", "2 K/min", "°C/min", 2.0),
        (35, "5 µg", "5 µg", "mg", 0.005),
        (35, "5 μg", "5 μg", "mg", 0.005),
        (35, "5 ug", "5 ug", "mg", 0.005),
        (35, "5 mcg", "5 mcg", "mg", 0.005),
        (37, "11 kV", "rated 11 kV", "V", 11000.0),
        (37, "4 cm^3", "4 cm^3", "cm3", 4.0),
        (37, "2 ml", "2 ml", "cm3", 2.0),
        (40, "18 1/4", "18 1/4 x 4 1/4 in", "mm", 463.55),
        (40, "4 1/4", "18 1/4 x 4 1/4 in", "mm", 107.95),
        (41, "1 in", "length is 1 in", "mm", 25.4),
        (10, "85 °C", "max. tempera\u00adture: 85 °C", "°C", 85.0),
    ],
)
def test_converted(row: int, raw: str, quote: str, unit: str, value: float) -> None:
    result = read(raw, quote, unit)
    assert (result.value, result.unconfirmed) == (value, None), row


def test_19_two_decimal_marks_in_one_collection() -> None:
    first, second, third = "Summe 1.234,50 EUR", "Summe 1,234.50 EUR", "Summe 1.234 EUR"
    collection = observe(first) + observe(second) + observe(third)
    prop = Property(name="sum", value_type="f64", unit="EUR")

    def total(text: str, rules: Rules = RULES) -> Normalised:
        raw = text.removeprefix("Summe ")
        result = normalise(raw, text, prop, rules, evidence_for(text, collection))
        assert isinstance(result, Normalised)
        return result

    assert [total(first).value, total(second).value] == [1234.5, 1234.5]
    assert total(first).unconfirmed is None
    assert total(third).unconfirmed == "'1.234' can be read as 1.234 or 1234."
    settled = total(third, Rules(decimal_mark=","))
    assert (settled.value, settled.unconfirmed) == (1234.0, None)


def test_20_a_unit_of_two_meanings_is_flagged() -> None:
    result = read("589,2MT/year", "capacity 589,2MT/year", "t/year")
    assert result.value == 589.2
    assert result.unconfirmed == "Unit 'MT' can mean a metric ton or a megatonne."


def test_25_zero_and_no_are_values() -> None:
    zero = normalise("0", "Defects found: 0", Property(name="d", value_type="i64"), RULES, NOTHING)
    no = normalise("no", "Certified: no", Property(name="c", value_type="bool"), RULES, NOTHING)
    assert isinstance(zero, Normalised)
    assert isinstance(no, Normalised)
    assert (zero.value, zero.printed, no.value, no.printed) == (0, "0", False, "false")
    assert read("0.0 mm", "Offset 0.0 mm", "mm").value == 0.0


@pytest.mark.parametrize("typed", ["NaN", "inf", "1e999", "-"])
def test_26_no_number_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInput, match="expected"):
        parse_typed(typed, "f64", RULES, NOTHING)


@pytest.mark.parametrize("code", ["02138", "00030340067212", "06932169358293", "1.10"])
def test_28_29_codes_keep_their_characters(code: str) -> None:
    assert print_value(parse_typed(code, "keyword", RULES, NOTHING), "keyword") == code


def test_31_a_flattened_superscript_is_flagged() -> None:
    result = read("2.23 × 1019 m−2", "2.23 × 1019 m−2", "1/m^2")
    assert result.value == 2.23e19
    assert result.unconfirmed is not None


@pytest.mark.parametrize(("raw", "unit"), [("3 inchy", "mm"), ("7 cm+cm", "mm")])
def test_38_unknown_units_are_left_as_printed(raw: str, unit: str) -> None:
    result = read(raw, raw, unit)
    assert result.stated is None
    assert result.unconfirmed is not None
    assert raw.split(" ")[1] in result.unconfirmed


@pytest.mark.parametrize(
    ("raw", "quote", "words"),
    [
        ("12.8–13.0 TeV", "beams at 12.8–13.0 TeV", "range 12.8 to 13"),
        ("18 to 25 percent", "drop to 18 to 25 percent", "range 18 to 25"),
    ],
)
def test_43_a_range_is_no_middle_value(raw: str, quote: str, words: str) -> None:
    result = normalise(raw, quote, Property(name="p", value_type="f64"), RULES, NOTHING)
    assert isinstance(result, Invalid)
    assert words in result.detail


def days(texts: list[str]) -> list[str]:
    collection = Evidence()
    for text in texts:
        collection += observe(text)
    return [
        str(reading.value) if reading.ambiguous is None else f"{reading.value}?"
        for text in texts
        for reading in find_dates(text, RULES, evidence_for(text, collection))
    ]


def test_17_a_lone_date_of_two_readings_is_ambiguous() -> None:
    assert days(["משקל נטו: 250 גרם, תאריך 03/04/2024"]) == ["2024-04-03?"]


def test_46_one_date_settles_the_order_of_its_set() -> None:
    assert days(["3/10/2016", "11/27/2017"]) == ["2016-03-10", "2017-11-27"]


def test_47_one_order_in_one_text() -> None:
    assert days(["19/04/2018 and 05/04/2018"]) == ["2018-04-19", "2018-04-05"]


@pytest.mark.parametrize("text", ["Valid from 2018-10", "--/--/1963", "2004-11"])
def test_49_a_missing_day_stays_missing(text: str) -> None:
    (reading,) = find_dates(text, RULES, NOTHING)
    assert (reading.value, reading.incomplete) == (None, "day missing")


@pytest.mark.parametrize("text", ["open 22-23 February", "part no. 1A2B"])
def test_50_no_date(text: str) -> None:
    assert find_dates(text, RULES, NOTHING) == []


def test_109_the_date_of_a_bank_line() -> None:
    (reading,) = find_dates("07.01.2025 Direct debit ACME  304-0000   49,90", RULES, NOTHING)
    assert str(reading.value) == "2025-01-07"
