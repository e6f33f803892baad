"""What keeps a chosen value from being written without a person, however likely it is, until answers tell otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.choose import Choice
from reviewapp.extraction.rules.codes import FORMS
from reviewapp.extraction.rules.cues import HEAD, Hit, Hits
from reviewapp.extraction.rules.features import OWN_VALUE, Features
from reviewapp.extraction.rules.fields import says_none
from reviewapp.extraction.rules.likes import Likes, is_of_its_like
from reviewapp.extraction.rules.looks import ends_a_firm
from reviewapp.extraction.rules.phrases import BEHIND_A_LONGER_LABEL, BEHIND_A_WORD, MAY_BE_A_HEAD
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import NUMBER_SHAPES, word_set

if TYPE_CHECKING:
    from reviewapp.extraction.rules.reader import Scored

TIME_WORDS = 3
"""Words before a cue that may make it a time: ``nach Ablauf der Probezeit drei Monate``."""
OTHERWISE = 0.5
"""How clearly a cue of something else stands before a date that no cue names."""
PLACES = frozenset(f"{place} of {count}" for count in (2, 3) for place in range(1, count + 1))
"""Facts of the sides of a size (`steps`)."""
_WORDS = ("phrase", "name")
_LISTED = ("code", "place")
_CLAUSE = frozenset(",;")
"""Marks between a cue and an answer that part them: ``Pets allowed; no smoking``."""
_PART = regex.compile(r",\s")
_PARTED = regex.compile(r",\s|\s[-–·]\s")
"""Between a name and its address."""
_MORE_THAN_ONE = regex.compile(
    r"\s(?:or|oder|ou|oppure|lub)\s|\s/\s|^(?:not|nicht|kein\w*|non|pas|without|ohne|except|außer|other than|any)\b"
    r"|[\p{L}\d)]{3}\.\s+\p{Lu}\p{L}*\s"  # another sentence
    r"|\b(?:formerly|previously|ehemals|vormals|früher|bisher|anciennement|anteriormente|voorheen|discontinued|nunmehr)\b",
    regex.IGNORECASE,
)
_UNITS = frozenset(("same unit", "same kind"))
FEWEST_CELLS = 3
LONGEST_JOINT = 6
"""Characters between members of a list."""
_EITHER = regex.compile(r"\s?/\s?|,?\s(?:or|oder|ou|o|lub)\s", regex.IGNORECASE)
_LIST = regex.compile(r"\s?[/,;&|]\s?|,?\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s", regex.IGNORECASE)


def is_doubtful(scored: Scored, choice: Choice, features: Features, likes: Likes, view: View) -> bool:
    """Whether a person is to look at a choice first."""
    query, candidate = scored.query, choice.candidate
    counted = query.shape in (*NUMBER_SHAPES, "date")
    return (
        not candidate.facts.isdisjoint((MAY_BE_A_HEAD, BEHIND_A_WORD, BEHIND_A_LONGER_LABEL))
        or (candidate.kind in _WORDS and _are_no_plain_words(candidate, view))
        or (query.shape in ("quantity", "number") and _is_beside_another(scored, candidate, view))
        or (candidate.label is None and not candidate.facts.isdisjoint(PLACES))  # a size without labels
        or (candidate.kind in _LISTED and _is_one_of_a_list(candidate, view))
        or (query.shape == "date" and _is_another_day(scored, choice, features))
        or is_of_its_like(scored.sight.own, candidate, features, likes, view)
        or _is_labelled_otherwise(scored, candidate, view, counted=counted)
        or _is_stated_twice(scored, candidate, features)
    )


def _are_no_plain_words(candidate: Candidate, view: View) -> bool:
    """Not one plain value: ``none``, ``red or blue``, ``formerly Foo GmbH``, ``Kranz AG, Bern``, a name and street."""
    words = candidate.value
    if says_none(words) or _MORE_THAN_ONE.search(words) or _goes_on_behind_a_firm(candidate):
        return True
    parted = _PARTED.search(view.layout.text, candidate.start, min(candidate.end, candidate.line.end))
    look = view.looks.within(candidate.line, parted.end(), candidate.end) if parted else None
    return look is not None and (look.postcode or (look.street > 0 and look.house_number))


def _is_beside_another(scored: Scored, candidate: Candidate, view: View) -> bool:
    """Whether another number in its row has the property's unit as well, and no head says that this one was measured:
    ``Loss on drying   0.5 %   0.12 %`` under ``Limit`` and ``Result``."""
    line, layout = candidate.line, view.layout
    if line.prose or len(line.cells) < FEWEST_CELLS or candidate.label is not None:
        return False
    others = [c for c in scored.candidates if c.line is line and c.cell != candidate.cell and c.key != candidate.key]
    if not any(_UNITS & c.facts for c in others) or not _UNITS & candidate.facts:
        return False
    if scored.sight.own.within(layout.word_at(line.cells[candidate.cell].start), candidate.first_word):
        return False
    heads = view.scope(candidate).heads
    if any(scored.sight.own.strongest(*head) > 0 for head in heads):
        return False
    return not any(word_set("results") & set(layout.words[first:last]) for first, last in heads)


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


def _is_one_of_a_list(candidate: Candidate, view: View) -> bool:
    """``a@b.example, c@d.example``, ``Germany / Austria``: another of the kind stands right beside it."""
    text = view.layout.text
    if candidate.kind == "place":
        others = [(c.start, c.end) for c in view.places]
        joint = _EITHER
    else:
        form = candidate.facts & FORMS
        others = [(start, end) for start, end, other in view.codes.spans if not form or other in form]
        joint = _LIST if form else _EITHER
    return any(
        joint.fullmatch(text, candidate.end, start) or joint.fullmatch(text, end, candidate.start)
        for start, end in others
        if 0 < start - candidate.end <= LONGEST_JOINT or 0 < candidate.start - end <= LONGEST_JOINT
    )


def _is_labelled_otherwise(scored: Scored, candidate: Candidate, view: View, *, counted: bool) -> bool:
    """Whether the words of its label say that something else is meant."""
    scope, own, layout = view.scope(candidate), scored.sight.own, view.layout
    hit = own.before(candidate.first_word, scope.left[0])
    if hit is None:
        behind = own.after(candidate.last_word, scope.right[1]) if counted else None
        return behind is not None and layout.text.startswith(":", layout.ends[behind[1] - 1])  # its value follows
    if scored.query.shape == "bool":
        return not _CLAUSE.isdisjoint(layout.text[layout.ends[hit[1] - 1] : candidate.start])
    if counted and _is_a_time(hit, view):
        return True
    return not candidate.line.prose and _is_longer_label(hit, candidate, own, view)


def _is_longer_label(hit: Hit, candidate: Candidate, own: Hits, view: View) -> bool:
    """``Ihr Zeichen`` for ``unser_zeichen``: a part of the name, with another word before it in the label."""
    layout = view.layout
    start = layout.starts[hit[0]]
    cell = candidate.line.cells[layout.cell_index(candidate.line, start)]
    if own.strongest(*view.scope(candidate).sentence) > HEAD or not cell.start < start < cell.end:
        return False
    first = layout.word_at(cell.start)
    return any(map(str.isalpha, layout.text[cell.start : start])) and not own.strongest(first, hit[0])


def _is_stated_twice(scored: Scored, candidate: Candidate, features: Features) -> bool:
    """Whether the same label states two values: ``Weight: 5 kg`` and ``Weight: 7 kg``."""
    strength = features.get(OWN_VALUE, 0.0)
    if not strength:
        return False
    return any(
        other.key != candidate.key and found.get(OWN_VALUE, 0.0) >= strength and other.line is not candidate.line
        for other, found in zip(scored.candidates, scored.features, strict=True)
    )


def _is_a_time(hit: Hit, view: View) -> bool:
    """Whether the cue before a number only says when: ``after the probation``."""
    return bool(word_set("says_when") & set(view.layout.words[max(0, hit[0] - TIME_WORDS) : hit[0]]))
