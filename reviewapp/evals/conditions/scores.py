"""Conditions that measure: how alike two texts are, how far two splits agree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from rapidfuzz.distance import Levenshtein

from reviewapp.evals.conditions.judges import Similarity

CELLS: Final = 5_000_000_000
"""Characters of one text times those of the other: some tenths of a second, in which no other thread works."""


class TooLong(Exception):
    """The texts are too long to be compared."""


def text_similarity(value: Any, reference: Any, embeddings: Similarity | None) -> float:
    """0..1. Of texts as they are; of other JSON in its canonical writing. None: Levenshtein, 1 − edits / longer.

    Raises TooLong.
    """
    one, other = _as_text(value), _as_text(reference)
    if embeddings is not None:
        return embeddings(one, other)
    if one == other:
        return 1.0
    if len(one) * len(other) > CELLS:
        raise TooLong(f"The texts are too long to compare ({len(one):,} and {len(other):,} characters).")
    longer = max(len(one), len(other))
    return (longer - Levenshtein.distance(one, other)) / longer


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def pages_by_name(payload: Any) -> dict[str, frozenset[int]] | None:
    """``{"splits": [{"name", "pages"}]}`` → pages by name; a name that comes twice has the pages of both. None: it is
    no such payload."""
    splits = payload.get("splits") if isinstance(payload, dict) else None
    if not isinstance(splits, list):
        return None
    found: dict[str, frozenset[int]] = {}
    for split in splits:
        if not (
            isinstance(split, dict) and isinstance(split.get("name"), str) and isinstance(split.get("pages"), list)
        ):
            return None
        if not all(isinstance(page, int) and not isinstance(page, bool) for page in split["pages"]):
            return None
        found[split["name"]] = found.get(split["name"], frozenset()) | frozenset(split["pages"])
    return found


def overlap(one: Mapping[str, frozenset[int]], other: Mapping[str, frozenset[int]]) -> float:
    """Pages in common over pages in either, the mean over all names of both sides; 1 where neither side has any."""
    names = one.keys() | other.keys()
    if not names:
        return 1.0
    return sum(_share(one.get(name), other.get(name)) for name in names) / len(names)


def _share(one: frozenset[int] | None, other: frozenset[int] | None) -> float:
    if one is None or other is None:
        return 0.0
    either = one | other
    return len(one & other) / len(either) if either else 1.0
