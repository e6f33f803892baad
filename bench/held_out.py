"""What the default weights are worth on papers they never saw: ``python -m bench.held_out [--folds 5]``.

Every set is put into folds by who issued its papers (a shop's receipts stay together; elsewhere by record). Each fold
goes through the whole pipeline with weights fitted on the other folds and all other sets. Per property as in
`bench.extraction`: the share right, what is written with the default gate and how much of that is wrong, the area under
the curve of support; then by shape how often what has such a probability is right, and the scale that would make it
true: what the default scales (`rules/calibration.py`) are set by.
"""

from __future__ import annotations

import argparse
import hashlib
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.extraction import BIN_HEADS, CLOSED, HEADS, RealSet, Tally, calibration_error, equal, reliability
from bench.fit_weights import MOST_TEXTS, PRIOR, Seen, all_sets, fit_shape, see
from bench.harness import print_table
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.rules.calibration import PLAIN, fit_scale
from reviewapp.extraction.rules.choose import READ_FROM, choose, score
from reviewapp.extraction.rules.learn import candidate_value
from reviewapp.extraction.rules.reader import RulesReader
from reviewapp.extraction.rules.weights import Weights

ISSUERS = {"sroie": "company"}
"""The property whose gold tells whose paper it is."""


@dataclass(frozen=True)
class Kept:
    """A set with what was seen of its texts and the fold of each."""

    real: RealSet
    seen: Sequence[tuple[str, str, Seen]]
    """Shape, name of the text, what was seen."""
    folds: Mapping[str, int]


def keep(real: RealSet, folds: int) -> Kept:
    seen = [(shape, one.name, one) for shape, one in see(real)]
    return Kept(real, seen, {name: _fold(real, name, folds) for name in real.texts})


def _fold(real: RealSet, name: str, folds: int) -> int:
    issuer = real.gold[name].get(ISSUERS.get(real.name, ""), name)
    letters = "".join(c for c in str(issuer).casefold() if c.isalnum())
    return int(hashlib.sha256(f"{real.name} {letters}".encode()).hexdigest(), 16) % folds


def weights_without(kept: Sequence[Kept], fold: int, prior: Mapping[str, Weights]) -> dict[str, Weights]:
    """By shape, from every text that is not of the fold."""
    rest: dict[str, list[Seen]] = defaultdict(list)
    for one in kept:
        for shape, name, seen in one.seen:
            if one.folds[name] != fold:
                rest[shape].append(seen)
    return {shape: fit_shape(rest[shape], prior[shape]) if rest[shape] else prior[shape] for shape in prior}


def read_fold(kept: Kept, fold: int, weights: Mapping[str, Weights], tallies: Mapping[str, Tally]) -> None:
    """The fold's texts of a set through the pipeline, counted by property."""
    settings, evidence = kept.real.settings(), kept.real.evidence
    reader = make_extractor(settings)
    assert isinstance(reader, RulesReader)
    reader.weights = {q.prop.name: weights[q.shape] for q in reader.queries}
    closed = kept.real.name in CLOSED
    for name, text in kept.real.texts.items():
        if kept.folds[name] == fold:
            values = {v.property: v for v in extract(text, settings, evidence, reader).values}
            for prop, tally in tallies.items():
                tally.count(values.get(prop), kept.real.gold[name].get(prop), closed)


def points_of(kept: Kept, fold: int, weights: Mapping[str, Weights]) -> list[tuple[str, str, float, bool]]:
    """(shape, property, probability of the choice, right) of what is read in the fold."""
    points = []
    for shape, name, one in kept.seen:
        if one.gold is ... or kept.folds[name] != fold:
            continue
        choice = choose(one.scored.candidates, [score(f, weights[shape]) for f in one.scored.features])
        if choice is not None and choice.probability >= READ_FROM:
            value = candidate_value(one.scored.query.prop, choice.candidate)
            points.append((shape, one.prop, choice.probability, one.gold is not None and equal(value, one.gold)))
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    prior: dict[str, Weights] = tomllib.loads(PRIOR.read_text("utf-8"))
    kept = [keep(real, options.folds) for real in all_sets()]
    tallies = {one.real.name: {p.name: Tally() for p in one.real.properties} for one in kept}
    points: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    counts: Counter[tuple[str, str]] = Counter()
    for fold in range(options.folds):
        weights = weights_without(kept, fold, prior)
        for one in kept:
            read_fold(one, fold, weights, tallies[one.real.name])
            for shape, prop, probability, right in points_of(one, fold, weights):
                counts[one.real.name, prop] += 1
                if counts[one.real.name, prop] <= MOST_TEXTS:
                    points[shape].append((probability, right))
    for name, own in tallies.items():
        total = Tally.sum(own.values())
        print_table(
            f"{name}: calibration error {calibration_error(total.supports):.3f}",
            HEADS,
            [*(t.row(p) for p, t in own.items()), total.row("all")],
        )
        print_table(f"{name}: reliability", BIN_HEADS, reliability(total.supports))
    rows: list[tuple[object, ...]] = []
    for shape, own_points in points.items():
        rows.extend((shape, *row) for row in reliability(own_points))
        scale = fit_scale(own_points, PLAIN)
        rows.append((shape, "scale", f"{scale.slope:.2f}", len(own_points), f"{scale.shift:+.2f}", ""))
    print_table("Probability of the choice, and how often it is right", ("shape", *BIN_HEADS), rows)


if __name__ == "__main__":
    main()
