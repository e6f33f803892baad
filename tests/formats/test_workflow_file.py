import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Rules, RulesExtractor, WorkflowDefinition
from reviewapp.errors import InvalidInput
from reviewapp.formats.workflow_file import read_definition, write_definition

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
HEAD = "name: a\ncollection: b\n"


def head(rest):
    return read_definition(HEAD + rest, "w.yaml")


def test_a_definition_in_yaml():
    definition = read_definition(
        """\
# doors
name: doors
collection: tenders
context: |
  One position.
  A dash is no value.
gate: 0.9
rules: {decimal_mark: ",", date_order: dmy}
properties:
  - name: width
    value_type: f64
    unit: cm
    aliases: [Breite, clear width]
    minimum: 20
  - colour
""",
        "doors.yaml",
    )
    assert definition == WorkflowDefinition(
        name="doors",
        collection="tenders",
        context="One position.\nA dash is no value.\n",
        gate=0.9,
        rules=Rules(decimal_mark=",", date_order="dmy"),
        properties=(
            Property(name="width", value_type="f64", unit="cm", aliases=("Breite", "clear width"), minimum=20),
            "colour",
        ),
    )
    as_json = json.dumps(definition.model_dump(mode="json"))
    assert read_definition(as_json, "doors.json") == definition


@pytest.mark.parametrize(
    ("written", "options"),
    [
        ("[02138, 00030340067212]", ("02138", "00030340067212")),
        ("[1.10, 7.0, 1e3]", ("1.10", "7.0", "1e3")),
        ("[yes, no, on, off, true]", ("yes", "no", "on", "off", "true")),
        ("[2024-01-01, 12:30]", ("2024-01-01", "12:30")),
        ("['null', T30]", ("null", "T30")),
        ("[Größe, 重置]", ("Größe", "重置")),
    ],
)
def test_words_are_what_they_look_like(written, options):
    [prop] = head(f"properties: [{{name: p, value_type: keyword, options: {written}}}]").properties
    assert prop.options == options


def test_numbers_in_json_may_stand_for_words():
    definition = read_definition(
        '{"name": "a", "collection": "b", "properties": [{"name": "p", "options": [10, 1.10]}]}'
    )
    assert definition.properties[0].options == ("10", "1.10")


FAULTS = [
    ("", ["expected fields such as name, collection and properties, found nothing"]),
    ("- a\n", ["expected fields such as name, collection and properties, found a list"]),
    ("just words", ["expected fields such as name, collection and properties, found 'just words'"]),
    ("name: a\n", ["line 1, collection: is missing"]),
    (HEAD + "gate: 0.3\n", ["line 3, gate: found '0.3', expected at least 0.5"]),
    (HEAD + "gate: high\n", ["line 3, gate: found 'high', expected a number"]),
    (HEAD + "gate: .nan\n", ["line 3, gate: found '.nan', expected a number"]),
    (HEAD + "gait: 0.9\n", ["line 3: unknown field 'gait'; did you mean 'gate'?"]),
    (HEAD + "zzz: 1\n", ["line 3: unknown field 'zzz'; known are name, collection, properties, context, gate,"]),
    (HEAD + "rules:\n  date-order: dmy\n", ["line 4, rules: unknown field 'date-order'; did you mean 'date_order'?"]),
    (HEAD + "rules:\n  date_order: us\n", ["line 4, rules.date_order: found 'us', expected one of 'auto', 'dmy',"]),
    (HEAD + "properties:\n- name: w\n  type: f64\n",
     ["line 5, properties[1]: unknown field 'type'; did you mean 'value_type'?"]),
    (HEAD + "properties:\n- {name: w, value_type: number}\n",
     ["line 4, properties[1].value_type: found 'number', expected one of 'text',"]),
    (HEAD + "properties:\n- value_type: f64\n", ["line 4, properties[1].name: is missing"]),
    (HEAD + "properties:\n- {name: w, unit: cm}\n",
     ["line 4, properties[1]: property 'w' has type text and unit 'cm'; only i64 and f64"]),
    (HEAD + "properties:\n- [1]\n", ["line 4, properties[1]: found a list, expected a property's name or its fields"]),
    (HEAD + "properties: width\n", ["line 3, properties: found 'width', expected a list"]),
    (HEAD + "name: c\n", ["line 3: the field 'name' stands twice; keep one"]),
    (HEAD + "context: [\n", ["line 4, character 1: is not valid YAML: "]),
    (HEAD + "context: &a x\n", ["line 3, character 10: is not valid YAML: anchors and aliases (& *) are not taken"]),
    ("name: My Workflow\ncollection: b\n",
     ["line 1, name: found 'My Workflow', expected 1 to 63 characters: small letters"]),
    ("!!python/object/apply:os.system [id]", ["expected fields such as name"]),
    ("a: " + "[" * 100_000, ["has more than 40 levels inside each other"]),
    ('{"name": "a", "collection": ', ["is not valid JSON: Expecting value"]),
    ('{"name": "a", "name": "b"}', ["has the field 'name' twice in one object"]),
    ('{"name": "a", "gate": NaN}', ["holds NaN"]),
    (
        "name: A\ncollection: b\ngate: 2\nproperties:\n- {name: w, value_type: x, minimun: 3}\n",
        [
            "line 1, name: found 'A', expected",
            "line 5, properties[1].value_type: found 'x'",
            "line 5, properties[1]: unknown field 'minimun'; did you mean 'minimum'?",
            "line 3, gate: found '2', expected at most 1",
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_all_faults_are_told_with_line_and_field(text, expected):
    with pytest.raises(InvalidInput) as refused:
        read_definition(text, "w.yaml")
    lines = refused.value.message.removeprefix("w.yaml: ").split("\n")
    if len(expected) > 1:
        assert lines.pop(0) == f"{len(expected)} faults:"
    assert len(lines) == len(expected)
    assert all(line.startswith(start) for line, start in zip(lines, expected, strict=True)), lines


@pytest.mark.parametrize("kind", ["tenders", "receipts", "contracts"])
def test_the_sample_workflows_come_back(kind):
    definition = read_definition((SAMPLE / kind / "workflow.yaml").read_text(encoding="utf-8"))
    assert read_definition(write_definition(definition)) == definition


def test_written_yaml_is_readable():
    definition = WorkflowDefinition(
        name="doors",
        collection="tenders",
        context="One position.\nA dash is no value.",
        properties=(Property(name="width", value_type="f64", unit="cm", aliases=("Breite", "02138")), "colour"),
    )
    assert write_definition(definition) == (
        "name: doors\n"
        "collection: tenders\n"
        "context: |-\n"
        "  One position.\n"
        "  A dash is no value.\n"
        "properties:\n"
        "- name: width\n"
        "  value_type: f64\n"
        "  unit: cm\n"
        "  aliases: [Breite, '02138']\n"
        "- colour\n"
    )


def test_what_was_learnt_keeps_its_numbers():
    learnt = {"weights": {"cue": 1.5, "distance": -2}, "cues": ["Breite", "02138"], "on": True, "none": None}
    definition = WorkflowDefinition(name="a", collection="b", extractor=RulesExtractor(learnt=learnt))
    text = write_definition(definition)
    assert "kind: rules" in text
    assert read_definition(text).extractor.learnt == learnt
    assert read_definition(definition.model_dump_json()).extractor.learnt == learnt


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = WORDS.map(str.strip).filter(bool)
PROPERTIES = st.builds(
    Property,
    name=NAMES,
    value_type=st.just("keyword"),
    description=WORDS,
    aliases=st.lists(WORDS, max_size=3).map(tuple),
    options=st.lists(WORDS, max_size=3).map(tuple),
    min_length=st.none() | st.integers(0, 9),
) | st.builds(
    Property, name=NAMES, value_type=st.just("f64"), unit=st.none() | WORDS, minimum=st.none() | st.floats(-1e9, 1e9)
)


@given(
    st.builds(
        WorkflowDefinition,
        name=st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,20}\Z"),
        collection=st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,20}\Z"),
        context=WORDS | st.text("ab \n\t#:-'\"|>", max_size=30),
        gate=st.floats(0.5, 1),
        rules=st.builds(Rules, decimal_mark=st.sampled_from(["auto", ".", ","]), two_digit_years=st.integers(0, 99)),
        properties=st.lists(PROPERTIES | NAMES, max_size=4).map(tuple),
    )
)
def test_every_definition_comes_back(definition):
    assert read_definition(write_definition(definition)) == definition
    assert read_definition(definition.model_dump_json()) == definition
