"""Agreement: worked examples, and where kappa is not defined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.evals.agreement import agreement_of, cohen_kappa, fleiss_kappa

TWENTY_FIVE_TIMES = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
"""Fifty grants, two readers: 70 % agreed, 50 % by chance, kappa 0.4."""

FLEISS_TABLE = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip
"""Fourteen raters, ten things, five words: kappa 0.210 (the example given with Fleiss' kappa in the literature)."""


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        (TWENTY_FIVE_TIMES, 0.4),
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        ([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")], 0.5),
        ([("a", "a"), ("a", "a")], None),
        ([], None),
        ([("a", "b")], 0.0),
    ],
)
def test_cohens_kappa(pairs, kappa):
    assert cohen_kappa(pairs) == (None if kappa is None else pytest.approx(kappa))


def test_agreement_of_two():
    found = agreement_of(TWENTY_FIVE_TIMES)
    assert (found.both, found.same, found.share) == (50, 35, 0.7)
    assert agreement_of([]).share is None


@pytest.mark.parametrize(
    ("rows", "kappa"),
    [
        ([[word for word, n in zip("abcde", row, strict=True) for _ in range(n)] for row in FLEISS_TABLE], 0.210),
        ([["a", "a"], ["b", "b"]], 1.0),
        ([["a", "a"], ["a", "a"]], None),
        ([["a"]], None),
        ([], None),
    ],
)
def test_fleiss_kappa(rows, kappa):
    assert fleiss_kappa(rows) == (None if kappa is None else pytest.approx(kappa, abs=0.001))


def test_rows_of_different_lengths_are_a_mistake():
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([["a", "b"], ["a"]])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=30))
def test_kappa_does_not_care_who_is_first(pairs):
    assert cohen_kappa(pairs) == cohen_kappa([(b, a) for a, b in pairs])
    kappa = cohen_kappa(pairs)
    assert kappa is None or -1 <= kappa <= 1
