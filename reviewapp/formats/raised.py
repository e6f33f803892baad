"""Words set above or below the line, or struck through: written so that no number reads as another one.

``10<sup>3</sup>`` is 10³ and never 103, ``<s>600</s>650`` never 600650. Pieces of a document carry what they are;
`joined` makes the text of them.

=========  ========================================================  =================================
piece      becomes                                                   examples
=========  ========================================================  =================================
`Raised`   digits and signs as superscripts, letters as they are     10⁻³, m², 1er, 25 °C (from ``o``)
`Lowered`  as it is behind a letter, else digits as subscripts       CO2, ¹/₂, log₁₀5
`Struck`   as it is, a space away from digits it would run into      600 650
=========  ========================================================  =================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SUPERSCRIPTS = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_BRACKETS = str.maketrans("()", "⁽⁾")
SUBSCRIPTS = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
_EXPONENT = re.compile(r"[\d+\-−–()]+")
_ZERO_OR_O = ("o", "O", "0", "°", "º")


class Raised(str):
    """Words set as superscript."""

    __slots__ = ()


class Lowered(str):
    """Words set as subscript."""

    __slots__ = ()


class Struck(str):
    """Words struck through, which the reader still sees."""

    __slots__ = ()


def joined(pieces: Sequence[str]) -> str:
    """The text of pieces in their order; plain strings stay as they are."""
    kept = [piece for piece in pieces if piece]
    if all(type(piece) is str for piece in kept):
        return "".join(kept)
    out: list[str] = []
    before = ""
    for i, piece in enumerate(kept):
        after = kept[i + 1][0] if i + 1 < len(kept) else ""
        written = _written(piece, before, after)
        out.append(written)
        before = written[-1]
    return "".join(out)


def _written(piece: str, before: str, after: str) -> str:
    match piece:
        case Raised():
            return _raised(piece, before, after)
        case Lowered():
            is_plain = before.isalpha() and not (after.isdigit() or after in ("/", "⁄"))
            return str(piece) if is_plain else piece.translate(SUBSCRIPTS)
        case Struck():
            return " " * _run_together(before, piece[0]) + piece + " " * _run_together(piece[-1], after)
    return piece


def _raised(piece: str, before: str, after: str) -> str:
    if piece in _ZERO_OR_O and (before.isdigit() or before.isspace()):
        if after in ("C", "F"):
            return "°"
        if piece != "0" and before.isdigit():
            return "º"
    signs = piece.translate(SUPERSCRIPTS)
    return signs.translate(_BRACKETS) if _EXPONENT.fullmatch(piece) else signs


def _run_together(left: str, right: str) -> bool:
    return left.isdigit() and right.isdigit()
