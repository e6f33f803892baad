"""How runs of text in a Word file are set: hidden, raised, lowered, struck through, in a font of signs."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

from reviewapp.formats.raised import Lowered, Raised, Struck
from reviewapp.formats.symbol_fonts import UNKNOWN, is_symbol_font, readable

_RAISED_FROM = 4
"""Half points above or below the line from which a run counts as raised or lowered."""


def tag_of(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str | None:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


class Look(NamedTuple):
    """How a run of text is set."""

    hidden: bool = False
    piece: type[str] = str
    font: str | None = None


def look_of(run: Element) -> Look:
    settings = {tag_of(setting): setting for child in run if tag_of(child) == "rPr" for setting in child}

    def is_on(name: str) -> bool:
        return name in settings and attribute(settings[name], "val") not in ("0", "false", "off")

    def value(name: str) -> str:
        return (attribute(settings[name], "val") or "") if name in settings else ""

    raised = value("position")
    height = int(raised) if raised.lstrip("-").isdecimal() else 0
    piece: type[str] = str
    if value("vertAlign") == "superscript" or height >= _RAISED_FROM:
        piece = Raised
    elif value("vertAlign") == "subscript" or height <= -_RAISED_FROM:
        piece = Lowered
    elif is_on("strike") or is_on("dstrike"):
        piece = Struck
    font = attribute(settings["rFonts"], "ascii") if "rFonts" in settings else None
    return Look(is_on("vanish"), piece, font)


def sign_of(sign: Element) -> str:
    """A character given by font and code."""
    try:
        code = chr(int(attribute(sign, "char") or "", 16))
    except (ValueError, OverflowError):
        return UNKNOWN
    font = attribute(sign, "font")
    if is_symbol_font(font):
        return readable(code, font)
    return code if code.isprintable() else UNKNOWN
