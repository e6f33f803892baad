"""What keeps a chosen value from being written without a person, however likely it is, until answers tell otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import regex

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.choose import Choice
from reviewapp.extraction.rules.cues import FULL, PART, property_key
from reviewapp.extraction.rules.features import BY_ROW_AND_COLUMN, Features, Query
from reviewapp.extraction.rules.fields import says_none
from reviewapp.extraction.rules.looks import ends_a_firm
from reviewapp.extraction.rules.phrases import BEHIND_A_WORD, MAY_BE_A_HEAD
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import NUMBER_SHAPES, SELF_EVIDENT, name_words, word_set
from reviewapp.extraction.rules.words import all_words

if TYPE_CHECKING:
    from reviewapp.extraction.rules.reader import Scored

TIME_WORDS = 3
"""Words before a cue that may make it a time: ``nach Ablauf der Probezeit drei Monate``."""
OTHERWISE = 0.5
"""How clearly a cue of something else stands before a date that no cue names."""
PLACES = frozenset(f"{place} of {count}" for count in (2, 3) for place in range(1, count + 1))
"""Facts of the sides of a size (`steps`)."""
_WORDS = ("phrase", "name")
_PART = regex.compile(r",\s")


def is_doubtful(scored: Scored, choice: Choice, features: Features, likes: Likes, view: View) -> bool:
    """Whether a person is to look at a choice first."""
    query, candidate = scored.query, choice.candidate
    return (
        bool(candidate.facts & {MAY_BE_A_HEAD, BEHIND_A_WORD})
        or (candidate.kind in _WORDS and (says_none(candidate.value) or _goes_on_behind_a_firm(candidate)))
        or (candidate.label is None and not candidate.facts.isdisjoint(PLACES))  # a size without labels
        or (query.shape == "date" and _is_another_day(scored, choice, features))
        or _is_of_its_like(scored, candidate, features, likes, view)
        or (query.shape in (*NUMBER_SHAPES, "date") and _is_a_time(scored, candidate, view))
    )


def _goes_on_behind_a_firm(candidate: Candidate) -> bool:
    """``Kranz AG, Bern``: the name of a firm, or all that is said of it."""
    parts = _PART.split(candidate.value)
    if len(parts) < 2 or ends_a_firm(parts[-1]):
        return False
    return any(ends_a_firm(part.split()[-1]) for part in parts[:-1] if " " in part)


def _is_another_day(scored: Scored, choice: Choice, features: Features) -> bool:
    """Whether nothing names a day that is more particular than a paper's date, or something else does."""
    concept = scored.query.concept
    if scored.naming(choice) > 0:
        return False
    return concept is None or concept.name != "date" or features.get("only another cue before it", 0.0) >= OTHERWISE


def _is_of_its_like(scored: Scored, candidate: Candidate, features: Features, likes: Likes, view: View) -> bool:
    """Whether the value may be that of a like property, or of another record: ``Temperatur`` alone names neither the
    one at admission nor the one at discharge, and ``B-200`` heads no row of ``a_100_width``."""
    if not (likes.keys or likes.numbers) or features.get(BY_ROW_AND_COLUMN):
        return False
    scope, own, words = view.scope(candidate), scored.sight.own, view.layout.words
    spans = [scope.left, scope.right, scope.above, *scope.heads, *([candidate.label] if candidate.label else [])]
    hits = [hit for span in spans for hit in own.within(*span)]
    if any(hit[2] >= FULL for hit in hits):
        return False
    if likes.numbers and not any(likes.numbers & set(words[first:last]) for first, last in spans):
        return True
    shared = {hit[:2] for hit in view.hits_of(*likes.keys).hits}
    return bool(likes.keys) and all(hit[:2] in shared or hit[2] < PART for hit in hits)


class Likes(NamedTuple):
    """What tells a property from others: the numbers in its name, and whose cues do not."""

    numbers: frozenset[str]
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
    return Likes(frozenset(word for word in all_words(query.prop.name) if word.isdigit()), tuple(like))


def _is_a_time(scored: Scored, candidate: Candidate, view: View) -> bool:
    """Whether the cue before a number only says when: ``after the probation``."""
    hit = scored.sight.own.before(candidate.first_word, view.scope(candidate).left[0])
    if hit is None:
        return False
    return bool(word_set("says_when") & set(view.layout.words[max(0, hit[0] - TIME_WORDS) : hit[0]]))
