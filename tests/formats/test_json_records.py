import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.texts import clean_text, refused_character
from tests.formats.reading import faults, incoming, pairs, records

TAKEN = [
    ('{"name":"a","text":"5 kg"}\n', [("a", "5 kg")]),
    ('{"name":"a","text":"5 kg"}', [("a", "5 kg")]),
    ('\n{"name":"a","text":"5 kg"}\r\n\r\n{"name":"b","text":"6 kg"}\r\n', [("a", "5 kg"), ("b", "6 kg")]),
    ('{"title":"a","content":"5 kg"}', [("a", "5 kg")]),
    ('{"label":"a","text":"5 kg"}', [("a", "5 kg")]),
    ('{"id":"a","text":"5 kg"}', [("a", "5 kg")]),
    ('{"NAME":"a"," Text ":"5 kg"}', [("a", "5 kg")]),
    ('{"text":"5 kg"}\n{"name":"","text":"6 kg"}', [("r line 1", "5 kg"), ("r line 2", "6 kg")]),
    ('{"name":" two\\n words ","text":"5 kg"}', [("two words", "5 kg")]),
    ('{"name":17,"text":"5 kg"}', [("17", "5 kg")]),
    ('{"name":"a","text":"A\\r\\nB\\nC\\rTotal 5 kg"}', [("a", "A\nB\nC\nTotal 5 kg")]),
    ('{"name":"a","text":"page 1\\fpage\\t2"}', [("a", "page 1\fpage\t2")]),
    ('{"name":"a","text":"one\\u2028two\\u0085three\\u000bfour"}', [("a", "one\ntwo\nthree\nfour")]),
    ('{"name":"a","text":"💩 \\ud83d\\udca9 12 kg"}', [("a", "💩 💩 12 kg")]),
    ('{"name":"a","text":"raw\u2028separator"}', [("a", "raw\nseparator")]),
]


@pytest.mark.parametrize(("content", "expected"), TAKEN)
def test_jsonl_is_read(content, expected):
    assert pairs("r.jsonl", content) == expected


REFUSED = [
    ('{"name":"a","text":"bad \\ud83d end 5 kg"}', "r.jsonl, line 1: the text holds half of a surrogate pair (U+D83D)"),
    ('{"name":"a\\udc00","text":"5 kg"}', "r.jsonl, line 1: the name holds half of a surrogate pair (U+DC00)"),
    ('{"name":"a","text":"5\\u0000 kg"}', "r.jsonl, line 1: the text holds a NUL character (U+0000) at character 2"),
    ('{"name":"a","text":""}', "r.jsonl, line 1: the text is empty"),
    ('{"name":"a","text":" \\n "}', "r.jsonl, line 1: the text is empty"),
    ('{"name":"a","text":null}', "r.jsonl, line 1: the text is empty"),
    ('{"name":"a","text":["x"]}', "r.jsonl, line 1: the field 'text' holds a list; expected a text"),
    ('{"name":"a","text":"x","n":NaN}', "r.jsonl, line 1: holds NaN, which is no JSON number"),
    ('{"name":"a","text":"x","n":-Infinity}', "r.jsonl, line 1: holds -Infinity"),
    ('{"name":"a","text":"x"', "r.jsonl, line 1: is not valid JSON"),
    ('{"name":"a","text":"x","text":"y"}', "r.jsonl, line 1: has the field 'text' twice"),
    ("[1, 2]", "r.jsonl, line 1: expected an object with name and text, found a list; a file that is one JSON list"),
    ('"x"', "r.jsonl, line 1: expected an object with name and text, found a text"),
    (
        '{"name":"a","text":' + "[" * 1_000 + "]" * 1_000 + "}",
        "r.jsonl, line 1: has lists or objects inside each other",
    ),
    ('{"text":"x","name":"' + "n" * 201 + '"}', "r.jsonl, line 1: the name has 201 characters; at most 200"),
    ('{"text":"x","iri":"a b"}', "r.jsonl, line 1: the iri is not one word"),
    ('{"text":"' + "x" * 4_000_001 + '"}', "r.jsonl, line 1: the text has 4,000,001 characters; at most 4,000,000"),
    ("", "r.jsonl: holds no record"),
    ('{"name":"a","text":"x"}\n{"name":"a","text":"y"}', "r.jsonl, line 2: the name 'a' stands twice with different"),
]


@pytest.mark.parametrize(("content", "expected"), REFUSED)
def test_jsonl_is_refused_by_line(content, expected):
    [fault] = faults("r.jsonl", content)
    assert fault.startswith(expected)


def test_all_faults_are_told_at_once():
    content = '{"text":""}\nno json\n{"name":"a","text":"5 kg"}\n{"name":"b","text":"\\ud83d"}\n7\n'
    assert [fault.split(":")[0] for fault in faults("r.jsonl", content)] == [f"r.jsonl, line {n}" for n in (1, 2, 4, 5)]


def test_a_thousand_faults_are_enough():
    found = faults("r.jsonl", "x\n" * 5_000)
    assert len(found) == 1_001
    assert found[-1] == "r.jsonl, line 1000: looking for more stopped here, after 1,000 faults"


def test_no_text_anywhere_is_one_fault_with_the_fields_and_the_way_out():
    content = '{"name":"a","body":"x","price":3}\n' * 50
    assert faults("r.jsonl", content) == [
        "r.jsonl, line 1: has no text (nor has any other row): found the fields 'name', 'body', 'price'; "
        "expected 'text', or say which columns hold the text: with --text COLUMN, or on the page under Columns of "
        "tables and JSON"
    ]


def test_no_text_in_some_lines_is_a_fault_of_each():
    content = '{"name":"a","text":"x"}\n{"name":"b"}\n{}\n'
    assert [fault.split(": ")[0] for fault in faults("r.jsonl", content)] == ["r.jsonl, line 2", "r.jsonl, line 3"]


def test_several_text_columns_join_in_the_order_they_are_named():
    content = '{"pos":"4.1","short":"Steel door","long":"T30\\n900 x 2100","qty":2,"price":7.10,"lead":null,"ok":true}'
    [record] = records(
        "r.jsonl", content, text_columns=["short", "long", "Qty", "price", "lead", "ok"], name_column="pos"
    )
    assert record.name == "4.1"
    assert record.text == "short: Steel door\nlong: T30\n900 x 2100\nqty: 2\nprice: 7.10\nok: true"


def test_one_text_column_is_the_text_itself():
    assert pairs("r.jsonl", '{"body":"5 kg"}', text_columns=["body"]) == [("r line 1", "5 kg")]


def test_a_chosen_column_that_is_not_there_is_a_fault():
    [fault] = faults("r.jsonl", '{"name":"a","text":"x"}\n', text_columns=["text", "descr"])
    assert fault.startswith("r.jsonl: there is no column 'descr'; found ")


def test_unknown_fields_are_told_in_one_note():
    brought = incoming("r.jsonl", '{"name":"a","text":"x","price":1}\n{"name":"b","text":"y","colour":"red"}\n')
    assert brought.notes == ("r.jsonl: passed over the fields 'price', 'colour'.",)


@pytest.mark.parametrize(
    ("content", "iri"),
    [
        ('{"name":"a","text":"x","iri":"urn:item:1"}', "urn:item:1"),
        ('{"name":"a","text":"x","id":"https://example.org/1"}', "https://example.org/1"),
        ('{"name":"a","text":"x","id":"17"}', None),
        ('{"id":"17","text":"x"}', None),
    ],
)
def test_the_iri_is_iri_or_an_id_that_is_one(content, iri):
    assert records("r.jsonl", content)[0].iri == iri


def test_equal_names_with_their_own_iris_are_two_records():
    content = '{"name":"a","iri":"x:1","text":"5 kg"}\n{"name":"a","iri":"x:2","text":"6 kg"}\n'
    assert [record.iri for record in records("r.jsonl", content)] == ["x:1", "x:2"]


def test_twins_are_folded_with_a_note():
    brought = incoming("r.jsonl", '{"name":"a","text":"5 kg"}\n' * 3)
    assert len(brought.records) == 1
    assert brought.notes == ("2 records stood twice, word for word, and were taken once each.",)


def test_control_characters_become_spaces_and_are_told():
    brought = incoming("r.jsonl", '{"name":"a","text":"a\\u0001b\\u007fc\\u0080"}')
    assert next(iter(brought.records)).text == "a b c "
    assert brought.notes == ("r.jsonl: control characters (U+0001, U+007F, U+0080) became spaces.",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('[{"name":"a","text":"x"},{"text":"y"}]', [("a", "x"), ("r record 2", "y")]),
        ('{"records":[{"name":"a","text":"x"}],"about":"no matter"}', [("a", "x")]),
        ('{"name":"a","text":"x"}', [("a", "x")]),
        ('{"Content":"x","other":[1]}', [("r", "x")]),
    ],
)
def test_json_is_read(content, expected):
    assert pairs("r.json", content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"name":"a"}', 'r.json: expected a list of objects or {"records": [...]}, found an object'),
        ('{"a":1}\n{"a":2}', "r.json: is not valid JSON: Extra data (line 2, character 1); one object a line is JSONL"),
        ('[{"text":"\\ud83d"}]', "r.json, record 1: the text holds half of a surrogate pair"),
        ("[7]", "r.json, record 1: expected an object with name and text, found the number 7"),
        ("[" * 100_000, "r.json: has lists or objects inside each other more than 100 levels deep"),
        ("[NaN]", "r.json: holds NaN"),
        ("", "r.json: is not valid JSON"),
        ("[]", "r.json: holds no record"),
    ],
)
def test_json_is_refused(content, expected):
    [fault] = faults("r.json", content)
    assert fault.startswith(expected)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(
    lambda t: refused_character(t) is None and clean_text(t).text.strip()
)


@given(st.lists(TEXTS, min_size=1, max_size=8), st.booleans())
def test_jsonl_gives_every_text_back_in_its_kept_form(texts, ascii_only):
    rows = [{"name": f"n{i}", "text": text} for i, text in enumerate(texts)]
    content = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows)
    assert pairs("r.jsonl", content) == [(f"n{i}", clean_text(text).text) for i, text in enumerate(texts)]
    assert pairs("r.json", json.dumps(rows)) == pairs("r.jsonl", content)


@given(TEXTS)
def test_the_kept_form_is_kept(text):
    once = clean_text(text).text
    assert clean_text(once).text == once
