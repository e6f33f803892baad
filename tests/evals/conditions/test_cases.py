"""Every case of the shared table of conditions."""

from __future__ import annotations

import json

import pytest
from pydantic import TypeAdapter

from reviewapp.domain.conditions import Condition
from reviewapp.evals.conditions import check
from tests.conftest import SHARED_DATA

CASES = SHARED_DATA.parent / "spec" / "conditions_cases.json"
condition = TypeAdapter(Condition)


def _cases():
    if not CASES.is_file():
        return [pytest.param(None, marks=pytest.mark.skip("the shared table of conditions is not at hand"))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(CASES.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", _cases())
def test_case(case):
    output = case["output"] if "output" in case else case["actual"]
    judgement = check(output, case.get("path"), condition.validate_python(case["condition"]))
    assert judgement.outcome == case["expected_outcome"], case["note"]
    assert (judgement.failure is None) == (judgement.outcome == "passed")
    if judgement.outcome == "blocked":
        assert judgement.failure.details.keys() >= {"partial_path", "partial_value"}
