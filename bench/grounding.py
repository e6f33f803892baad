"""What it costs to find quotes in a text of 40,000 characters. Run: ``python -m bench.grounding``.

Goals: an exact quote in at most 3 times `str.find`, once the text is prepared; 200 quotes with slips in 0.3 s in all.
Every quote stands once in the text; their places are spread evenly over it. `locate` has to know every place of a
quote, `str.find` names the first one; a search until there is no further place is a row of its own.
"""

from __future__ import annotations

import random
import re
from functools import partial

from bench.harness import Goal, finish, measure, print_table, print_timings, ratio
from bench.texts import long_text
from reviewapp.extraction.grounding import locate
from reviewapp.extraction.prepared import PreparedText

CHARACTERS = 40_000
QUOTES = 200


def unique_quotes(text: str, count: int, rng: random.Random) -> list[str]:
    """Pieces of two to nine words that stand once in the text, evenly spread over it."""
    words = [m.span() for m in re.finditer(r"\S+", text)]
    step = (len(words) - 12) / count
    quotes = []
    for number in range(count):
        first = int(number * step)
        for length in range(rng.randrange(2, 9), 60):
            start, end = words[first][0], words[min(first + length, len(words) - 1)][1]
            if text.count(text[start:end]) == 1:
                quotes.append(text[start:end])
                break
    return quotes


def with_slip(quote: str, rng: random.Random) -> str:
    """One letter inside a longer word turned into another; the quote as it is where it has no such word."""
    places = [m.start() + 2 for m in re.finditer(r"[^\W\d_]{6,}", quote)]
    if not places:
        return quote
    at = rng.choice(places)
    return f"{quote[:at]}{'x' if quote[at] != 'x' else 'q'}{quote[at + 1 :]}"


def every_place(text: str, quote: str) -> int:
    places, at = 0, text.find(quote)
    while at >= 0:
        places, at = places + 1, text.find(quote, at + 1)
    return places


def main() -> None:
    rng = random.Random(40)
    text = long_text(CHARACTERS)
    quotes = unique_quotes(text, QUOTES, rng)
    slips = [with_slip(quote, rng) for quote in quotes]
    prepared = PreparedText(text)

    def each(call: object, over: list[str]) -> None:
        for quote in over:
            call(quote)  # type: ignore[operator]

    timings = measure(
        {
            "str.find, first place": partial(each, text.find, quotes),
            "str.find, every place": partial(each, partial(every_place, text), quotes),
            "locate, exact": partial(each, partial(locate, prepared), quotes),
            "locate, other case and spaces": partial(
                each, partial(locate, prepared), [q.upper().replace(" ", "  ") for q in quotes]
            ),
            "locate, with slips": partial(each, partial(locate, prepared), slips),
            "prepare the text": lambda: PreparedText(text).norm,
        }
    )
    print_timings(f"{len(quotes)} quotes in {CHARACTERS:,} characters", timings, baseline="str.find, first place")
    found = [locate(prepared, slip) for slip in slips]
    right = sum(g is not None and g.place[0].start == text.index(q) for g, q in zip(found, quotes, strict=True))
    wrong = sum(g is not None and g.place[0].start != text.index(q) for g, q in zip(found, quotes, strict=True))
    print_table(
        "Quotes with slips", ("right place", "refused", "wrong place"), [(right, len(quotes) - right - wrong, wrong)]
    )
    finish(
        [
            Goal("locate exact / str.find", ratio(timings, "locate, exact", "str.find, first place"), 3),
            Goal("200 quotes with slips", timings["locate, with slips"].median * QUOTES / len(quotes), 0.3, "s"),
            Goal("quotes with slips placed wrong", wrong, 0),
        ]
    )


if __name__ == "__main__":
    main()
