"""How much of real texts the pipeline reads right: ``python -m bench.extraction``.

Every record of a set goes through the whole pipeline with the default gate. Per property: gold values, right, wrong,
missing, extra (a value where gold has none, in sets whose gold says so), the share right, the share of the read values
that would be written without a person, and the share of those that are wrong. Per set: how well support tells right
from wrong (area under the ROC curve) and how far it is from the truth (expected calibration error).

``--after 30`` learns from the first 30 records of each set and measures the others, before and with what was learnt.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.harness import print_table
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import ReadValue
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.extraction.evidence import observe
from reviewapp.extraction.extractors import Extractor, make_extractor
from reviewapp.extraction.pipeline import extract

SHARED = Path(os.environ.get("REVIEWAPP_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
SETS = ("sroie", "quantities", "sofc-sentences", "measeval", "invoices", "kleister-nda")
CLOSED = ("sroie", "invoices", "kleister-nda", "quantities")
"""Sets whose gold is complete: a value where it has none is wrong."""
BINS = 10


@dataclass(frozen=True)
class RealSet:
    """Records, gold and what to read."""

    name: str
    texts: dict[str, str]
    gold: dict[str, dict[str, Any]]
    quotes: dict[str, dict[str, Any]]
    properties: tuple[Property, ...]

    @property
    def evidence(self) -> Evidence:
        return sum((observe(text) for text in self.texts.values()), Evidence())

    def settings(self, learnt: dict[str, Any] | None = None) -> WorkflowSettings:
        return WorkflowSettings(
            collection=self.name, properties=self.properties, extractor=RulesExtractor(learnt=learnt)
        )


def load(name: str, limit: int | None = None) -> RealSet:
    """One set; properties with lists of values are passed over."""
    folder = SHARED / name
    records = _lines(folder / "records.jsonl")[:limit]
    gold = {row["name"]: row for row in _lines(folder / "gold.jsonl")}
    rows = [p for p in json.loads((folder / "properties.json").read_text("utf-8")) if not p.pop("multiple", False)]
    return RealSet(
        name,
        {r["name"]: r["text"] for r in records},
        {r["name"]: gold[r["name"]]["values"] for r in records},
        {r["name"]: gold[r["name"]].get("quotes", {}) for r in records},
        tuple(Property(**p) for p in rows),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def equal(found: object, gold: object) -> bool:
    """Numbers within 1e-6 relative; text without regard to case, white space and punctuation."""
    if isinstance(found, bool) or isinstance(gold, bool):
        return found is gold
    if isinstance(found, (int, float)) and isinstance(gold, (int, float)):
        return abs(found - gold) <= 1e-6 * max(abs(found), abs(gold), 1e-12)
    return _letters(found) == _letters(gold)


def _letters(value: object) -> str:
    return re.sub(r"[\W_]+", "", str(value).casefold())


@dataclass
class Tally:
    """What came out for one property of one set."""

    gold: int = 0
    right: int = 0
    wrong: int = 0
    missing: int = 0
    extra: int = 0
    written: int = 0
    written_right: int = 0
    kept_right: int = 0
    """Right ones that were written or go to a person; the others were dropped for weak support."""
    supports: list[tuple[float, bool]] = field(default_factory=list)
    """(support, right) of every value that was read and could be judged."""

    def count(self, value: ReadValue | None, gold: object, closed: bool) -> str:
        """Take in one property of one record; says how it ended."""
        read = value if value is not None and value.value is not None and value.support is not None else None
        if gold is None:
            if read is None or not closed:
                return "none"
            self.extra += 1
            self._judge(read, right=False)
            return "extra"
        self.gold += 1
        if read is None:
            self.missing += 1
            return "missing"
        right = equal(read.value, gold)
        self.right += right
        self.wrong += not right
        self._judge(read, right=right)
        return "right" if right else "wrong"

    def _judge(self, value: ReadValue, *, right: bool) -> None:
        self.supports.append((value.support or 0.0, right))
        self.kept_right += right and value.outcome in ("written", "review")
        if value.outcome == "written":
            self.written += 1
            self.written_right += right

    @classmethod
    def sum(cls, tallies: Iterable[Tally]) -> Tally:
        total = cls()
        for tally in tallies:
            for name in ("gold", "right", "wrong", "missing", "extra", "written", "written_right", "kept_right"):
                setattr(total, name, getattr(total, name) + getattr(tally, name))
            total.supports += tally.supports
        return total

    def row(self, name: str) -> tuple[object, ...]:
        read = self.right + self.wrong + self.extra
        return (
            name, self.gold, self.right, self.wrong, self.missing, self.extra,
            _share(self.right, self.gold), _share(self.right, self.gold + self.extra),
            _share(self.kept_right, self.gold),
            _share(self.written, read), _share(self.written - self.written_right, self.written),
            _share(self.written_right, self.right), auc(self.supports),
        )  # fmt: skip


HEADS = (
    "property", "gold", "right", "wrong", "missing", "extra", "share right", "of gold+extra", "kept right", "written",
    "wrong in written", "right written", "AUC",
)  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def auc(supports: Sequence[tuple[float, bool]]) -> str:
    """Chance that a right value has more support than a wrong one; ties count half."""
    ranked = sorted(supports)
    rights = sum(right for _, right in ranked)
    wrongs = len(ranked) - rights
    if not rights or not wrongs:
        return "–"
    below = wins = 0.0
    start = 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        tied = [right for _, right in ranked[start:end]]
        wins += sum(tied) * (below + (len(tied) - sum(tied)) / 2)
        below += len(tied) - sum(tied)
        start = end
    return f"{wins / (rights * wrongs):.3f}"


def calibration_error(supports: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over ten bins of equal width (Naeini and others, 2015)."""
    error = 0.0
    for bin_number in range(BINS):
        low, high = bin_number / BINS, (bin_number + 1) / BINS
        inside = [(s, r) for s, r in supports if low <= s < high or (bin_number == BINS - 1 and s == 1)]
        if inside:
            mean = sum(s for s, _ in inside) / len(inside)
            error += abs(mean - sum(r for _, r in inside) / len(inside)) * len(inside) / len(supports)
    return error


BIN_HEADS = ("support from", "to", "values", "mean support", "right")


def reliability(supports: Sequence[tuple[float, bool]]) -> list[tuple[object, ...]]:
    """For each tenth of support how many values have it and which share of them is right."""
    rows: list[tuple[object, ...]] = []
    for number in range(BINS):
        inside = [(s, r) for s, r in supports if min(int(s * BINS), BINS - 1) == number]
        if inside:
            mean, right = sum(s for s, _ in inside) / len(inside), sum(r for _, r in inside)
            rows.append((number / BINS, (number + 1) / BINS, len(inside), f"{mean:.3f}", _share(right, len(inside))))
    return rows


def read_one(
    text: str, settings: WorkflowSettings, evidence: Evidence, extractor: Extractor | None = None
) -> tuple[list[ReadValue], str | None, float]:
    """(values, why it failed, seconds of the processor)."""
    begun = time.process_time()
    result = extract(text, settings, evidence, extractor)
    return list(result.values), result.failed or result.error, time.process_time() - begun


def measure_set(
    real: RealSet, names: Sequence[str], learnt: dict[str, Any] | None, options: argparse.Namespace
) -> Tally:
    """Read the named records, print the table of the set."""
    settings, evidence = real.settings(learnt), real.evidence
    texts = [real.texts[n] for n in names]
    if options.jobs > 1:
        with ProcessPoolExecutor(options.jobs) as pool:
            results = list(pool.map(partial(read_one, settings=settings, evidence=evidence), texts, chunksize=8))
    else:
        extractor = make_extractor(settings)
        results = [read_one(text, settings, evidence, extractor) for text in texts]
    tallies = {p.name: Tally() for p in real.properties}
    failures = [f"{n}: {failed}" for n, (_, failed, _) in zip(names, results, strict=True) if failed]
    for name, (values, _, _) in zip(names, results, strict=True):
        for prop, tally in tallies.items():
            value = next((v for v in values if v.property == prop), None)
            gold = real.gold[name].get(prop)
            ended = tally.count(value, gold, real.name in CLOSED)
            if options.failures and ended in ("wrong", "missing", "extra") and prop in (options.property or [prop]):
                print(f"  {name} {prop} {ended}: {_shown(value)}; gold {gold!r}")
    total = Tally.sum(tallies.values())
    seconds, characters = sum(r[2] for r in results), sum(map(len, texts))
    learnt_word = "" if learnt is None else f", after {options.after} answered records"
    title = (
        f"{real.name}{learnt_word}: {len(names)} records, {seconds / max(1, len(names)) * 1e3:.1f} ms a record, "
        f"{seconds / max(1, characters) * 5e6:.1f} ms per 5,000 characters, "
        f"calibration error {calibration_error(total.supports):.3f}"
    )
    print_table(title, HEADS, [*(t.row(n) for n, t in tallies.items()), total.row("all")])
    print_table(f"{real.name}: reliability", BIN_HEADS, reliability(total.supports))
    for failure in failures[:10]:
        print("  FAILED", failure)
    return total


def _shown(value: ReadValue | None) -> str:
    if value is None:
        return "nothing"
    why = value.detail or value.unconfirmed or ""
    return f"{value.printed!r} ({value.outcome}, {value.support}) from {value.quote!r} {why}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--limit", type=int, help="records per set")
    parser.add_argument("--after", type=int, help="learn from this many answered records, measure the others")
    parser.add_argument("--failures", action="store_true", help="print every value that is not right")
    parser.add_argument("--property", nargs="+", help="print failures of these properties only")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    if not SHARED.is_dir():
        parser.error(f"no real texts in {SHARED.name!r}; name their folder in REVIEWAPP_SHARED_DATA")
    for name in options.sets:
        real = load(name, options.limit)
        names = list(real.texts)
        if options.after:
            from bench.learning import learn_from

            measure_set(real, names[options.after :], None, options)
            learnt = learn_from(real, names[: options.after], closed=name in CLOSED)
            measure_set(real, names[options.after :], learnt, options)
        else:
            measure_set(real, names, None, options)


if __name__ == "__main__":
    main()
