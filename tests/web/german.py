"""Whether a German page has English of ours left on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from selectolax.lexbor import LexborHTMLParser

from reviewapp.languages.catalogue import read_catalogue

SAME_IN_BOTH = 4
"""Shorter words may be anything."""


@cache
def phrases() -> set[str]:
    """Every English text, and what of it stands between values and tags, that German says otherwise."""
    found = set()
    for message in read_catalogue("de"):
        english = message.id if isinstance(message.id, tuple) else (message.id,)
        said = " ".join(message.string) if isinstance(message.string, tuple) else message.string
        for piece in (piece for text in english for piece in re.split(r"%\(\w+\)s|\{\w+\}|<[^>]+>", str(text))):
            words = piece.strip(" .,:;·…()“”✓✕◐↩‹›-")
            if len(words) > SAME_IN_BOTH and " " in words and words not in said:
                found.add(words)
    return found


def english_left(html: str) -> set[str]:
    """The English of ours that people see or hear on a page."""
    return {said for said in visible(html) if said in phrases()}


def visible(html: str) -> Iterator[str]:
    """What people see and hear of a page, apart from texts of records and code."""
    page = LexborHTMLParser(html)
    for node in page.css("pre, code, script, style, article, blockquote, textarea"):
        node.decompose()
    for node in page.root.traverse(include_text=True):
        if node.tag == "-text":
            yield (node.text() or "").strip(" .,:;·…()“”„✓✕◐↩‹›-\n")
        else:
            attributes = (node.attributes or {}).get
            yield from (str(attributes(name)).strip(" .…") for name in ("title", "aria-label", "placeholder", "alt"))
