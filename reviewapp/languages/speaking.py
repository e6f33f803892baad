"""The language in use, and texts in it.

The web layer says at each request which it is; wherever nobody says so, as on the command line, it is English.
"""

from __future__ import annotations

from contextvars import ContextVar

from reviewapp.languages.catalogue import ENGLISH, LANGUAGES, catalogue_of

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def speak(language: str) -> None:
    """From now on, in this thread, texts are in `language`. KeyError for one that there is not."""
    if language not in LANGUAGES:
        raise KeyError(language)
    _language.set(language)


def language() -> str:
    """The tag of the language in use."""
    return _language.get()


def gettext(message: str, **values: object) -> str:
    """The text in the language in use, with `values` at its ``%(name)s``."""
    return _fill(catalogue_of(language()).gettext(message), values)


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """The form for `count`: ``ngettext("%(num)s item", "%(num)s items", 2, num="2")``."""
    return _fill(catalogue_of(language()).ngettext(one, many, count), values)


def pgettext(context: str, message: str, **values: object) -> str:
    """Like `gettext`, for a word that means several things: `context` says which."""
    return _fill(catalogue_of(language()).pgettext(context, message), values)


def _fill(text: str, values: dict[str, object]) -> str:
    return text % values if values else text
