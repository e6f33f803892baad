"""The catalogue of each language, read from its .po file."""

from __future__ import annotations

import io
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ENGLISH = "en"
LANGUAGES: dict[str, str] = {ENGLISH: "English", "de": "Deutsch"}
"""Each by its tag, with its name as its speakers write it."""


def catalogue_path(language: str) -> Path:
    """Where the texts of a language other than English stand."""
    return Path(__file__).parent / "translations" / language / "LC_MESSAGES" / "messages.po"


@cache
def read_catalogue(language: str) -> Catalog:
    """The entries of a language's file. Takes about half a second, once a process."""
    from babel.messages.pofile import read_po

    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language)


@cache
def catalogue_of(language: str) -> NullTranslations:
    """The texts of a language; those it lacks, and all of English, come back as they are."""
    if language == ENGLISH:
        return NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return GNUTranslations(compiled)
