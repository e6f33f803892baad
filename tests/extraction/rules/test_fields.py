"""What stands where a value would and is none: other labels, heads of columns, blanks, words that say nothing."""

from __future__ import annotations

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract

HEADS = "Shipper        Consignee      Notify\nFoo Tools Ltd  Bar Import KG  Baz SA\n"
COLONS = "Shipper:           Consignee:\nFoo Tools Ltd      Bar Import KG\n"
OPEN = """\
Serial number: n/a
Colour: -
Model: TBD
Weight: to follow
Grade: siehe Anlage
Owner: unknown
Flash point: not applicable
Boiling point: 180 °C
Natrium          folgt
Kalium           3,4 mmol/l
"""
BLANKS = "Model: ____________\nColour: ............\nSigned: [ ]\nName: (bitte ausfüllen)\n"


def read(text: str, *properties: Property) -> dict[str, tuple[Value | None, str]]:
    values = extract(text, WorkflowSettings(collection="any", properties=properties), Evidence()).values
    return {v.property: (v.value, v.outcome) for v in values if v.outcome in ("written", "review")}


def texts(*names: str) -> list[Property]:
    return [Property(name=name) for name in names]


@pytest.mark.parametrize("text", [HEADS, COLONS])
def test_heads_beside_each_other_are_not_each_others_values(text: str) -> None:
    found = read(text, *texts("shipper", "consignee"))
    assert {name: value for name, (value, _) in found.items()} == {
        "shipper": "Foo Tools Ltd",
        "consignee": "Bar Import KG",
    }


def test_where_a_label_may_head_a_column_a_person_looks() -> None:
    assert read("Shipper        Consignee\nFoo Tools Ltd  Bar Import KG\n", *texts("shipper"))["shipper"][1] == "review"


def test_pairs_in_two_columns_are_no_heads() -> None:
    pairs = "Colour     red\nFinish     matt\n"
    assert read(pairs, *texts("colour", "finish")) == {"colour": ("red", "written"), "finish": ("matt", "written")}


def test_an_empty_label_does_not_take_the_next_pair() -> None:
    assert list(read("Name:\nStreet:\nCity: Bonn\n", *texts("name", "street", "city"))) == ["city"]
    assert list(read("Colour: Finish: matt\n", *texts("colour", "finish"))) == ["finish"]
    assert read(BLANKS, *texts("model", "colour", "name")) == {}


def test_words_that_say_nothing_are_no_value() -> None:
    numbers = [
        Property(name="weight", value_type="f64", unit="kg"),
        Property(name="flash_point", value_type="f64", unit="°C"),
        Property(name="natrium", value_type="f64", unit="mmol/l"),
    ]
    keyword = Property(name="serial_number", value_type="keyword")
    assert read(OPEN, keyword, *texts("colour", "model", "grade", "owner"), *numbers) == {}


@pytest.mark.parametrize("words", ["[name]", "<Name eintragen>", "{{manager}}", "N.N.", "vacant", "xxx", "???", "n/a"])
def test_what_somebody_was_to_fill_in_is_no_value(words: str) -> None:
    assert read(f"Manager: {words}\n", *texts("manager")) == {}


def test_none_is_an_answer_for_a_person_to_look_at_and_no_number() -> None:
    text = "Finish: none\nDefects: none\nRooms: 4\n"
    found = read(text, Property(name="finish"), Property(name="defects", value_type="i64"))
    assert found == {"finish": ("none", "review")}
