"""The short phrase that states a value: label and value, verbatim from the text."""

from __future__ import annotations

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Sight
from reviewapp.extraction.rules.views import View

LONGEST = 240
"""Characters of a quote, label included."""
NEAR_CHARACTERS = 90
"""A label further away than this is left out of the quote (a column head is set before it with an ellipsis)."""
_CLOSING = (")", "]", "%", "²", "³")
ELLIPSIS = " … "


def quote_of(candidate: Candidate, sight: Sight, view: View) -> str:
    """What to show as proof of a candidate: with its label where one names it, else the words alone."""
    text = view.layout.text
    start, end = candidate.start, candidate.end
    if candidate.pieces:
        return ELLIPSIS.join(text[a:b] for a, b in candidate.pieces)
    own = sight.own.before(candidate.first_word, view.scope(candidate).left[0])
    if own is not None:
        label = view.layout.starts[own[0]]
        if start - label <= NEAR_CHARACTERS and end - label <= LONGEST:
            return text[label:end]
    if candidate.kind == "block" or candidate.line.prose:
        return text[start:end]
    scope = view.scope(candidate)
    ranges = [*scope.heads, scope.above] if scope.above[1] > scope.above[0] else list(scope.heads)
    for first, last in ranges:
        if sight.own.strongest(first, last) > 0:
            stop = view.layout.ends[last - 1]
            while text[stop : stop + 1] in _CLOSING:
                stop += 1
            head = text[view.layout.starts[first] : stop]
            if len(head) <= LONGEST and "\n" not in head:
                return f"{head}{ELLIPSIS}{text[start:end]}"
    own = sight.own.after(candidate.last_word, scope.right[1])
    if own is not None and view.layout.ends[own[1] - 1] - end <= NEAR_CHARACTERS // 3:
        return text[start : view.layout.ends[own[1] - 1]]
    return text[start:end]
