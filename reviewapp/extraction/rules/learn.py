"""Learning from answers: weights, cues and calibration of each property, fitted to what people said.

An accepted or corrected value says which candidate is right; "none stated" says that none is; a rejected value says
only that this one is wrong. The same answers always give the same result: nothing here is random, and nothing but the
answers goes in. What comes out is plain JSON for `RulesExtractor.learnt`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import values_equal
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.extraction.evidence import evidence_for
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules.calibration import fit_scale
from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.choose import score
from reviewapp.extraction.rules.cues import HEAD, property_key
from reviewapp.extraction.rules.features import Query
from reviewapp.extraction.rules.fit import NONE, Example
from reviewapp.extraction.rules.learnt import Learnt, LearntProperty
from reviewapp.extraction.rules.lexical import lexical_features
from reviewapp.extraction.rules.reader import RulesReader, compile_queries
from reviewapp.extraction.rules.trials import Material, best_trial, is_word, learn_weights
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import word_set
from reviewapp.extraction.rules.weights import Weights
from reviewapp.extraction.rules.words import split_words

Verdict = Literal["right", "wrong", "none"]
MOST_CANDIDATES = 40
"""Candidates of a text that learning looks at: the likeliest so far, and the right one."""
TEXTS_WITH_WORD = 2
"""A word must stand with candidates of so many answered texts to count."""
CUE_WORDS = 4
_PARTED = re.compile(r"(?:[:=|\t]|\s\s|\n)\s*$")
"""What parts a label from a value of several words."""
SMALLEST_MOVE = 0.01
"""Weights that moved less are as they were."""


@dataclass(frozen=True)
class AnsweredExample:
    """One answered property of one text."""

    text: str
    property: str
    verdict: Verdict
    """`right`: `value` is right; `wrong`: `value` is wrong and no right one was given; `none`: the text states none."""
    value: Value | None = None
    quote: str | None = None
    """The words that state it."""


def learn(settings: WorkflowSettings, answers: Sequence[AnsweredExample], evidence: Evidence) -> dict[str, Any]:
    """What the answers teach, as JSON for `RulesExtractor.learnt`. Empty answers teach nothing."""
    cues = _learnt_cues(settings, answers)
    bare = settings.model_copy(
        update={"extractor": RulesExtractor(learnt=Learnt(cues=cues).as_json() if cues else None)}
    )
    reader = RulesReader(bare)
    prepared = {text: PreparedText(text) for text in dict.fromkeys(a.text for a in answers)}
    views = {text: reader.view_of(p, settings.rules, evidence_for(text, evidence)) for text, p in prepared.items()}
    properties = {}
    for query in reader.queries:
        own = [a for a in answers if a.property == query.prop.name]
        if own:
            properties[query.prop.name] = _learn_property(reader, query, own, views)
    return Learnt(cues=cues, properties=properties).as_json()


def _learn_property(
    reader: RulesReader, query: Query, answers: Sequence[AnsweredExample], views: dict[str, View]
) -> LearntProperty:
    prior = reader.weights_of(query)
    seen = [_see(reader, query, a, views[a.text], prior) for a in answers]
    kept = _frequent_words(seen)
    seen = [_with_words(one, kept, prior) for one in seen]
    trial = best_trial(seen, prior)
    weights = learn_weights(trial.way, seen, prior)
    moved = {n: round(w - prior.get(n, 0.0), 4) for n, w in weights.items()}
    changed = {n: by for n, by in moved.items() if abs(by) >= SMALLEST_MOVE}
    return LearntProperty(
        weights=changed,
        scale=fit_scale(trial.outcomes, reader.scale_of(query)),
        answers=len(answers),
        usable=sum(bool(one.example.right) for one in seen),
        way=trial.way,
        samples=_samples(seen, changed),
    )


def _see(reader: RulesReader, query: Query, answer: AnsweredExample, view: View, prior: Weights) -> Material:
    """The answered text with its candidates, the likeliest so far and the right one."""
    scored = reader.look(query, view)
    matching = [_same(query.prop, c, answer.value) for c in scored.candidates]
    if answer.verdict == "right":
        allowed = {i for i, same in enumerate(matching) if same}
    elif answer.verdict == "none":
        allowed = {NONE}
    else:
        allowed = {NONE, *(i for i, same in enumerate(matching) if not same)}
    scores = [score(f, prior) for f in scored.features]
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    chosen = sorted({*order[:MOST_CANDIDATES], *(allowed - {NONE} if answer.verdict == "right" else ())})
    features = [scored.features[i] | lexical_features(scored.candidates[i], view) for i in chosen]
    place = {i: at for at, i in enumerate(chosen)}
    right = frozenset(place.get(i, NONE) for i in allowed if i == NONE or i in place)
    return Material([scored.candidates[i] for i in chosen], Example(features, right))


def _same(prop: Property, candidate: Candidate, value: Value | None) -> bool:
    found = candidate_value(prop, candidate)
    if value is None or found is None:
        return False
    if prop.value_type in ("text", "keyword"):
        return _letters(str(found)) == _letters(str(value))
    return values_equal(found, value, prop.value_type)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def candidate_value(prop: Property, candidate: Candidate) -> Value | None:
    """The candidate as a typed value of the property."""
    match prop.value_type:
        case "f64":
            return None if candidate.number is None else float(candidate.number)
        case "i64":
            return None if candidate.number is None else int(candidate.number)
        case "date":
            return str(candidate.key)
        case "bool":
            return candidate.value == "yes"
        case _:
            return candidate.value


def _frequent_words(seen: Sequence[Material]) -> frozenset[str]:
    """Word features that stand with candidates of several texts and do not stand with all candidates alike."""
    texts: Counter[str] = Counter()
    for one in seen:
        texts.update({name for f in one.example.features for name in f if ": " in name or name.startswith("on line")})
    return frozenset(name for name, count in texts.items() if count >= TEXTS_WITH_WORD)


def _with_words(seen: Material, kept: frozenset[str], prior: Weights) -> Material:
    features = [
        {n: v for n, v in f.items() if n in kept or n in prior or not is_word(n)} for f in seen.example.features
    ]
    return Material(seen.candidates, Example(features, seen.example.right))


def _samples(seen: Sequence[Material], weights: Weights) -> dict[str, str]:
    """For each learnt feature the value of one answered text that has it: of a right one where it speaks for, of a
    wrong one where it speaks against."""
    samples: dict[str, str] = {}
    for one in seen:
        for index, features in enumerate(one.example.features):
            right = index in one.example.right
            for name in features:
                if name in weights and name not in samples and (weights[name] > 0) == right:
                    samples[name] = one.candidates[index].value[:80]
    return samples


def _learnt_cues(settings: WorkflowSettings, answers: Iterable[AnsweredExample]) -> dict[str, list[str]]:
    """Labels before right values in several answered texts, by property, that were no cues before."""
    _, book = compile_queries(settings.properties, {})
    counts: dict[str, Counter[str]] = {p.name: Counter() for p in settings.properties}
    for answer in answers:
        if answer.verdict == "right" and answer.quote and answer.property in counts:
            label = _label_of(answer)
            words = split_words(label)
            telling = any(len(w) > 2 and w not in word_set("quiet") for w in words)
            if telling and book.strength(words, property_key(answer.property)) <= HEAD:
                counts[answer.property][label] += 1
    return {
        name: sorted(label for label, count in found.items() if count >= TEXTS_WITH_WORD)
        for name, found in counts.items()
        if any(count >= TEXTS_WITH_WORD for count in found.values())
    }


def _label_of(answer: AnsweredExample) -> str:
    """The words right before the value: those of the quote, else those of the line it stands on."""
    quote = answer.quote or ""
    before = quote[: _value_at(quote, answer.value)]
    if not split_words(before):
        place = answer.text.find(quote)
        before = answer.text[answer.text.rfind("\n", 0, place) + 1 : place] if place > 0 else ""
    if isinstance(answer.value, str) and " " in answer.value and not _PARTED.search(before):
        return ""  # in `LOT 12, MILL LANE` the word before "12, MILL LANE" is no label
    words = split_words(before)
    return " ".join(words[-CUE_WORDS:]) if 0 < len(words) <= CUE_WORDS else ""


def _value_at(quote: str, value: Value | None) -> int:
    """Where the value begins in its quote: a text as it is written, a number or a day at the first digit."""
    at = quote.casefold().find(str(value).casefold())
    if at >= 0:
        return at
    return next((i for i, character in enumerate(quote) if character.isdigit()), 0)
