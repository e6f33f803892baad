"""What stands beside an answer that is one of few, yes or no or an option, and keeps it from being sure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reviewapp.domain.booleans import read_bool
from reviewapp.domain.places import Place, Span
from reviewapp.domain.properties import Value
from reviewapp.domain.values import shorten
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.quantities.phrases import words_after, words_before

_EMPTY: Final = r"[☐□◻○◯]|\[[ _]?\]|\([ _]?\)"
_TICKED: Final = r"[☑☒🗹■◼●◉]|\[[xX✓✔]\]|\([xX✓✔]\)"
_BOX: Final = re.compile(rf"(?P<empty>{_EMPTY})|(?P<ticked>{_TICKED})")
_GOES_ON: Final = re.compile(
    r"[+*](?![^\W_])|[-–][^\W_]{1,4}(?![^\W_])"
    r"|[ \u00a0](?:or|oder|ou|o|of)[ \u00a0](?:better|higher|equivalent|similar|above|besser|höher|gleichwertig|ähnlich"
    r"|mieux|supérieur|équivalent|mejor|superior|equivalente|migliore|superiore|beter|hoger|gelijkwaardig)(?![^\W_])",
    re.IGNORECASE,
)
"""``B+``, ``EI30-C``, ``A or better``: another option, or not this one alone."""
_BUT: Final = re.compile(
    r"[ \u00a0]?[,;(–-]*[ \u00a0]?(?:but|except|unless|only|if|when|subject to|aber|außer|nur|wenn|sofern|falls|jedoch"
    r"|mais|sauf|si|pero|salvo|ma|se|tranne|maar|behalve|mits)(?![^\W_])",
    re.IGNORECASE,
)
_PERHAPS: Final = re.compile(
    r"(?<![^\W_])(?:probably|presumably|possibly|maybe|perhaps|likely|wahrscheinlich|vermutlich|voraussichtlich|vielleicht"
    r"|möglicherweise|eventuell|probablement|peut-être|probablemente|quizás|probabilmente|forse|waarschijnlijk|misschien"
    r")[ \u00a0]\Z",
    re.IGNORECASE,
)
"""``yes, except door 4``, ``probably yes``"""
_SAID: Final = re.compile(r"[^\W\d_]+")
_ASKED: Final = re.compile(r"[ \u00a0]?[?？]")
_ALTERNATIVE: Final = r"[ \u00a0]?(?:/|\||,?[ \u00a0](?:or|oder|ou|o|of|bzw\.)[ \u00a0])[ \u00a0]?"
_NEXT: Final = re.compile(rf"{_ALTERNATIVE}(\w+)")
_LAST: Final = re.compile(rf"(\w+){_ALTERNATIVE}\Z")


def doubted_answer(prepared: PreparedText, place: Place, value: Value) -> str | None:
    """Why an answer is not sure by what stands beside it; None: nothing speaks against it.

    An empty box at it (``☐ yes ☒ no``), a question mark, the other answer behind a slash (``yes / no``), a bound or a
    hedge (``at least T30``).
    """
    for line, span in _lines(prepared, place):
        said = _where_said(line, span, value)
        left, right = line[: span.start], line[span.end :]
        if _is_left_empty(line, span):
            return f"The box at {shorten(line[span.start : span.end])} is empty."
        if _ASKED.match(right):
            return f"A question mark stands behind {shorten(line[span.start : span.end])}."
        if isinstance(value, bool):
            for beside in (_NEXT.match(right), _LAST.search(left)):
                if beside is not None and read_bool(beside[1]) is (not value):
                    return f"{shorten(' '.join(line.split()))} names both answers; one of them is expected."
            if _are_both_ticked(line):
                return f"Both answers are ticked: {shorten(' '.join(line.split()))}."
            if _BUT.match(line, said.end) or _PERHAPS.search(line[: said.start]):
                return f"The text says more than that: {shorten(' '.join(line.split()))}."
        elif qualified := _qualified(line, said):
            return f"The text says {shorten(qualified)}, which is not this one alone."
    return None


def _lines(prepared: PreparedText, place: Place) -> Iterator[tuple[str, Span]]:
    """The line of each span of a place, and where the span stands in it."""
    for span in place:
        start, end = prepared.lines[prepared.line_number(span.start)]
        yield prepared.text[start : max(end, span.end)], Span(start=span.start - start, end=span.end - start)


def _where_said(line: str, span: Span, value: Value) -> Span:
    """Where a quote with its label (``Fire class: at least EI30``) has the answer itself; the quote where it is told
    otherwise."""
    if isinstance(value, bool):
        places = [m.span() for m in _SAID.finditer(line, span.start, span.end) if read_bool(m[0]) is value]
    else:
        places = [m.span() for m in re.finditer(re.escape(str(value)), line[: span.end], re.IGNORECASE)]
    inside = [place for place in places if span.start <= place[0]]
    return Span(start=inside[-1][0], end=inside[-1][1]) if inside else span


def _is_left_empty(line: str, span: Span) -> bool:
    """Whether the box of what stands at a span is empty; a box alone in its line may be a bullet.

    A line that ends in a box has them behind their words, any other before them.
    """
    boxes = list(_BOX.finditer(line))
    if len(boxes) < 2:
        return False
    if boxes[-1].end() == len(line.rstrip()):
        own = next((box for box in boxes if box.end() > span.end - 1), None)
        beside = own is not None and not line[span.end : own.start()].strip()
    else:
        own = next((box for box in reversed(boxes) if box.start() <= span.start), None)
        beside = own is not None and not line[own.end() : span.start].strip()
    return own is not None and beside and own["empty"] is not None


def _are_both_ticked(line: str) -> bool:
    """``[x] yes [x] no``"""
    ticked = [box for box in _BOX.finditer(line) if box["ticked"]]
    return len(ticked) > 1 and {True, False} <= {read_bool(word[0]) for word in _SAID.finditer(line)}


def _qualified(line: str, span: Span) -> str | None:
    """The answer with the words that make a bound of it, or less than sure; None: there are none."""
    if goes_on := _GOES_ON.match(line, span.end):
        return f"{line[span.start : span.end]}{goes_on[0]}"
    before = words_before(line, span.start)
    after, bound, hedge = words_after(line, span.end)
    if before.bound or before.hedge or bound or hedge:
        return " ".join(line[before.start : after].split())
    return None
