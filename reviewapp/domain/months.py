"""Month names of the languages our texts come in, from Unicode CLDR (through babel) and a few spellings it lacks."""

from __future__ import annotations

from functools import cache

LANGUAGES = (
    "en", "de", "fr", "es", "it", "nl", "pl", "pt", "ms", "id", "sv", "da", "nb", "fi", "cs", "ro", "hu", "tr", "ru",
    "uk", "el", "vi", "ar", "he", "sk", "hr", "sl", "bg", "sr", "ca", "et", "lv",
)  # fmt: skip
ABBREVIATED = LANGUAGES[:10]
"""Those whose abbreviations count too; of the others they are too often ordinary words (``pro``, ``led``)."""

_EXTRA = {
    "sept": 9, "jänner": 1, "jaenner": 1, "feber": 2, "maerz": 3, "mrz": 3, "ogos": 8, "ago": 8, "agt": 8, "okt": 10,
    "mac": 3, "janv": 1, "févr": 2, "fevr": 2, "fevrier": 2, "aout": 8, "decembre": 12, "dez": 12, "marco": 3, "mei": 5,
    "julai": 7, "febr": 2, "sett": 9, "dis": 12, "jun": 6, "jul": 7, "fév": 2, "fev": 2, "setiembre": 9,
}  # fmt: skip


@cache
def month_names() -> dict[str, int]:
    """Lower-case name or abbreviation without its dot → 1 to 12. Names that two languages give to different months
    (``listopad``: November in Polish, October in Croatian) go with the first language of the list."""
    from babel.dates import get_month_names

    names: dict[str, int] = {}
    for language in LANGUAGES:
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated") if language in ABBREVIATED else ("wide",):
                for number, name in get_month_names(width, context=context, locale=language).items():
                    key = name.casefold().strip(". ")
                    if len(key) >= 3 and not any(c.isdigit() for c in key) and " " not in key:
                        names.setdefault(key, number)
    return _EXTRA | names


def month_number(word: str) -> int | None:
    """``March``, ``MÄRZ``, ``Sept.`` → 3, 3, 9; None: no month's name."""
    return month_names().get(word.casefold().strip("."))
