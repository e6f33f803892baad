"""From a reading to the property's type and unit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.properties import VALUE_TYPES, Property, Value, ValueType
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.normalise import Invalid, Normalised, normalise

RULES, NOTHING = Rules(), Evidence()


def prop(value_type: ValueType = "f64", unit: str | None = None, **more: Any) -> Property:
    return Property(**({"name": "p"} | more), value_type=value_type, unit=unit)


def normal(raw: Value, quote: str, wanted: Property, context: str | None = None) -> Normalised:
    result = normalise(raw, quote, wanted, RULES, NOTHING, context)
    assert isinstance(result, Normalised), result
    return result


def invalid(raw: Value, quote: str, wanted: Property) -> str:
    result = normalise(raw, quote, wanted, RULES, NOTHING)
    assert isinstance(result, Invalid), result
    return result.detail


@pytest.mark.parametrize(
    ("raw", "quote", "unit", "value", "stated"),
    [
        ("600 mm", "Width 600 mm", "cm", 60.0, "600 mm"),
        ("600", "Width 600 mm", "cm", 60.0, "600 mm"),
        (600, "Width 600 mm", "cm", 60.0, "600 mm"),
        (60, "Width 600 mm", "cm", 60.0, "600 mm"),
        ("60 cm", "Width 600 mm", "cm", 60.0, None),
        ("60 cm", "Width 60 cm", "cm", 60.0, None),
        ("60 CM", "Width 60 CM", "cm", 60.0, None),
        ("11 kV", "rated 11 kV", "V", 11000.0, "11 kV"),
        ("5 mcg", "5 mcg", "mg", 0.005, "5 mcg"),
        ("1 cc", "1 cc", "cm3", 1.0, None),
        ("18 1/4", "18 1/4 x 4 1/4 in", "mm", 463.55, "18 1/4 in"),
        ("4 1/4 in", "18 1/4 x 4 1/4 in", "mm", 107.95, "4 1/4 in"),
        ("5", "got 5 and 6 mg, respectively", "mg", 5.0, None),
        ("5 ft 10 in", "5 ft 10 in tall", "cm", 177.8, "5 ft 10 in"),
        ("two (2) years", "a term of two (2) years", "months", 24.0, "(2) years"),
        ("second anniversary", "until the second anniversary of", "months", 24.0, "second anniversary"),
        ("0.15 Ω·cm2", "0.15 Ω·cm2", "Ω·cm²", 0.15, None),
        ("802 mW cm−2", "802 mW cm−2", "W/cm²", 0.802, "802 mW cm−2"),
        ("RM9.00", "Total RM9.00", "MYR", 9.0, None),
        ("$5", "$5", "USD", 5.0, None),
        ("25 ± 0.02 °C", "25 ± 0.02 °C", "°C", 25.0, None),
        (25, "25 ± 0.02 °C", "K", 298.15, "25 °C"),
        ("12", "Weight (kg): 12", "kg", 12.0, None),
        ("12", "Weight [kg] 12", "g", 12000.0, "12 kg"),
        ("5", "5 passages", "passages", 5.0, None),
        ("76,18%", "76,18%", "%", 76.18, None),
        (0, "Offset 0.0 mm", "mm", 0.0, None),
    ],
)
def test_numbers_in_the_propertys_unit(raw: Value, quote: str, unit: str, value: float, stated: str | None) -> None:
    result = normal(raw, quote, prop(unit=unit))
    assert (result.value, result.stated, result.unconfirmed, result.in_quote) == (value, stated, None, True)


@pytest.mark.parametrize(
    ("raw", "quote", "name", "context", "value"),
    [
        ("25 °C", "ambient 25 °C", "p", None, 298.15),
        ("25 °C", "temperature rise of 25 °C", "p", None, 25.0),
        ("25 °C", "25 °C", "p", "a temperature rise of ", 25.0),
        ("25 °C", "rose by 25 °C", "p", None, 25.0),
        ("25 °C", "increased to 25 °C", "p", None, 298.15),
        ("25 °C", "ΔT = 25 °C", "p", None, 25.0),
        ("25 °C", "25 °C higher than before", "p", None, 25.0),
        ("25 °C", "25 °C", "temperature_rise", None, 25.0),
    ],
)
def test_a_rise_in_temperature_gets_no_offset(
    raw: str, quote: str, name: str, context: str | None, value: float
) -> None:
    assert normal(raw, quote, prop(unit="K", name=name), context).value == value


@pytest.mark.parametrize(
    ("raw", "quote", "unit", "value", "unconfirmed"),
    [
        ("12", "12", "kg", 12.0, "The text states no unit; the property is in kg."),
        ("12", "12 pieces", "kg", 12.0, "The text states 'pieces', which cannot be told in kg."),
        ("$5", "$5", "EUR", 5.0, "The text states '$', which cannot be told in EUR."),
        # Signs that stand for several units: the one that is asked for, and a person looks at it
        ("20°", "20°", "°C", 20.0, "The text does not say whether ° or °C is meant."),
        ("68 Grad", "68 Grad", "°F", 68.0, "The text does not say whether ° or °F is meant."),
        ("20°", "20°", "K", 293.15, "The text does not say whether ° or °C is meant."),
        ("5'", "5'", "min", 5.0, "The text does not say whether ft or min is meant."),
        ("90'", "90'", "h", 1.5, "The text does not say whether ft or min is meant."),
        ("12'", "12'", "arcmin", 12.0, "The text does not say whether ft or arcmin is meant."),
        ('0.5"', '0.5"', "arcsec", 0.5, "The text does not say whether in or arcsec is meant."),
        ("12 b", "12 b", "barn", 12.0, "The text does not say whether bit or barn is meant."),
        ("5'", "5'", "kg", 5.0, 'The text states "\'", which cannot be told in kg.'),
        (
            "3 inchy",
            "3 inchy",
            "mm",
            3.0,
            "The text states no unit that is known (after the number stands 'inchy'); the property is in mm.",
        ),
        (
            "7 cm+cm",
            "7 cm+cm",
            "mm",
            7.0,
            "The text states no unit that is known (after the number stands 'cm+cm'); the property is in mm.",
        ),
        ("5 clones", "5 clones", "passages", 5.0, "The text states 'clones'; the property is in passages."),
        ("589,2MT", "589,2MT", "t", 589.2, "Unit 'MT' can mean a metric ton or a megatonne."),
        ("1.234", "Summe 1.234 EUR", "EUR", 1234.0, "'1.234' can be read as 1.234 or 1234."),
        (1234, "Summe 1.234 EUR", "EUR", 1234.0, "'1.234' can be read as 1.234 or 1234."),
        (1.234, "Summe 1.234 EUR", "EUR", 1.234, "'1.234' can be read as 1.234 or 1234."),
        ("12 kg", "up to 12 kg", "kg", 12.0, "The text says 'up to 12 kg': an upper bound, not a single value."),
        (
            "at least 3 kg",
            "at least 3 kg",
            "kg",
            3.0,
            "The text says 'at least 3 kg': a lower bound, not a single value.",
        ),
        ("about 5 m", "about 5 m", "m", 5.0, "The text says 'about 5 m': not an exact value."),
        (
            "12.8",
            "beams at 12.8–13.0 TeV",
            "TeV",
            12.8,
            "'12.8–13.0 TeV' is a range 12.8 to 13 TeV, not a single value.",
        ),
        ("±5 K", "±5 K", "K", 5.0, "'±5 K' is a deviation, not a value."),
    ],
)
def test_what_keeps_a_number_from_being_sure(raw: Value, quote: str, unit: str, value: float, unconfirmed: str) -> None:
    result = normal(raw, quote, prop(unit=unit))
    assert (result.value, result.unconfirmed) == (value, unconfirmed)


def test_a_unit_in_the_column_head_counts_only_when_it_is_given() -> None:
    assert normal("12", "12", prop(unit="kg"), "Weight (kg)\nBolt ").unconfirmed is None
    assert normal("12", "12", prop(unit="cm"), "Width, mm\nBolt ").value == 1.2
    assert normal("12", "12", prop(unit="kg"), "Weight\nBolt ").unconfirmed is not None


@pytest.mark.parametrize(
    ("raw", "before", "quote", "after", "unit", "value", "unconfirmed"),
    [
        ("600", "Width ", "600", " mm, black", "cm", 60.0, None),
        ("9.00", "TOTAL RM ", "9.00", "", "MYR", 9.0, None),
        ("12 kg", "weighs up to ", "12 kg", "", "kg", 12.0,
         "The text says 'up to 12 kg': an upper bound, not a single value."),
        ("12 kg", "", "12 kg", " or more", "kg", 12.0,
         "The text says '12 kg or more': a lower bound, not a single value."),
        ("15 kg", "between 12 and ", "15 kg", "", "kg", 15.0,
         "'between 12 and 15 kg' is a range 12 to 15 kg, not a single value."),
        ("25 °C", "a temperature rise of ", "25 °C", "", "K", 25.0, None),
        ("12", "5 kg net, ", "12", " pcs", "kg", 12.0, "The text states 'pcs', which cannot be told in kg."),
    ],
)  # fmt: skip
def test_what_stands_beside_the_quote_counts(
    raw: str, before: str, quote: str, after: str, unit: str, value: float, unconfirmed: str | None
) -> None:
    result = normalise(raw, quote, prop(unit=unit), RULES, NOTHING, before=before, after=after)
    assert isinstance(result, Normalised)
    assert (result.value, result.unconfirmed, result.in_quote) == (value, unconfirmed, True)


def test_the_only_currency_of_a_text_is_the_unit_of_its_amounts() -> None:
    total = prop(unit="MYR")

    def unconfirmed(currency: str | None) -> str | None:
        result = normalise("9.00", "TOTAL: 9.00", total, RULES, NOTHING, currency=currency)
        assert isinstance(result, Normalised)
        return result.unconfirmed

    assert unconfirmed("MYR") is None
    assert unconfirmed("EUR") == "The text states 'EUR', which cannot be told in MYR."
    assert unconfirmed(None) == "The text states no unit; the property is in MYR."
    assert normalise("5", "5", prop(unit="kg"), RULES, NOTHING, currency="MYR") == normalise(
        "5", "5", prop(unit="kg"), RULES, NOTHING
    )


def test_a_maximum_is_stated_by_a_bound() -> None:
    assert normal("85 °C", "max. 85 °C", prop(unit="°C", name="max_temperature")).unconfirmed is None
    assert normal("85 °C", "max. 85 °C", prop(unit="°C", name="temperature")).unconfirmed is not None
    assert normal("85 °C", "max. 85 °C", prop(unit="°C", name="min_temperature")).unconfirmed is not None


def test_a_bare_number_takes_any_unit() -> None:
    assert normal("RM 9.00", "Total RM 9.00", prop()).value == 9.0
    assert normal("5 kg", "5 kg", prop("i64")).value == 5


@pytest.mark.parametrize(
    ("raw", "quote", "wanted", "detail"),
    [
        ("1.5", "1.5", prop("i64"), "'1.5' is not a whole number; a whole number is expected."),
        (
            "605 mm",
            "605 mm",
            prop("i64", "cm"),
            "'605 mm' is 60.5 cm; '60.5' is not a whole number; a whole number is expected.",
        ),
        ("none", "none", prop(), "'none' is not a number; a number such as 12.5 is expected."),
        ("NaN", "NaN", prop(), "'NaN' is not a number; a number such as 12.5 is expected."),
        (
            "12.8–13.0 TeV",
            "12.8–13.0 TeV",
            prop(unit="TeV"),
            "'12.8–13.0 TeV' is a range 12.8 to 13 TeV, not a single value; one number is expected.",
        ),
        (
            "18 to 25 percent",
            "drop to 18 to 25 percent",
            prop(),
            "'18 to 25 percent' is a range 18 to 25 %, not a single value; one number is expected.",
        ),
        ("5 and 6 mg", "5 and 6 mg", prop(unit="mg"),
         "'5 and 6 mg' holds several numbers (5 and 6); one number is expected."),
        (True, "yes", prop(), "'true' is not a number; a number such as 12.5 is expected."),
        ("31/02/2020", "31/02/2020", prop("date"),
         "'31/02/2020' is no day of the calendar; a date such as 2024-03-31 is expected."),
        ("2018-10", "from 2018-10", prop("date"),
         "'2018-10' is not a full date (day missing); day, month and year are expected."),
        ("soon", "soon", prop("date"), "'soon' is not a date; a date such as 2024-03-31 is expected."),
        ("perhaps", "perhaps", prop("bool"), "'perhaps' is not yes or no; yes or no is expected."),
        ("  ", "x", prop("text"), "The value is empty; a text is expected."),
    ],
)  # fmt: skip
def test_what_does_not_fit_says_what_was_found(raw: Value, quote: str, wanted: Property, detail: str) -> None:
    assert invalid(raw, quote, wanted) == detail


@pytest.mark.parametrize(
    ("raw", "quote", "value", "unconfirmed"),
    [
        ("2018-12-25", "DATE: 25/12/2018", "2018-12-25", None),
        ("25/12/2018 8:13 PM", "DATE: 25/12/2018 8:13 PM", "2018-12-25", None),
        ("3/10/2016", "3/10/2016", "2016-10-03", "'3/10/2016' can be read as 2016-10-03 or 2016-03-10"),
        ("2016-03-10", "dated 3/10/2016", "2016-03-10", "'3/10/2016' can be read as 2016-10-03 or 2016-03-10"),
    ],
)
def test_dates(raw: str, quote: str, value: str, unconfirmed: str | None) -> None:
    result = normal(raw, quote, prop("date"))
    assert (result.value, result.unconfirmed, result.in_quote) == (value, unconfirmed, True)


def test_a_date_that_the_quote_settles_otherwise_is_doubted() -> None:
    result = normalise("2016-10-03", "3/10/2016", prop("date"), Rules(date_order="mdy"), NOTHING)
    assert isinstance(result, Normalised)
    assert result.unconfirmed == (
        "The reader gave 2016-10-03, but the quote's date is read as 2016-03-10 in these texts."
    )


@pytest.mark.parametrize(
    ("raw", "quote", "wanted"),
    [("13", "Width 12 mm", prop(unit="mm")), (60, "Width 12 mm", prop()), ("2018-12-26", "25/12/2018", prop("date"))],
)
def test_a_value_that_its_quote_does_not_state(raw: Value, quote: str, wanted: Property) -> None:
    assert normal(raw, quote, wanted).in_quote is False


@pytest.mark.parametrize(
    ("raw", "value_type", "value", "printed"),
    [
        ("ja", "bool", True, "true"),
        (False, "bool", False, "false"),
        ("02138", "keyword", "02138", "02138"),
        ("1.10", "keyword", "1.10", "1.10"),
        (" two words ", "text", "two words", "two words"),
        (7.0, "keyword", "7", "7"),
        ("9007199254740993", "i64", 9007199254740993, "9007199254740993"),
        ("7.0", "f64", 7.0, "7"),
    ],
)
def test_other_types(raw: Value, value_type: ValueType, value: Value, printed: str) -> None:
    result = normal(raw, str(raw), prop(value_type))
    assert (result.value, result.printed) == (value, printed)


@given(
    st.one_of(st.text(max_size=30), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    st.text(max_size=40),
    st.sampled_from(VALUE_TYPES),
    st.sampled_from([None, "kg", "°C", "EUR", "passages"]),
)
def test_no_reading_breaks_anything(raw: Value, quote: str, value_type: ValueType, unit: str | None) -> None:
    wanted = prop(value_type, unit if value_type in ("i64", "f64") else None)
    result = normalise(raw, quote, wanted, RULES, NOTHING, quote)
    if isinstance(result, Invalid):
        assert result.detail.endswith(".")
    else:
        assert result.printed
