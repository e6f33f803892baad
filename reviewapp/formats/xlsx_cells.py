"""Texts in the cells of an XLSX sheet: what a cell can hold, and the escapes of its format.

``_x000D_`` in a cell means the character U+000D, for Excel and by the standard (ECMA-376, ST_Xstring); a text that has
these very letters has its first underscore escaped. A cell holds 32,767 UTF-16 units; Excel calls a file with more
damaged.
"""

from __future__ import annotations

import re

CELL_UNITS = 32_767
REPLACEMENT = "\ufffd"
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""What XML 1.0 has no place for."""
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_LIKE_AN_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def allowed(text: str) -> str:
    """The text with U+FFFD in place of what a sheet has no place for."""
    return _REFUSED.sub(REPLACEMENT, text)


def cut(text: str, mark: str = "") -> str:
    """The text, or as much of its beginning as a cell holds, no character halved, with `mark` behind it."""
    if len(text) * 4 <= CELL_UNITS or _fits(text):  # every character escaped and a pair: four units
        return text
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if _fits(text[:middle] + mark) else (least, middle - 1)
    return text[:least] + mark


def _fits(text: str) -> bool:
    return len(escaped(text).encode("utf-16-le")) // 2 <= CELL_UNITS


def escaped(text: str) -> str:
    """``_x0041_`` → ``_x005F_x0041_``, which a spreadsheet shows as ``_x0041_``."""
    return _LIKE_AN_ESCAPE.sub("_x005F_", text) if "_x" in text else text


def unescaped(cell: str) -> str:
    """What a spreadsheet shows for a cell."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), cell) if "_x" in cell else cell
