"""A line of blocks: what makes one, and what its outputs are."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from reviewapp.domain.blocks import Block, handle_of_category, output_handles, sources_of
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import WorkflowDefinition, WorkflowSettings

blocks = TypeAdapter(tuple[Block, ...])
WIDTH = Property(name="width", value_type="f64", unit="cm", minimum=1)
KIND = {
    "id": "kind",
    "type": "classify",
    "categories": [{"name": "Invoice", "cues": ["invoice"]}, {"name": "Credit note"}],
    "otherwise": "Credit note",
}
READ = {"id": "read", "type": "extract"}
ADD = {"id": "add", "type": "function", "function": "sums:add"}


def settings(*line, properties=(WIDTH,)):
    return WorkflowSettings(collection="sinks", properties=properties, blocks=blocks.validate_python(line))


def test_a_plain_workflow_is_one_extract_block_and_keeps_its_fingerprint():
    plain = settings()
    assert [block.id for block in plain.line] == ["extract"]
    assert plain.fingerprint == "1ceecdff618ea9adaac3811393b3c17b"
    assert settings(READ).fingerprint != plain.fingerprint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([READ, READ], "found twice: 'read'"),
        ([{**READ, "properties": ["height"]}], "'height', which is no property"),
        ([{**READ, "inputs": {"input-file-0": "kind.output-file-invoice"}}], "nor an output of an earlier block"),
        ([KIND, {**READ, "inputs": {"input-file-0": "kind.output-file-receipt"}}], "has no output"),
        ([{**KIND, "otherwise": "Receipt"}], "none of its categories"),
        ([{**KIND, "categories": [{"name": "a b"}, {"name": "A-B"}], "otherwise": None}], "must differ"),
        ([{"id": "f", "type": "function"}], "either a function"),
        ([{**ADD, "command": ["cat"]}], "either a function"),
        ([{**ADD, "function": "no colon"}], "pattern"),
        ([{"id": "s", "type": "split", "sections": [{"name": "a", "pages": "0-"}]}], "expected pages such as"),
    ],
)
def test_what_makes_no_line_is_refused(line, said):
    with pytest.raises(ValidationError, match=said):
        settings(*line)


def test_a_line_that_reads_nothing_needs_no_properties():
    assert settings(KIND, properties=()).line[0].id == "kind"
    with pytest.raises(ValidationError, match="at least one thing to read"):
        settings(KIND, READ, properties=())


def test_outputs_have_schemas():
    line = settings(KIND, READ, ADD).line
    assert list(output_handles(line[0], (WIDTH,))) == [
        "output-json-0",
        "output-file-invoice",
        "output-file-credit-note",
    ]
    read = output_handles(line[1], (WIDTH,))["output-json-0"]
    assert read["properties"] == {"width": {"type": ["number", "null"], "x-unit": "cm", "minimum": 1}}
    assert output_handles(line[2], ()) == {"output-json-0": {}}


def test_a_function_takes_what_the_block_before_it_gave():
    found = sources_of(settings(KIND, READ, ADD).line)
    assert found["read"] == {"input-file-0": "document"}
    assert found["add"] == {"input-json-0": "read.output-json-0"}


@pytest.mark.parametrize(
    ("name", "handle"),
    [("Credit note", "output-file-credit-note"), ("Ö & Ü", "output-file-ö-ü"), ("?", "output-file-category")],
)
def test_a_category_has_a_handle(name, handle):
    assert handle_of_category(name) == handle


def test_a_definition_takes_blocks():
    made = WorkflowDefinition.model_validate({"name": "w", "collection": "c", "blocks": [KIND, READ]})
    assert [block.id for block in made.blocks] == ["kind", "read"]
