from __future__ import annotations

import contextlib

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.patterns import refuse_costly, written_out
from reviewapp.domain.properties import Property


@pytest.mark.parametrize(
    ("pattern", "pieces"),
    [
        ("", 0),
        ("abc", 3),
        ("a{3}", 3),
        ("(ab){3}", 6),
        ("(?:a{10}){10}", 120),  # `?` and `:` are counted with the letters: never too few
        ("[a-z]{2}", 2),
        (r"[\]{9}]{2}", 2),
        (r"\({4}", 4),
        ("a{,5}", 5),
        ("a{2,}", 2),
        ("a{}", 3),
        ("{5}", 0),
        ("a{0}", 1),
        ("x|y", 3),
        (")(", 0),
    ],
)
def test_pieces(pattern: str, pieces: int) -> None:
    assert written_out(pattern) == pieces


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:a{5000}){5000}",
        "((a{100}){100}){100}",
        "(?:(?:(?:a{1,1000}){1,1000}){1,1000})",
        "a{99999999999999}",
        "(" * 5_000 + ")" * 5_000,
        "a|" * 1_001,
        "[a-z]{200}{200}",
    ],
)
def test_what_takes_too_long_to_put_together_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        refuse_costly(pattern)
    with pytest.raises(ValueError, match="pattern"):
        Property(name="width", value_type="text", pattern=pattern)


@pytest.mark.parametrize("pattern", [r"[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}", r"\d{1,3}(?:[.,]\d{3})*", "(?i)net(to)?"])
def test_what_people_write_is_taken(pattern: str) -> None:
    assert refuse_costly(pattern) == pattern


def test_a_unit_is_short() -> None:
    with pytest.raises(ValueError, match="at most 100 characters"):
        Property(name="width", value_type="f64", unit="kilo" * 20_000)


@given(st.text(alphabet="ab()[]{}0123,*+?|\\^", max_size=60))
@pytest.mark.timeout(300)
def test_whatever_is_taken_can_be_put_together(pattern: str) -> None:
    with contextlib.suppress(ValueError, regex.error):
        refuse_costly(pattern)
        regex.compile(pattern)
