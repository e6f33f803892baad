"""Sentences are found in the source of a module."""

from __future__ import annotations

import pytest

from reviewapp.languages.finding import sentences_of


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise InvalidInput("Choose a file first.")', ["Choose a file first."]),
        ('f"{name!r} is no date."', ["{name!r} is no date."]),
        ('x = f"{len(names):,} of {total} names are known"', ["{names} of {total} names are known"]),
        ('f"{shown}{unit} is below {least}{unit}."', ["{shown}{unit} is below {least}{unit}."]),
        ('f"{a.name} is not {b.name}"', ["{name} is not {name_}"]),
        ('x = "It begins here " "and ends there."', ["It begins here and ends there."]),
        ('x = "There is none. " + f"Name one of {known}."', ["There is none. Name one of {known}."]),
        ('"Taken back: {what}.".format(what=x)', ["Taken back: {what}."]),
        ("""x = 'Write it like {"a": 1} here.'""", ['Write it like {{"a": 1}} here.']),
        ('f"{count}; nothing was imported:\\n{shown}"', ["{count}; nothing was imported:"]),
        ("""f"None of these{f' and {n} others too' if n else ''}." """, ["None of these{n}.", " and {n} others too"]),
        ('raise NotFound("dataset", name)', ["dataset"]),
        ('_("It is in the catalogue")', []),
        ('"""What it does, in words."""', []),
        ('x = {"a key of words": "single"}', []),
        (r'PATTERN = re.compile(r"\d+ (?:mm|cm) or so")', []),
        ('x = "single"', []),
    ],
)
def test_sentences_of_a_module(source: str, found: list[str]):
    assert sentences_of(source) == found


def test_single_words_count_in_the_tables_named():
    source = 'WORDS = {"written": "Passed", "review": "Doubtful"}\nOTHERS = {"a": "Hidden"}'
    assert sentences_of(source, ("WORDS",)) == ["Passed", "Doubtful"]
