from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings

from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.evaluations import DatasetGrading
from reviewapp.domain.places import Span
from reviewapp.errors import ImportFaults
from reviewapp.formats.datasets import FORMATS, Head, Losses
from tests.formats.datasets.worlds import HEAD, datasets, sheet_letters, there, there_and_back

WHOLE = ("answer-key", "huggingface", "pydantic-evals", "label-studio")
"""Forms that hold everything."""
ITEMS = ("jsonl", "csv", "csv-excel", "csv-excel-semicolon", "promptfoo")
"""Forms that hold all of the items."""
many = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.parametrize("name", WHOLE)
def test_everything_comes_back(name: str) -> None:
    @many
    @given(datasets())
    def there_and_back_again(given_items: list[Item]) -> None:
        found = there_and_back(name, given_items)
        assert list(found.items) == given_items
        assert (found.about, found.install) == (HEAD.about, HEAD.install)

    there_and_back_again()


@pytest.mark.parametrize("name", ITEMS)
def test_all_of_the_items_come_back(name: str) -> None:
    @many
    @given(datasets())
    def there_and_back_again(given_items: list[Item]) -> None:
        assert list(there_and_back(name, given_items).items) == given_items

    there_and_back_again()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(datasets(sheet_letters))
def test_a_spreadsheet_gives_all_back_that_cells_hold(given_items: list[Item]) -> None:
    assert list(there_and_back("xlsx", given_items).items) == given_items


@many
@given(datasets())
def test_documents_of_langextract_give_values_and_quotes_back(given_items: list[Item]) -> None:
    lost = {"case": None, "iri": None, "source": None, "leave_out": ()}
    assert list(there_and_back("langextract", given_items).items) == [i.model_copy(update=lost) for i in given_items]


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"xlsx"}))  # which holds the time of day
def test_the_same_items_give_the_same_bytes(name: str) -> None:
    item = Item(name="a", text="Width 60 cm", values=(Expected(property="width", value=60.0, quote="60 cm"),))
    assert there(name, [item]) == there(name, [item])


ODD = Item(
    name="=cmd|' /C calc'!A0",
    text='+1+1\n\t=1\nBolt, M8, "A4" steel\nzinc 重置昵称 −5 💩 12 kg',
    iri="@SUM(1)",
    values=(
        Expected(property="colour", value="02138", reason="O'Neil, Ann said; typo"),
        Expected(property="colour", value='Bolt, M8, "A4" steel\nzinc'),
        Expected(property="width", value=-5.0),
        Expected(property="quantity", value=0),
        Expected(property="in stock", value=False),
        Expected(property="width", value=0.0),
        Expected(property="colour", value="重置昵称", quote="12 kg", spans=(Span(start=45, end=50),)),
    ),
    leave_out=(Expected(property="=date", value=None),),
)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"langextract", "langextract-examples"}))
def test_what_the_field_trips_over_comes_back(name: str) -> None:
    (found,) = there_and_back(name, [ODD]).items
    assert found == ODD
    assert [type(e.value) for e in found.values] == [type(e.value) for e in ODD.values]


def test_text_cells_are_defused_and_numbers_are_not() -> None:
    rows = there("csv", [ODD]).decode().splitlines()
    assert rows[1].startswith("'=cmd|' /C calc'!A0,writes,colour,02138,text,")
    assert any(",width,-5.0,number,f64,cm," in row for row in rows)
    assert there("csv-excel", [ODD])[:3] == b"\xef\xbb\xbf"
    assert "重置昵称" in there("csv", [ODD]).decode()


def test_label_studio_counts_as_browsers_do() -> None:
    item = Item(
        name="e1",
        text="💩 Net weight: 12 kg",
        values=(Expected(property="weight", value=12, quote="12 kg", spans=(Span(start=14, end=19),)),),
    )
    (task,) = json.loads(there("label-studio", [item]))
    label = task["annotations"][0]["result"][0]["value"]
    assert (label["start"], label["end"], label["text"], label["labels"]) == (15, 20, "12 kg", ["weight"])
    assert item.text.encode("utf-16-le")[2 * 15 : 2 * 20].decode("utf-16-le") == "12 kg"


def test_an_annotation_drawn_anew_in_label_studio_counts() -> None:
    item = Item(name="a", text="💩 Width 60 cm, height 70 cm", values=(Expected(property="width", value=60.0),))
    (task,) = json.loads(there("label-studio", [item]))
    place = {"start": 23, "end": 28, "text": "70 cm"}
    task["annotations"][0]["result"] = [
        {"id": "x", "from_name": "property", "type": "labels", "value": {**place, "labels": ["width"]}},
        {"id": "x", "from_name": "value", "type": "textarea", "value": {**place, "text": ["70"]}},
    ]
    read = FORMATS["label-studio"].read
    assert read is not None
    (found,) = read(json.dumps([task]).encode()).items
    expected = Expected(property="width", value=70, quote="70 cm", spans=(Span(start=22, end=27),))
    assert found.values == (expected,)
    assert expected.spans[0].cut(item.text) == "70 cm"


@pytest.mark.parametrize("text", ["02138", "1e5", "0o14", "2024-01-02", "y", "1_000", ".5", "null"])
@pytest.mark.parametrize("name", ["promptfoo", "pydantic-evals"])
def test_texts_that_any_yaml_would_misread_stand_in_quotes(name: str, text: str) -> None:
    line = next(row for row in there(name, [Item(name="a", text=text)]).decode().splitlines() if " text:" in row)
    assert line.strip() in (f"text: '{text}'", f'text: "{text}"')


def test_an_expected_output_changed_by_hand_counts() -> None:
    item = Item(name="a", text="t", values=(Expected(property="width", value=60.0, reason="seen"),))
    changed = there("pydantic-evals", [item]).decode().replace("width: 60.0", "width: 61.5")
    read = FORMATS["pydantic-evals"].read
    assert read is not None
    (found,) = read(changed.encode()).items
    assert found.values == (Expected(property="width", value=61.5),)


def test_cases_of_others_are_taken() -> None:
    read = FORMATS["pydantic-evals"].read
    assert read is not None
    found = read(b"cases:\n- name: c1\n  inputs: What is 2+2?\n  expected_output: '4'\n- inputs: {text: hi}\n")
    assert [(i.name, i.text, [(e.property, e.value) for e in i.values]) for i in found.items] == [
        ("c1", "What is 2+2?", [("output", "4")]),
        ("case 2", "hi", []),
    ]


def test_dates_and_references_of_others_are_taken() -> None:
    read = FORMATS["pydantic-evals"].read
    assert read is not None
    data = b"cases:\n- inputs: &t hello\n  expected_output: {day: 2024-01-02, none: null}\n- inputs: *t\n"
    found = read(data)
    assert [(i.text, [(e.property, e.value) for e in i.values]) for i in found.items] == [
        ("hello", [("day", "2024-01-02")]),
        ("hello", []),
    ]


BOMB = b"\n".join(
    [b"a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    + [b"a%d: &a%d [%s]" % (n, n, b",".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 10)]
    + [b"cases: [{inputs: t, expected_output: {p: *a9}}]"]
)
"""Half a kilobyte that unfolds to 23 billion values."""


def test_a_sheet_of_a_country_with_decimal_commas() -> None:
    item = Item(
        name="a; b",
        text="1;2",
        values=(Expected(property="width", value=-12.5), Expected(property="colour", value="1,5; =1")),
    )
    sheet = there("csv-excel-semicolon", [item])
    assert sheet[:3] == b"\xef\xbb\xbf"
    rows = sheet.decode("utf-8-sig").splitlines()
    assert rows[1].startswith('"a; b";writes;width;-12,5;number;f64;cm;')
    assert rows[2].startswith('"a; b";writes;colour;"1,5; =1";text;')
    read = FORMATS["csv"].read
    assert read is not None
    assert list(read(sheet).items) == [item]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("jsonl", b'{"name":"a","text":"t"}\n{"name":"a","text":"t"}\n', "line 2: the name 'a' stands twice"),
        ("jsonl", b'{"name":"a"}\nnonsense\n', "line 2: is not valid JSON"),
        ("jsonl", b'{"name":"a","values":[{"property":"p"}]}\n', "line 1: text is missing"),
        ("jsonl", b'{"name":"a","text":"bad \\ud83d"}\n', "line 1: text"),
        ("jsonl", b"", "holds no item"),
        ("csv", b"name,text\na,b\n", "the column 'item' is missing"),
        ("csv", b"item,side,property,value,kind,text\na,writes,w,x,number,t\n", "line 2: cannot be read"),
        (
            "csv",
            b"item,side,property,value,kind,text\na,writes,w,1,whole,t\na,writes,h,1,whole,u\n",
            "line 3: item 'a' has another text than in items.csv, line 2",
        ),
        ("jsonl", b'{"name":"a","text":"t","values":[{"property":"p","value":{}}]}\n', "values.1.value found fields"),
        ("jsonl", b'{"name":"a","text":"a \\u0000"}\n', "line 1: text holds a NUL character (U+0000)"),
        ("jsonl", b'{"name":"a","text":"t","case":"\\u0000"}\n', "line 1: case holds a NUL character"),
        ("xlsx", b"PK\x03\x04nonsense", "is damaged or no XLSX file"),
        ("huggingface", b"nonsense", "is damaged or no Hugging Face folder"),
        ("pydantic-evals", b"cases: [", "is not valid YAML"),
        ("pydantic-evals", b"- 1\n", "expected `cases"),
        ("pydantic-evals", BOMB, "holds references that unfold to 23,456,790,126 values"),
        ("promptfoo", BOMB, "holds references that unfold to"),
        ("pydantic-evals", b"cases: &a [*a]", "a value holds itself"),
        ("promptfoo", b"a: 1\n", "expected a list of tests"),
        ("label-studio", b"{}", "expected a list of tasks"),
        ("label-studio", b'[{"data": {}}]', "task 1: 'text' is missing"),
        ("langextract", b'{"document_id": "a", "extractions": []}\n', "text"),
    ],
)
def test_faults_are_told_with_their_place(name: str, data: bytes, said: str) -> None:
    read = FORMATS[name].read
    assert read is not None
    with pytest.raises(ImportFaults) as caught:
        read(data)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("name", "item", "said"),
    [
        ("jsonl", Item(name="a", text="t"), "properties without any value (5)"),
        ("xlsx", Item(name="a", text="x" * 40_000), "texts beyond 32,767 characters, which were cut (1)"),
        ("langextract", ODD, "values that must be left out (1)"),
        ("langextract-examples", ODD, "values without a quote in one piece, which cannot be examples (6)"),
    ],
)
def test_what_a_form_cannot_hold_is_said(name: str, item: Item, said: str) -> None:
    losses = Losses()
    there(name, [item], losses=losses)
    assert any(said in sentence for sentence in losses.sentences), losses.sentences


@pytest.mark.parametrize("name", WHOLE)
def test_what_holds_everything_says_nothing(name: str) -> None:
    losses = Losses()
    there(name, [ODD], losses=losses)
    assert losses.sentences == ()


def test_examples_are_those_with_quotes() -> None:
    (example,) = json.loads(there("langextract-examples", [ODD]))
    assert [(e["extraction_class"], e["extraction_text"]) for e in example["extractions"]] == [("colour", "12 kg")]


def test_names_are_unique() -> None:
    assert len({form.words for form in FORMATS.values()}) == len(FORMATS)
    assert Head(name="x").install.properties == {}
    assert DatasetGrading.model_fields["kind"].default == "dataset"
