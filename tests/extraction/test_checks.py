"""A property's own checks, each with the sentence it gives."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import print_value
from reviewapp.extraction.checks import failed_check, option_meant

CASES: list[tuple[dict[str, Any], Value, str | None]] = [
    ({"value_type": "text"}, "anything", None),
    ({"value_type": "keyword", "options": ("White", "light grey")}, "white", None),
    ({"value_type": "keyword", "options": ("White", "light grey")}, "LightGrey", None),
    (
        {"value_type": "keyword", "options": ("White", "light grey")},
        "red",
        "'red' is not one of the options: White, light grey.",
    ),
    (
        {"value_type": "keyword", "options": tuple("abcdefghij")},
        "z",
        "'z' is not one of the options: a, b, c, d, e, f, g, h and 2 more.",
    ),
    ({"value_type": "keyword", "pattern": r"[A-Z]{2}\d+"}, "AB12", None),
    ({"value_type": "keyword", "pattern": r"[A-Z]{2}\d+"}, "xAB12", r"'xAB12' does not match the pattern [A-Z]{2}\d+."),
    ({"value_type": "i64", "pattern": r"\d{4}"}, 12, r"'12' does not match the pattern \d{4}."),
    ({"value_type": "f64", "minimum": 0}, 0.0, None),
    ({"value_type": "f64", "minimum": 0}, -0.5, "-0.5 is below the minimum 0."),
    ({"value_type": "f64", "unit": "cm", "maximum": 60}, 60.0, None),
    ({"value_type": "f64", "unit": "cm", "maximum": 60}, 60.5, "60.5 cm is above the maximum 60 cm."),
    ({"value_type": "i64", "minimum": 1, "maximum": 2**60}, 2**60, None),
    ({"value_type": "text", "min_length": 3}, "abc", None),
    ({"value_type": "text", "min_length": 3}, "a", "'a' has 1 character; at least 3 are expected."),
    ({"value_type": "text", "max_length": 3}, "abcd", "'abcd' has 4 characters; at most 3 are expected."),
    ({"value_type": "text", "max_length": 1}, "é", None),
]


@pytest.mark.parametrize(("checks", "value", "detail"), CASES)
def test_first_failed_check(checks: dict[str, Any], value: Value, detail: str | None) -> None:
    prop = Property(name="p", **checks)
    assert failed_check(prop, value, print_value(value, prop.value_type)) == detail


def test_pattern_without_end_is_stopped() -> None:
    prop = Property(name="p", pattern=r"(a|aa)+$")
    detail = failed_check(prop, "a" * 200 + "b", "a" * 200 + "b")
    assert detail is not None
    assert "did not come to an end within 0.2 s" in detail


def test_pattern_that_is_none_is_said() -> None:
    detail = failed_check(Property(name="p", pattern="(a"), "a", "a")
    assert detail is not None
    assert detail.startswith("The pattern '(a' is not a regular expression (missing )")


@pytest.mark.parametrize(
    ("options", "value", "meant"),
    [
        (("café", "thé"), "CAFE\u0301", "café"),
        (("CO2", "H2O"), "CO₂", "CO2"),
        (("Fire", "water"), "ﬁre", "Fire"),
        (("10³", "103"), "10³", "10³"),
        (("10³", "103"), "103", "103"),
        (("Straße",), "STRASSE", "Straße"),
        (("a",), "b", None),
    ],
)
def test_an_option_in_another_encoding(options: tuple[str, ...], value: str, meant: str | None) -> None:
    assert option_meant(Property(name="p", value_type="keyword", options=options), value) == meant


def test_option_in_its_own_spelling() -> None:
    prop = Property(name="p", value_type="keyword", options=("Light Grey", "red"))
    assert option_meant(prop, "light  grey") == "Light Grey"
    assert option_meant(prop, "blue") is None
