"""The one form that every text is kept in, whatever door it came through.

==============================  =========================================
found                           kept as
==============================  =========================================
CR LF, CR, NEL, LS, PS, VT      ``\\n``
tab, form feed                  as they are (a form feed parts pages)
NUL, half of a surrogate pair   refused
other control characters        one space each, and a word about it
byte order marks at the start   dropped
==============================  =========================================

Everything else stays, letter for letter. Positions in a text are counted in this form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile("\r\n|[\r\v\x85\u2028\u2029]")
_UNUSUAL = re.compile("[\x00-\x08\x0b\r\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Whatever the three others look for, in one go: almost every text has none of it."""
_CONTROL = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_REFUSED = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class CleanText:
    """A text in the form that is kept."""

    text: str
    replaced: tuple[str, ...] = ()
    """Control characters that became spaces, each once, in code order."""


def refused_character(raw: str) -> tuple[int, str] | None:
    """Position and name of the first character that no text may hold; None: there is none."""
    found = _REFUSED.search(raw)
    if found is None:
        return None
    if found[0] == "\0":
        return found.start(), "a NUL character (U+0000)"
    return found.start(), f"half of a surrogate pair (U+{ord(found[0]):04X}), which is no character"


def clean_text(raw: str) -> CleanText:
    """The text in the form that is kept; look for `refused_character` first."""
    text = raw.lstrip("\ufeff")
    if _UNUSUAL.search(text) is None:
        return CleanText(text)
    text = _LINE_END.sub("\n", text)
    replaced = tuple(sorted(set(_CONTROL.findall(text))))
    if replaced:
        text = _CONTROL.sub(" ", text)
    return CleanText(text, replaced)
