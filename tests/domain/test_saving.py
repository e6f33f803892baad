"""From an answer to what a dataset keeps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.answers import DECISIONS, Answer, same_value
from reviewapp.domain.places import Span
from reviewapp.domain.saving import expectations, install_of, unique_name
from reviewapp.domain.tests import DROPPED
from reviewapp.domain.workflows import WorkflowSettings
from tests.builders import COLOUR, WIDTH, value

TEXT = "Width 600 mm"
READ = value("width", 60.0, text=TEXT, quote="600 mm", printed="60", stated="600 mm")
UNGROUNDED = value("width", 60.0, quote="six hundred", outcome="quote_not_found", support=None)
INVALID = value("width", None, text=TEXT, quote="Width", printed="wide", outcome="invalid_value", support=None)


def answer(decision, value=None, note="", **more) -> Answer:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Answer(
        id=1, test="t", position=0, property="width", by="ann", at=at, decision=decision, value=value, note=note, **more
    )


def short(entries) -> list:
    return [(e.value, e.quote, e.stated, e.reason) for e in entries]


RIGHT = (60.0, "600 mm", "600 mm", None)


@pytest.mark.parametrize(
    ("read", "given_answer", "values", "leave_out"),
    [
        (READ, answer("accept"), [RIGHT], []),
        (READ, answer("accept", note="sure"), [(60.0, "600 mm", "600 mm", "sure")], []),
        (READ, answer("correct", 61.0, "typo"), [(61.0, None, None, "typo")], [(60.0, "600 mm", "600 mm", "typo")]),
        (READ, answer("correct", 60.0), [RIGHT], []),
        (READ, answer("correct", 60), [(60, "600 mm", "600 mm", None)], []),
        (READ, answer("correct", 60.0, quote="Width 600"), [(60.0, "Width 600", None, None)], []),
        (READ, answer("reject", note="height"), [], [(60.0, "600 mm", "600 mm", "height")]),
        (READ, answer("cant_tell"), [], []),
        (READ, answer(None), [], []),
        (None, answer("accept"), [], [(None, None, None, None)]),
        (None, answer("accept", note="none"), [], [(None, None, None, "none")]),
        (None, answer("correct", 61.0), [(61.0, None, None, None)], []),
        (None, answer("cant_tell"), [], []),
        (UNGROUNDED, answer("accept"), [(60.0, None, None, None)], []),
        (INVALID, answer("reject"), [], [("wide", "Width", None, None)]),
        (INVALID, answer("correct", 61.0), [(61.0, None, None, None)], [("wide", "Width", None, None)]),
    ],
)
def test_expectations(read, given_answer, values, leave_out):
    right, wrong = expectations("width", read, given_answer)
    assert (short(right), short(wrong)) == (values, leave_out)


@pytest.mark.parametrize("outcome", DROPPED)
def test_a_dropped_value_that_is_accepted_is_right(outcome):
    read = READ.model_copy(update={"outcome": outcome})
    assert short(expectations("width", read, answer("accept"))[0]) == [RIGHT]


def test_spans_are_those_of_the_quote():
    right, _ = expectations("width", READ, answer("accept"))
    assert [s.cut(TEXT) for s in right[0].spans] == ["600 mm"]
    marked = answer("correct", 61.0, quote="Width", spans=(Span(start=0, end=5),))
    right, wrong = expectations("width", READ, marked)
    assert [s.cut(TEXT) for s in (*right[0].spans, *wrong[0].spans)] == ["Width", "600 mm"]


values = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(min_size=1))


@given(st.none() | values, st.sampled_from(DECISIONS), values)
def test_no_value_is_right_and_wrong_at_once(found, decision, corrected):
    read = None if found is None else value("width", found)
    given_answer = answer(decision, corrected if decision == "correct" else None)
    right, wrong = expectations("width", read, given_answer)
    assert len(right) <= 1
    assert len(wrong) <= 1
    assert not (right and wrong and wrong[0].value is not None and same_value(right[0].value, wrong[0].value))
    assert bool(right or wrong) == (decision != "cant_tell" and not (decision == "reject" and read is None))
    if decision == "correct":
        assert right[0].value == corrected


def test_install():
    found = install_of(WorkflowSettings(collection="c", properties=(WIDTH, COLOUR), context="In cm."))
    assert found.properties == {"width": "f64", "colour": "keyword"}
    assert (found.units, found.context) == ({"width": "cm"}, "In cm.")


@pytest.mark.parametrize(
    ("name", "taken", "unique"),
    [
        ("a", [], "a"),
        ("a", ["a"], "a (2)"),
        ("a", ["a", "a (2)"], "a (3)"),
        ("a (2)", ["a (2)"], "a (2) (2)"),
        ("x" * 200, ["x" * 200], "x" * 196 + " (2)"),
    ],
)
def test_unique_names(name, taken, unique):
    assert unique_name(name, taken) == unique
