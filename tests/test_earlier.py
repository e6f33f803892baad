from __future__ import annotations

import pytest

from reviewapp.answers import answers_of_input as answers_on
from reviewapp.answers import save_answer, standing_answers
from reviewapp.datasets import items, save_dataset
from reviewapp.domain.tests import ReadValue
from reviewapp.earlier import earlier_answers, origins, take_over
from reviewapp.errors import InvalidInput
from reviewapp.store import Workspace
from reviewapp.tests import get_input, get_test
from tests.builders import WIDTH, done, value

TEXT = "Width 60 cm, height 70 cm"
SIXTY = value("width", 60.0, text=TEXT, quote="60 cm")
SEVENTY = value("width", 70.0, text=TEXT, quote="70 cm")


@pytest.mark.parametrize(
    ("then", "said", "corrected", "now", "offered"),
    [
        (SIXTY, "accept", None, SIXTY, ("accept", None)),
        (SIXTY, "accept", None, SEVENTY, ("correct", 60.0)),
        (SIXTY, "accept", None, None, ("correct", 60.0)),
        (SEVENTY, "correct", 60, SIXTY, ("accept", None)),
        (SEVENTY, "correct", 60, SEVENTY, ("correct", 60.0)),
        (None, "correct", 60, None, ("correct", 60.0)),
        (None, "accept", None, None, ("accept", None)),
        (None, "accept", None, SIXTY, ("reject", None)),
        (SEVENTY, "reject", None, SEVENTY, ("reject", None)),
        (SEVENTY, "reject", None, SIXTY, None),
        (SEVENTY, "reject", None, None, None),
        (SIXTY, "cant_tell", None, SEVENTY, ("cant_tell", None)),
    ],
)
def test_an_earlier_answer_in_the_terms_of_what_is_read_now(
    workspace: Workspace,
    then: ReadValue | None,
    said: str,
    corrected: float | None,
    now: ReadValue | None,
    offered: tuple[str, float | None] | None,
) -> None:
    first = done(workspace, {"a": TEXT}, {"a": [then] if then else []}, properties=[WIDTH])
    save_answer(workspace, first.id, 0, "width", said, value=corrected, note="seen", by="ann")  # type: ignore[arg-type]
    second = done(workspace, {"a": TEXT}, {"a": [now] if now else []}, properties=[WIDTH])
    found = earlier_answers(workspace, second.id, 0)
    assert {n: (e.decision, e.value) for n, e in found.items()} == ({} if offered is None else {"width": offered})
    if offered is None:
        with pytest.raises(InvalidInput, match="No earlier answer"):
            take_over(workspace, second.id, 0, "width", by="bob")
        return
    assert (found["width"].by, found["width"].number, found["width"].note) == ("ann", 1, "seen")
    given = take_over(workspace, second.id, 0, "width", by="bob", seen=0)
    assert (given.decision, given.value, given.by, given.note) == (*offered, "bob", "seen")
    (origin,) = origins(workspace, second.id, 0).values()
    assert (origin.by, origin.number) == ("ann", 1)


def test_a_corrected_value_keeps_the_words_that_state_it(workspace: Workspace) -> None:
    first = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    save_answer(workspace, first.id, 0, "width", "accept", by="ann")
    second = done(workspace, {"a": TEXT}, {"a": [SEVENTY]}, properties=[WIDTH])
    given = take_over(workspace, second.id, 0, "width", by="bob")
    assert (given.quote, [s.cut(TEXT) for s in given.spans]) == ("60 cm", ["60 cm"])
    save_dataset(workspace, second.id, by="bob")
    test = get_test(workspace, second.id)
    ((_, item),) = items(workspace, str(test.dataset))
    assert item.values[0].quote == "60 cm"


def test_the_newest_test_speaks_and_only_of_the_same_text_and_property(workspace: Workspace) -> None:
    for decision in ("reject", "accept"):
        test = done(workspace, {"a": TEXT, "b": "other"}, {"a": [SIXTY]}, properties=[WIDTH])
        save_answer(workspace, test.id, 0, "width", decision, by="ann")  # type: ignore[arg-type]
    third = done(workspace, {"a": TEXT, "b": "other"}, {"a": [SIXTY]}, properties=[WIDTH])
    assert earlier_answers(workspace, third.id, 0)["width"].decision == "accept"
    assert earlier_answers(workspace, third.id, 1) == {}
    in_mm = WIDTH.model_copy(update={"unit": "mm"})
    fourth = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[in_mm])
    assert earlier_answers(workspace, fourth.id, 0) == {}
    changed = done(workspace, {"a": TEXT + "."}, {"a": [SIXTY]}, properties=[WIDTH])
    assert earlier_answers(workspace, changed.id, 0) == {}


def test_an_answer_given_anew_is_not_marked(workspace: Workspace) -> None:
    first = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    save_answer(workspace, first.id, 0, "width", "accept", by="ann")
    second = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    taken = take_over(workspace, second.id, 0, "width", by="bob")
    own = save_answer(workspace, second.id, 0, "width", "reject", by="bob")
    assert set(origins(workspace, second.id, 0)) == {taken.id}
    steps = answers_on(workspace, second.id, 0)
    standing = standing_answers(get_test(workspace, second.id), get_input(workspace, second.id, 0), steps)["width"]
    assert standing.answer == own
    assert own.id not in origins(workspace, second.id, 0)


def test_an_older_test_learns_nothing_from_a_newer_one(workspace: Workspace) -> None:
    first = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    second = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    save_answer(workspace, second.id, 0, "width", "accept", by="ann")
    assert earlier_answers(workspace, first.id, 0) == {}


def test_independent_reviewers_see_their_own_only(workspace: Workspace) -> None:
    first = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH])
    save_answer(workspace, first.id, 0, "width", "accept", by="ann")
    second = done(workspace, {"a": TEXT}, {"a": [SIXTY]}, properties=[WIDTH], overlap=2)
    assert earlier_answers(workspace, second.id, 0, by="bob") == {}
    assert set(earlier_answers(workspace, second.id, 0, by="ann")) == {"width"}
