"""Yes and no, in the words people use."""

from __future__ import annotations

_YES = """
    true yes y t on 1 x ok ✓ ✔ ☑ ☒ 🗹 checked granted given included present
    ja jawohl כן có हाँ हां wahr stimmt vorhanden oui vrai si sì sí verdadero vero verdade sim tak prawda ya betul benar
    igen ano áno da kyllä evet är joo да так истина ναι نعم 是 はい 有 예 네
"""
_NO = """
    false no n f off 0 none ✗ ✘ ☐ □ unchecked absent
    nein falsch nicht kein keine keiner לא không नहीं не οχι non faux falso nee não nao nie fałsz tidak tiada salah
    nem ne hayır hayir ei nej nei нет ні ложь όχι لا 否 いいえ 無 无 아니요
"""
_WORDS = dict.fromkeys(_YES.split(), True) | dict.fromkeys(_NO.split(), False)


def read_bool(text: str) -> bool | None:
    """``Ja.`` → True, ``no`` → False; None for anything that is not one of these words."""
    return _WORDS.get(text.strip(" \t\n\r.,;:!()[]\"'").casefold())
