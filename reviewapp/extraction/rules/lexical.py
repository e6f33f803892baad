"""Features that are words: what stands around a candidate and in it. Only learning gives them weights.

Their names read as they are shown to people: ``before it: total``, ``its label: grand total``, ``it ends with: gmbh``.
"""

from __future__ import annotations

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Features
from reviewapp.extraction.rules.views import View

LABEL_WORDS = 4
"""Words of a label, those next to the value."""
CONTEXT_WORDS = 12
"""How far, on either side, words of the same sentence count in running text."""
_TEXTS = ("name", "block", "phrase", "place", "option", "code")
_SHORTEST = 3
"""Letters of a word that counts by itself in a sentence."""


def lexical_features(candidate: Candidate, view: View) -> Features:
    """The words around a candidate and in it, each as a feature of its own."""
    features: Features = {}
    _around(features, candidate, view)
    _inside(features, candidate, view)
    return features


def _around(features: Features, candidate: Candidate, view: View) -> None:
    layout, scope, line = view.layout, view.scope(candidate), candidate.line
    words, first, last = layout.words, candidate.first_word, candidate.last_word
    since = scope.left[0] if line.prose else max(scope.left[0], line.first_word)
    before = [w for w in words[since:first][-LABEL_WORDS:] if not w.isdigit()]
    if before:
        features[f"before it: {before[-1]}"] = 1.0
        if len(before) > 1:
            features[f"before it: {before[-2]} {before[-1]}"] = 1.0
        if not line.prose:
            features[f"its label: {' '.join(before)}"] = 1.0
    elif not line.prose and scope.above[1] > scope.above[0]:
        above = [w for w in words[scope.above[0] : scope.above[1]] if not w.isdigit()][:LABEL_WORDS]
        features[f"above it: {' '.join(above) or 'no words'}"] = 1.0
    until = scope.right[1] if line.prose else min(scope.right[1], line.last_word)
    behind = words[last:until][:2]
    if behind:
        features[f"behind it: {behind[0]}" if not behind[0].isdigit() else "behind it: a number"] = 1.0
    elif not line.prose:
        below = _line_words(view, layout.line_at(candidate.end - 1).number + 1)
        features[f"below it: {below[0] if below else 'nothing'}"] = 1.0
    for head in scope.heads[:1]:
        features[f"its column: {' '.join(words[head[0] : head[1]][:LABEL_WORDS])}"] = 1.0
    if line.prose:
        left, right = max(scope.left[0], first - CONTEXT_WORDS), min(scope.right[1], last + CONTEXT_WORDS)
        for word in dict.fromkeys((*words[left:first], *words[last:right])):
            if len(word) >= _SHORTEST and not word.isdigit():
                features[f"in its sentence: {word}"] = 1.0


def _line_words(view: View, number: int) -> list[str]:
    lines = view.layout.lines
    if number >= len(lines):
        return []
    line = lines[number]
    return ["a number" if w.isdigit() else w for w in view.layout.words[line.first_word : line.last_word]]


def _inside(features: Features, candidate: Candidate, view: View) -> None:
    words = view.layout.words[candidate.first_word : candidate.last_word]
    if candidate.kind in _TEXTS and words:
        features[f"it begins with: {words[0] if not words[0].isdigit() else 'a number'}"] = 1.0
        features[f"it ends with: {words[-1] if not words[-1].isdigit() else 'a number'}"] = 1.0
        features[f"it is: {' '.join(words)}"] = 1.0
        for word in dict.fromkeys(words):
            if not word.isdigit() and len(word) > 1:
                features[f"in it: {word}"] = 1.0
    if candidate.unit is not None:
        features[f"its unit: {candidate.unit}"] = 1.0
    number = candidate.line.number
    if number < 8:
        features[f"on line {number + 1}"] = 1.0
