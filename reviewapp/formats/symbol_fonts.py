"""Characters of the symbol fonts of office programs, which have codes of their own: ``m`` in Symbol is µ.

The codes are those of Adobe's Symbol encoding; of the Wingdings fonts only boxes, ticks, bullets and arrows are known.
"""

from __future__ import annotations

UNKNOWN = "\ufffd"
"""In the place of a sign that is not known, so that its place is seen."""

_SYMBOL = (
    (0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}~"),
    (0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑"),
    (0xF1, "⟩∫"),
)
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←",
    0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA2: "■", 0xA3: "☐",
}  # fmt: skip
_FONTS: dict[str, dict[int, str]] = {
    "symbol": {first + i: sign for first, signs in _SYMBOL for i, sign in enumerate(signs)},
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
}


def is_symbol_font(font: str | None) -> bool:
    return font is not None and font.casefold() in _FONTS


def readable(text: str, font: str | None) -> str:
    """The text as it looks in this font; as it is where the font is an ordinary one.

    The codes may be shifted into the private use area (U+F06D for ``m``), as office programs write them.
    """
    signs = _FONTS.get((font or "").casefold())
    if signs is None:
        return text
    return "".join(c if c.isspace() else signs.get(_code(c), UNKNOWN) for c in text)


def _code(character: str) -> int:
    code = ord(character)
    return code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
