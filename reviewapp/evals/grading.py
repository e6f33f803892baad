"""Grading: the values of a run held against what a dataset's item expects.

Every property that the item speaks of gets its verdicts, on two bases at once: the values that the run writes by
itself, and those that it writes or shows a person. A property that the item does not speak of is not graded.

=====================  ==========================  ============================================
the item               the run gives               verdict
=====================  ==========================  ============================================
expects v              v                           right
expects v              another value               wrong (counts against precision and recall)
expects v              nothing                     missing
expects v              v and another one           right, and wrong for the other one
leaves out any value   a value                     forbidden
leaves out w           w                           forbidden
leaves out w           another value               unjudged: nobody said what is right
leaves out something   nothing                     clean
=====================  ==========================  ============================================

Values are equal as the answer key's rule says (`same`). Nothing else counts: neither quotes nor where they stand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reviewapp.domain.datasets import Item
from reviewapp.domain.evaluations import BASES, Basis, CaseResult, Counts, Score, VerdictKind
from reviewapp.domain.ids import content_hash
from reviewapp.domain.values import RELATIVE_TOLERANCE

ANSWER_KEY = "answer-key"
"""The evaluator's name in runs."""
COUNTED: Mapping[Basis, frozenset[str]] = {
    "written": frozenset({"written"}),
    "read": frozenset({"written", "review"}),
}
_NEARNESS = ("written", "review", "weak_support", "invalid_value", "quote_not_found")
"""Which of several values is taken first; other outcomes are never looked at."""
FAULTY: frozenset[VerdictKind] = frozenset({"wrong", "missing", "forbidden"})
KINDS: tuple[VerdictKind, ...] = ("right", "wrong", "missing", "forbidden", "clean", "unjudged")


def criteria_of(item: Item) -> dict[str, Any]:
    """What `AnswerKey` needs of an item, as plain JSON."""
    return {
        "values": [_entry(e.property, e.value, e.accept) for e in item.values],
        "leave_out": [_entry(e.property, e.value, e.accept) for e in item.leave_out],
    }


def _entry(property: str, value: Any, accept: tuple[str, ...] | None) -> dict[str, Any]:
    entry = {"property": property, "value": value}
    return entry if accept is None else {**entry, "accept": list(accept)}


class AnswerKey:
    """The evaluator of datasets.

    Output: ``{"values": [{"property", "value", "quote"?, "outcome"?, "support"?}]}``, outcome by default `written`.
    Criteria: as `criteria_of` gives them. The score is the share of verdicts without fault on what is written; details
    are ``{"key": hash of the criteria, "verdicts": [Verdict as JSON]}``.
    """

    fingerprint = None

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:  # noqa: ARG002
        rows = verdicts(criteria, output["values"])
        judged = [row["kinds"]["written"] for row in rows if row["kinds"]["written"] != "unjudged"]
        good = sum(kind not in FAULTY for kind in judged)
        return Score(
            value=good / len(judged) if judged else 1,
            details={"key": content_hash(criteria)[:16], "verdicts": rows},
        )


def why_ungraded(result: CaseResult) -> str | None:
    """Why an item has no verdicts: it could not be read, or not be judged; None: it has them."""
    score = result.scores.get(ANSWER_KEY)
    if result.execution.failed is not None or score is None:
        return result.execution.failed or "nothing was judged"
    return score.error


def verdicts_of(result: CaseResult) -> list[dict[str, Any]] | None:
    """The verdicts of a graded item, as plain JSON (`Verdict`); None where there are none (`why_ungraded`)."""
    return None if why_ungraded(result) is not None else result.scores[ANSWER_KEY].details["verdicts"]


def verdicts(criteria: Mapping[str, Any], values: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Verdicts as plain JSON (`Verdict`), by property in the order of the criteria."""
    expected: dict[str, list[Mapping[str, Any]]] = {}
    banned: dict[str, list[Mapping[str, Any]]] = {}
    for side, entries in ((expected, criteria["values"]), (banned, criteria["leave_out"])):
        for entry in entries:
            side.setdefault(entry["property"], []).append(entry)
    found: dict[str, list[Mapping[str, Any]]] = {}
    for value in values:
        if value.get("outcome", "written") in _NEARNESS:
            found.setdefault(value["property"], []).append(value)
    rows = []
    for name in dict.fromkeys([*expected, *banned]):
        given = sorted(found.get(name, ()), key=lambda v: _NEARNESS.index(v.get("outcome", "written")))
        rows += _of_property(name, expected.get(name, []), banned.get(name, []), given)
    return rows


def _of_property(
    name: str,
    expected: Sequence[Mapping[str, Any]],
    banned: Sequence[Mapping[str, Any]],
    given: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    left = list(given)
    pairs: list[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None, bool]] = []
    unmet = []
    for entry in expected:
        match = next((v for v in left if same(entry, v["value"])), None)
        if match is None:
            unmet.append(entry)
        else:
            left.remove(match)
            pairs.append((entry, match, True))
    for entry in unmet:
        pairs.append((entry, left.pop(0) if left else None, False))
    if expected:
        pairs += [(None, v, False) for v in left if v.get("outcome", "written") in COUNTED["read"]]
    elif left:
        pairs += [(None, v, False) for v in left[:1]]
        pairs += [(None, v, False) for v in left[1:] if v.get("outcome", "written") in COUNTED["read"]]
    else:
        pairs.append((None, None, False))
    return [
        {
            "property": name,
            "kinds": {basis: _kind(basis, entry, value, right, bool(expected), banned) for basis in BASES},
            "expected": None if entry is None else entry["value"],
            "found": None if value is None else {"property": name, **value},
        }
        for entry, value, right in pairs
    ]


def _kind(
    basis: Basis,
    entry: Mapping[str, Any] | None,
    value: Mapping[str, Any] | None,
    right: bool,
    any_expected: bool,
    banned: Sequence[Mapping[str, Any]],
) -> VerdictKind:
    if value is None or value.get("outcome", "written") not in COUNTED[basis]:
        return "clean" if entry is None else "missing"
    if entry is not None:
        return "right" if right else "wrong"
    if any(b["value"] is None or same(b, value["value"]) for b in banned):
        return "forbidden"
    return "wrong" if any_expected else "unjudged"


def same(entry: Mapping[str, Any], found: Any) -> bool:
    """Whether a value is the one that an entry of the answer key means.

    Numbers compare as numbers: 60, 60.0 and ``"60"`` are equal, 0.3 and 0.30000000000000004 too (1e-9 relative; two
    whole numbers exactly). A yes or no is equal to itself and to its word. A text is trimmed and lower-cased and must
    be among `accept` where there is such a list (the entry's own value is then not implied), else equal the value.
    """
    wanted = entry["value"]
    if wanted is None or found is None:
        return False
    if isinstance(wanted, bool):
        return found is wanted or _folded(found) == ("true" if wanted else "false")
    if isinstance(wanted, int | float):
        return not isinstance(found, bool) and _same_number(wanted, found)
    accept = entry.get("accept")
    text = _folded(found)
    return text == _folded(wanted) if accept is None else text in {_folded(a) for a in accept}


def _same_number(wanted: float, found: Any) -> bool:
    try:
        if isinstance(found, str):
            found = int(found) if found.strip().lstrip("+-").isdecimal() else float(found)
        if isinstance(wanted, int) and isinstance(found, int):
            return wanted == found
        return math.isclose(wanted, found, rel_tol=RELATIVE_TOLERANCE, abs_tol=0)
    except (ValueError, OverflowError):  # no number, or one beyond all floating-point numbers
        return False


def _folded(value: Any) -> str:
    """``str`` trimmed and lower-cased, as the answer key's rule has it; a yes or no is its word."""
    return str(value).strip().lower()


class Tally:
    """Adds up verdicts of any number of items in little memory: how many items have each pattern of counts."""

    def __init__(self) -> None:
        self.patterns: dict[Basis, dict[str, Counter[tuple[int, ...]]]] = {basis: {} for basis in BASES}
        """By property (``""``: all together): counts by `KINDS` of one item → how many items have them."""
        self.items = self.failed = self.seen = 0
        self.right: Counter[Basis] = Counter()

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take in the verdicts of one item."""
        self.items += 1
        counted: dict[tuple[Basis, str], list[int]] = {}
        faulty = dict.fromkeys(BASES, False)
        for row in rows:
            for basis in BASES:
                kind = row["kinds"][basis]
                faulty[basis] |= kind in FAULTY
                for name in ("", row["property"]):
                    counted.setdefault((basis, name), [0] * len(KINDS))[KINDS.index(kind)] += 1
        for (basis, name), counts in counted.items():
            self.patterns[basis].setdefault(name, Counter())[tuple(counts)] += 1
        for basis in BASES:
            self.right[basis] += not faulty[basis]

    def fail(self) -> None:
        """Take in an item that could not be read."""
        self.failed += 1

    def pass_over(self) -> None:
        """Take note of an item that the revision learnt from."""
        self.seen += 1

    def counts(self, basis: Basis, name: str = "") -> Counts:
        """Of one property, or of all together."""
        totals = [0] * len(KINDS)
        for pattern, items in self.patterns[basis].get(name, Counter()).items():
            for place, count in enumerate(pattern):
                totals[place] += count * items
        return Counts(**dict(zip(KINDS, totals, strict=True)))
