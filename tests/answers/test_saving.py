"""Saving answers: checks, clashes, what wants an answer."""

from __future__ import annotations

import sqlite3

import pytest

from reviewapp import answers as use
from reviewapp.domain.answers import in_force
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputFilter, InputResult
from reviewapp.errors import InvalidInput, NotFound, StaleAnswer
from reviewapp.tests import counts, get_input, get_test, list_inputs, next_open
from tests.answers.conftest import READINGS, TEXTS, answer
from tests.builders import COLOUR, WIDTH, done, started, value


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("600 mm", 60.0),
        ("61", 61.0),
        ("0.0 mm", 0.0),
        ("1.234,5 mm", 123.45),
        ("60", 60.0),
        (62, 62.0),
        ("5′10″", 177.8),
    ],
)
def test_corrections_come_into_type_and_unit(workspace, test_id, typed, kept):
    saved = answer(workspace, test_id, "correct", value=typed)
    assert (saved.value, type(saved.value)) == (kept, float)


def test_an_unchanged_printed_value_is_the_value_read(workspace):
    test = done(workspace, {"x": "1.234"}, {"x": [value("width", 1.234, printed="1.234")]})
    assert answer(workspace, test.id, "correct", value="1.234").value == 1.234  # typed anew it would have two readings
    with pytest.raises(InvalidInput, match=r"can be read as 1.235 or 1235"):
        answer(workspace, test.id, "correct", value="1.235")


@pytest.mark.parametrize(
    ("arguments", "param", "says"),
    [
        ({"decision": "correct"}, "value", "needs the right value"),
        ({"decision": "correct", "value": " "}, "value", "needs the right value"),
        ({"decision": "correct", "value": "NaN"}, "value", "not a finite number"),
        ({"decision": "correct", "value": "inf"}, "value", "not a finite number"),
        ({"decision": "correct", "value": "1e999"}, "value", "is not a number"),
        ({"decision": "correct", "value": "-"}, "value", "is not a number"),
        ({"decision": "correct", "value": float("nan")}, "value", "finite"),
        ({"decision": "correct", "value": True}, "value", "is not a number"),
        ({"decision": "correct", "value": "6 kg"}, "value", "'6 kg' cannot be taken: it states 'kg'.*in cm"),
        ({"decision": "correct", "value": "12 to 13 cm"}, "value", "range 12 to 13"),
        ({"decision": "correct", "value": "1001"}, "value", "above the maximum 1000 cm"),
        ({"decision": "correct", "value": "11 m"}, "value", "1100 cm is above the maximum 1000 cm"),
        ({"decision": "correct", "property": "colour", "value": "green"}, "value", "not one of the options: red, blue"),
        ({"decision": "correct", "value": "5", "spans": [Span(start=10, end=99)]}, "spans", "mark them again"),
        ({"decision": "correct", "value": "5", "quote": "9 kg"}, "quote", "does not hold the quote '9 kg'"),
        ({"decision": "accept", "value": "5"}, "value", "goes with `correct`"),
        ({"decision": "choose"}, "decision", "'choose' is no decision"),
        ({"decision": "accept", "note": "x" * 1001}, "note", "1001 characters; at most 1000"),
        ({"decision": "accept", "note": "bad \ud83d"}, "note", "half of a surrogate pair"),
        ({"decision": "accept", "by": " "}, "by", "needs the name"),
        ({"decision": "accept", "by": "\ud83d"}, "by", "half of a surrogate pair"),
        ({"decision": "accept", "property": "age"}, "property", "its properties are: width, colour"),
        ({"decision": "accept", "position": 1}, "decision", "'wide' does not fit 'width'"),
        ({"decision": "reject", "position": 2}, "decision", "accept says that the text states none, correct gives"),
    ],
)
def test_answers_that_are_refused(workspace, test_id, arguments, param, says):
    with pytest.raises(InvalidInput, match=says) as caught:
        answer(workspace, test_id, **arguments)
    assert caught.value.param == param
    assert counts(workspace, test_id).answered == 0


@pytest.mark.parametrize("decision", ["accept", "cant_tell", None])
def test_other_decisions_on_no_value(workspace, test_id, decision):
    assert answer(workspace, test_id, decision, position=2).decision == decision


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (None, "has not been read yet"),
        (InputResult(failed="The reply was cut off."), r"\(The reply was cut off\); run"),
    ],
)
def test_inputs_without_values(workspace, result, says):
    test = done(workspace, TEXTS, {"a": result}) if result else started(workspace, TEXTS)
    with pytest.raises(InvalidInput, match=says) as caught:
        answer(workspace, test.id, "accept")
    assert caught.value.param == "iri"


def test_unknown_things(workspace, test_id):
    with pytest.raises(NotFound):
        answer(workspace, "wtest_0", "accept")
    for position in (9, "nowhere"):
        with pytest.raises(NotFound):
            answer(workspace, test_id, "accept", position=position)


def test_marked_words_become_quote_and_spans(workspace, test_id):
    text = TEXTS["a"]
    marked = answer(workspace, test_id, "correct", value="60", spans=[Span(start=14, end=17), Span(start=0, end=5)])
    assert marked.quote == "Width … red"
    assert [s.cut(text) for s in marked.spans] == ["Width", "red"]
    quoted = answer(workspace, test_id, "correct", value="61", quote="600 MM")
    assert quoted.quote == "600 mm"
    assert [s.cut(text) for s in quoted.spans] == ["600 mm"]


def test_an_answer_comes_back_as_it_was_given(workspace, test_id):
    note = 'O\'Neil, "Ann"\n=1+1 重置昵称 💩'
    given_answer = answer(workspace, test_id, "correct", value="61", note=note, by="O'Neil, Ann")
    (kept,) = use.history(workspace, test_id, "record:tenders/a", "width")
    assert kept == given_answer
    assert (kept.note, kept.by, kept.value, kept.seen, kept.role) == (note, "O'Neil, Ann", 61.0, 0, "reviewer")


def test_the_same_answer_twice_is_stored_once(workspace, test_id):
    first = answer(workspace, test_id, "accept", seen=0)
    assert answer(workspace, test_id, "accept", seen=0) == first
    assert answer(workspace, test_id, "accept") == first
    other = answer(workspace, test_id, "reject", by="tom", seen=first.id)
    assert answer(workspace, test_id, "accept", seen=0) == first  # a late repeat, after Tom's
    assert [a.id for a in use.history(workspace, test_id, 0, "width")] == [first.id, other.id]
    assert answer(workspace, test_id, "accept", note="now with a note", seen=other.id).id > other.id


def test_a_stale_answer_overwrites_nothing(workspace, test_id):
    toms = answer(workspace, test_id, "reject", by="tom", seen=0)
    with pytest.raises(StaleAnswer, match="tom answered this value in the meantime") as caught:
        answer(workspace, test_id, "accept", seen=0)
    assert caught.value.latest == toms
    assert answer(workspace, test_id, "accept", seen=toms.id).seen == toms.id
    with pytest.raises(StaleAnswer):  # one's own answer of another window
        answer(workspace, test_id, "cant_tell", seen=toms.id)


def test_with_an_overlap_others_do_not_clash(workspace):
    test = done(workspace, TEXTS, READINGS, overlap=2)
    answer(workspace, test.id, "reject", by="tom", seen=0)
    mine = answer(workspace, test.id, "accept", seen=0)
    with pytest.raises(StaleAnswer):
        answer(workspace, test.id, "cant_tell", seen=0)
    assert answer(workspace, test.id, "cant_tell", seen=mine.id).decision == "cant_tell"


def test_names_are_trimmed(workspace, test_id):
    assert answer(workspace, test_id, "accept", by=" ann ").by == "ann"
    assert use.undo(workspace, test_id, "ann ") is not None


def test_take_back(workspace, test_id):
    answer(workspace, test_id, "accept")
    back = answer(workspace, test_id, None)
    assert back.decision is None
    assert answer(workspace, test_id, None) == back
    assert counts(workspace, test_id).answered == 0
    assert len(use.history(workspace, test_id, 0, "width")) == 2


def test_take_back_takes_only_ones_own(workspace, test_id):
    answer(workspace, test_id, "accept", by="tom")
    assert answer(workspace, test_id, None).decision is None
    assert list(in_force(use.history(workspace, test_id, 0, "width"))) == ["tom"]


def test_the_next_open_input_comes_within_the_filter(workspace, test_id):
    def following(position, **filter):
        return next_open(workspace, test_id, InputFilter(**filter), by="ann", from_position=position)

    answer(workspace, test_id, "cant_tell", position=0, property="width", by="tom")
    assert following(0) == 0  # its colour is open
    assert following(0, property="width") == 1
    answer(workspace, test_id, "cant_tell", position=0, property="colour")
    assert following(0) == 1
    assert following(0, search="wide") == 1
    assert following(2, search="wide") is None
    assert following(0, search="none") is None


def test_two_people_and_an_overlap(workspace):
    test = done(workspace, {"a": TEXTS["a"]}, READINGS, overlap=2)

    def asked(by):
        return next_open(workspace, test.id, InputFilter(property="width"), by=by) == 0

    answer(workspace, test.id, "accept", by="ann")
    assert (asked("ann"), asked("tom")) == (False, True)
    answer(workspace, test.id, "accept", by="tom")
    assert not asked("eve"), "two have answered"


def test_progress_by_person(workspace):
    texts = {f"r{n}": f"Width {n}" for n in range(10)}
    three = (WIDTH, COLOUR, Property(name="age"))
    test = done(workspace, texts, {}, properties=three)
    for by, inputs in (("ann", 4), ("bob", 2)):
        for position in range(inputs):
            for prop in three:
                answer(workspace, test.id, "accept", position=position, property=prop.name, by=by)
    assert use.progress(workspace, test.id) == {
        "ann": {"age": 4, "colour": 4, "width": 4},
        "bob": {"age": 2, "colour": 2, "width": 2},
    }
    rows = list_inputs(workspace, test.id, by="ann")
    assert sum(r.mine == r.answerable for r in rows) == 4
    found = [counts(workspace, test.id, by=by) for by in ("ann", "bob", None)]
    assert [(c.answered, c.answerable) for c in found] == [(12, 30), (6, 30), (12, 30)]


def test_can_tell_is_an_answer_and_skipped_is_not(workspace, test_id):
    for property in ("width", "colour"):
        answer(workspace, test_id, "cant_tell", property=property)
    assert [r.position for r in list_inputs(workspace, test_id, InputFilter(decision="cant_tell"))] == [0]
    assert [r.position for r in list_inputs(workspace, test_id, InputFilter(unanswered=True))] == [1, 2]


def test_standing_of_an_input(workspace, test_id):
    answer(workspace, test_id, "accept")
    test, input = get_test(workspace, test_id), get_input(workspace, test_id, 0)
    found = use.standing_answers(test, input, use.answers_of_input(workspace, test_id, 0))
    assert {name: s.state for name, s in found.items()} == {"width": "answered", "colour": "open"}


def test_answers_cannot_be_changed_or_deleted_in_the_file(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, TEXTS, READINGS)
    answer(workspace, test.id, "accept")
    for statement in ("delete from answers", "update answers set note = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="answers are kept"), workspace.connections.write() as c:
            c.execute(statement)
