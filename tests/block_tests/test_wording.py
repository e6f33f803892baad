"""What block tests assert, in words."""

from __future__ import annotations

import pytest

from reviewapp.block_tests.wording import WORDS, in_words, key_of
from reviewapp.domain.conditions import KINDS
from tests.block_tests.conftest import asserting

SPLITS = {"splits": [{"name": "cover", "pages": [1, 2]}, {"name": "body", "pages": [3]}]}


@pytest.mark.parametrize(
    ("assertion", "words"),
    [
        (asserting("total", kind="equals", expected=100.5), "total is exactly 100.5"),
        (asserting("total", kind="equals", expected=" "), 'total is exactly " "'),
        (asserting(kind="not_exists"), "output-json-0 is not there"),
        (asserting("n", kind="compare", op=">=", expected=3), "n is a number of at least 3"),
        (asserting("n", kind="between", lower=0, upper=2.5), "n is between 0 – 2.5"),
        (asserting("s", kind="matches_regex", pattern="a+"), "s as a whole matches the pattern a+"),
        (asserting("s", kind="similarity_gte", reference="oak", threshold=0.8), "s is like oak (≥ 0.8)"),
        (
            asserting(kind="json_schema_valid", schema={"type": "object"}),
            'output-json-0 fits the schema {"type": "object"}',
        ),
        (
            asserting("l", kind="all_items_match", condition={"kind": "number_compare", "op": "gt", "expected": 0}),
            "l has only entries, each of which is a number above 0",
        ),
        (asserting("l", kind="any_item_matches", condition={"kind": "exists"}), "l has an entry that is there"),
        (
            asserting(handle="output-json-splits", kind="split_iou_gte", expected=SPLITS, threshold=0.9),
            "output-json-splits parts the pages as cover 1, 2; body 3 (≥ 0.9)",
        ),
        (asserting("s", kind="llm_judged_as", rubric="It is kind."), "s meets, as a model judges, It is kind."),
        (asserting("s", kind="equals", expected="x" * 100), f"s is exactly {'x' * 59}…"),
    ],
)
def test_words(assertion, words):
    assert in_words(assertion) == words


def test_every_kind_has_words():
    assert {key.partition(" ")[0] for key in WORDS} == set(KINDS)
    assert key_of(asserting(kind="exists").condition) == "exists"
