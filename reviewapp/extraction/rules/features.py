"""Features: what speaks for and against a candidate as the value of a property, each by a name that people can read.

Values lie between 0 and 1 unless said. The choice (`choose`) knows nothing but these names and their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.candidates import Candidate, Scope
from reviewapp.extraction.rules.clauses import DATES, RUNS, clause_features, paper_features
from reviewapp.extraction.rules.cues import WEAK, Hit, Hits
from reviewapp.extraction.rules.labels import (
    belongs_to_the_number_before,
    in_closed_brackets,
    is_qualified,
    whole_label,
)
from reviewapp.extraction.rules.layout import Line
from reviewapp.extraction.rules.records import Parts, hits_in_sections, row_and_column_name_it
from reviewapp.extraction.rules.scopes import HEAD_LINES, INDENTED
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import Concept, End, Shape, word_set

Features = dict[str, float]

BY_ROW_AND_COLUMN = "its row and its column name it"
OWN_VALUE = "all that its label states"
TOLD_OTHERWISE = ("money", "address")
"""Shapes of which a line of its own with a label says little: bills are full of such lines, addresses have several."""
OTHER_LABEL, LABEL_GAP = "its label names something else", 2
PROSE_LINES = 2
"""Lines of running text, on either side, that a cue's sentence may reach to."""
BEHIND_WORDS = 8
OWN_LABEL, UNKNOWN_LABEL = 0.5, 0.5
"""A label in step names the property unless it names another one more than twice as strongly; one that names none of
the known names something else all the same."""
NEAR_WORDS = 3.0
"""At this many words between them, a cue counts half."""


@dataclass(frozen=True)
class Query:
    """A property, ready to be looked for."""

    prop: Property
    concept: Concept | None
    shape: Shape
    own: tuple[str, ...]
    """Targets in the cue book that name it."""
    rivals: frozenset[str]
    """Targets that name something else of the same look."""
    boosts: tuple[str, ...]
    end: End = None
    checked: bool = False
    """Whether it has checks of its own (bounds, pattern, length)."""
    parts: tuple[Parts, ...] = ()
    """Its name taken apart, for texts with several records."""


@dataclass(frozen=True)
class Sight:
    """The cues of one text that matter to one property."""

    own: Hits
    rivals: Hits
    boosts: Hits
    overhead: dict[tuple[int, int, tuple[int, int]], Features]
    """What stands above a (line, cell, words of the line above), kept for the other candidates that stand there."""
    lines: frozenset[int]
    """Numbers of the lines that a telling cue may name something on: its own, those below it in its columns."""
    beside: frozenset[int]
    """Numbers of the lines with a cue, and of those right above and below them."""

    @classmethod
    def of(cls, query: Query, view: View) -> Sight:
        own = view.hits_of(*query.own)
        if query.parts and view.sections:
            own = Hits.of(hits_in_sections(query.parts, own.hits, view))
        spans = {h[:2] for h in own.hits if h[2] > 0.3}
        rivals = view.hits_beside(query.rivals, spans)
        at = [view.layout.line_at(view.layout.starts[first]) for first in own.firsts]
        beside = frozenset(line.number + by for line in at for by in (-1, 0, 1))
        return cls(own, rivals, view.hits_of(*query.boosts), {}, _named_lines(own, at, view), beside)


def _named_lines(own: Hits, at: Sequence[Line], view: View) -> frozenset[int]:
    """A line with a cue and the next one; in running text those around it; below a row of heads all of the table.

    `at` are the lines of the cues.
    """
    found = set[int]()
    for hit, line in zip(own.hits, at, strict=True):
        if hit[2] > WEAK:
            reach = HEAD_LINES if _is_head(line, view) else 1
            before = PROSE_LINES if line.prose else 0
            found.update(range(line.number - before, line.number + max(reach, before) + 1))
    return frozenset(found)


def _is_head(line: Line, view: View) -> bool:
    """Whether a line may head columns: several cells, or one set in, and no numbers."""
    if len(line.cells) < 2 and line.inner_start - line.start < INDENTED:
        return False
    return not any(word.isdigit() for word in view.layout.words[line.first_word : line.last_word])


def cue_features(query: Query, candidate: Candidate, sight: Sight, view: View) -> Features:
    """How the words around a candidate name it, or name something else."""
    if candidate.label is not None and not _is_unknown_pair(candidate, sight):
        return _in_step(candidate, candidate.label, sight, view)
    scope, first, last = view.scope(candidate), candidate.first_word, candidate.last_word
    since, until = scope.left[0], max(scope.right[1], last)
    own, rivals = sight.own, sight.rivals
    features = dict(_overhead(candidate, sight, scope))
    if query.parts and row_and_column_name_it(query.parts, candidate, scope, view.layout):
        features[BY_ROW_AND_COLUMN] = 1.0
    if own.strongest(since, until):
        _left(features, candidate, sight, scope, view)
        _right(features, candidate, sight, scope, view)
        _raise(features, "cue inside it", own.strongest(first, last))
        _raise(features, "cue around it", own.around(first, last))
        _raise(features, "another cue inside it", rivals.strongest(first, last))
        _raise(features, "cue in its sentence", own.strongest(*scope.sentence))
    elif rivals.strongest(since, until):
        _only_others_beside(features, candidate, sight, scope, view)
        _raise(features, "another cue inside it", rivals.strongest(first, last))
    if own.hits:
        features["cue in the text"] = 1.0
        if candidate.line.number in sight.beside and query.shape not in TOLD_OTHERWISE:
            _raise(features, OWN_VALUE, whole_label(candidate, own, view))
    if view.has_prose:
        _sentence(features, query, candidate, sight, view)
    return features


def names_it(candidate: Candidate, sight: Sight) -> bool:
    """Whether a label in step names the property rather than another one; of pairs, as well as any of them does."""
    if candidate.label is None:
        return False
    own = sight.own.strongest(*candidate.label)
    if candidate.run is not None and own < sight.own.strongest(*candidate.run):
        return False
    return own > 0 and own >= sight.rivals.strongest(*candidate.label) * OWN_LABEL


def _is_unknown_pair(candidate: Candidate, sight: Sight) -> bool:
    """Whether none of the labels of its run says anything that is known: the number counts as one without label."""
    if candidate.run is None or candidate.label is None or names_it(candidate, sight):
        return False
    return not sight.own.strongest(*candidate.run) and not sight.rivals.strongest(*candidate.label)


def _in_step(candidate: Candidate, label: tuple[int, int], sight: Sight, view: View) -> Features:
    """Of a number that has a label of its own among several: it counts as standing right before it, no other does."""
    own = sight.own.strongest(*label)
    features: Features = {}
    if sight.own.hits:
        features["cue in the text"] = 1.0
    if names_it(candidate, sight):
        for name in ("cue before it", "cue right before it", "colon after the cue", "cue in its sentence"):
            features[name] = own
        since = min(view.scope(candidate).left[0], label[0])
        _raise(features, "further cue before that", sight.own.strongest(since, label[0]))
    else:
        features["only another cue before it"] = features[OTHER_LABEL] = max(
            sight.rivals.strongest(*label), UNKNOWN_LABEL
        )
    return features


def _overhead(candidate: Candidate, sight: Sight, scope: Scope) -> Features:
    """What the heads of its column and the line above say; not to be changed."""
    place = (candidate.line.number, candidate.cell, scope.above)
    found = sight.overhead.get(place)
    if found is None:
        found = sight.overhead[place] = {}
        for index, (first, last) in enumerate(scope.heads):
            near = 1 / (1 + 0.5 * index)
            _raise(found, "cue heads its column", near * sight.own.strongest(first, last))
            _raise(found, "other cue heads its column", near * sight.rivals.strongest(first, last))
        if scope.above[1] > scope.above[0]:
            _raise(found, "cue on the line above", sight.own.strongest(*scope.above))
            _raise(found, "other cue on the line above", sight.rivals.strongest(*scope.above))
    return found


def _sentence(features: Features, query: Query, candidate: Candidate, sight: Sight, view: View) -> None:
    scope = view.scope(candidate)
    heading = view.sentences.heading(candidate.first_word)
    if heading is not None:
        _raise(features, "cue heads its paragraph", sight.own.strongest(*heading))
        _raise(features, "other cue heads its paragraph", sight.rivals.strongest(*heading))
    concept = query.concept
    if concept is None or not (concept.near or concept.far):
        return
    if heading is not None:
        head = set(view.layout.words[heading[0] : heading[1]])
        if head & concept.near:
            features["words that go with it in its heading"] = 1.0
        if head & concept.far:
            features["words that go against it in its heading"] = 1.0
    if DATES in concept.traits:
        features.update(paper_features(candidate, view))
    if RUNS in concept.traits:
        features.update(clause_features(concept, candidate, view))
    else:
        words = set(view.layout.words[scope.left[0] : scope.right[1]])
        features["words that go with it in its sentence"] = min(len(words & concept.near), 4) / 4
        features["words that go against it in its sentence"] = min(len(words & concept.far), 4) / 4
    if concept.behind:
        behind = set(view.layout.words[candidate.last_word : min(scope.right[1], candidate.last_word + BEHIND_WORDS)])
        features["words that go with it behind it"] = min(len(behind & concept.behind), 2) / 2
        features["words that go against it behind it"] = min(len(behind & concept.far_behind), 2) / 2
    itself = set(view.layout.words[candidate.first_word : candidate.last_word])
    if itself & concept.far:
        features["words that go against it in itself"] = 1.0


def _raise(features: Features, name: str, value: float) -> None:
    if value > features.get(name, 0.0):
        features[name] = value


def _closeness(gap: int) -> float:
    return NEAR_WORDS / (NEAR_WORDS + gap)


def _gap(view: View, first: int, last: int, boosts: Hits) -> int:
    """How many telling words stand within words first to last."""
    gap = last - first
    if 0 < gap <= 12:
        words, quiet_words = view.layout.words, word_set("quiet")
        quiet = sum(1 for i in range(first, last) if words[i] in quiet_words)
        confirming = sum(h[1] - h[0] for h in boosts.within(first, last))
        filling = sum(h[1] - h[0] for h in view.fillers.within(first, last))
        gap = max(0, gap - max(quiet, filling) - confirming)
    return gap


def _left(features: Features, candidate: Candidate, sight: Sight, scope: Scope, view: View) -> None:
    first, since = candidate.first_word, scope.left[0]
    own = sight.own.before(first, since)
    if own is not None and candidate.kind == "name" and in_closed_brackets(own, candidate.start, view):
        own = None
    if own is None:
        _only_others_before(features, candidate, since, sight, view)
        return
    qualified = is_qualified(own, candidate, view)
    gap = 0 if qualified else _gap(view, own[1], first, sight.boosts)
    features["cue before it"] = own[2] * _closeness(gap)
    if gap <= 1:
        features["cue right before it"] = own[2]
        if candidate.number is not None and belongs_to_the_number_before(own, candidate, view):
            features["its cue belongs to the number before"] = own[2]
    further = sight.own.strongest(since, own[0])
    if further:
        features["further cue before that"] = further
    numbers = sum(1 for n in scope.numbers_left if n >= own[1])
    if numbers and not qualified:
        features["number between cue and it"] = min(numbers, 3) / 3
    rival = sight.rivals.before(first, own[1])
    if rival is not None and not qualified and not _ends_the_label(own, rival, view):
        features["another cue between"] = rival[2] * _closeness(first - rival[1])
    label_start = max([since, *(n + 1 for n in scope.numbers_left if n < own[0])])
    if candidate.line.prose:
        label_start = max(label_start, own[0] - 2)
    else:
        label_start = max(label_start, candidate.line.first_word)
        if own[0] <= candidate.line.first_word or _begins_cell(view, candidate, own[0]):
            features["cue begins the line or cell"] = own[2]
    if own[0] > label_start:
        _raise(features, "another cue in the label", sight.rivals.strongest(label_start, own[0]))
    if sight.boosts.strongest(max(label_start, own[0] - 4), first):
        features["confirmed in the label"] = own[2]
    between = view.layout.text[view.layout.ends[own[1] - 1] : candidate.start]
    if ":" in between or "=" in between:
        features["colon after the cue"] = own[2]


def _ends_the_label(own: Hit, rival: Hit, view: View) -> bool:
    """Whether a word right behind a cue only says of what kind it is: ``principal amount``."""
    return rival[0] == own[1] == rival[1] - 1 and view.layout.words[own[1]] in word_set("kinds_of_amount")


def _only_others_before(features: Features, candidate: Candidate, since: int, sight: Sight, view: View) -> None:
    rival = sight.rivals.before(candidate.first_word, since)
    if rival is not None:
        features["only another cue before it"] = rival[2] * _closeness(candidate.first_word - rival[1])
        if _labels(rival, candidate, view):
            features[OTHER_LABEL] = rival[2]


def _only_others_beside(features: Features, candidate: Candidate, sight: Sight, scope: Scope, view: View) -> None:
    """What `_left` and `_right` come to where no cue of the property stands in the candidate's scope."""
    last = candidate.last_word
    _only_others_before(features, candidate, scope.left[0], sight, view)
    rival = sight.rivals.after(last, scope.right[1])
    if rival is not None and not view.numbers_between(last, rival[0]):
        features["another cue behind it"] = rival[2] * _closeness(rival[0] - last)


def _labels(cue: Hit, candidate: Candidate, view: View) -> bool:
    """Whether a cue is the label of a candidate: outside running text, where the line or cell begins, close by."""
    line = candidate.line
    if line.prose or candidate.first_word - cue[1] > LABEL_GAP:
        return False
    return cue[0] == line.first_word or _begins_cell(view, candidate, cue[0])


def _begins_cell(view: View, candidate: Candidate, word: int) -> bool:
    start = view.layout.starts[word]
    return any(cell.start <= start <= cell.start + 2 for cell in candidate.line.cells)


def _right(features: Features, candidate: Candidate, sight: Sight, scope: Scope, view: View) -> None:
    last = candidate.last_word
    own = sight.own.after(last, scope.right[1])
    rival = sight.rivals.after(last, scope.right[1])
    if own is not None:
        near = own[2] * _closeness(own[0] - last)
        numbers = view.numbers_between(last, own[0])
        if numbers == 0 and (rival is None or rival[0] >= own[0]):
            features["cue behind it"] = near
        else:
            features["cue further behind it"] = near
    if rival is not None and (own is None or rival[0] < own[0]) and not view.numbers_between(last, rival[0]):
        features["another cue behind it"] = rival[2] * _closeness(rival[0] - last)
