"""How boldly answers may move the weights of a property: as far as answers that were held out bear out, no further."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import fmean

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.choose import READ_FROM, choose, score
from reviewapp.extraction.rules.fit import NONE, Example, fit, fit_bias
from reviewapp.extraction.rules.learnt import AS_BEFORE
from reviewapp.extraction.rules.weights import BIAS, Weights

FOLDS = 3
"""Parts into which the answers are put; each is judged by weights that never saw it."""
SPREAD_FORM, SPREAD_WORD, SPREAD_BIAS = 0.5, 0.6, 0.6
"""How far answers may move a weight from where it was (standard deviations of the prior)."""
GENTLY = 0.5
STEPS = 30
MORE_RIGHT, LIKELIER = 2, 0.02
"""A bolder way must read so many more texts right than a less bold one (one is chance); or as many, and be likelier by
so much a text (nats), where a value is stated as well as where none is: what silence gains it must not lose by it."""
_LEAST = 1e-6

Outcome = tuple[float, bool]
"""Probability of the chosen value; is it right."""
Fit = Callable[[Sequence[Example], Weights], Weights]


def is_word(name: str) -> bool:
    """Whether a feature is a word around or in a candidate; only learning gives those weights."""
    return (": " in name and not name.startswith("look: ")) or name.startswith("on line")


def _spread(share: float) -> Callable[[str], float]:
    def spread(name: str) -> float:
        return share * (SPREAD_BIAS if name == BIAS else SPREAD_WORD if is_word(name) else SPREAD_FORM)

    return spread


WAYS: dict[str, Fit] = {
    AS_BEFORE: lambda _, prior: prior,
    "more or less readily": lambda examples, prior: fit_bias(examples, prior, SPREAD_BIAS),
    "gently": lambda examples, prior: fit(examples, prior, _spread(GENTLY), steps=STEPS),
    "freely": lambda examples, prior: fit(examples, prior, _spread(1.0), steps=STEPS),
}
"""Ways to learn, the least bold first."""


@dataclass(frozen=True)
class Material:
    """One answered text: its candidates, and which of them are right (none where the right value is no candidate)."""

    candidates: Sequence[Candidate]
    example: Example


@dataclass(frozen=True)
class Trial:
    """What one way to learn did with answers it did not see."""

    way: str
    outcomes: tuple[Outcome, ...]
    """Of every text in which a value was read."""
    likelihoods: tuple[float, ...]
    """Log of the probability given to what is right, of every text."""
    right: int
    """Texts of which the right value was read, or none where none is stated."""


def best_trial(seen: Sequence[Material], prior: Weights) -> Trial:
    """The way to learn that held-out answers bear out; the least bold where they cannot tell."""
    best = _try(AS_BEFORE, seen, prior)
    for way in list(WAYS)[1:]:
        trial = _try(way, seen, prior)
        if _is_better(trial, best, seen):
            best = trial
    return best


def learn_weights(way: str, seen: Sequence[Material], prior: Weights) -> Weights:
    """Weights from all answers, in the way that was chosen."""
    return WAYS[way](_usable(seen), prior)


def _usable(seen: Sequence[Material]) -> list[Example]:
    return [one.example for one in seen if one.example.features and one.example.right]


def _is_better(trial: Trial, other: Trial, seen: Sequence[Material]) -> bool:
    gains = [a - b for a, b in zip(trial.likelihoods, other.likelihoods, strict=True)]
    if trial.right >= other.right + MORE_RIGHT:
        return fmean(gains) > 0
    silent = sum(gain for gain, one in zip(gains, seen, strict=True) if NONE in one.example.right)
    worse = min(silent, sum(gains) - silent) < 0
    return trial.right >= other.right and not worse and fmean(gains) > LIKELIER


def _try(way: str, seen: Sequence[Material], prior: Weights) -> Trial:
    outcomes: list[Outcome] = []
    likelihoods = [0.0] * len(seen)
    right = 0
    for number in range(FOLDS):
        rest = [one for i, one in enumerate(seen) if i % FOLDS != number]
        weights = learn_weights(way, rest, prior) if rest else prior
        for i in range(number, len(seen), FOLDS):
            example = seen[i].example
            scores = [score(f, weights) for f in example.features]
            likelihoods[i] = _likelihood(scores, example)
            choice = choose(seen[i].candidates, scores)
            if choice is None:
                right += NONE in example.right
                continue
            at = next(k for k, c in enumerate(seen[i].candidates) if c is choice.candidate)
            read = choice.probability >= READ_FROM
            if read:
                outcomes.append((choice.probability, at in example.right))
            right += (at if read else NONE) in example.right
    return Trial(way, tuple(outcomes), tuple(likelihoods), right)


def _likelihood(scores: Sequence[float], example: Example) -> float:
    if not example.right:
        return 0.0
    masses = [exp(s) for s in scores]
    right = sum(masses[i] for i in example.right if i != NONE) + (NONE in example.right)
    return log(max(_LEAST, right / (1 + sum(masses))))
