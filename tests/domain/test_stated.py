"""Marked words and the value in them."""

from __future__ import annotations

import pytest

from reviewapp.domain.properties import Property, ValueType
from reviewapp.domain.stated import stated_words
from reviewapp.domain.workflows import Evidence, Rules

CASES: list[tuple[ValueType, tuple[str, ...], str, str | None]] = [
    ("date", (), "Date: 03/04/2024", "03/04/2024"),
    ("date", (), "signed on 1 March 2026 in Kassel", "1 March 2026"),
    ("date", (), "from 2024-01-01 to 2024-12-31", None),
    ("date", (), "open in spring", None),
    ("i64", (), "Total pieces: 4", "4"),
    ("i64", (), "Menge: 4 Stück", "4"),
    ("i64", (), "4 pieces, 4 in all", "4"),
    ("i64", (), "2 of 5", None),
    ("f64", (), "pH 7,5", "7,5"),
    ("bool", (), "Certified: yes", "yes"),
    ("bool", (), "Delivery on Monday: no", "no"),
    ("bool", (), "Automatische Verlängerung: nein.", "nein."),
    ("bool", (), "vorhanden", "vorhanden"),
    ("bool", (), "certified", None),
    ("keyword", ("white", "off-white", "black"), "Colour: white", "white"),
    ("keyword", ("white", "off-white", "black"), "Colour: OFF-WHITE, matt", "off-white"),
    ("keyword", ("white", "black"), "black and white", None),
    ("keyword", ("T30", "T90"), "class T300", None),
    ("keyword", ("白色", "黑色"), "颜色为白色的", "白色"),
    ("text", (), "Shop: Harbour Coffee", None),
]


@pytest.mark.parametrize(("value_type", "options", "words", "expected"), CASES)
def test_the_one_value_that_words_state(
    value_type: ValueType, options: tuple[str, ...], words: str, expected: str | None
) -> None:
    prop = Property(name="p", value_type=value_type, options=options)
    found = stated_words(prop, words, Rules(), Evidence())
    assert (found.strip() if found else found) == expected
