"""Patterns match what Python's own module matches."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.evals.conditions.patterns import BadPattern, full_match

LETTERS = [
    "a",
    "b",
    "é",
    "e\u0301",
    "m²",
    "½",
    "हि",
    "न्",
    "_",
    "1",
    "٣",
    " ",
    "\x1c",
    "\n",
    "[",
    "]",
    "{",
    "-",
    "ß",
    "İ",
]
PIECES = [
    r"\w", r"\W", r"\s", r"\S", r"\d", r"\D", r"\b", r"\B", ".", "a", "é", "[a-z]", "[^a]", r"[\w]", r"[^\W\d_]",
    "[]a]", "[^]a]", "[[a]", "[[:alpha:]]", r"[a\]b]", r"\[", "{", "{2}", "{1,2}", "{,2}", "{e<=1}", "*", "+", "?", "|",
    "(", "(?:", "(?i)", "(?a)", "(?x)", ")", "^", "$", r"\Z", "(?=a)", "(?<=a)", r"[\s-]", r"[\b]", r"\u0301",
    r"[\u0300-\u036f]",
]  # fmt: skip


def python_says(pattern: str, text: str) -> bool | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.fullmatch(pattern, text) is not None
        except re.error:
            return None


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"\w+", "m²", True),
        (r"\w+", "½", True),
        (r"\w+", "हिन्दी", False),  # its vowel signs are no letters to Python
        (r"\w+", "e\u0301", False),
        (r"[^\W\d_]+", "Müller", True),
        (r"\w+\W\w+", "e\u0301a", True),
        (r".*\bm\b.*", "5 m²", False),
        (r"a\sb", "a\x1cb", True),
        (r"(?a)\w+", "Müller", False),
    ],
)
def test_words_are_what_they_are_in_python(pattern: str, text: str, *, matches: bool) -> None:
    assert python_says(pattern, text) is matches
    assert full_match(pattern, text) is matches


@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.lists(st.sampled_from(LETTERS), max_size=5).map("".join),
)
def test_as_python_does(pattern: str, text: str) -> None:
    try:
        found = full_match(pattern, text)
    except BadPattern:
        assert python_says(pattern, text) is None
    else:
        assert python_says(pattern, text) is found
