"""Values and figures as pages show them: with the marks and the words of the language in use.

What a field holds and a form sends stays as it is printed: ``1,234`` typed is read by the rules of the workflow.
"""

from __future__ import annotations

from babel.numbers import get_decimal_symbol, get_group_symbol

from reviewapp.domain.properties import Value
from reviewapp.domain.tests import ReadValue
from reviewapp.domain.values import print_number, print_value
from reviewapp.languages import ENGLISH, language, said


def local(figure: str) -> str:
    """A figure printed the English way, with the marks of the language in use."""
    if language() == ENGLISH:
        return figure
    marks: dict[str, str | int | None] = {",": get_group_symbol(language()), ".": get_decimal_symbol(language())}
    return figure.translate(str.maketrans(marks))


def in_words(value: Value) -> str:
    """``60``, ``3.5`` (in German ``3,5``), ``yes``; texts and dates as they are."""
    if isinstance(value, bool):
        return said("yes" if value else "no")
    return local(print_number(value)) if isinstance(value, float) else str(value)


def read_words(read: ReadValue) -> str:
    """What was read; where it does not fit its type, as it was found."""
    return read.printed if read.value is None else in_words(read.value)


def typed_words(value: Value) -> str:
    """The same for a field, from which it is read again."""
    return in_words(value) if isinstance(value, bool) else print_value(value, "f64")
