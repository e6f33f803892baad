"""Undo and redo, step by step."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reviewapp import answers as use
from reviewapp.domain.answers import in_force
from reviewapp.store import Workspace
from reviewapp.tests import counts
from tests.answers.conftest import READINGS, TEXTS, answer
from tests.builders import done


def test_accept_change_undo(workspace, test_id):
    answer(workspace, test_id, "accept", note="fine")
    answer(workspace, test_id, "cant_tell")
    undone = use.undo(workspace, test_id, "ann")
    assert undone is not None
    assert (undone.decision, undone.note, undone.undoes) == ("accept", "fine", 2)
    history = use.history(workspace, test_id, 0, "width")
    assert [a.decision for a in history] == ["accept", "cant_tell", "accept"]
    assert in_force(history)["ann"].id == 1
    assert counts(workspace, test_id).answered == 1


def test_undo_walks_back_over_inputs_and_redo_forward(workspace, test_id):
    answer(workspace, test_id, "accept")
    answer(workspace, test_id, "accept", position=2)
    answer(workspace, test_id, "cant_tell", by="tom", property="colour")
    answer(workspace, test_id, "correct", value="5")
    places = []
    while step := use.undo(workspace, test_id, "ann"):
        places.append((step.position, step.decision))
    assert places == [(0, "accept"), (2, None), (0, None)]
    assert counts(workspace, test_id).answered == 1  # Tom's
    places = []
    while step := use.redo(workspace, test_id, "ann"):
        places.append((step.position, step.decision, step.value))
    assert places == [(0, "accept", None), (2, "accept", None), (0, "correct", 5.0)]
    use.undo(workspace, test_id, "ann")
    answer(workspace, test_id, "reject")
    assert use.redo(workspace, test_id, "ann") is None  # something new was answered since
    assert use.undo(workspace, test_id, "eve") is None


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["accept", "reject", "cant_tell", None]), st.sampled_from(["width", "colour"])),
            st.sampled_from(["undo", "redo"]),
        ),
        max_size=14,
    )
)
def test_undo_and_redo_act_like_an_editor(actions):
    """Whatever is done, the answers in force are those of a plain stack of states."""
    with Workspace.in_memory() as workspace:
        test = done(workspace, {"a": TEXTS["a"]}, {"a": READINGS["a"]})
        states: list[dict[str, str]] = [{}]
        at = 0
        for action in actions:
            if action == "undo":
                assert (use.undo(workspace, test.id, "ann") is not None) == (at > 0)
                at = max(0, at - 1)
            elif action == "redo":
                assert (use.redo(workspace, test.id, "ann") is not None) == (at < len(states) - 1)
                at = min(len(states) - 1, at + 1)
            else:
                decision, property = action
                before = use.history(workspace, test.id, 0, property)
                answer(workspace, test.id, decision, property=property)
                if len(use.history(workspace, test.id, 0, property)) > len(before):
                    state = {k: v for k, v in states[at].items() if k != property}
                    states[at + 1 :] = [state | ({property: decision} if decision else {})]
                    at += 1
            steps = use.answers_of_input(workspace, test.id, 0)
            now = {name: in_force(history).get("ann") for name, history in steps.items()}
            assert {name: a.decision for name, a in now.items() if a} == states[at]
            assert counts(workspace, test.id).answered == len(states[at])


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ann", "tom", "eve"]),
            st.sampled_from(["accept", "cant_tell", None, "undo", "redo"]),
            st.sampled_from([0, 2]),
            st.sampled_from(["width", "colour"]),
        ),
        max_size=25,
    )
)
def test_what_is_counted_is_what_is_in_force(actions):
    with Workspace.in_memory() as workspace:
        test = done(workspace, TEXTS, READINGS)
        for by, action, position, property in actions:
            if action == "undo":
                use.undo(workspace, test.id, by)
            elif action == "redo":
                use.redo(workspace, test.id, by)
            else:
                answer(workspace, test.id, action, position=position, property=property, by=by)
        given_answers = use.answers_of_inputs(workspace, test.id, 0, 2)
        standing = [in_force(steps) for of_input in given_answers.values() for steps in of_input.values()]
        assert counts(workspace, test.id).answered == sum(bool(people) for people in standing)
        progress = use.progress(workspace, test.id)
        for by in ("ann", "tom", "eve"):
            expected = sum(by in people for people in standing)
            assert counts(workspace, test.id, by=by).answered == sum(progress.get(by, {}).values()) == expected
