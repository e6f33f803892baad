"""Finds the only place of a quote without reading the text again for each quote.

To know that a quote stands once, a search has to go on to the end of the text. Where many quotes are looked up in one
long text, an index is quicker: the places of every block of eight characters, at every eighth position. A quote of
fifteen characters or more holds a whole block wherever it stands, at one of eight offsets, so that eight look-ups name
every place it can have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reviewapp.extraction.prepared import PreparedText

SIZE: Final = 8
"""Characters of a block; also the distance between two blocks."""
SHORTEST: Final = 2 * SIZE - 1
"""Characters of a quote that holds a whole block wherever it begins."""
LEAST_TEXT: Final = 4_000
"""Characters of a text below which a plain search is as quick."""
MOST_TEXT: Final = 400_000
"""Characters of a text above which the index would take more than some 20 MB."""
PAYS_AFTER: Final = 16
"""Searches in one text after which the index is made; making it costs as much as some hundred of them."""
Places = Mapping[str, Sequence[int]]
"""Where each block of a text begins."""
_FEW: Final = 4
"""Places of a block above which the quote's last block is asked as well: repeated texts begin alike."""
_MANY: Final = 100
"""Places of a block above which a plain search is the quicker one."""


class Blocks:
    """The index of one text, made once it pays."""

    __slots__ = ("_places", "_searches", "_text")

    def __init__(self, prepared: PreparedText) -> None:
        self._text = prepared.text
        self._searches = 0
        self._places: Places | None = None

    def only_place(self, quote: str) -> int | None:
        """Where the quote begins, letter for letter; None where it stands nowhere or more than once."""
        if self._places is None or len(quote) < SHORTEST:
            return self._by_search(quote)
        return self._by_look_up(quote, self._places)

    def _by_search(self, quote: str) -> int | None:
        text = self._text
        self._searches += 1
        if self._searches == PAYS_AFTER and LEAST_TEXT <= len(text) <= MOST_TEXT:
            self._places = _index(text)
        at = text.find(quote)
        return at if at >= 0 and text.find(quote, at + 1) < 0 else None

    def _by_look_up(self, quote: str, places: Places) -> int | None:
        text, found = self._text, None
        for offset in range(SIZE):
            begins, at = places.get(quote[offset : offset + SIZE]), offset
            if begins and len(begins) > _FEW:
                last = len(quote) - SIZE - (len(quote) - offset) % SIZE
                other = places.get(quote[last : last + SIZE], ())
                if len(other) < len(begins):
                    begins, at = other, last
                if len(begins) > _MANY:
                    return self._by_search(quote)
            for begin in begins or ():
                if begin >= at and text.startswith(quote, begin - at):
                    if found is not None:
                        return None
                    found = begin - at
        return found


def _index(text: str) -> Places:
    places: dict[str, list[int]] = {}
    for begin in range(0, len(text) - SIZE + 1, SIZE):
        places.setdefault(text[begin : begin + SIZE], []).append(begin)
    return places
