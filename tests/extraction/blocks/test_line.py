"""A workflow's line of blocks on a record: what is read, where it stands, and what is said of the rest."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.places import cut_out
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.extracting import ReaderOfPart
from reviewapp.extraction.extractors import Extractor, ReaderStopped, make_extractor
from reviewapp.extraction.models import Desk, Question
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.reading import WholeText, make_reader
from reviewapp.running.reading import Reader

PROPERTIES = (
    Property(name="width", value_type="f64", unit="cm"),
    Property(name="quantity", value_type="i64"),
    Property(name="material"),
)
KIND = {"id": "kind", "type": "classify", "categories": [{"name": "door", "cues": ["door"]}, {"name": "letter"}]}
DOORS = {"id": "doors", "type": "extract", "inputs": {"input-file-0": "kind.output-file-door"}}
READ = {"id": "read", "type": "extract"}
DOOR = "Steel door\nWidth: 600 mm\nQuantity: 4"


def of_line(*blocks: dict[str, Any], **more: Any) -> WorkflowSettings:
    return WorkflowSettings.model_validate({"collection": "c", "properties": PROPERTIES, "blocks": blocks, **more})


def read(text: str, *blocks: dict[str, Any], desk: Desk | None = None, **more: Any) -> InputResult:
    reader = make_reader(of_line(*blocks, **more), Evidence())
    try:
        return reader.read(text, desk)
    finally:
        reader.close()


def program(id: str, code: str, **more: Any) -> dict[str, Any]:
    """A block that makes of the text `t` what the expression says."""
    said = f"import json, sys\nt = json.load(sys.stdin)\nprint(json.dumps({code}))"
    return {"id": id, "type": "function", "command": [sys.executable, "-c", said], "seconds": 20, **more}


def after(id: str, **more: Any) -> dict[str, Any]:
    return {"id": "read", "type": "extract", "inputs": {"input-json-0": f"{id}.output-json-0"}, **more}


def told(result: InputResult) -> list[tuple[str, object, str]]:
    return [(v.property, v.value, v.outcome) for v in result.values]


def test_a_line_of_one_reader_reads_what_the_whole_text_reads() -> None:
    plain = extract(DOOR, of_line(), Evidence())
    assert isinstance(make_reader(of_line(), Evidence()), WholeText)
    assert read(DOOR, READ).values == plain.values
    assert read(DOOR, KIND, DOORS).values == plain.values


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Dear all, Width: 600 mm", "Block 'doors' was passed over: 'kind' found no category."),
        ("Dear Sirs, the letter. Width: 600 mm", "Block 'doors' was passed over: 'kind' found the category 'letter'."),
    ],
)
def test_of_another_category_nothing_is_read_and_it_is_said_why(text: str, why: str) -> None:
    kind = {**KIND, "categories": [KIND["categories"][0], {"name": "letter", "cues": ["letter"]}]}
    result = read(text, kind, DOORS)
    assert (result.values, result.failed, result.error) == ((), None, None)
    assert result.passed_over == {"width": why, "quantity": why, "material": why}


def test_only_what_no_block_looked_for_is_said_to_be_passed_over() -> None:
    result = read(DOOR, {**READ, "properties": ["width", "material"]}, KIND, {**DOORS, "properties": ["material"]})
    assert told(result) == [("width", 60.0, "written")]
    assert result.passed_over == {"quantity": "No block of the workflow reads it."}
    later = {"id": "later", "type": "extract", "inputs": {"input-json-0": "doors.output-json-0"}}
    behind = read("a letter", KIND, {**DOORS, "properties": ["width"]}, {**later, "properties": ["quantity"]})
    assert behind.passed_over["quantity"] == "Block 'later' was passed over: so was 'doors' before it."


def test_a_part_is_read_alone_and_its_quotes_stand_in_the_record() -> None:
    """The other page has the same words: the place is the one in the part that was read."""
    record = "Door 1\nWidth: 600 mm\nQuantity: 4\n\f\nDoor 2\nWidth: 600 mm\nMaterial: oak"
    result = read(record, program("page", "t.split(chr(12))[1]"), after("page"))
    assert told(result) == [("width", 60.0, "written"), ("material", "oak", "written")]
    for value in result.values:
        assert value.spans[0].start > record.index("\f")
        assert value.spans[0].cut(record) in value.quote


def test_words_that_a_block_made_up_are_not_in_the_record() -> None:
    result = read("Door, wide", program("made", "'Width: 600 mm'"), after("made"))
    assert told(result) == [("width", 60.0, "quote_not_found")]


def test_words_that_a_block_brought_into_another_order_are_found() -> None:
    record = "Quantity: 4\nWidth: 600 mm"
    result = read(record, program("turned", "chr(10).join(reversed(t.splitlines()))"), after("turned"))
    assert {v.property: v.spans[0].cut(record) for v in result.values} == {v.property: v.quote for v in result.values}
    assert sorted(told(result)) == [("quantity", 4, "written"), ("width", 60.0, "written")]


@given(
    st.lists(st.sampled_from(["Width: 600 mm", "Width: 70 cm", "a door", "ﬁne \u00ad👍", ""]), max_size=8), st.data()
)
def test_every_span_is_of_the_record(lines: list[str], data: st.DataObject) -> None:
    record = "\n".join(["Door", *lines])
    begin = data.draw(st.integers(0, len(record)))
    part = record[begin : data.draw(st.integers(begin, len(record)))]
    settings = of_line(READ)
    reader: Extractor = ReaderOfPart(PreparedText(part), make_extractor(settings), None)
    for value in extract(record, settings, Evidence(), reader).values:
        if value.grounding is not None:
            assert cut_out(record, value.spans) == value.quote
            assert all(span.cut(record).strip() for place in value.grounding.others for span in place)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (program("odd", "1 / 0"), "Block 'odd': "),
        (program("odd", "5"), "Block 'read': There is no text to read among input-json-0"),
        (program("odd", "' '"), "Block 'read': The block was given an empty text"),
        ({"id": "odd", "type": "classify", "by": "model", "categories": [{"name": "a"}]}, "Block 'odd': No model"),
    ],
)
def test_a_block_that_fails_makes_the_input_failed(block: dict[str, Any], said: str) -> None:
    result = read(DOOR, {**READ, "id": "first"}, block, after("odd") if block["type"] == "function" else READ)
    assert (result.values, result.passed_over) == ((), {})
    assert result.failed is not None
    assert result.failed.startswith(said)


def test_without_a_text_there_is_nothing_to_read() -> None:
    assert read(" \n", KIND, DOORS).error == "The record has no text; there is nothing to read."


def test_costs_add_up_and_the_first_block_that_reads_a_property_counts() -> None:
    code = (
        "import json, sys\nr = json.load(sys.stdin)\n"
        "print(json.dumps({'values': [{'property': 'width', 'value': '600 mm', 'quote': 'Width: 600 mm'},"
        " {'property': 'quantity', 'value': '4', 'quote': 'Quantity: 4'}], 'cost_micro_usd': 5}))"
    )
    settings: dict[str, Any] = {"extractor": {"kind": "command", "command": [sys.executable, "-c", code]}}
    blocks = {**READ, "id": "one", "properties": ["width"]}, {**READ, "id": "two", "properties": ["quantity", "width"]}
    result = read(DOOR, *blocks, **settings)
    assert told(result) == [("width", 60.0, "written"), ("quantity", 4, "written")]
    assert result.cost_micro_usd == 10
    failed = read(DOOR, *blocks, program("odd", "1 / 0"), **settings)
    assert (failed.values, failed.cost_micro_usd) == ((), 10)


class Spent:
    """A desk whose budget is spent."""

    def ask(self, question: Question, read: object) -> Any:
        raise ReaderStopped("The budget of this month is spent.")


def test_a_spent_budget_ends_the_test_and_not_only_the_input() -> None:
    model = {"provider": "p", "model": "m"}
    with pytest.raises(ReaderStopped, match="The budget of this month is spent"):
        read(DOOR, {**KIND, "by": "model"}, DOORS, desk=Spent(), decide=model)


def test_a_reader_of_blocks_travels_to_another_machine() -> None:
    reader = pickle.loads(pickle.dumps(Reader.of(of_line(KIND, DOORS), Evidence())))  # noqa: S301
    assert told(reader(DOOR)) == [("width", 60.0, "written"), ("quantity", 4, "written")]
