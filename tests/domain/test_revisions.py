"""What changed from one revision to another."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.revisions import differences
from reviewapp.domain.workflows import Rules, RulesExtractor, WorkflowSettings

WIDTH = Property(name="width", value_type="f64", unit="cm")
DEPTH = Property(name="depth", value_type="f64", unit="cm")


def settings(**more: Any) -> WorkflowSettings:
    return WorkflowSettings(**{"collection": "tenders", "properties": (WIDTH, DEPTH), **more})


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({}, []),
        ({"gate": 0.9}, [("", "gate", "0.8", "0.9")]),
        ({"rules": Rules(date_order="dmy")}, [("", "rules.date_order", "auto", "dmy")]),
        ({"context": "keine = none"}, [("", "context", "", "keine = none")]),
        ({"properties": (WIDTH,)}, [("depth", "property", "f64", "")]),
        (
            {"properties": (WIDTH, DEPTH, Property(name="colour", options=("white", "black")))},
            [("colour", "property", "", "text")],
        ),
        (
            {"properties": (WIDTH.model_copy(update={"unit": "mm", "aliases": ("Breite", "w")}), DEPTH)},
            [("width", "unit", "cm", "mm"), ("width", "aliases", "", "Breite, w")],
        ),
        ({"properties": (DEPTH, WIDTH)}, [("", "order", "width, depth", "depth, width")]),
    ],
)
def test_differences(after: dict[str, Any], expected: list[tuple[str, str, str, str]]) -> None:
    found = [(d.about, d.what, d.before, d.after) for d in differences(settings(), settings(**after))]
    assert found == expected
    back = [(d.about, d.what, d.before, d.after) for d in differences(settings(**after), settings())]
    assert [(about, what, new, old) for about, what, old, new in back] == expected


def test_what_was_learnt_is_told_in_words() -> None:
    first, more, other = (
        settings(extractor=RulesExtractor(learnt={"weights": weights}, learnt_from=texts))
        for weights, texts in (([1], ("a" * 16,)), ([2], ("a" * 16, "b" * 16)), ([3], ("a" * 16,)))
    )
    told = [[(d.what, d.before, d.after) for d in differences(first, after)] for after in (more, other, settings())]
    assert told == [
        [("learnt from answers", "from 1 text", "from 2 texts")],
        [("learnt from answers", "from 1 text", "from 1 text, other answers")],
        [("learnt from answers", "from 1 text", "")],
    ]
