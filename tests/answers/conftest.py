"""A test with answers to give."""

from __future__ import annotations

import pytest

from reviewapp import answers as use
from tests.builders import done, value

TEXTS = {"a": "Width 600 mm, red", "b": "Width wide", "c": "nothing"}
READINGS = {
    "a": [
        value("width", 60.0, text=TEXTS["a"], quote="600 mm", printed="60", stated="600 mm"),
        value("colour", "red", outcome="weak_support", support=0.3),
        value("age", 3, outcome="unknown_property"),
    ],
    "b": [value("width", None, outcome="invalid_value", support=None, printed="wide")],
}


@pytest.fixture
def test_id(workspace):
    return done(workspace, TEXTS, READINGS).id


def answer(workspace, test_id, decision, position=0, property="width", by="ann", **more):
    return use.save_answer(workspace, test_id, position, property, decision, by=by, **more)
