"""The index of a text's blocks against a plain search."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.extraction.grounding.blocks import LEAST_TEXT, PAYS_AFTER, SHORTEST, Blocks
from reviewapp.extraction.prepared import PreparedText


def indexed(text: str) -> Blocks:
    """The blocks of a text that was searched often enough for the index to be there."""
    blocks = Blocks(PreparedText(text))
    for _ in range(PAYS_AFTER):
        blocks.only_place("nowhere in any of these texts")
    return blocks


def by_search(text: str, quote: str) -> int | None:
    at = text.find(quote)
    return at if at >= 0 and text.find(quote, at + 1) < 0 else None


FILLER = "".join(f"{number * 7919 % 100_003:05d} " for number in range(LEAST_TEXT // 6 + 1))
"""Numbers between spaces, none like another; long enough for an index."""


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        (FILLER, FILLER[:SHORTEST], 0),
        (FILLER, FILLER[-SHORTEST:], len(FILLER) - SHORTEST),
        (FILLER, FILLER[:SHORTEST] + "?", None),
        (FILLER, FILLER + "?", None),
        (FILLER, FILLER, 0),
        (FILLER + FILLER, FILLER[8:60], None),
        (FILLER + "Width: 1200 mm, Depth: 600 mm" + FILLER[::-1], "Width: 1200 mm, Depth", len(FILLER)),
        ("a" * LEAST_TEXT, "a" * 20, None),
        ("a" * LEAST_TEXT + "b", "a" * 20 + "b", LEAST_TEXT - 20),
        ("a" * LEAST_TEXT, "a" * LEAST_TEXT, 0),
        ("ab" * LEAST_TEXT, "ab" * 30, None),
        ("🏗" + FILLER, FILLER[3:40], 4),
    ],
)
def test_an_index_names_the_only_place_of_a_quote(text: str, quote: str, place: int | None) -> None:
    assert indexed(text).only_place(quote) == place == by_search(text, quote)


@st.composite
def texts_and_quotes(draw: st.DrawFn) -> tuple[str, str]:
    """A long text of few words, so that pieces repeat, and a piece of it, at times with one letter changed."""
    words = draw(st.lists(st.text("ab 1é🏗", min_size=1, max_size=9), min_size=1, max_size=12))
    order = random.Random(draw(st.integers(0, 2**32)))
    text = "".join(order.choices([*words, FILLER[:30]], k=LEAST_TEXT))[: LEAST_TEXT + draw(st.integers(0, 9))]
    start = draw(st.integers(0, len(text) - 1))
    quote = text[start : start + draw(st.integers(1, 120))]
    if draw(st.booleans()):
        changed = draw(st.integers(0, len(quote) - 1))
        quote = f"{quote[:changed]}z{quote[changed + 1 :]}"
    return text, quote


@given(texts_and_quotes())
def test_look_up_and_search_agree_on_any_piece_of_any_text(case: tuple[str, str]) -> None:
    text, quote = case
    assert indexed(text).only_place(quote) == by_search(text, quote)
