"""A text with its quotes marked, as HTML whose text content is the text itself.

Spans may overlap, nest and repeat. All their ends become sorted boundary points; between two points the set of marks
that are open does not change, so each piece is escaped once and wrapped in at most one ``<mark>``. Nothing is nested,
and nothing but tags is added: an HTML parser gives back the very text, so a selection in the browser can be counted
back to positions in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

Tone = Literal["ok", "warn", "bad", "none", "found"]
"""What a mark says by colour and underline: checks passed, needs a look, dropped, nearest place, found by a search."""

STRENGTH: dict[Tone, int] = {"bad": 4, "warn": 3, "ok": 2, "none": 1, "found": 0}
"""Where marks overlap, the piece takes the tone that asks most for a look."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One span to mark; positions in code points, start inclusive, end exclusive."""

    start: int
    end: int
    key: str
    """Which value it belongs to; marks of one value share it. Empty: none (a search hit)."""
    tone: Tone
    label: str
    """Read out and shown on hover: ``width: Checks passed``."""
    current: bool = False
    """Of the value that is being answered."""


def highlight(text: str, marks: Iterable[Mark]) -> Markup:
    """`text` as HTML with every mark in it. Marks are cut to the text; empty ones are passed over."""
    fitting = [(max(m.start, 0), min(m.end, len(text)), m) for m in marks]
    fitting = [(start, end, m) for start, end, m in fitting if start < end]
    opening: dict[int, list[Mark]] = {}
    closing: dict[int, list[Mark]] = {}
    for start, end, mark in fitting:
        opening.setdefault(start, []).append(mark)
        closing.setdefault(end, []).append(mark)

    pieces: list[str] = []
    active: list[Mark] = []
    named: set[str] = set()
    at = 0
    for point in sorted({*opening, *closing, len(text)}):
        if point > at:
            pieces.append(_piece(text[at:point], active, named))
            at = point
        for mark in closing.get(point, ()):
            active.remove(mark)
        active.extend(opening.get(point, ()))
    return Markup("".join(pieces))  # noqa: S704  # nosec B704 - every piece is escaped below


def find_marks(text: str, words: str, *, limit: int = 500) -> list[Mark]:
    """Where `words` stand in `text`, without regard to case; at most `limit` places."""
    if not words:
        return []
    folded, needle = _fold(text), _fold(words)
    found: list[Mark] = []
    at = folded.find(needle)
    while at >= 0 and len(found) < limit:
        found.append(Mark(at, at + len(needle), "", "found", "found"))
        at = folded.find(needle, at + len(needle))
    return found


def _fold(text: str) -> str:
    """Lower case that keeps every position (``İ`` lower-cases to two characters and is left alone)."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _piece(text: str, marks: list[Mark], named: set[str]) -> str:
    """One stretch under an unchanging set of marks. `named`: keys that already have their anchor in the page."""
    if not marks:
        return _escape(text)
    strongest = max(marks, key=lambda m: STRENGTH[m.tone])
    keys = list(dict.fromkeys(m.key for m in marks if m.key))
    labels = list(dict.fromkeys(m.label for m in marks))
    anchor = next((key for key in keys if key not in named), None)
    named.update(keys[keys.index(anchor) : keys.index(anchor) + 1] if anchor is not None else ())
    attributes = [f'class="{strongest.tone}{" several" if len(keys) > 1 else ""}"']
    if anchor is not None:
        attributes.append(f'id="quote-{escape(anchor)}"')
    if keys:
        attributes.append(f'data-values="{escape(" ".join(keys))}"')
    attributes.append(f'title="{escape("; ".join(labels))}"')
    if any(m.current for m in marks):
        attributes.append('aria-current="true"')
    return f"<mark {' '.join(attributes)}>{_escape(text)}</mark>"


def _escape(text: str) -> str:
    """HTML for `text`. A parser would turn a bare CR into LF and drop NUL; a form feed is shown as a page's end."""
    escaped = str(escape(text))
    if "\r" in escaped:
        escaped = escaped.replace("\r", "&#13;")
    if "\0" in escaped:
        escaped = escaped.replace("\0", "\N{REPLACEMENT CHARACTER}")
    if "\f" in escaped:
        escaped = escaped.replace("\f", '<span class="page-end">\f</span>')
    return escaped
