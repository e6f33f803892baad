from __future__ import annotations

from typing import Any

import pytest

from reviewapp.evals.comparison import Pairing, changes, in_words


def rows(**kinds: str) -> list[dict[str, Any]]:
    return [{"property": name, "kinds": {"written": kind, "read": kind}} for name, kind in kinds.items()]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("wrong", "right", "fixed"),
        ("missing", "right", "fixed"),
        ("forbidden", "clean", "fixed"),
        ("right", "missing", "broken"),
        ("clean", "forbidden", "broken"),
        ("right", "right", "still right"),
        ("clean", "clean", "still right"),
        ("missing", "wrong", "still wrong"),
    ],
)
def test_what_became_of_a_value(before: str, after: str, kind: str) -> None:
    assert changes(rows(p=before), rows(p=after), "written") == [("p", kind)]


def test_what_nobody_can_judge_is_not_compared() -> None:
    assert changes(rows(p="unjudged"), rows(p="right"), "written") == []


def test_a_property_with_several_values_is_right_when_all_are() -> None:
    two = [*rows(p="right"), *rows(p="missing")]
    assert changes(two, [*rows(p="right"), *rows(p="right")], "written") == [("p", "fixed")]


@pytest.mark.parametrize(
    ("fixed", "broken", "values", "p", "more", "words"),
    [
        (0, 0, 0, 1.0, None, "nothing to compare"),
        (0, 0, 9, 1.0, None, "no difference: the same values are right"),
        (9, 0, 50, 0.004, None, "very likely better"),
        (1, 9, 50, 0.021, None, "likely worse"),
        (3, 3, 50, 1.0, None, "could be chance: as many were fixed as broke"),
        (4, 1, 50, 0.4, 1, "could be chance: about 1 more answered value would tell"),
        (4, 1, 50, 0.4, 1200, "could be chance: about 1,200 more answered values would tell"),
    ],
)
def test_in_words(fixed: int, broken: int, values: int, p: float, more: int | None, words: str) -> None:
    assert in_words(fixed, broken, values, p, more) == words


def test_a_pairing_adds_up() -> None:
    pairing = Pairing("written")
    for _ in range(10):
        pairing.add(rows(p="wrong", q="right"), rows(p="right", q="right"))
    pairing.add(rows(p="right", q="right"), rows(p="missing", q="right"))
    found = pairing.result(["q", "p"])
    assert list(found.properties) == ["q", "p"]
    p = found.properties["p"]
    assert (p.fixed, p.broken, p.values, p.words) == (10, 1, 11, "likely better")
    assert p.p == pytest.approx(2 * (1 + 11) / 2**11)
    assert (p.f1_before, p.f1_after) == (pytest.approx(1 / 11), pytest.approx(20 / 21))
    assert found.properties["q"].words == "no difference: the same values are right"
    assert p.difference is not None
    assert p.difference.low > 0
    assert found.total.more is None


def test_more_answers_are_named_while_it_can_be_chance() -> None:
    pairing = Pairing("written")
    for n in range(30):
        kinds = ("wrong", "right") if n < 4 else ("right", "missing") if n < 6 else ("right", "right")
        pairing.add(rows(p=kinds[0]), rows(p=kinds[1]))
    total = pairing.result().total
    assert total.p > 0.05
    assert total.more is not None
    assert f"about {total.more:,} more" in total.words
