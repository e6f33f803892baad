"""Evaluators of eval sets against the package's own, on the same nested object of 20 keys.

    python -m bench.evaluators

The package lives in a venv of its own (tests/evals/eval_sets/package.py makes it once); both sides get the criteria as
plain JSON, outputs and expectations that share nothing. Its log is off and its tracing has no exporter. The package
always writes both sides out as text for the details of a score; here they are written when somebody looks at them,
which is a column of its own. Times are of the processor, so that other work on the machine counts for neither side.
"""

from __future__ import annotations

import copy
import time
from typing import Any

from bench.harness import Goal, duration, finish, print_table
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.table import configured
from tests.evals.eval_sets.package import VERSION, ask

SHARE_AT_MOST = 0.1
"""Our time as a share of the package's: ten times its speed."""
TIMES = 400
ROUNDS = 5
KINDS = {"exact match": "uipath-exact-match", "JSON similarity": "uipath-json-similarity"}

EXPECTED: dict[str, Any] = {
    "invoice": "INV-2024-0117",
    "date": "2024-03-04",
    "paid": False,
    "supplier": {"name": "Quayside Hardware", "vat": "DE129273398", "city": "Bremen", "rating": 4},
    "totals": {"net": 1204.5, "tax": 228.86, "gross": 1433.36, "currency": "EUR"},
    "lines": [
        {"sku": "A-100", "quantity": 12, "price": 40.0},
        {"sku": "B-220", "quantity": 3, "price": 241.5},
    ],
    "note": None,
    "terms": {"days": 30, "discount": 0.02, "words": "2 % within ten days"},
}
"""20 keys below the top one, three levels."""
ACTUAL = {
    **EXPECTED,
    "supplier": {**EXPECTED["supplier"], "name": "Quayside Hardwear"},
    "totals": {**EXPECTED["totals"], "gross": 1433.0},
}


def main() -> None:
    rows, goals = [], []
    for words, kind in KINDS.items():
        for case, given in (("equal", EXPECTED), ("two leaves differ", ACTUAL)):
            output, criteria = copy.deepcopy(given), {"expectedOutput": EXPECTED}
            job = {"do": "time", "type": kind, "config": {}, "criteria": criteria, "output": output, "times": TIMES}
            theirs = ask([job])[0]["seconds"]
            ours, looked_at = (_seconds(kind, criteria, output, look=look) for look in (False, True))
            times = [f"{theirs / one:.1f}" for one in (ours, looked_at)]
            rows.append((f"{words}, {case}", duration(theirs), duration(ours), times[0], duration(looked_at), times[1]))
            goals.append(Goal(f"{words}, {case}: share of the package's time", ours / theirs, SHARE_AT_MOST))
    columns = ("evaluator", f"uipath {VERSION}", "reviewapp", "times as fast", "with details", "times as fast")
    print_table("One row of 20 keys", columns, rows)
    finish(goals)


def _seconds(kind: str, criteria: dict[str, Any], output: dict[str, Any], *, look: bool) -> float:
    evaluator = configured(kind, {})
    row = Row(output)
    found = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(TIMES):
            scored = evaluator.evaluate(row, criteria)
            if look:
                _ = scored.details
        found.append((time.process_time() - begun) / TIMES)
    return min(found)


if __name__ == "__main__":
    main()
