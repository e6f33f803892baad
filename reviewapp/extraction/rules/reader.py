"""The embedded extractor: candidates, features, choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import Reading
from reviewapp.domain.workflows import Evidence, Rules, RulesExtractor, WorkflowSettings
from reviewapp.extraction.extractors import Reply
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules.calibration import CAUTIOUS, Scale, default_scale
from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cases import Crowd
from reviewapp.extraction.rules.choose import READ_FROM, Choice, choose, score
from reviewapp.extraction.rules.cues import FULL, WEAK, CueBook, build_book, concept_key, like_key, property_key
from reviewapp.extraction.rules.doubts import is_doubtful
from reviewapp.extraction.rules.features import OTHER_LABEL, Features, Query, Sight
from reviewapp.extraction.rules.fields import states_nothing
from reviewapp.extraction.rules.learnt import Learnt
from reviewapp.extraction.rules.lexical import lexical_features
from reviewapp.extraction.rules.likes import likes_of
from reviewapp.extraction.rules.pools import pool_of
from reviewapp.extraction.rules.quotes import quote_of
from reviewapp.extraction.rules.records import parts_of, shape_of_record
from reviewapp.extraction.rules.shapes import features_of
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import (
    NUMBER_SHAPES,
    SELF_EVIDENT,
    Concept,
    concept_of,
    concepts,
    end_of,
    shape_of,
)
from reviewapp.extraction.rules.weights import Weights, default_weights
from reviewapp.extraction.rules.words import split_words

NAMED, CLEARLY = 0.7, 0.3
NAMING = ("cue before it", "cue behind it", "cue around it", "cue heads its column", "cue on the line above")
ONLY_OTHERS = "only another cue before it"
OTHER_HEAD = "other cue heads its column"
WORDS = ("name", "address", "place", "text", "option", "bool")
"""Shapes of which ``none`` may be the value."""
NAMED_OTHERWISE = 0.3
"""How clearly a cue of something else names a place at which a property that no cue names is not read."""


@dataclass(frozen=True)
class Scored:
    """All candidates of one property in one text, with their features."""

    query: Query
    candidates: list[Candidate]
    features: list[Features]
    sight: Sight

    def naming(self, choice: Choice) -> float:
        """How clearly a cue of the property names the chosen place: on its line, above it or in its column."""
        features = self.features_of(choice)
        return max(features.get(name, 0.0) for name in NAMING)

    def named_otherwise(self, choice: Choice) -> bool:
        """Whether the place has the label of something else, and nothing names it for this property.

        ``Width 90 cm`` states no height where no word for height stands in the text.
        """
        concept = self.query.concept
        if self.query.shape == "date":
            particular = concept is None or concept.name != "date"
            unnamed = particular and not self.sight.own.hits
            return unnamed and self.features_of(choice).get(ONLY_OTHERS, 0.0) >= NAMED_OTHERWISE
        if self.query.shape not in NUMBER_SHAPES or (concept is not None and concept.traits & SELF_EVIDENT):
            return False
        features = self.features_of(choice)
        if any(hit[2] > WEAK for hit in self.sight.own.hits):
            return self.naming(choice) == 0 and features.get(OTHER_HEAD, 0.0) >= NAMED
        return max(features.get(name, 0.0) for name in (OTHER_LABEL, OTHER_HEAD)) >= NAMED_OTHERWISE

    @property
    def is_unnamed(self) -> bool:
        """Whether nothing in the text names the property: a number that would fit, for all that is known, and no more.

        ``The impeller has 180 mm`` need not state a width.
        """
        concept = self.query.concept
        if self.query.shape not in NUMBER_SHAPES or (concept is not None and concept.traits & SELF_EVIDENT):
            return False
        return all(hit[2] <= WEAK for hit in self.sight.own.hits)

    def features_of(self, choice: Choice) -> Features:
        return self.features[choice.index]


class RulesReader:
    """Reads values by cues, forms and weights; no model, no network. Holds nothing of any text."""

    def __init__(self, settings: WorkflowSettings) -> None:
        self.settings = settings
        learnt = settings.extractor.learnt if isinstance(settings.extractor, RulesExtractor) else None
        self.learnt = Learnt.from_json(learnt)
        self.queries, self.book = compile_queries(settings.properties, self.learnt.cues)
        self.records = frozenset(shape_of_record(parts.record) for q in self.queries for parts in q.parts)
        self.likes = {q.prop.name: likes_of(q, self.queries) for q in self.queries}
        self.weights = {q.prop.name: self._weights(q) for q in self.queries}

    def _weights(self, query: Query) -> Weights:
        weights = dict(default_weights()[query.shape])
        found = self.learnt.properties.get(query.prop.name)
        for name, by in found.weights.items() if found else ():
            weights[name] = weights.get(name, 0.0) + by
        return weights

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:
        """One reading at most for each property, in the settings' order."""
        view = self.view_of(prepared, settings.rules, evidence)
        chosen: list[tuple[Scored, Choice]] = []
        for query in self.queries:
            scored = self.look(query, view)
            if states_nothing(view, scored.sight.own, none_too=query.shape not in WORDS):
                continue
            if query.prop.name in self.learnt.properties:
                for candidate, features in zip(scored.candidates, scored.features, strict=True):
                    features.update(lexical_features(candidate, view))
            choice = self.decide(scored)
            if choice is None or choice.probability < READ_FROM:
                continue
            if query.prop.name in self.learnt.properties or not scored.named_otherwise(choice):
                chosen.append((scored, choice))
        readings = [
            _reading(scored.query, choice, scored.sight, view, self.support_of(scored, choice, view))
            for scored, choice in chosen
            if not _taken(scored, choice, chosen)
        ]
        return Reply(readings=tuple(readings), calibrated=True)

    def view_of(self, prepared: PreparedText, rules: Rules, evidence: Evidence) -> View:
        """The text as this workflow's properties see it."""
        return View(prepared, self.book, rules, evidence, self.records)

    def look(self, query: Query, view: View) -> Scored:
        """The candidates of a property and their features, without any choice."""
        if not view.layout.lines:
            return Scored(query, [], [], Sight.of(query, view))
        sight = Sight.of(query, view)
        candidates = pool_of(query, sight, view)
        crowd = Crowd(candidates, view)
        features = [features_of(query, candidate, crowd, view, sight) for candidate in candidates]
        return Scored(query, candidates, features, sight)

    def decide(self, scored: Scored) -> Choice | None:
        weights = self.weights_of(scored.query)
        return choose(scored.candidates, [score(f, weights) for f in scored.features])

    def weights_of(self, query: Query) -> Weights:
        return self.weights[query.prop.name]

    def support_of(self, scored: Scored, choice: Choice, view: View) -> float:
        """What the choice's probability is worth; at what is in doubt a person looks first, until answers tell."""
        name = scored.query.prop.name
        support = self.scale_of(scored.query)(choice.probability)
        if name in self.learnt.properties or support <= CAUTIOUS:
            return support
        features = scored.features_of(choice)
        doubtful = scored.is_unnamed or is_doubtful(scored, choice, features, self.likes[name], view)
        return CAUTIOUS if doubtful else support

    def scale_of(self, query: Query) -> Scale:
        found = self.learnt.properties.get(query.prop.name)
        return found.scale if found else default_scale(query.shape, query.concept.name if query.concept else None)


def _taken(scored: Scored, choice: Choice, chosen: Sequence[tuple[Scored, Choice]]) -> bool:
    """Whether the chosen place is named for another property that chose it as surely, and clearly less for this one:
    the only date of a bill is not when it is due, and nobody is both parties."""
    naming = scored.naming(choice)
    place = (choice.candidate.start, choice.candidate.end)
    return any(
        other.query.shape == scored.query.shape
        and (rival.candidate.start, rival.candidate.end) == place
        and rival.probability >= choice.probability
        and (other.naming(rival) > max(NAMED, naming + CLEARLY) or (scored.query.shape == "name" and naming < CLEARLY))
        for other, rival in chosen
        if other is not scored
    )


def compile_queries(properties: Sequence[Property], learnt: Mapping[str, Sequence[str]]) -> tuple[list[Query], CueBook]:
    """The properties, ready to be looked for, and the cue book they share; `learnt` are cues found in answers."""
    meant = {p.name: concept_of(p) for p in properties}
    book = build_book(properties, meant)
    for name, cues in learnt.items():
        for cue in cues:
            book.add(split_words(cue), property_key(name), FULL)
    return [_query(p, properties, meant) for p in properties], book


def _query(prop: Property, properties: Sequence[Property], meant: dict[str, Concept | None]) -> Query:
    concept = meant[prop.name]
    shape = shape_of(prop, concept)
    kin = {*NUMBER_SHAPES, "code"} if shape in NUMBER_SHAPES else {shape}
    friends = (concept.friends | concept.boosts | {concept.name}) if concept else frozenset[str]()
    boosts = concept.boosts if concept else frozenset[str]()
    rivals = [
        concept_key(c.name) for c in concepts().values() if c.name not in friends and c.shape in (*kin, "modifier")
    ]
    rivals.append(like_key(prop))
    for other in properties:
        other_shape = shape_of(other, meant[other.name])
        if other.name != prop.name and (other_shape in kin):
            rivals.append(property_key(other.name))
    return Query(
        prop=prop,
        concept=concept,
        shape=shape,
        own=(property_key(prop.name),),
        rivals=frozenset(rivals),
        boosts=tuple(concept_key(b) for b in sorted(boosts)),
        end=end_of(prop),
        checked=_has_checks(prop),
        parts=parts_of(prop),
    )


def _has_checks(prop: Property) -> bool:
    checks = (prop.minimum, prop.maximum, prop.pattern, prop.min_length, prop.max_length)
    return any(check is not None for check in checks)


def _reading(query: Query, choice: Choice, sight: Sight, view: View, confidence: float) -> Reading:
    candidate = choice.candidate
    return Reading(
        property=query.prop.name,
        value=candidate.value,
        quote=quote_of(candidate, sight, view),
        hint=Span(start=candidate.start, end=candidate.end),
        confidence=round(confidence, 4),
    )
