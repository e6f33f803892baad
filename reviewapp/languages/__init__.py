"""The languages of the pages: which there are, the one in use, and texts in it.

The catalogue (`translations/*/LC_MESSAGES/messages.po`) is the only source, read where it is first needed; nothing is
compiled beforehand. English is the language of the source. What is stored, the API and the command line stay English.
"""

from __future__ import annotations

from reviewapp.languages.catalogue import ENGLISH, LANGUAGES, catalogue_of, catalogue_path
from reviewapp.languages.sentences import said
from reviewapp.languages.speaking import gettext, language, ngettext, pgettext, speak

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "catalogue_of",
    "catalogue_path",
    "gettext",
    "language",
    "ngettext",
    "pgettext",
    "said",
    "speak",
]
