"""Typed values: parsed, printed, compared."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.booleans import read_bool
from reviewapp.domain.properties import VALUE_TYPES, Value, ValueType
from reviewapp.domain.values import parse_typed, print_number, print_value, values_equal
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput

RULES, NOTHING = Rules(), Evidence()


@pytest.mark.parametrize(
    ("raw", "value_type", "value"),
    [
        ("60", "f64", 60.0),
        (60, "f64", 60.0),
        ("12,5", "f64", 12.5),
        ("1.5e-3", "f64", 0.0015),
        ("1.234,50", "f64", 1234.5),
        ("9007199254740993", "i64", 9007199254740993),
        (9007199254740993, "i64", 9007199254740993),
        (3.0, "i64", 3),
        ("-9223372036854775808", "i64", -(2**63)),
        ("02138", "keyword", "02138"),
        ("00030340067212", "keyword", "00030340067212"),
        ("1.10", "keyword", "1.10"),
        (60.0, "keyword", "60"),
        ("  a b ", "text", "a b"),
        ("two\r\nlines\x07", "text", "two\nlines"),
        ("\ufeffa\u200bb", "text", "a\u200bb"),
        ("ja", "bool", True),
        ("Non", "bool", False),
        ("SÍ", "bool", True),
        (0, "bool", False),
        (True, "bool", True),
        ("☑", "bool", True),
        ("5. März 2024", "date", "2024-03-05"),
        ("25/12/2018", "date", "2018-12-25"),
        ("9999-12-31", "date", "9999-12-31"),
        ("0476-09-04", "date", "0476-09-04"),
        (",5", "f64", 0.5),
        ("-,25", "f64", -0.25),
        ("5.", "i64", 5),
        ("לא", "bool", False),
        ("có", "bool", True),
        ("ΟΧΙ", "bool", False),
    ],
)
def test_what_a_person_types(raw: Value, value_type: ValueType, value: Value) -> None:
    parsed = parse_typed(raw, value_type, RULES, NOTHING)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("raw", "value_type", "message"),
    [
        ("NaN", "f64", "'NaN' is not a finite number; a number such as 12.5 is expected."),
        ("inf", "f64", "'inf' is not a finite number; a number such as 12.5 is expected."),
        (math.nan, "f64", "'nan' is not a finite number"),
        (math.inf, "i64", "'inf' is not a whole number"),
        ("1e999", "f64", "'1e999' is not a number"),
        ("1e-400", "f64", "'1e-400' is too close to 0 to be kept; a number from 5e-324 is expected."),
        ("2024-02-30", "date", "'2024-02-30' is no day of the calendar"),
        ("ca. 5 March 2024", "date", "'ca. 5 March 2024' is no exact day; write 2024-03-05."),
        ("-", "f64", "'-' is not a number"),
        ("", "f64", "'' is not a number"),
        (True, "f64", "'true' is not a number"),
        ("1.5", "i64", "'1.5' is not a whole number"),
        ("9223372036854775808", "i64", "'9223372036854775808' is too large for a whole number"),
        ("600 mm", "f64", "'600 mm' is not a number"),
        ("1.234", "f64", "'1.234' can be read as 1.234 or 1234; write it without thousands separators"),
        ("maybe", "bool", "'maybe' is not yes or no"),
        (2, "bool", "'2' is not yes or no"),
        ("03/04/2024", "date", "write 2024-04-03 or 2024-03-04"),
        ("2018-10", "date", "'2018-10' is not a full date (day missing)"),
        ("31/02/2020", "date", "'31/02/2020' is no day of the calendar"),
        ("yesterday", "date", "'yesterday' is not a date; a date such as 2024-03-31 is expected."),
        (20, "date", "'20' is not a date"),
        ("  ", "text", "The value is empty"),
        ("\u200b \ufeff", "keyword", "The value is empty; a keyword is expected."),
        ("a\0b", "text", "The value holds a NUL character (U+0000) at character 2; take it out."),
        ("a\ud83d", "text", "The value holds half of a surrogate pair (U+D83D), which is no character at character 2"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(raw: Value, value_type: ValueType, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_typed(raw, value_type, RULES, NOTHING)
    assert message in refused.value.message


def test_the_workflows_rules_settle_what_is_typed() -> None:
    assert parse_typed("1.234", "f64", Rules(decimal_mark=","), NOTHING) == 1234.0
    assert parse_typed("03/04/2024", "date", Rules(date_order="mdy"), NOTHING) == "2024-03-04"


@pytest.mark.parametrize(
    ("value", "value_type", "printed"),
    [
        (60.0, "f64", "60"),
        (-0.5, "f64", "-0.5"),
        (0.0, "f64", "0"),
        (1e-5, "f64", "0.00001"),
        (2.23e19, "f64", "2.23e19"),
        (6.6743e-11, "f64", "6.6743e-11"),
        (1e15, "f64", "1000000000000000"),
        (9007199254740993, "i64", "9007199254740993"),
        (True, "bool", "true"),
        (False, "bool", "false"),
        ("2024-03-05", "date", "2024-03-05"),
        ("7.0", "keyword", "7.0"),
    ],
)
def test_printed_and_read_back(value: Value, value_type: ValueType, printed: str) -> None:
    assert print_value(value, value_type) == printed
    assert parse_typed(printed, value_type, RULES, NOTHING) == value


@pytest.mark.parametrize("raw", ["-0", "-0,0", -0.0, "-0e5"])
def test_zero_has_no_sign(raw: Value) -> None:
    parsed = parse_typed(raw, "f64", RULES, NOTHING)
    assert isinstance(parsed, float)
    assert math.copysign(1, parsed) == 1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_reads_back(number: float) -> None:
    assert float(print_number(number)) == number


@given(st.integers(min_value=-(2**63), max_value=2**63 - 1))
def test_every_integer_reads_back(number: int) -> None:
    assert int(print_value(number, "i64")) == number


@pytest.mark.parametrize(
    ("a", "b", "value_type", "equal"),
    [
        (12, 12.0, "f64", True),
        (0.3, 0.30000000000000004, "f64", True),
        (1.0, 1.001, "f64", False),
        (9007199254740992, 9007199254740993, "i64", False),
        (0, 0.0, "f64", True),
        ("Bolt  M8", "bolt m8", "text", True),
        ("7.0", "7", "keyword", False),
        ("Café", "cafe\u0301", "text", True),
        ("İstanbul", "i\u0307stanbul", "text", True),
        ("m²", "m2", "text", False),
        (True, 1, "bool", True),
        (False, True, "bool", False),
        (None, None, "f64", True),
        (None, 0, "f64", False),
        ("2024-03-05", "2024-03-05", "date", True),
    ],
)
def test_equal_values(a: Value | None, b: Value | None, value_type: ValueType, equal: bool) -> None:
    assert values_equal(a, b, value_type) is equal
    assert values_equal(b, a, value_type) is equal


@pytest.mark.parametrize(
    ("word", "meaning"),
    [("Ja.", True), ("NEIN", False), ("oui", True), ("(no)", False), ("ya", True), ("否", False), ("perhaps", None)],
)
def test_yes_and_no(word: str, meaning: bool | None) -> None:
    assert read_bool(word) is meaning


@given(st.text(max_size=40), st.sampled_from(VALUE_TYPES))
def test_nothing_typed_breaks_anything(text: str, value_type: ValueType) -> None:
    value = _typed_or_refused(text, value_type)
    if not isinstance(value, InvalidInput):
        assert print_value(value, value_type)


def _typed_or_refused(text: str, value_type: ValueType) -> Value | InvalidInput:
    try:
        return parse_typed(text, value_type, RULES, NOTHING)
    except InvalidInput as refused:
        return refused
