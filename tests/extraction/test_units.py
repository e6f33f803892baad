"""Units: one spelling for one unit, kinds, exact conversion, currencies of their own."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.writing import fold
from reviewapp.extraction.units import (
    canonical,
    convert,
    currency_after,
    currency_before,
    is_currency,
    kind_of,
    match_unit,
    same_kind,
    sole_currency,
    unit_factor,
)
from reviewapp.extraction.units.lexicon import lexicon

DECLARED = [
    "mm", "cm", "dm", "m", "km", "mm2", "cm2", "dm2", "m2", "ml", "cl", "dl", "l", "cm3", "dm3", "m3", "mg", "g", "kg",
    "t", "w", "kw", "wh", "kwh", "s", "min", "h",
]  # fmt: skip
"""The units that a property may be declared with on the wire."""


@pytest.mark.parametrize(
    ("spellings", "unit"),
    [
        ("W/cm²|W cm-2|W cm−2|W·cm⁻²|W/cm2|W/cm^2|W cm^-2|Wcm−2|W per cm²", "W/cm^2"),
        ("Ω·cm2|Ω cm²|Ω cm2|Ωcm2|ohm cm2|Ohm·cm²", "cm^2·Ω"),
        ("mA/cm2|mA cm−2|mAcm−2", "mA/cm^2"),
        ("S/cm|S cm−1|Scm-1", "S/cm"),
        ("W/(m·K)|W/(m K)|W m−1 K−1|W/m/K|W/mK|W/(mK)", "W/K/m"),
        ("W/(m²·K)|W/(m²K)|W/m²K|W/m2K|W/m² K|W/m²·K|W m−2 K−1", "W/K/m^2"),
        ("kWh/(m²·a)|kWh/(m²a)|kWh/m²a|kWh/m2a|kWh/m² a|kWh/m²/yr", "kWh/m^2/yr"),
        ("J/(kg·K)|J/(kgK)|J/kgK|J/(kg K)", "J/K/kg"),
        ("l/(m²·h)|l/m²h|l/m2h", "l/h/m^2"),
        ("l/100 km|L/100km|l / 100 km|litres per 100 km", "l/100 km"),
        ("mg/100 ml|mg/100ml|mg per 100 ml", "mg/100 ml"),
        ("g/100 g|g per 100 g|wt%", "wt%"),
        ("€/100 g|EUR/100g|EUR per 100 g", "EUR/100 g"),
        ("rev/min|rpm|U/min|Umdr./min|revolutions per minute", "rev/min"),
        ("lb-ft|ft-lb|ft lb|lbf ft|foot-pounds", "ft-lb"),
        ("m/ms|m ms-1", "m/ms"),
        ("pcs|Stk|St|Stück", "pcs"),
        ("µg|μg|ug|mcg|micrograms|Mikrogramm", "µg"),
        ("°C|° C|oC|ºC|℃|degrees C|degree Celsius|deg C|degrees centigrade|Grad Celsius", "°C"),
        ("K|kelvin|Kelvin", "K"),
        ("cm3|cm^3|cm³|cc|ccm|cubic centimeters|cubic centimetre", "cm^3"),
        ("m2|m²|qm|sqm|square metres|sq. m|㎡", "m^2"),
        ("km³|km^3|cubic kilometers|km cubed", "km^3"),
        ("g|gramm|grams|Gramm|gram|G|GM", "g"),
        ("l|L|litre|Liter|liters|ltr", "l"),
        ("ml|mL|ML|millilitres", "ml"),
        ("min|mins|minutes|Minuten|minuti", "min"),
        ("h|hr|hrs|hours|Stunden|heures|std", "h"),
        ("d|day|days|Tage|jours", "d"),
        ("yr|yrs|year|years|Jahre|ans|años|a", "yr"),
        ("mo|month|months|Monate|mois|meses", "mo"),
        ("in|inch|inches|Zoll", "in"),
        ("1/s|s-1|s−1|s⁻¹", "1/s"),
        ("%|percent|per cent|Prozent|pct", "%"),
        ("wt%|wt.%|wt. %|% w/w", "wt%"),
        ("kW h|kW·h", "h·kW"),
        ("kWh|kwh|KWH", "kWh"),
        ("km/h|kph|kmh|kilometres per hour", "km/h"),
        ("pcs|pieces|Stück|PCS", "pcs"),
        ("€|EUR|eur|Euro|euros", "EUR"),
        ("RM|MYR|ringgit", "MYR"),
        ("US$|USD", "USD"),
        ("€/kg|EUR/kg|EUR per kg", "EUR/kg"),
        ("Myr|Ma", "Myr"),
    ],
)
def test_spellings_of_one_unit(spellings: str, unit: str) -> None:
    assert {spelling: canonical(spelling) for spelling in spellings.split("|")} == dict.fromkeys(
        spellings.split("|"), unit
    )


@pytest.mark.parametrize("unit", DECLARED)
def test_declared_units_are_known_and_told_in_one_spelling(unit: str) -> None:
    spelt = canonical(unit)
    assert spelt is not None
    assert canonical(spelt) == spelt


@pytest.mark.parametrize("text", ["inchy", "cm+cm", "passages", "", " ", "stems/ha", "kgGross", "7", "mix", "of"])
def test_no_unit(text: str) -> None:
    assert canonical(text) is None
    assert kind_of(text) is None
    assert not same_kind(text, "m")


def test_units_that_only_the_registry_knows() -> None:
    assert kind_of("slug") == "[mass]"
    assert convert(Decimal(1), "slug", "kg") == Decimal("14.5939029372064")


@pytest.mark.parametrize(
    ("number", "source", "target", "result"),
    [
        ("600", "mm", "cm", "60"),
        ("0.1", "m", "mm", "100"),
        ("1", "in", "mm", "25.4"),
        ("18.25", "in", "mm", "463.55"),
        ("70", "in", "cm", "177.8"),
        ("5", "mcg", "mg", "0.005"),
        ("11", "kV", "V", "11000"),
        ("1", "cc", "ml", "1"),
        ("1", "l", "dm3", "1"),
        ("1.1", "kW", "w", "1100"),
        ("1", "kwh", "wh", "1000"),
        ("7", "years", "months", "84"),
        ("90", "km/h", "m/s", "25"),
        ("1", "A/cm2", "mA/mm²", "10"),
        ("802", "mW cm−2", "W/cm²", "0.802"),
        ("1", "MPa", "bar", "10"),
        ("3", "%", "ppm", "30000"),
        ("0.5", "wt%", "%", "0.5"),
        ("3000", "rpm", "turn/s", "50"),
        ("56", "Ma", "yr", "56000000"),
        ("25", "°C", "K", "298.15"),
        ("-40", "°F", "°C", "-40"),
        ("0", "K", "°C", "-273.15"),
        ("2", "K/min", "°C/min", "2"),
        ("9", "°F/h", "K/h", "5"),
        ("5", "US$", "$", "5"),
        ("2", "EUR/kg", "EUR/t", "2000"),
        ("9007199254740993", "m", "m", "9007199254740993"),
    ],
)
def test_exact_conversion(number: str, source: str, target: str, result: str) -> None:
    assert str(convert(Decimal(number), source, target)) == result


def test_a_rise_gets_no_offset() -> None:
    assert convert(Decimal(25), "°C", "K", difference=True) == 25
    assert convert(Decimal(9), "°F", "K", difference=True) == 5


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("mm", "in", True),
        ("mm", "mm2", False),
        ("kg", "N", False),
        ("°C", "K", True),
        ("EUR", "USD", False),
        ("$", "USD", True),
        ("$", "AUD", True),
        ("$", "EUR", False),
        ("kr", "NOK", True),
        ("EUR", "EUR/kg", False),
        ("EUR/kg", "EUR/t", True),
        ("%", "wt%", True),
        ("wt%", "mol%", False),
        ("%", "bit", False),
        ("rpm", "Hz", False),
        ("rpm", "1/min", True),
        ("1/s", "U/min", True),
        ("l/100 km", "l/km", True),
        ("€/100 g", "€/kg", True),
        ("lb-ft", "N·m", True),
        ("Hz", "1/s", True),
        ("pcs", "%", False),
        ("Mvar", "kvar", True),
        ("Mvar", "MW", False),
        ("ppb", "%", True),
        ("decade", "yr", True),
        ("at%/K", "%", False),
        ("%/yr", "%", False),
        ("%/yr", "ppm", False),
        ("%/yr", "%/month", True),
        ("wt%", "%", True),
    ],
)
def test_kinds(a: str, b: str, same: bool) -> None:
    assert same_kind(a, b) is same
    assert same_kind(b, a) is same


def test_units_of_two_kinds_are_not_converted() -> None:
    with pytest.raises(ValueError, match="'kg' cannot be told in 'm'"):
        convert(Decimal(1), "kg", "m")
    with pytest.raises(ValueError, match="'EUR' cannot be told in 'USD'"):
        convert(Decimal(1), "EUR", "USD")


def test_money_is_no_unit_of_measure() -> None:
    assert is_currency("€")
    assert not is_currency("kg")
    assert not is_currency("Myr")


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("kg of flour", "kg", "kg"),
        ("mm long", "mm", "mm"),
        ("L of wine", "l", "L"),
        ("m-3 m", "m", "m"),
        ("kg2 and", "kg", "kg2"),
        ("cm2)", "cm^2", "cm2"),
        ("g m−2 day−1", "g/d/m^2", "g m−2 day−1"),
        ("J kg-1 K-1", "J/K/kg", "J kg-1 K-1"),
        ("MT/year", "t/yr", "MT/year"),
        ("British thermal units of heat", "BTU", "British thermal units"),
        ("lbs. and", "lb", "lbs."),
        ("eV. The", "eV", "eV"),
        ("degrees Celsius, DMF", "°C", "degrees Celsius"),
        ("%/a", "%/yr", "%/a"),
    ],
)
def test_a_unit_read_off_a_text(text: str, unit: str, words: str) -> None:
    match = match_unit(fold(text), 0)
    assert match is not None
    assert (match.canonical, text[match.start : match.end]) == (unit, words)


@pytest.mark.parametrize("text", ["kgGross", "inchy", "mixed", "axy", "Cash", "", "of the", "and"])
def test_words_are_no_units(text: str) -> None:
    assert match_unit(text, 0) is None


def test_a_unit_of_two_meanings_says_so() -> None:
    match = match_unit("MT/year", 0)
    assert match is not None
    assert match.ambiguous == "unit 'MT' can mean a metric ton or a megatonne"


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("RM", "MYR"),
        ("US$ ", "USD"),
        ("$", "$"),
        ("Total €", "EUR"),
        ("R$ ", "BRL"),
        ("-kr ", "kr"),
        ("Rs.", "Rs"),
        ("CHF ", "CHF"),
    ],
)
def test_a_currency_before_a_number(text: str, currency: str) -> None:
    found = currency_before(text, len(text))
    assert found is not None
    assert found.currency == currency


@pytest.mark.parametrize("text", ["FARM", "TOTAL ", "No. ", "", "x", "ANKR"])
def test_no_currency_before(text: str) -> None:
    assert currency_before(text, len(text)) is None


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("QTY  RM\n9.00 and (RM) 5", "MYR"),
        ("Betrag 5,00 € oder 5 EUR", "EUR"),
        ("$5 and 6 USD", "USD"),
        ("$5 each", "$"),
        ("PLEASE TRY AGAIN 5.00", None),
        ("5 EUR or $6", None),
        ("5 EUR or 6 USD", None),
        ("TOTAL 9.00", None),
        ("FARM 9.00", None),
    ],
)
def test_the_one_currency_that_a_text_names(text: str, currency: str | None) -> None:
    assert sole_currency(text) == currency


@pytest.mark.parametrize(
    ("text", "currency"), [(" EUR", "EUR"), ("€", "EUR"), (" dollars", "$"), (" Swiss francs", "CHF"), (" kr.", "kr")]
)
def test_a_currency_behind_a_number(text: str, currency: str) -> None:
    found = currency_after(text, 0)
    assert found is not None
    assert found.currency == currency


@given(st.sampled_from(DECLARED), st.sampled_from(DECLARED), st.integers(min_value=1, max_value=10**6))
def test_there_and_back(a: str, b: str, number: int) -> None:
    if same_kind(a, b):
        there = convert(Decimal(number), a, b)
        back = convert(there, b, a)
        assert abs(back - number) <= Decimal(number) * Decimal("1e-13")
        assert unit_factor(a, b) > 0


def test_whatever_is_of_the_same_kind_converts() -> None:
    """A unit that does not would stop the reading of its text."""
    written = [*lexicon().symbols, *lexicon().names]
    plain = dict.fromkeys(name for unit in written if (name := canonical(unit)))
    compound = [name for unit in plain for under in ("/yr", "/K", "/kg") if (name := canonical(unit + under))]
    of_kind: dict[str, str] = {}
    for unit in (*plain, *compound):
        kind = kind_of(unit) or "none"
        for other_kind, other in (*of_kind.items(), (kind, of_kind.get(kind, unit))):
            if "share" in other_kind or other_kind == kind:
                assert not same_kind(unit, other) or convert(Decimal(3), unit, other).is_finite()
        of_kind.setdefault(kind, unit)
