"""Several people on one test: shares, queues, overlap, blind review, disputes, second looks, many at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewapp import answers, disputes, many, reviewers, second_looks, tests
from reviewapp.answer_rows import answer_rows
from reviewapp.domain.answers import in_force, standing
from reviewapp.domain.shares import share
from reviewapp.domain.tests import InputFilter, Test
from reviewapp.errors import Conflict, InvalidInput, StaleAnswer
from reviewapp.workspaces import Workspace
from tests.web import world


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.in_memory() as opened:
        yield opened


@pytest.fixture
def sinks(workspace: Workspace) -> Test:
    return world.sinks(workspace)


def blind(workspace: Workspace, test: Test, overlap: int = 2) -> Test:
    return reviewers.set_overlap(workspace, test.id, overlap, by="Eve")


@pytest.mark.parametrize(
    ("positions", "people", "each", "asked", "expected"),
    [
        ([0, 1, 2], ["a"], 1, {}, [(0, "a"), (1, "a"), (2, "a")]),
        ([0, 1, 2], ["a", "b"], 1, {}, [(0, "a"), (1, "b"), (2, "a")]),
        ([0, 1], ["a", "b", "c"], 2, {}, [(0, "a"), (0, "b"), (1, "c"), (1, "a")]),
        ([0, 1], ["a", "b"], 2, {0: ["a"], 1: ["b"]}, [(0, "b"), (1, "a")]),
        ([0, 1], ["c"], 1, {0: ["a"]}, [(1, "c")]),
        ([0], ["a"], 3, {}, [(0, "a")]),
    ],
)
def test_shares(positions, people, each, asked, expected):
    assert share(positions, people, each, asked) == expected


def test_everybody_gets_equally_many():
    given = share(range(101), ["a", "b", "c", "d"], 2)
    load = [sum(person == name for _, person in given) for name in "abcd"]
    assert len(given) == len(set(given)) == 202
    assert max(load) - min(load) <= 1


def test_a_queue_holds_what_is_asked_and_still_open(workspace: Workspace, sinks: Test) -> None:
    reviewers.assign(workspace, sinks.id, ["Ann", "Ben"], shares=True, by="Eve")
    assert reviewers.assigned(workspace, sinks.id) == {"Ann": 1, "Ben": 1}
    (queue,) = reviewers.queue_of(workspace, "Ann")
    assert (queue.test.id, queue.asked, queue.open) == (sinks.id, 1, 1)
    for prop in world.PROPERTIES:
        answers.save_answer(workspace, sinks.id, 0, prop.name, "cant_tell", by="Ann")
    assert reviewers.queue_of(workspace, "Ann")[0].open == 0
    assert reviewers.queue_of(workspace, "Mara") == []
    mine = InputFilter(assigned_to="Ben")
    assert [row.position for row in tests.list_inputs(workspace, sinks.id, mine)] == [1]
    reviewers.unassign(workspace, sinks.id, "Ben", by="Eve")
    assert reviewers.assigned(workspace, sinks.id) == {"Ann": 1}


@pytest.mark.parametrize(
    ("people", "shares", "overlap", "words"),
    [
        ([" "], False, 1, "Name at least one person"),
        (["Ann"], True, 2, "wants 2 answers"),
        (["x" * 300], False, 1, "has 300"),
    ],
)
def test_who_cannot_be_asked(
    workspace: Workspace, sinks: Test, people: list[str], shares: bool, overlap: int, words: str
) -> None:
    blind(workspace, sinks, overlap)
    with pytest.raises(InvalidInput, match=words):
        reviewers.assign(workspace, sinks.id, people, shares=shares, by="Eve")


@pytest.mark.parametrize("overlap", [0, -1, 21])
def test_an_overlap_out_of_reason_is_refused(workspace: Workspace, sinks: Test, overlap: int) -> None:
    with pytest.raises(InvalidInput, match="1 to 20"):
        blind(workspace, sinks, overlap)


def give(workspace: Workspace, test: Test, by: str, decision: str, value: object = None, name: str = "width") -> None:
    answers.save_answer(workspace, test.id, 0, name, decision, by=by, value=value)  # type: ignore[arg-type]


def state(workspace: Workspace, test: Test, name: str = "width") -> str:
    test = tests.get_test(workspace, test.id)
    given = answers.answers_of_input(workspace, test.id, 0)
    return answers.standing_answers(test, tests.get_input(workspace, test.id, 0), given)[name].state


def test_equal_answers_stand_and_others_are_disputed(workspace: Workspace, sinks: Test) -> None:
    blind(workspace, sinks)
    give(workspace, sinks, "Ann", "accept")
    assert state(workspace, sinks) == "partial"
    give(workspace, sinks, "Ben", "correct", "600 mm")
    assert state(workspace, sinks) == "answered"
    give(workspace, sinks, "Ben", "correct", 61)
    assert state(workspace, sinks) == "disputed"
    assert disputes.count_disputes(workspace, sinks.id) == 1
    answers.undo(workspace, sinks.id, "Ben")
    assert disputes.count_disputes(workspace, sinks.id) == 0
    answers.redo(workspace, sinks.id, "Ben")
    assert disputes.count_disputes(workspace, sinks.id) == 1


def test_an_adjudicator_sees_who_said_what_and_decides(workspace: Workspace, sinks: Test) -> None:
    blind(workspace, sinks)
    give(workspace, sinks, "Ann", "accept")
    give(workspace, sinks, "Ben", "reject")
    (dispute,) = disputes.list_disputes(workspace, sinks.id)
    assert [(a.by, a.decision) for a in dispute.answers] == [("Ann", "accept"), ("Ben", "reject")]
    assert (dispute.label, dispute.property.name) == ("4.1 kitchen", "width")
    give(workspace, sinks, "Ben", "cant_tell")
    with pytest.raises(StaleAnswer):
        disputes.adjudicate(workspace, sinks.id, 0, "width", "accept", by="Eve", seen=dispute.seen)
    seen = answers.history(workspace, sinks.id, 0, "width")[-1].id
    disputes.adjudicate(workspace, sinks.id, 0, "width", "correct", by="Eve", value="61", seen=seen)
    assert disputes.list_disputes(workspace, sinks.id) == []
    steps = answers.history(workspace, sinks.id, 0, "width")
    decided = standing(steps, 2).answer
    assert decided is not None
    assert (decided.by, decided.value, decided.role) == ("Eve", 61, "adjudicator")
    assert set(in_force(steps)) == {"Ann", "Ben", "Eve"}


def test_more_answers_can_be_asked_for_later(workspace: Workspace, sinks: Test) -> None:
    give(workspace, sinks, "Ann", "accept")
    reviewers.assign(workspace, sinks.id, ["Ann"], shares=True, by="Eve")
    assert tests.next_open(workspace, sinks.id, InputFilter(property="width"), by="Ben") == 1
    blind(workspace, sinks)
    assert tests.next_open(workspace, sinks.id, InputFilter(property="width"), by="Ben") == 0
    reviewers.assign(workspace, sinks.id, ["Ann", "Ben"], shares=True, by="Eve")
    assert reviewers.assigned(workspace, sinks.id) == {"Ann": 2, "Ben": 2}
    give(workspace, sinks, "Ben", "reject")
    assert disputes.count_disputes(workspace, sinks.id) == 1
    blind(workspace, sinks, 3)
    assert disputes.count_disputes(workspace, sinks.id) == 0
    blind(workspace, sinks, 2)
    assert disputes.count_disputes(workspace, sinks.id) == 1
    blind(workspace, sinks, 1)
    assert disputes.count_disputes(workspace, sinks.id) == 0


def test_the_table_of_answers_is_blind_too(workspace: Workspace, sinks: Test) -> None:
    blind(workspace, sinks)
    give(workspace, sinks, "Ann", "reject")

    def seen_by(by: str | None) -> list[str | None]:
        rows = answer_rows(workspace, sinks.id, by=by)
        return [row.reviewer for row in rows if row.property == "width" and row.decision]

    assert seen_by("Ben") == []
    assert seen_by("Ann") == ["Ann"]
    assert seen_by(None) == ["Ann"]
    give(workspace, sinks, "Ben", "accept")
    assert seen_by("Ben") == ["Ann", "Ben"]


def test_agreement_per_property_and_pair(workspace: Workspace, sinks: Test) -> None:
    blind(workspace, sinks)
    assert disputes.agreement(workspace, sinks.id).pairs == ()
    give(workspace, sinks, "Ann", "accept")
    give(workspace, sinks, "Ben", "correct", 60)
    give(workspace, sinks, "Ann", "accept", name="depth")
    give(workspace, sinks, "Ben", "reject", name="depth")
    table = disputes.agreement(workspace, sinks.id)
    of = {row.property: row for row in table.properties}
    assert [(name, of[name].values, of[name].agreed) for name in (None, "width", "depth")] == [
        (None, 2, 1),
        ("width", 1, 1),
        ("depth", 1, 0),
    ]
    assert of["width"].kappa is None
    (pair,) = [row for row in table.pairs if row.property is None]
    assert (pair.a, pair.b, pair.agreement.both, pair.agreement.same, pair.agreement.share) == ("Ann", "Ben", 2, 1, 0.5)


def test_a_second_look_confirms_or_sends_back(workspace: Workspace, sinks: Test) -> None:
    give(workspace, sinks, "Ann", "accept")
    (step,) = answers.history(workspace, sinks.id, 0, "width")
    wanted = InputFilter(look="wanted", by="Ben")
    assert [r.position for r in tests.list_inputs(workspace, sinks.id, wanted)] == [0]
    assert tests.list_inputs(workspace, sinks.id, InputFilter(look="wanted", by="Ann")) == []
    second_looks.look_again(workspace, sinks.id, 0, "width", "send_back", by="Ben", seen=step.id, note="bowl?")
    assert tests.list_inputs(workspace, sinks.id, wanted) == []
    sent_back = InputFilter(unanswered=True, by="Ann", property="width")
    assert tests.next_open(workspace, sinks.id, sent_back, by="Ann") == 0
    assert tests.next_open(workspace, sinks.id, sent_back, by="Ben") == 1
    give(workspace, sinks, "Ann", "correct", 34)
    assert second_looks.looks_of_input(workspace, sinks.id, 0) == {}
    second_looks.look_again(workspace, sinks.id, 0, "width", "confirm", by="Ben")
    (look,) = second_looks.looks_of_input(workspace, sinks.id, 0).values()
    assert (look.verdict, look.by) == ("confirm", "Ben")
    assert [r.position for r in tests.list_inputs(workspace, sinks.id, InputFilter(look="confirmed"))] == [0]


def test_what_a_second_look_refuses(workspace: Workspace, sinks: Test) -> None:
    def look(by: str, verdict: str = "confirm", **more: object) -> None:
        second_looks.look_again(workspace, sinks.id, 0, "width", verdict, by=by, **more)  # type: ignore[arg-type]

    with pytest.raises(InvalidInput, match="no answer to look at"):
        look("Ben")
    give(workspace, sinks, "Ann", "accept")
    with pytest.raises(InvalidInput, match="this answer is yours"):
        look("Ann")
    with pytest.raises(StaleAnswer):
        look("Ben", seen=0)
    look("Ben")
    look("Ben")
    with pytest.raises(Conflict, match="Ben looked at this answer already and confirmed it"):
        look("Cid", "send_back")


def test_many_at_once_are_looked_at_first_and_undone_as_one(workspace: Workspace, sinks: Test) -> None:
    give(workspace, sinks, "Ann", "reject", name="material")
    found = many.find_candidates(workspace, sinks.id, support=0.9, by="Ann")
    assert found.count == 4
    assert {(v.position, v.property.name) for v in found.sample} == {
        (0, "width"), (1, "material"), (1, "width"), (1, "depth")
    }  # fmt: skip
    assert next(v for v in found.sample if v.position == 0).quote == "Width of the sink 600 mm"
    with pytest.raises(Conflict, match="now there are 4"):
        many.accept_many(workspace, sinks.id, support=0.9, count=5, by="Ann")
    assert many.accept_many(workspace, sinks.id, support=0.9, count=4, by="Ann") == 4
    assert tests.counts(workspace, sinks.id).answered == 5
    with pytest.raises(InvalidInput, match="still unanswered"):
        many.accept_many(workspace, sinks.id, support=0.9, count=0, by="Ann")
    answers.undo(workspace, sinks.id, "Ann")
    assert tests.counts(workspace, sinks.id).answered == 1
    answers.redo(workspace, sinks.id, "Ann")
    assert tests.counts(workspace, sinks.id).answered == 5
    answers.undo(workspace, sinks.id, "Ann")
    answers.undo(workspace, sinks.id, "Ann")
    assert tests.counts(workspace, sinks.id).answered == 0


def test_many_at_once_stay_inside_a_filter(workspace: Workspace, sinks: Test) -> None:
    only = InputFilter(property="width")
    assert many.find_candidates(workspace, sinks.id, support=0.5, by="Ann", filter=only).count == 2
    assert many.find_candidates(workspace, sinks.id, support=0.905, by="Ann", filter=only).count == 1
