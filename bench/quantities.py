"""Quantities by themselves: from the words of a quantity to number, unit, range and hedge, and how fast.

    python -m bench.quantities            the tables and the goals
    python -m bench.quantities --misses   every quantity that is not right, with what was read

Two sets of real texts: the surfaces of ``quantities`` (sentences made to be hard for a parser) and the annotated spans
of ``measeval`` (scientific prose). An aspect is scored only where the set has a right value for it. A quantity is right
when all its scored aspects are. "Alone" reads the words by themselves; "in the text" reads the whole record and takes
what was found at the place; "asked for" reads the words behind a label, for a property of their unit.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.harness import Goal, Timing, finish, measure, print_table, print_timings, ratio
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, Rules, WorkflowSettings
from reviewapp.extraction.evidence import evidence_for
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.quantities import Quantity, find_quantities
from reviewapp.extraction.units import canonical, convert, same_kind, unit_factor

DATA = Path(os.environ.get("REVIEWAPP_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
RULES = Rules()
SURFACES_WRONG_AT_MOST = 0.03
SPANS_WRONG_AT_MOST = 0.05
TIMES_AT_MOST = 40
"""A few milliseconds for 5,000 characters."""
WORDS, RECEIPTS, PROSE = "words of 5,000 characters", "5,000 characters of receipts", "5,000 characters of prose"
TOLERANCE = Decimal("1e-6")

BASE_UNITS = {
    "length": "m",
    "mass": "kg",
    "duration": "s",
    "pressure": "Pa",
    "energy": "eV",
    "frequency": "Hz",
    "temperature": "K",
}
"""The units that measeval's converted values are in."""
UNIT_NAMES = {
    "pound sterling": "GBP", "pound-mass": "lb", "percentage": "%", "inverse second": "1/s",
    "inverse femtobarn": "1/fb", "dollar per kilogram": "$/kg", "ton per day": "t/day", "minute of arc": "arcmin",
    "second of arc": "arcsec",
    "candela second": "cds", "degree fahrenheit": "°F", "dimensionless": "", "dozen": "", "cubic centimetre": "cm3",
}  # fmt: skip
"""Names of the set ``quantities`` that no text uses."""
DOZENS = {"dozen": 12, "baker's dozen": 13, "gross": 144}
"""Units to that set, numbers to us."""


@dataclass
class Score:
    """Right and scored, per aspect."""

    right: Counter[str] = field(default_factory=Counter)
    scored: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def add(self, words: str, aspects: dict[str, bool], found: object) -> None:
        for aspect, good in aspects.items():
            self.scored[aspect] += 1
            self.right[aspect] += good
        self.scored["all"] += 1
        self.right["all"] += all(aspects.values())
        if not all(aspects.values()):
            wrong = ", ".join(a for a, good in aspects.items() if not good)
            self.misses.append(f"{words!r}: wrong {wrong}; read {found}")

    def share(self, aspect: str = "all") -> float:
        return self.right[aspect] / max(1, self.scored[aspect])


def lines(folder: str, name: str) -> list[dict[str, Any]]:
    with (DATA / folder / f"{name}.jsonl").open(encoding="utf-8") as rows:
        return [json.loads(row) for row in rows]


def near(found: Decimal | None, wanted: float) -> bool:
    if found is None:
        return False
    right = Decimal(str(wanted))
    return abs(found - right) <= max(abs(right) * TOLERANCE, Decimal("1e-12") if right == 0 else Decimal(0))


def shown(quantities: list[Quantity]) -> str:
    return "; ".join(
        f"{q.kind} {'/'.join(str(n.value) for n in q.numbers)} {q.unit or ''} {q.bound or ''} {q.hedge or ''}".strip()
        for q in quantities
    )


def surface_aspects(gold: dict[str, Any], found: list[Quantity]) -> dict[str, bool]:
    first = found[0] if found else None
    aspects: dict[str, bool] = {}
    dozens = DOZENS.get(gold["unit"], 1)
    if "low" in gold:
        low, high = (first.low, first.high) if first else (None, None)
        if first and first.kind == "tolerance":
            low, high = first.value - first.numbers[1].value, first.value + first.numbers[1].value
        aspects["range"] = near(low, gold["low"]) and near(high, gold["high"])
    else:
        aspects["number"] = first is not None and near(first.value, gold["value"] * dozens) and first.kind != "range"
    wanted = UNIT_NAMES.get(gold["unit"], "" if gold["unit"] in DOZENS else gold["unit"])
    unit = first.unit if first else None
    aspects["unit"] = _same_unit(unit, wanted) if wanted else unit in (None, "pcs")
    return aspects


def _same_unit(unit: str | None, wanted: str) -> bool:
    """Also under another name (ml and cm³)."""
    return unit is not None and same_kind(unit, wanted) and unit_factor(unit, wanted) == 1


def span_aspects(gold: dict[str, Any], words: str, found: list[Quantity]) -> dict[str, bool]:
    first = found[0] if found else None
    aspects: dict[str, bool] = {}
    if "value" in gold:
        aspects["number"] = (
            first is not None and first.kind in ("single", "tolerance") and near(first.value, gold["value"])
        )
    if "low" in gold and "high" in gold:
        aspects["range"] = bool(
            first and first.kind == "range" and near(first.low, gold["low"]) and near(first.high, gold["high"])
        )
    elif "low" in gold:
        aspects["bound"] = bool(first and first.bound in ("at least", "above") and near(first.value, gold["low"]))
    elif "high" in gold:
        aspects["bound"] = bool(first and first.bound in ("at most", "below") and near(first.value, gold["high"]))
    if "tolerance" in gold:
        aspects["tolerance"] = bool(
            first and first.kind == "tolerance" and near(first.numbers[1].value, gold["tolerance"])
        )
    if "value" in gold or "low" in gold or "high" in gold:
        aspects["hedge"] = gold["approximate"] == bool(first and first.hedge)
        if "unit" in gold:
            aspects["unit"] = _unit_right(gold["unit"], words, first)
    for name, unit in BASE_UNITS.items():
        if name in gold:
            aspects["converted"] = bool(
                first
                and first.unit
                and same_kind(first.unit, unit)
                and near(convert(first.value, first.unit, unit), gold[name])
            )
    return aspects


def _unit_right(wanted: str, words: str, found: Quantity | None) -> bool:
    if found is None:
        return False
    if canonical(wanted) is not None:
        return _same_unit(found.unit, wanted)
    # A unit that nobody but these authors knows (passages, stems/ha): the words must be the same.
    stands = words[slice(*found.unit_span)] if found.unit_span else ""
    return bool(stands) and (stands in wanted or wanted in stands)


def surfaces(in_text: bool) -> Score:
    score = Score()
    texts = {row["name"]: row["text"] for row in lines("quantities", "records")}
    for row in lines("quantities", "gold"):
        text, at = texts[row["name"]], 0
        for gold in row.get("quantities", []):
            place = text.find(gold["surface"], at)
            at = max(place, 0) + len(gold["surface"])
            found = (
                _at(text, place, at)
                if in_text
                else find_quantities(gold["surface"], RULES, evidence_for(text, Evidence()))
            )
            score.add(gold["surface"], surface_aspects(gold, found), shown(found))
    return score


def asked_for() -> Score:
    """The single surfaces behind a label, read by the pipeline for a property of their unit."""
    score = Score()
    for row in lines("quantities", "gold"):
        for gold in row.get("quantities", []):
            unit = UNIT_NAMES.get(gold["unit"], gold["unit"])
            if canonical(unit) is not None and "low" not in gold:
                prop = Property(name="reading", value_type="f64", unit=unit)
                settings = WorkflowSettings(collection="quantities", properties=(prop,))
                values = extract(f"Reading: {gold['surface']}", settings, Evidence()).values
                read = Decimal(str(values[0].value)) if values and values[0].value is not None else None
                score.add(gold["surface"], {"converted": read is not None and near(read, gold["value"])}, read)
    return score


def spans(in_text: bool) -> Score:
    score = Score()
    texts = {row["name"]: row["text"] for row in lines("measeval", "records")}
    for row in lines("measeval", "gold"):
        text, (start, end) = texts[row["name"]], row["quotes"]["quantity"]
        words = text[start:end]
        found = _at(text, start, end) if in_text else find_quantities(words, RULES, evidence_for(text, Evidence()))
        aspects = span_aspects(row["values"], text if in_text else words, found)
        if aspects:
            score.add(words, aspects, shown(found))
    return score


def _at(text: str, start: int, end: int) -> list[Quantity]:
    found = find_quantities(text, RULES, evidence_for(text, Evidence()))
    return [q for q in found if q.start < end and start < q.end]


def speed() -> dict[str, Timing]:
    """Against the least that any reader does: one regular expression over all words and numbers."""
    receipt = "\n".join(row["text"] for row in lines("sroie", "records")[:12])[:5_000]
    prose = " ".join(row["text"] for row in lines("measeval", "records")[:60])[:5_000]
    word = re.compile(r"\d+|[^\W\d_]+")
    return measure(
        {
            WORDS: lambda: word.findall(receipt),
            RECEIPTS: lambda: find_quantities(receipt, RULES, Evidence()),
            PROSE: lambda: find_quantities(prose, RULES, Evidence()),
            "evidence of 5,000 characters of receipts": lambda: evidence_for(receipt, Evidence()),
        }
    )


def main() -> None:
    if not (DATA / "quantities").is_dir():
        print("The real texts are not at hand; name their folder in REVIEWAPP_SHARED_DATA.")
        return
    runs = {
        "quantities, surfaces alone": surfaces(False),
        "quantities, in the text": surfaces(True),
        "quantities, asked for": asked_for(),
        "measeval, spans alone": spans(False),
        "measeval, in the text": spans(True),
    }
    names = ("all", "number", "unit", "range", "bound", "tolerance", "hedge", "converted")
    rows = [
        (title, score.scored["all"], *(f"{score.share(n):.3f}" if score.scored[n] else "" for n in names))
        for title, score in runs.items()
    ]
    print_table("Share right", ("set", "scored", *names), rows)
    timings = speed()
    print_timings("Speed", timings, baseline=WORDS)
    if "--misses" in sys.argv:
        for title, score in runs.items():
            print(f"\n{title}")
            print("\n".join(f"  {miss}" for miss in score.misses))
    finish(
        [
            Goal(
                "surfaces of quantities, share wrong",
                1 - runs["quantities, surfaces alone"].share(),
                SURFACES_WRONG_AT_MOST,
            ),
            Goal(
                "surfaces of quantities in their texts, share wrong",
                1 - runs["quantities, in the text"].share(),
                SURFACES_WRONG_AT_MOST,
            ),
            Goal(
                "surfaces of quantities asked for, share wrong",
                1 - runs["quantities, asked for"].share(),
                SURFACES_WRONG_AT_MOST,
            ),
            Goal("spans of measeval, share wrong", 1 - runs["measeval, spans alone"].share(), SPANS_WRONG_AT_MOST),
            Goal("5,000 characters of receipts / words", ratio(timings, RECEIPTS, WORDS), TIMES_AT_MOST),
            Goal("5,000 characters of prose / words", ratio(timings, PROSE, WORDS), TIMES_AT_MOST),
        ]
    )


if __name__ == "__main__":
    main()
