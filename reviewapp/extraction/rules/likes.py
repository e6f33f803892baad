"""The like of a property: another one of its kind in the same workflow, or the same of another record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cues import FULL, PART, Hits, property_key
from reviewapp.extraction.rules.features import BY_ROW_AND_COLUMN, Features, Query
from reviewapp.extraction.rules.names import called
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import SELF_EVIDENT, name_words


class Likes(NamedTuple):
    """What tells a property from others, and what does not."""

    numbers: frozenset[str]
    """In its name, where it is never called without one."""
    keys: tuple[str, ...]
    """Targets of the properties that mean the same kind of thing."""


def likes_of(query: Query, queries: Iterable[Query]) -> Likes:
    """The like of a property: of its shape and concept or, where it has none, with a word of its name."""
    words, concept = set(name_words(query.prop)), query.concept
    if query.end is not None or (concept is not None and concept.traits & SELF_EVIDENT):
        return Likes(frozenset(), ())
    like = [
        property_key(other.prop.name)
        for other in queries
        if other is not query and other.concept is concept and other.shape == query.shape
        if concept is not None or words & set(name_words(other.prop))
    ]
    numbers = [frozenset(word for word in phrase if word.isdigit()) for phrase in called(query.prop, numbers=True)]
    return Likes(numbers[0] if numbers and all(numbers) else frozenset(), tuple(like))


def is_of_its_like(own: Hits, candidate: Candidate, features: Features, likes: Likes, view: View) -> bool:
    """Whether the value may be that of a like property, or of another record: ``Temperatur`` alone names neither the
    one at admission nor the one at discharge, and ``B-200`` heads no row of ``a_100_width``."""
    if not (likes.keys or likes.numbers) or features.get(BY_ROW_AND_COLUMN):
        return False
    scope, words = view.scope(candidate), view.layout.words
    spans = [scope.left, scope.right, scope.above, *scope.heads, *([candidate.label] if candidate.label else [])]
    hits = [hit for span in spans for hit in own.within(*span)]
    there = {word for first, last in spans for word in words[first:last]}
    there.update(word for s in view.sections if s.first <= candidate.first_word < s.last for word in s.record)
    if likes.numbers - there:
        return True
    if any(hit[2] >= FULL for hit in hits):
        return False
    shared = {hit[:2] for hit in view.hits_of(*likes.keys).hits}
    return bool(likes.keys) and all(hit[:2] in shared or hit[2] < PART for hit in hits)
