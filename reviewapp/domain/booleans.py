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
_NEITHER = """
    n/a, n.a, na, n.v.t, nvt, k.a, ./., -, –, —, ?, tbd, tbc, tba, unknown, not applicable, not available, not known
    not specified, not stated, not assessed, not determined, not relevant, to be confirmed, to be determined
    nicht zutreffend, nicht anwendbar, nicht bekannt, nicht angegeben, nicht relevant, keine angabe, keine angaben
    entfällt, unbekannt, sans objet, non applicable, non disponible, non renseigné, inconnu, no aplica, no disponible
    no procede, desconocido, não aplicável, não se aplica, non applicabile, non disponibile, niet van toepassing
    niet bekend, onbekend, nie dotyczy
"""
_WORDS = dict.fromkeys(_YES.split(), True) | dict.fromkeys(_NO.split(), False)
_NO_ANSWERS = frozenset(words.strip() for line in _NEITHER.splitlines() for words in line.split(","))
_AROUND = " \t\n\r.,;:!()[]\"'"


def read_bool(text: str) -> bool | None:
    """``Ja.`` → True, ``no`` → False; None for anything that is not one of these words."""
    return _WORDS.get(text.strip(_AROUND).casefold())


def is_no_answer(text: str) -> bool:
    """``n/a``, ``not applicable``, ``-``: neither yes nor no."""
    words = " ".join(text.split())
    return bool(words) and (words.strip(_AROUND).casefold() in _NO_ANSWERS or words in _NO_ANSWERS)
