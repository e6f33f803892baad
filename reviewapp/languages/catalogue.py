"""The catalogue of each language, read from its .po file."""

from __future__ import annotations

import io
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

ENGLISH = "en"
LANGUAGES: dict[str, str] = {ENGLISH: "English", "de": "Deutsch"}
"""Each by its tag, with its name as its speakers write it."""


def catalogue_path(language: str) -> Path:
    """Where the texts of a language other than English stand."""
    return Path(__file__).parent / "translations" / language / "LC_MESSAGES" / "messages.po"


@cache
def catalogue_of(language: str) -> NullTranslations:
    """The texts of a language; those it lacks, and all of English, come back as they are.

    Reading a catalogue takes some tenths of a second, once a process.
    """
    if language == ENGLISH:
        return NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with catalogue_path(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)
