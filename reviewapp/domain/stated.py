"""What words that a person marked in a text state: the one value among its label and other words."""

from __future__ import annotations

import re

from reviewapp.domain.booleans import read_bool
from reviewapp.domain.dates import find_dates
from reviewapp.domain.numbers import find_numbers
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, Rules


def stated_words(prop: Property, words: str, rules: Rules, evidence: Evidence) -> str | None:
    """The part of `words` that states a value of the property: ``03/04/2024`` of ``Date: 03/04/2024``.

    None where no part does or several different ones do, and for texts without options, which are what was marked.
    """
    match prop.value_type:
        case "date":
            found = [words[day.start : day.end] for day in find_dates(words, rules, evidence)]
        case "i64" | "f64":
            found = [words[number.start : number.end] for number in find_numbers(words, rules, evidence)]
        case "bool":
            found = _yes_or_no(words)
        case _:
            found = _options(prop, words)
    return found[0] if len(set(found)) == 1 else None


def _yes_or_no(words: str) -> list[str]:
    """What stands behind the last colon, else every single word that says yes or no; one each where several agree."""
    behind = words.rpartition(":")[2]
    if read_bool(behind) is not None:
        return [behind]
    said = {read_bool(word): word for word in words.split()}
    return [word for meant, word in said.items() if meant is not None]


def _options(prop: Property, words: str) -> list[str]:
    """The options that stand in the words, the longer one where one holds another (``off-white``, ``white``)."""
    places: dict[tuple[int, int], str] = {}
    for option in sorted(prop.options, key=len, reverse=True):
        pattern = _edge(option[:1], "(?<!\\w)") + re.escape(option) + _edge(option[-1:], "(?!\\w)")
        for match in re.finditer(pattern, words, re.IGNORECASE):
            if not any(start < match.end() and match.start() < end for start, end in places):
                places[match.span()] = option
    return list(places.values())


def _edge(letter: str, bound: str) -> str:
    """A word's bound, for scripts that part words: those with digits, or with small and capital letters."""
    return bound if letter.isdigit() or letter.lower() != letter.upper() else ""
