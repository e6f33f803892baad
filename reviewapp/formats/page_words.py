"""Words of pages in little memory: a long PDF has hundreds of thousands of them."""

from __future__ import annotations

from reviewapp.domain.places import Region
from reviewapp.domain.records import Page, Word

PackedPage = tuple[int, int, int, float, float, list[float]]
"""Number, start, end, width, height, and six numbers a word: start, end and its box."""
_WORD_FIELDS = set(Word.model_fields)
_REGION_FIELDS = set(Region.model_fields)
_NUMBERS = 6


def placed_word(page: int, start: int, end: int, box: tuple[float, float, float, float]) -> Word:
    """A word whose numbers are known to be right: x0, y0, x1, y1 from 0 to 1.

    Built without checks and with one shared set of field names: 0.7 kB a word instead of 1.6.
    """
    x0, y0, x1, y1 = box
    region = Region.model_construct(_REGION_FIELDS, page=page, x0=x0, y0=y0, x1=x1, y1=y1)
    return Word.model_construct(_WORD_FIELDS, start=start, end=end, region=region)


def pack(page: Page) -> PackedPage:
    """The page as plain numbers, for a file."""
    numbers: list[float] = []
    for word in page.words:
        box = word.region
        numbers += (word.start, word.end, box.x0, box.y0, box.x1, box.y1)
    return page.number, page.start, page.end, page.width, page.height, numbers


def unpack(packed: PackedPage) -> Page:
    """The page that `pack` was given."""
    number, start, end, width, height, numbers = packed
    words = tuple(
        placed_word(number, int(first), int(last), (x0, y0, x1, y1))
        for first, last, x0, y0, x1, y1 in (numbers[i : i + _NUMBERS] for i in range(0, len(numbers), _NUMBERS))
    )
    return Page(number=number, start=start, end=end, width=width, height=height, words=words)
