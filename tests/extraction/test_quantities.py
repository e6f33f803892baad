"""Quantities found in texts: number, unit, kind, bound, hedge; and what is none."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.quantities import Quantity, find_quantities

RULES, NOTHING = Rules(), Evidence()


def found(text: str) -> list[Quantity]:
    return find_quantities(text, RULES, NOTHING)


def only(text: str) -> Quantity:
    (quantity,) = found(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "words", "value", "unit"),
    [
        ("Width 600 mm.", "600 mm", "600", "mm"),
        ("Net 12kg", "12kg", "12", "kg"),
        ("Budget 250K EUR", "250K EUR", "250000", "EUR"),
        ("Umsatz 5 TEUR", "5 TEUR", "5000", "EUR"),
        ("about to spend 1.5 M€", "1.5 M€", "1500000", "EUR"),
        ("at 293 K", "293 K", "293", "K"),
        ("is a square dozen.", "a square dozen", "144", None),
        ("QTY 1 PC", "1 PC", "1", "pcs"),
        ("a 27-kilometer ring", "27-kilometer", "27", "km"),
        ("peak power of 0.15 Wcm−2 at", "0.15 Wcm−2", "0.15", "W/cm^2"),
        ("k = 1.5 × 10−3 s−1", "1.5 × 10−3 s−1", "0.0015", "1/s"),
        ("a density of 484 g m−2", "484 g m−2", "484", "g/m^2"),
        ("to 25\u00a0°C,", "25\u00a0°C", "25", "°C"),
        ("to 25° Celsius", "25° Celsius", "25", "°C"),
        ("−459.67° on the Fahrenheit scale", "−459.67° on the Fahrenheit scale", "-459.67", "°F"),
        ("at absolute zero", "absolute zero", "0", "K"),
        ("a baker's dozen of", "a baker's dozen", "13", None),
        ("at −109 °C", "−109 °C", "-109", "°C"),
        ("rated 11 kV", "11 kV", "11", "kV"),
        ("Total RM9.00", "RM9.00", "9", "MYR"),
        ("R$ -2,00", "R$ -2,00", "-2", "BRL"),
        ("-kr 6.645", "-kr 6.645", "-6645", "kr"),
        ("−$100,000.00", "−$100,000.00", "-100000", "$"),
        ("credit 100.00-", "100.00-", "-100", None),
        ("Gutschrift 5,00 EUR CR", "5,00 EUR CR", "-5", "EUR"),
        ("balance $1,250.40CR", "$1,250.40CR", "-1250.4", "$"),
        ("paid 5,00 EUR CREDITED", "5,00 EUR", "5", "EUR"),
        ("12 CR-40 bolts", "12", "12", None),
        ("CHF 1’234.56", "CHF 1’234.56", "1234.56", "CHF"),
        ("12,50 €/kg", "12,50 €/kg", "12.5", "EUR/kg"),
        ("5 Mio. €", "5 Mio. €", "5000000", "EUR"),
        ("€10M now", "€10M", "10000000", "EUR"),
        ("walk 0.5k miles", "0.5k miles", "500", "mi"),
        ("spent 20 million pounds", "20 million pounds", "20000000", "GBP"),
        ("weighs 20 pounds", "20 pounds", "20", "lb"),
        ("1/4 inch gap", "1/4 inch", "0.25", "in"),
        ("length is 1 in", "1 in", "1", "in"),
        ("2 in. wide", "2 in.", "2", "in"),
        ('a wrench 8"', '8"', "8", "in"),
        ("5′10″ tall", "5′10″", "70", "in"),
        ("5 ft 10 in tall", "5 ft 10 in", "70", "in"),
        ("1 h 30 min", "1 h 30 min", "90", "min"),
        ("six gallons of", "six gallons", "6", "gal"),
        ("a gallon of beer", "a gallon", "1", "gal"),
        ("twenty-one years", "twenty-one years", "21", "yr"),
        ("three million, two hundred & forty", "three million, two hundred & forty", "3000240", None),
        ("two thirds of it", "two thirds", "0.6666666666666666666666666667", None),
        ("a dozen eggs", "a dozen", "12", None),
        ("zwölf Monate", "zwölf Monate", "12", "mo"),
        ("a term of two (2) years", "(2) years", "2", "yr"),
        ("thirty (30) days", "(30) days", "30", "d"),
        ("the second\n(2nd) anniversary of", "second\n(2nd) anniversary", "2", "yr"),
        ("terminate one\nyear after", "one\nyear", "1", "yr"),
        ("pH 7.4", "pH 7.4", "7.4", "pH"),
        ("١٢٫٥ كغ", "١٢٫٥ كغ", "12.5", "kg"),
        ("12 кг", "12 кг", "12", "kg"),
        ("12kgGross", "12kg", "12", "kg"),
        ("120ML", "120ML", "120", "ml"),
        ("1.299,- €", "1.299,- €", "1299", "EUR"),
        ("SFr. 45.-", "SFr. 45.-", "45", "CHF"),
        ("£1.2m profit", "£1.2m", "1200000", "GBP"),
        ("₹ 5 lakh", "₹ 5 lakh", "500000", "INR"),
        ("$5,000.00 USD", "$5,000.00 USD", "5000", "USD"),
        ("4 Std. 30 Min.", "4 Std. 30 Min", "270", "min"),
        ("a year and a half", "a year and a half", "1.5", "yr"),
        ("a twelve-month term", "twelve-month", "12", "mo"),
        ("10⁶ cells", "10⁶", "1000000", None),
        ("θ = − 10 mV", "− 10 mV", "-10", "mV"),
        ("- 10 kg", "10 kg", "10", "kg"),
        ("6.67430(15)e-11", "6.67430(15)e-11", "6.67430e-11", None),
    ],
)
def test_a_single_quantity(text: str, words: str, value: str, unit: str | None) -> None:
    quantity = only(text)
    assert text[quantity.start : quantity.end] == words
    assert (quantity.kind, quantity.value, quantity.unit) == ("single", Decimal(value), unit)
    assert (quantity.bound, quantity.hedge) == (None, None)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("beams at 12.8–13.0 TeV", "12.8", "13.0", "TeV"),
        ("drop to 18 to 25 percent", "18", "25", "%"),
        ("from 0.13 to 1.0", "0.13", "1.0", None),
        ("between −55 °C and −109 °C", "-109", "-55", "°C"),
        ("44 mg to 50 mg", "44", "50", "mg"),
        ("-78-0 degrees Celsius", "-78", "0", "°C"),
        ("10-15 exabytes", "10", "15", "EB"),
        ("50 bis 80 %", "50", "80", "%"),
        ("from $350 per kg to $680 per kg", "350", "680", "$/kg"),
        ("5 mm - 10 mm", "5", "10", "mm"),
        ("600 mm to 1 m", "600", "1000", "mm"),
        ("pH 7–8", "7", "8", "pH"),
        ("1.5–2.0 W cm−2", "1.5", "2.0", "W/cm^2"),
    ],
)
def test_a_range_keeps_both_ends(text: str, low: str, high: str, unit: str | None) -> None:
    quantity = only(text)
    assert (quantity.kind, quantity.low, quantity.high, quantity.unit) == ("range", Decimal(low), Decimal(high), unit)


@pytest.mark.parametrize(
    ("text", "bound", "value"),
    [
        ("up to 20 m", "at most", "20"),
        ("no more than 5 kg", "at most", "5"),
        ("max. 5 kg", "at most", "5"),
        ("600 mm max.", "at most", "600"),
        ("höchstens 3 m", "at most", "3"),
        ("≤ 5 mm", "at most", "5"),
        ("less than 6 K", "below", "6"),
        ("<0.01 ppm", "below", "0.01"),
        ("<−60‰", "below", "-60"),
        ("at least 3 days", "at least", "3"),
        ("mindestens 10 kg", "at least", "10"),
        ("5 kg or more", "at least", "5"),
        ("30+ days", "at least", "30"),
        ("⩽10 K", "at most", "10"),
        (">0.5 km", "above", "0.5"),
        ("greater than 10%", "above", "10"),
        ("over more than 20 days", "above", "20"),
    ],
)
def test_a_bound_is_no_single_value(text: str, bound: str, value: str) -> None:
    quantity = only(text)
    assert (quantity.kind, quantity.bound, quantity.value) == ("bound", bound, Decimal(value))
    assert text[quantity.start : quantity.end] == text


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("about 20 m", "about"),
        ("approx. 20 m", "approx."),
        ("~20 m", "~"),
        ("∼ 20 m", "~"),
        ("≈20 m", "~"),
        ("ca. 20 m", "ca."),
        ("in the order of 100 m", "in the order of"),
        ("86 s, nominally", "nominally"),
        ("etwa 5 kg", "etwa"),
        ("below around 1000 km", "around"),
        ("∼10–11 days", "~"),
        ("from 50% to around 80%", "around"),
        ("20 m", None),
        ("5–6 m", None),
    ],
)
def test_hedges(text: str, hedge: str | None) -> None:
    assert only(text).hedge == hedge


@pytest.mark.parametrize(
    ("text", "value", "tolerance", "unit"),
    [
        ("25 ± 0.02 °C", "25", "0.02", "°C"),
        ("2,000.45±0.01 pounds", "2000.45", "0.01", "lb"),
        ("46.8% ± 1.6%", "46.8", "1.6", "%"),
        ("10 mm +/- 1 mm", "10", "1", "mm"),
        ("25 °C ± 2 K", "25", "2", "°C"),
    ],
)
def test_a_tolerance_stays_beside_its_number(text: str, value: str, tolerance: str, unit: str) -> None:
    quantity = only(text)
    assert (quantity.kind, quantity.unit) == ("tolerance", unit)
    assert [n.value for n in quantity.numbers] == [Decimal(value), Decimal(tolerance)]


def test_a_lone_deviation() -> None:
    quantity = only("±50 K")
    assert (quantity.kind, quantity.value, quantity.unit) == ("deviation", 50, "K")


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("got 5 and 6 mg, respectively", [("5", "mg"), ("6", "mg")]),
        ("Hubble's cameras across a 2½' (150\") field", [("2.5", "arcmin"), ("150", "arcsec")]),
        ("a 5' (60\") board", [("5", "ft"), ("60", "in")]),
        ("2, 5 and 10 μg", [("2", "µg"), ("5", "µg"), ("10", "µg")]),
        ("2619.60, 2614.73, and 2614.71 m", [("2619.60", "m"), ("2614.73", "m"), ("2614.71", "m")]),
        ("18 1/4 x 4 1/4 in", [("18.25", "in"), ("4.25", "in")]),
        ("4 × 4 × 5 mm", [("4", "mm"), ("4", "mm"), ("5", "mm")]),
        ("BOARD 35.5X25.5CM", [("35.5", "cm"), ("25.5", "cm")]),
        ("48MM*10CM", [("48", "mm"), ("10", "cm")]),
        ("50/60 Hz", [("50", "Hz"), ("60", "Hz")]),
        ("0.06 to 0.42 to 0.74 ppm", [("0.06", "ppm"), ("0.42", "ppm"), ("0.74", "ppm")]),
        ("several hundred m, a few thousand years", []),
        ("2 x 500 ml", [("2", None), ("500", "ml")]),
        ("1  X  19.00  19.00", [("1", None), ("19.00", None), ("19.00", None)]),
        ("44 ml to 50 mg", [("44", "ml"), ("50", "mg")]),
        ("in 2013, and 278,000 t of it", [("2013", None), ("278000", "t")]),
        ("3 years, 2 months, 14 days", [("3", "yr"), ("2", "mo"), ("14", "d")]),
        ("Net weight   Gross weight\n12 kg        15 kg", [("12", "kg"), ("15", "kg")]),
        ("Net 12 kgGross 15 kg", [("12", "kg"), ("15", "kg")]),
        ("Total:9.00Cash:10.00Change1.00", [("9.00", None), ("10.00", None), ("1.00", None)]),
        ("4.255.142 (76,18%)", [("4255142", None), ("76.18", "%")]),
        ("07.01.2025 Direct debit ACME  304-0000   49,90", [("49.90", None)]),
        ("2 in 5 patients", [("2", None), ("5", None)]),
        ("3 cm3, 4 cm^3, 1 cc, 2 ml", [("3", "cm^3"), ("4", "cm^3"), ("1", "cm^3"), ("2", "ml")]),
        ("25/12/2018 8:13:39 PM 12.50", [("12.50", None)]),
        ("SX-575-1 1.5L", [("1", None), ("1.5", "l")]),
        ('it says "English 101", 9" long', [("101", None), ("9", "in")]),
    ],
)
def test_several_quantities_stay_apart(text: str, quantities: list[tuple[str, str | None]]) -> None:
    assert [(q.value, q.unit) for q in found(text) if q.kind != "range"] == [(Decimal(v), u) for v, u in quantities]


def test_members_of_a_list_say_that_they_share_the_unit() -> None:
    first, second = found("5 and 6 mg")
    assert (first.shared_unit, second.shared_unit) == (True, False)
    assert first.unit_span == second.unit_span


@pytest.mark.parametrize(
    "text",
    [
        "Its a mix",
        "a axy",
        "part no. 1A2B",
        "open 22-23 February",
        "TD01167104",
        "COVID-19",
        "arrived at 2.13 am",
        "at 10:30 Uhr",
        "the 21st century",
        "that one there",
        "on a second thought",
        "twice a year",
        "room temperature",
        "",
    ],
)
def test_no_quantity(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("text", "words"), [("3 inchy", "inchy"), ("7 cm+cm", "cm+cm"), ("10 passages", "passages")])
def test_an_unknown_unit_is_left_as_printed(text: str, words: str) -> None:
    quantity = only(text)
    assert quantity.unit is None
    assert quantity.unit_span is not None
    assert text[slice(*quantity.unit_span)] == words


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("589,2MT/year", "unit 'MT' can mean a metric ton or a megatonne"),
        ("Summe 1.234 EUR", "'1.234' can be read as 1.234 or 1234"),
        ("RM(0.02)", None),
        ("(5) business days", "business days are other days"),
        ("degassed at 10−5 mbar", "'10-5' can mean a power of ten or a range"),
        ("2 x 10-15 mm", "'2 x 10-15' can mean a power of ten or a product with a range"),
        ("(1,234.00)", "'(1,234.00)' in parentheses can be a negative amount"),
        ("12 kg", None),
    ],
)
def test_what_is_ambiguous_says_so(text: str, reason: str | None) -> None:
    assert only(text).ambiguous == reason


def test_money_of_three_decimals() -> None:
    assert only("Summe 1.234 EUR").value == 1234
    assert only("KWD 1.234").value == Decimal("1.234")


PIECES = st.sampled_from(
    [
        "12", "1.234,50", "½", " ", "kg", "mm", "–", "-", "x", "±", "<", "up to ", "about ", " and ", ", ", "€", "RM",
        "'",
        '"', "(", ")", "\n", "two ", "°C", "a ", "é", "10:30", "3/4/2019",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_spans_are_in_order_and_say_what_they_claim(text: str) -> None:
    end = 0
    for quantity in found(text):
        assert end <= quantity.start < quantity.end <= len(text)
        assert quantity.start <= quantity.core_span[0] < quantity.core_span[1] <= quantity.end
        assert len(quantity.numbers) == (2 if quantity.kind in ("range", "tolerance") else 1)
        end = quantity.end


@given(
    st.integers(min_value=1, max_value=9_999),
    st.sampled_from(["kg", "mm", "°C", "W/cm²", "years", "EUR"]),
    st.text("abc .", max_size=8),
)
def test_a_planted_quantity_is_found_where_it_stands(number: int, unit: str, around: str) -> None:
    planted = f"{number} {unit}"
    text = f"{around} is {planted}; {around}"
    hits = [q for q in found(text) if text[slice(*q.core_span)] == planted]
    assert [q.value for q in hits] == [number]


@pytest.mark.parametrize(
    "piece",
    [
        "9", " ", "1/", "1 ", "1/1/1/1 ", "1.1", "5 kg ", "5 and ", "a", "1'", '1"', "RM", "up to ", "~", "±1", "two ",
        "1-", "x1", "(1) ",
    ],
)  # fmt: skip
@pytest.mark.timeout(120)
def test_a_piece_over_and_over_comes_to_an_end(piece: str) -> None:
    """How the time grows is measured by `bench.growth`."""
    found(piece * (40_000 // len(piece)))
