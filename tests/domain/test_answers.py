"""Which answers count, and which one stands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reviewapp.domain.answers import Answer, Standing, agree, in_force, same_value, standing, visible

NO, YES = "reject", "accept"


def steps(*rows: str | tuple) -> list[Answer]:
    """``"ann accept"``, ``("ann correct", 12)``, ``"ann undo 2"``, ``"eve! reject"`` (adjudicator), ``"ann null"``."""
    made: list[Answer] = []
    for id, row in enumerate(rows, start=1):
        words, value = (row, None) if isinstance(row, str) else row
        by, decision, *undoes = words.split()
        made.append(
            Answer(
                id=id,
                test="wtest_1",
                position=0,
                property="width",
                by=by.rstrip("!"),
                at=datetime(2026, 1, 1, tzinfo=UTC),
                decision=None if decision in ("null", "undo") else decision,
                value=value,
                role="adjudicator" if by.endswith("!") else "reviewer",
                undoes=int(undoes[0]) if undoes else None,
            )
        )
    return made


@pytest.mark.parametrize(
    ("rows", "counting"),
    [
        ([], {}),
        (["ann accept"], {"ann": 1}),
        (["ann accept", "tom reject"], {"ann": 1, "tom": 2}),
        (["ann accept", "ann reject"], {"ann": 2}),
        (["ann accept", "ann null"], {}),
        (["ann accept", "ann null", "ann reject"], {"ann": 3}),
        (["ann accept", "ann undo 1"], {}),
        (["ann accept", "ann cant_tell", "ann undo 2"], {"ann": 1}),
        (["ann accept", "ann cant_tell", "ann undo 2", "ann undo 1"], {}),
        (["ann accept", "ann undo 1", "ann undo 2"], {"ann": 1}),  # undo, redo
        (["ann accept", "ann undo 1", "ann undo 2", "ann undo 1"], {}),  # undo, redo, undo
        (["ann accept", "ann null", "ann undo 2"], {"ann": 1}),
        (["ann accept", "tom reject", "ann undo 1"], {"tom": 2}),
        (["ann accept", "ann undo 1", "ann reject"], {"ann": 3}),
    ],
)
def test_in_force(rows, counting):
    assert {by: answer.id for by, answer in in_force(steps(*rows)).items()} == counting


@pytest.mark.parametrize(
    ("rows", "overlap", "state", "stands"),
    [
        ([], 1, "open", None),
        (["ann accept"], 1, "answered", 1),
        (["ann accept", "tom reject"], 1, "answered", 2),
        (["ann accept", "tom reject", "tom undo 2"], 1, "answered", 1),
        (["ann accept", "tom reject", "ann cant_tell", "ann undo 3"], 1, "answered", 2),  # undo does not overtake Tom
        (["ann accept", "ann null"], 1, "open", None),
        (["ann accept"], 2, "partial", None),
        (["ann accept", "tom accept"], 2, "answered", 2),
        (["ann accept", "tom reject"], 2, "disputed", None),
        (["ann accept", "ann accept"], 2, "partial", None),  # the same person twice is one reviewer
        (["ann accept", "tom reject", "eve accept"], 2, "answered", 3),
        (["ann accept", "tom reject", "eve cant_tell"], 2, "disputed", None),
        (["ann accept", "tom reject"], 3, "partial", None),
        (["ann accept", "tom reject", "eve! reject"], 2, "answered", 3),
        (["eve! reject", "ann accept", "tom accept"], 2, "answered", 1),
        (["eve! reject", "ann accept"], 1, "answered", 1),
        (["ann cant_tell", "tom cant_tell"], 2, "answered", 2),
        ([("ann correct", 12), ("tom correct", 12.0)], 2, "answered", 2),
        ([("ann correct", "Light blue"), ("tom correct", "light  BLUE")], 2, "answered", 2),
        ([("ann correct", 12), ("tom correct", 13)], 2, "disputed", None),
        ([("ann correct", "12"), ("tom correct", 12)], 2, "answered", 2),
        (["ann accept", ("tom correct", 7)], 2, "answered", 2),  # 7 is what was read
        (["ann accept", ("tom correct", 8)], 2, "disputed", None),
        (["ann reject", ("tom correct", 7)], 2, "disputed", None),
    ],
)
def test_standing(rows, overlap, state, stands):
    found = standing(steps(*rows), overlap, read=7)
    assert (found.state, found.answer and found.answer.id) == (state, stands)


@pytest.mark.parametrize(
    ("rows", "overlap", "seen"),
    [
        (["ann accept"], 1, [1]),
        (["ann accept"], 2, []),
        (["ann accept", "bob reject"], 2, [1, 2]),
        (["ann accept", "bob reject", "bob null"], 2, [2, 3]),
        (["bob reject", "ann accept"], 2, [1, 2]),
    ],
)
def test_blind_review_shows_bob_nothing_before_his_own_answer(rows, overlap, seen):
    assert [step.id for step in visible(steps(*rows), "bob", overlap)] == seen


def test_to_accept_that_none_is_stated_is_not_to_correct():
    first, second = steps("ann accept", ("tom correct", 7))
    assert not agree(first, second)
    assert standing([first, second], 2) == Standing(state="disputed")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (12, 12.0, True),
        (0.1 + 0.2, 0.3, True),
        (True, 1, False),
        (True, True, True),
        (9007199254740993, 9007199254740992, False),
        ("02138", "2138", False),
        ("2026-11-30", "2026-11-30", True),
        ("Ä b", "ä  B", True),
        (0, False, False),
    ],
)
def test_same_value(a, b, same):
    assert same_value(a, b) is same
