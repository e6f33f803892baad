"""Fits the default weights of the embedded extractor: ``python -m bench.fit_weights [--write] [--without SET]``.

Starts from ``weights_prior.toml`` (what one would say beforehand, by hand) and moves each weight only as far as
several sets of real texts together bear out; no property of a set counts more than 120 texts.
``--without SET`` leaves a set out and measures it, so that one sees what the weights are worth for texts that had no
part in them. ``--scale`` leaves each set out in turn and shows how often what is read with a probability is right: what
the default scales (`rules/calibration.py`) are set by.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from bench.extraction import BIN_HEADS, CLOSED, SETS, RealSet, auc, calibration_error, equal, load, reliability
from bench.harness import print_table
from reviewapp.domain.properties import Property
from reviewapp.extraction.evidence import evidence_for
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules.calibration import SURE, default_scale, fit_scale
from reviewapp.extraction.rules.choose import READ_FROM, choose, score
from reviewapp.extraction.rules.fit import NONE, Example, fit
from reviewapp.extraction.rules.learn import candidate_value
from reviewapp.extraction.rules.reader import RulesReader, Scored
from reviewapp.extraction.rules.weights import BIAS, Weights

PRIOR = Path(__file__).with_name("weights_prior.toml")
SAMPLE = Path(__file__).resolve().parent.parent / "data" / "sample"
MOST_TEXTS = 120
"""What a property of one set counts at most, in texts."""
OPEN_NONE = 0.3
"""What a property without gold counts in a set whose gold is not complete, where no cue names it: rather none."""
SPREAD, SPREAD_BIAS = 0.8, 1.5
STEPS = 300
LEFT_OUT = frozenset(("quantities",))
"""A parser's own view of what a quantity is; measured only."""
ONLY_SHAPES = {"measeval": frozenset(("number", "quantity", "measure", "unit"))}
"""Its other properties are about annotators' categories, which no reader of papers knows."""


@dataclass(frozen=True)
class Seen:
    """One property of one text, with its candidates."""

    real: str
    name: str
    """Of the text."""
    prop: str
    scored: Scored
    gold: object
    example: Example | None
    """None: the right value is no candidate."""


def sample_set(folder: Path) -> RealSet:
    """One kind of the sample workspace, as a set."""
    import json

    lines = {
        n: [json.loads(x) for x in (folder / f"{n}.jsonl").read_text("utf-8").splitlines()] for n in ("records", "gold")
    }
    workflow = yaml.safe_load((folder / "workflow.yaml").read_text("utf-8"))
    return RealSet(
        f"sample-{folder.name}",
        {r["name"]: r["text"] for r in lines["records"]},
        {g["name"]: g["values"] for g in lines["gold"]},
        {},
        tuple(Property(**p) for p in workflow["properties"]),
    )


def all_sets() -> Iterator[RealSet]:
    for name in SETS:
        if name not in LEFT_OUT:
            yield load(name)
    for folder in sorted(p for p in SAMPLE.iterdir() if p.is_dir()):
        yield sample_set(folder)


def see(real: RealSet) -> Iterator[tuple[str, Seen]]:
    """(shape, what was seen) of every property of every text."""
    settings, evidence = real.settings(), real.evidence
    reader = RulesReader(settings)
    closed = real.name in CLOSED or real.name.startswith("sample-")
    for name, text in real.texts.items():
        view = reader.view_of(PreparedText(text), settings.rules, evidence_for(text, evidence))
        for query in reader.queries:
            scored = reader.look(query, view)
            gold = real.gold[name].get(query.prop.name)
            right = frozenset(
                i
                for i, c in enumerate(scored.candidates)
                if gold is not None and equal(candidate_value(query.prop, c), gold)
            )
            example: Example | None = Example(scored.features, right or frozenset((NONE,)))
            if gold is None and (not closed or real.name.startswith("sample-")):
                # The sample's "nothing may be written" is also said of ranges and estimates, which may well be read.
                named = any(h[2] >= 0.5 for h in scored.sight.own.hits)
                example = None if named else Example(scored.features, frozenset((NONE,)), OPEN_NONE)
            elif gold is not None and not right:
                example = None
            known = gold if gold is not None or closed else ...
            if query.shape in ONLY_SHAPES.get(real.name, (query.shape,)):
                yield query.shape, Seen(real.name, name, query.prop.name, scored, known, example)


def fit_shape(seen: Sequence[Seen], prior: Weights) -> Weights:
    counts = Counter((s.real, s.prop) for s in seen if s.gold is not ...)
    examples = []
    for one in seen:
        if one.example is not None and one.example.features:
            share = min(1.0, MOST_TEXTS / max(1, counts[one.real, one.prop]))
            examples.append(Example(one.example.features, one.example.right, one.example.weight * share))
    return fit(examples, prior, lambda name: SPREAD_BIAS if name == BIAS else SPREAD, steps=STEPS)


def measure(seen: Sequence[Seen], weights: Weights) -> list[tuple[object, ...]]:
    rows: dict[tuple[str, str], Counter[str]] = {}
    supports: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for one in seen:
        if one.gold is ...:
            continue
        key = (one.real, one.prop)
        row = rows.setdefault(key, Counter())
        choice = choose(one.scored.candidates, [score(f, weights) for f in one.scored.features])
        read = choice is not None and choice.probability >= READ_FROM
        row["gold"] += one.gold is not None
        if choice is None or not read:
            row["missing"] += one.gold is not None
            continue
        right = one.gold is not None and equal(candidate_value(one.scored.query.prop, choice.candidate), one.gold)
        row["right" if right else "wrong" if one.gold is not None else "extra"] += 1
        query = one.scored.query
        scale = default_scale(query.shape, query.concept.name if query.concept else None)
        supports[key].append((scale(choice.probability), right))
    return [
        (f"{s} {p}", r["gold"], f"{r['right'] / max(1, r['gold']):.3f}", r["wrong"], r["missing"], r["extra"],
         sum(v >= SURE for v, _ in supports[s, p]), sum(v >= SURE and not ok for v, ok in supports[s, p]),
         auc(supports[s, p]), f"{calibration_error(supports[s, p]) if supports[s, p] else 0:.3f}")
        for (s, p), r in rows.items()
    ]  # fmt: skip


def held_out(by_shape: Mapping[str, Sequence[Seen]], prior: Mapping[str, Weights]) -> list[tuple[object, ...]]:
    """How true the choice's probability is on a set that had no part in the weights: a row for each tenth, by shape.

    Every set is left out in turn (the sample's kinds together); no property of a set counts more than 120 texts.
    """
    rows: list[tuple[object, ...]] = []
    for shape, seen in by_shape.items():
        points: list[tuple[float, bool]] = []
        for group in sorted({_group(s.real) for s in seen}):
            rest = [s for s in seen if _group(s.real) != group]
            if rest:
                weights = fit_shape(rest, prior[shape])
                points += _points([s for s in seen if _group(s.real) == group], weights)
        rows.extend((shape, *row) for row in reliability(points))
        if points:
            scale = fit_scale(points)
            rows.append((shape, "scale", f"{scale.slope:.2f}", len(points), f"{scale.shift:+.2f}", ""))
    return rows


def _group(name: str) -> str:
    return "sample" if name.startswith("sample-") else name


def _points(seen: Sequence[Seen], weights: Weights) -> list[tuple[float, bool]]:
    """(probability, right) of what is read; the first 120 texts of each property."""
    taken: Counter[tuple[str, str]] = Counter()
    points = []
    for one in seen:
        if one.gold is ... or taken[one.real, one.prop] >= MOST_TEXTS:
            continue
        taken[one.real, one.prop] += 1
        choice = choose(one.scored.candidates, [score(f, weights) for f in one.scored.features])
        if choice is not None and choice.probability >= READ_FROM:
            value = candidate_value(one.scored.query.prop, choice.candidate)
            points.append((choice.probability, one.gold is not None and equal(value, one.gold)))
    return points


HEADS = ("property", "gold", "right", "wrong", "missing", "extra", "sure", "sure wrong", "AUC", "calibration error")


def write(path: Path, weights: dict[str, Weights]) -> None:
    """Weights as TOML, the weightiest first; what is next to nothing is left out."""
    pieces = ["# Default weights, fitted by bench/fit_weights.py from bench/weights_prior.toml; see there.\n"]
    for shape, found in weights.items():
        pieces.append(f"[{shape}]")
        strongest = sorted(found.items(), key=lambda kv: (kv[0] != BIAS, -abs(kv[1]), kv[0]))
        pieces.extend(f'"{name}" = {round(w, 2)}' for name, w in strongest if abs(w) >= 0.05)
        pieces.append("")
    path.write_text("\n".join(pieces), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep the fitted weights as the defaults")
    parser.add_argument("--without", nargs="*", default=[], help="sets to leave out and to measure")
    parser.add_argument("--scale", action="store_true", help="how true probabilities are on sets left out in turn")
    options = parser.parse_args()
    prior: dict[str, Weights] = tomllib.loads(PRIOR.read_text("utf-8"))
    by_shape: dict[str, list[Seen]] = defaultdict(list)
    for real in all_sets():
        for shape, one in see(real):
            by_shape[shape].append(one)
    if options.scale:
        print_table("Probability of what is read on sets left out", ("shape", *BIN_HEADS), held_out(by_shape, prior))
        return
    fitted, rows = dict(prior), []
    for shape, seen in by_shape.items():
        fitted[shape] = fit_shape([s for s in seen if s.real not in options.without], prior[shape])
        shown = [s for s in seen if not options.without or s.real in options.without]
        rows.extend(measure(shown, fitted[shape]))
    print_table("Sets left out" if options.without else "All sets (fitted on them)", HEADS, rows)
    if options.write:
        from reviewapp.extraction.rules import weights as module

        write(Path(module.__file__).with_name("weights.toml"), {s: fitted[s] for s in prior})


if __name__ == "__main__":
    main()
