from __future__ import annotations

import pytest

from reviewapp.evals.sampling import Candidate, choose, knowledge, likeness, uncertainty, words_of

INVOICE = words_of("Invoice 2024-118 total amount due 118.00 EUR payment within thirty days")
INVOICE_AGAIN = words_of("Invoice 2025-900 total amount due 900.50 EUR payment within thirty days")
DOOR = words_of("Steel door with frame, fire rated, powder coated, including handle and lock")


@pytest.mark.parametrize(
    ("supports", "expected"),
    [([], 0.3), ([0.8], 1.0), ([0.0], 0.0), ([0.4], 0.5), ([1.0, 0.81], pytest.approx(1 - 0.0125)), ([1.0], 0.75)],
)
def test_uncertainty_is_nearness_to_the_gate(supports: list[float], expected: float) -> None:
    assert uncertainty((s, 0.8) for s in supports) == expected


def test_another_amount_is_the_same_kind_of_text() -> None:
    assert likeness(INVOICE, INVOICE_AGAIN) > 0.8
    assert likeness(INVOICE, DOOR) < 0.1


def test_what_is_unlike_the_answered_comes_first() -> None:
    candidates = [Candidate("another invoice", INVOICE_AGAIN, 0.3), Candidate("door", DOOR, 0.3)]
    picks = choose(candidates, [INVOICE], 2)
    assert [p.key for p in picks] == ["door", "another invoice"]
    assert picks[0].reasons == ("unlike the texts answered",)


def test_the_chosen_are_unlike_each_other() -> None:
    candidates = [Candidate("a", INVOICE, 0.5), Candidate("b", INVOICE_AGAIN, 0.5), Candidate("c", DOOR, 0.5)]
    assert [p.key for p in choose(candidates, [], 2)] == ["a", "c"]


def test_disputed_and_uncertain_ones_come_first() -> None:
    candidates = [
        Candidate("sure", DOOR, 0.0),
        Candidate("near the gate", DOOR, 0.9),
        Candidate("disputed", DOOR, 0.1, disputed=True),
    ]
    picks = choose(candidates, [DOOR], 3)
    assert [p.key for p in picks] == ["disputed", "near the gate", "sure"]
    assert [p.reasons for p in picks] == [("people disagree",), ("a value near the gate",), ("adds to what is known",)]


def test_no_more_than_there_are() -> None:
    assert choose([], [DOOR], 5) == []
    assert len(choose([Candidate("a", DOOR, 0.1)], [], 5)) == 1


def test_what_answers_can_tell() -> None:
    found = knowledge("width", 9, 10)
    assert found.interval is not None
    assert found.interval.low < 0.9 < found.interval.high
    assert found.more > 100
    assert knowledge("width", 0, 0).interval is None
    assert knowledge("width", 990, 1_000).more == 0
