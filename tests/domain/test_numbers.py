"""Every common way of writing a number, and what is not one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.numbers import find_numbers, read_number
from reviewapp.domain.workflows import Evidence, Rules

RULES, NOTHING = Rules(), Evidence()
COMMA, POINT = Rules(decimal_mark=","), Rules(decimal_mark=".")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("60", "60"),
        ("60.0", "60.0"),
        ("-5", "-5"),
        ("+5", "5"),
        ("−3.5", "-3.5"),
        ("–7", "-7"),
        (".5", "0.5"),
        ("0.234", "0.234"),
        ("0,234", "0.234"),
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1 234,5", "1234.5"),
        ("1\u202f234,5", "1234.5"),
        ("1\u2009234\u2009567", "1234567"),
        ("12\u00a0345,67", "12345.67"),
        ("10 000", "10000"),
        ("1'234.5", "1234.5"),
        ("1’234.56", "1234.56"),
        ("4.255.142", "4255142"),
        ("1,234,567", "1234567"),
        ("12,34,567.89", "1234567.89"),
        ("1234.567", "1234.567"),
        ("76,18", "76.18"),
        ("½", "0.5"),
        ("3½", "3.5"),
        ("3 ½", "3.5"),
        ("¹/₂", "0.5"),
        ("5¹/₂", "5.5"),
        ("2 ³⁄₁₆", "2.1875"),
        ("−1¹⁵/₁₆", "-1.9375"),
        (",5", "0.5"),
        ("5,", "5"),
        ("18 1/4", "18.25"),
        ("18-1/4", "18.25"),
        ("1/40", "0.025"),
        ("3/2", "1.5"),
        ("1.5e3", "1500"),
        ("1.5E-3", "0.0015"),
        ("4e14", "4e14"),
        ("2.998E8", "299800000"),
        ("2,998e8", "299800000"),
        ("1.013 × 10⁵", "101300"),
        ("1.5 × 10−3", "0.0015"),
        ("1.5·10⁻³", "0.0015"),
        ("1.5 x 10^-3", "0.0015"),
        ("1.5*10**3", "1500"),
        ("2.48×10−5", "0.0000248"),
        ("6.67430(15)e-11", "6.67430e-11"),
        ("١٢٫٥", "12.5"),
        ("١٬٢٣٤٫٥", "1234.5"),
        ("१२३", "123"),
        ("１２．５", "12.5"),
        ("9007199254740993", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
    ],
)
def test_one_way_of_writing(written: str, value: str) -> None:
    reading = read_number(written, RULES, NOTHING)
    assert reading is not None
    assert (reading.value, reading.ambiguous) == (Decimal(value), None)
    assert (reading.start, reading.end) == (0, len(written))


@pytest.mark.parametrize(
    ("written", "likelier", "other"),
    [
        ("1.234", "1.234", "1234"),
        ("1,234", "1234", "1.234"),
        ("-1.234", "-1.234", "-1234"),
        ("2.23 × 1019", "2.23e19", "2272.37"),
    ],
)
def test_two_readings_are_said(written: str, likelier: str, other: str) -> None:
    reading = read_number(written, RULES, NOTHING)
    assert reading is not None
    assert reading.value == Decimal(likelier)
    assert reading.alternatives == (Decimal(other),)
    assert reading.ambiguous is not None
    assert written.lstrip("-") in reading.ambiguous


@pytest.mark.parametrize(
    ("text", "value", "ambiguous"),
    [
        ("Amount: - 45.00", "-45.00", True),
        ("Saldo:  − 1.234,50 €", "-1234.50", True),
        ("Amount - 45.00", "45.00", False),
        ("\n- 45.00", "45.00", False),
        ("Amount: -45.00", "-45.00", False),
    ],
)
def test_a_minus_parted_from_its_number_is_not_dropped_in_silence(text: str, value: str, ambiguous: bool) -> None:
    (reading,) = find_numbers(text, RULES, NOTHING)
    assert (reading.value, reading.ambiguous is not None) == (Decimal(value), ambiguous)


def test_a_plain_space_may_part_two_numbers() -> None:
    loose = read_number("1 234", RULES, NOTHING)
    assert loose is not None
    assert loose.ambiguous == "'1 234' can be one number or two"
    settled = read_number("1 234", COMMA, NOTHING)
    assert settled is not None
    assert settled.ambiguous is None


@pytest.mark.parametrize(
    ("written", "rules", "evidence", "value"),
    [
        ("1.234", COMMA, NOTHING, "1234"),
        ("1.234", POINT, NOTHING, "1.234"),
        ("1,234", COMMA, NOTHING, "1.234"),
        ("1,234", POINT, NOTHING, "1234"),
        ("1.234", RULES, Evidence(decimal_comma=1), "1234"),
        ("1.234", RULES, Evidence(decimal_point=9, decimal_comma=1), "1.234"),
        ("1.234", COMMA, Evidence(decimal_point=100), "1234"),
    ],
)
def test_rules_then_evidence_settle_it(written: str, rules: Rules, evidence: Evidence, value: str) -> None:
    reading = read_number(written, rules, evidence)
    assert reading is not None
    assert (reading.value, reading.ambiguous) == (Decimal(value), None)


def test_mixed_evidence_settles_nothing() -> None:
    reading = read_number("1.234", RULES, Evidence(decimal_comma=1, decimal_point=1))
    assert reading is not None
    assert reading.ambiguous is not None


@pytest.mark.parametrize(
    "text",
    ["", "-", "NaN", "inf", "1e999", "1.2.3", "192.168.1.1", "1/0", "twelve", "5 6", "9" * 41, "12.5 kg", "1,23,45"],
)
def test_no_number(text: str) -> None:
    assert read_number(text, RULES, NOTHING) is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("4.255.142 (76,18%)", ["4255142", "76.18"]),
        ("12.8–13.0 TeV", ["12.8", "13.0"]),
        ("-78-0 degrees", ["-78", "0"]),
        ("from 5 –6 and –7", ["5", "6", "-7"]),
        ("Total:9.00Cash:10.00Change1.00", ["9.00", "10.00", "1.00"]),
        ("a ⅓ cup", ["0.3333333333333333333333333333"]),
        ("1,2,3", ["1", "2", "3"]),
        ("5, 6 and 7", ["5", "6", "7"]),
        ("n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K", ["42", "-3.5"]),
    ],
)
def test_numbers_of_a_text(text: str, numbers: list[str]) -> None:
    assert [r.value for r in find_numbers(text, RULES, NOTHING)] == [Decimal(n) for n in numbers]


@given(st.text(alphabet="0123456789.,'’ −–-+/½×^()eE\u00a0xé", max_size=60))
def test_spans_are_in_order_and_hold_digits(text: str) -> None:
    end = 0
    for reading in find_numbers(text, RULES, NOTHING):
        assert end <= reading.start < reading.end <= len(text)
        assert any(c.isdigit() or c == "½" for c in text[reading.start : reading.end])
        end = reading.end


@given(st.integers(min_value=-(10**30), max_value=10**30))
def test_integers_are_exact(number: int) -> None:
    reading = read_number(str(number), POINT, NOTHING)
    assert reading is not None
    assert reading.value == number


@given(st.integers(min_value=1_000, max_value=10**12), st.sampled_from([",", ".", "'", "\u202f"]))
def test_grouped_integers_read_back(number: int, separator: str) -> None:
    written = f"{number:,}".replace(",", separator) + (",50" if separator != "," else ".50")
    reading = read_number(written, RULES, NOTHING)
    assert reading is not None
    assert reading.value == number + Decimal("0.5")


@pytest.mark.parametrize("piece", ["9", " ", "1/", "1 ", "1.1", "1,", "1 234 ", "x10", "(", "1 1/", "-", "–1 ", "1'1"])
@pytest.mark.timeout(120)
def test_a_piece_over_and_over_comes_to_an_end(piece: str) -> None:
    """How the time grows is measured by `bench.growth`."""
    find_numbers(piece * (100_000 // len(piece)), RULES, NOTHING)
