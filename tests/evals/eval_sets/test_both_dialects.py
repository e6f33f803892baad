"""What the strict dialect takes for equal, the package does too; never the other way round in general."""

from __future__ import annotations

import json
import random
from typing import Any

from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.strict import strict_verdict
from reviewapp.evals.eval_sets.table import configured
from tests.evals.eval_sets.generated import document, near, path

ROWS = 6_000


def keys(draw: random.Random, expected: dict[str, Any]) -> Any:
    """A target without indexes, or several."""
    found = [one for one in (path(draw, expected) for _ in range(8)) if not set("[]") & set(one) and one.strip(".")]
    if not found or draw.random() < 0.3:
        return "*"
    return found[0] if draw.random() < 0.7 else found[:2]


def test_a_strict_pass_is_a_pass_of_the_package() -> None:
    draw = random.Random(9)
    passed = differed = 0
    for _ in range(ROWS):
        expected = document(draw)
        if str(10**400) in json.dumps(expected):
            continue  # beyond floats
        output = json.loads(json.dumps(expected)) if draw.random() < 0.4 else near(draw, expected)
        target = keys(draw, expected)
        verdict = strict_verdict(output, expected, target)
        scored = configured("uipath-exact-match", {"targetOutputKey": target}).evaluate(
            Row(output), {"expectedOutput": expected}
        )
        if verdict == "PASS":
            passed += 1
            assert scored.score == 1, json.dumps([target, output, expected])
        else:
            differed += scored.score == 1
    assert passed > ROWS / 10
    assert differed > 0
