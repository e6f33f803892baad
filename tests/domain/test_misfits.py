"""What does not fit is told field by field, in our words and by the fields that were sent."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from reviewapp.api.retab.bodies import RunCreate, WorkflowRunCreate
from reviewapp.api.retab.bodies import TestCreate as BlockTestCreate
from reviewapp.api.shapes.datasets import DatasetCreate
from reviewapp.api.shapes.records import RecordsPost
from reviewapp.api.shapes.tests import TestCreate
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.misfits import misfit, misfits
from reviewapp.domain.workflows import WorkflowDefinition

ITEM = {"name": "a", "text": "x"}
BLOCK_TEST: dict[str, Any] = {
    "workflow_id": "w",
    "target": {"type": "block", "block_id": "extract"},
    "source": {"type": "manual", "handle_inputs": {}},
    "assertion": {"target": {"output_handle_id": "o"}, "condition": {"kind": "exists"}},
}


def asserting(condition: object) -> dict[str, object]:
    return {"target": {"output_handle_id": "o"}, "condition": condition}


def refused(model: type[BaseModel], body: object) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as error:
        model.model_validate(body)
    return [(found.place, found.message) for found in misfits(error.value, body, model.model_validate)]


@pytest.mark.parametrize(
    ("model", "body", "expected"),
    [
        (TestCreate, {"name": "w", "sample": "3"}, [("sample", "found '3', expected a whole number")]),
        (TestCreate, {"name": "w", "int": 1}, [("int", "is not known here; leave it out (found 1)")]),
        (TestCreate, [], [("", "found a list, expected fields with values")]),
        (DatasetCreate, {"kind": "values"}, [("name", "is missing")]),
        (DatasetCreate, {"name": "d", "kind": "rows"}, [("kind", "found 'rows', expected one of 'values'")]),
        (
            DatasetCreate,
            {
                "name": "d",
                "kind": "values",
                "items": [ITEM | {"values": [{"property": "p", "value": [1, {"a": None}]}]}],
            },
            [
                (
                    "items.0.values.0.value",
                    "found a list, expected any of: true or false, a whole number, a number, a text",
                )
            ],
        ),
        (
            DatasetCreate,
            {"name": "", "kind": "values", "items": [{"name": "a"}]},
            [("name", "is empty or too short, at least 1"), ("items.0.text", "is missing")],
        ),
        (
            DatasetCreate,
            {"name": "d", "kind": "values", "items": [ITEM] * 1_001},
            [("items", "has 1,001 entries, at most 500")],
        ),
        (
            RecordsPost,
            {"collection": "c", "records": ["abc", None]},
            [
                ("records.0", "found 'abc', expected fields with values"),
                ("records.1", "found nothing, expected fields with values"),
            ],
        ),
        (
            WorkflowDefinition,
            {"name": "Ä", "collection": "c", "properties": [], "gate": 10**80},
            [
                (
                    "name",
                    "found 'Ä', expected 1 to 63 characters: small letters a-z, digits and dashes, beginning with a "
                    "letter or digit",
                ),
                ("gate", "found a number of 81 digits, expected at most 1"),
            ],
        ),
    ],
)
def test_misfits_are_told_by_field(model: type[BaseModel], body: object, expected: list[tuple[str, str]]) -> None:
    assert refused(model, body) == expected


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("target", "extract", ("target", "found 'extract', expected fields with values")),
        ("source", {}, ("source.type", "is missing, expected one of 'manual', 'run_step'")),
        ("source", {"type": []}, ("source.type", "found a list, expected one of 'manual', 'run_step'")),
        ("source", {"type": None}, ("source.type", "found nothing, expected one of 'manual', 'run_step'")),
        ("source", {"type": "run_step"}, ("source.run_id", "is missing")),
        (
            "source",
            {"type": "manual", "handle_inputs": []},
            ("source.handle_inputs", "found a list, expected fields with values"),
        ),
        (
            "assertion",
            asserting({"kind": "between", "lower": None, "upper": 2}),
            ("assertion.condition.lower", "found nothing, expected a number"),
        ),
        (
            "assertion",
            asserting({"kind": "all_items_match", "condition": {"kind": "any_item_matches"}}),
            ("assertion.condition.condition.condition", "is missing"),
        ),
        (
            "assertion",
            asserting({"kind": "exists", "x": 1}),
            ("assertion.condition.x", "is not known here; leave it out (found 1)"),
        ),
    ],
)
def test_kinds_that_were_tried_are_no_part_of_a_place(field: str, value: object, expected: tuple[str, str]) -> None:
    assert refused(BlockTestCreate, BLOCK_TEST | {field: value}) == [expected]


@pytest.mark.parametrize("kind", [[], {}, None, 5, True, ["exists"], {"a": []}, "Equals"])
@pytest.mark.parametrize("inside", [False, True])
def test_a_kind_may_be_anything(kind: object, *, inside: bool) -> None:
    condition: dict[str, object] = {"kind": kind}
    body = asserting({"kind": "all_items_match", "condition": condition} if inside else condition)
    (place, message), *more = refused(Assertion, body)
    assert place == ("condition.condition.kind" if inside else "condition.kind")
    assert "expected one of 'exists', 'not_exists'" in message
    assert not more


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (5, [("document", "found 5, expected any of: fields with values, a text")]),
        ([{}], [("document", "found a list, expected any of: fields with values, a text")]),
        ({"a": "\ud83d"}, [("document.a", "a character is cut in half (a lone surrogate)")]),
    ],
)
def test_of_several_ways_to_read_a_field_the_one_that_got_further_is_told(
    document: object, expected: list[tuple[str, str]]
) -> None:
    assert refused(WorkflowRunCreate, {"workflow_id": "w", "document": document}) == expected


def test_the_kinds_of_a_field_that_may_be_absent() -> None:
    assert refused(RunCreate, {"workflow_id": "w", "scope": {}}) == [
        ("scope.type", "is missing, expected one of 'single', 'workflow', 'block'")
    ]


def test_without_what_was_handed_in_the_sentence_stands_alone() -> None:
    with pytest.raises(ValidationError) as error:
        TestCreate.model_validate({"sample": "x"})
    assert misfit(error.value).sentence == "found 'x', expected a whole number"
