"""Formulas of Word documents (Office Math) in one line, so that no two numbers of them run together.

A fraction is ``1/2``, a power ``10³``, an index ``x1``, a root ``√(x)``; what cannot be raised is ``e^(−kt)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from reviewapp.formats.docx_runs import attribute, tag_of
from reviewapp.formats.raised import Lowered, Raised, joined

_SIMPLE = re.compile(r"[\w.,]*")
_RAISABLE = re.compile(r"[\d+\-−–()]+")


def formula_pieces(element: Element) -> list[str]:
    """The pieces of a formula, for `joined`."""
    return list(_pieces(element))


def _pieces(element: Element) -> Iterator[str]:
    tag = tag_of(element)
    parts = {tag_of(child): child for child in element}
    if tag == "t":
        yield element.text or ""
    elif tag == "f" and {"num", "den"} <= parts.keys():
        yield f"{_grouped(parts['num'])}/{_grouped(parts['den'])}"
    elif tag in ("sSup", "sSub", "sSubSup") and "e" in parts:
        yield from _pieces(parts["e"])
        if "sub" in parts:
            yield Lowered(_text(parts["sub"]))
        if "sup" in parts:
            yield _power(_text(parts["sup"]))
    elif tag == "rad" and "e" in parts:
        yield f"√({_text(parts['e'])})"
    elif tag == "d":
        yield _delimited(element)
    elif not tag.endswith("Pr"):
        yield from _children(element)


def _children(element: Element) -> Iterator[str]:
    """The pieces of what stands side by side; a fraction keeps away from numbers beside it (2 1/2)."""
    last, fraction = "", False
    for child in element:
        for piece in _pieces(child):
            if (fraction or tag_of(child) == "f") and last[-1:].isdigit() and piece[:1].isdigit():
                yield " "
            yield piece
            last, fraction = piece or last, tag_of(child) == "f"


def _power(text: str) -> str:
    return Raised(text) if _RAISABLE.fullmatch(text) else f"^{text}" if len(text) == 1 else f"^({text})"


def _grouped(element: Element) -> str:
    text = _text(element)
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _delimited(element: Element) -> str:
    """``(a, b)``: the brackets are attributes of the properties, round where nothing is said."""
    settings = (setting for child in element if tag_of(child) == "dPr" for setting in child)
    marks = {tag_of(setting): attribute(setting, "val") or "" for setting in settings}
    inner = ", ".join(_text(child) for child in element if tag_of(child) == "e")
    return f"{marks.get('begChr', '(')}{inner}{marks.get('endChr', ')')}"


def _text(element: Element) -> str:
    return joined(list(_children(element)))
