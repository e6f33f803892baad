from __future__ import annotations

import io
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


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
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
        (
            "csv",
            b"item,side,property,value,kind,text\na,writes,w,x,number,t\n",
            "line 2: value: found 'x', expected a number",
        ),
        (
            "csv",
            b"item,side,property,value,kind,text\na,writes,w,1,whole,t\na,writes,h,1,whole,u\n",
            "line 3: item 'a' has another text than in items.csv, line 2",
        ),
        ("csv", b"item,side,property,value,kind,text\na,writs,w,1,whole,t\n", "line 2: side: found 'writs'"),
        ("csv", b"item,side,property,value,kind,text\na,writes,,1,whole,t\n", "line 2: property: found nothing"),
        ("csv", b"item,side,property,value,kind,text\na,,w,1,whole,t\n", "line 2: side: found nothing"),
        ("csv", b"item,side,property,value,kind,text\na,writes,w,1_000,whole,t\n", "found '1_000', expected a whole"),
        (
            "csv",
            b"item,side,property,value,kind,text\na,writes,w,1,int,t\n",
            "line 2: kind: found 'int', expected text",
        ),
        ("csv", b"item,side,property,value,accept,text\na,writes,w,1,x,t\n", "accept: found 'x', expected a list"),
        ("csv", b"item,side,property,value,spans,text\na,writes,w,1,5,t\n", "spans: found '5', expected positions"),
        ("jsonl", b'{"name":"a","text":"\xff"}\n', "line 1: is not UTF-8 from here on"),
        ("jsonl", b'{"name":"a","text":"t","valeus":[]}\n', "unknown field 'valeus'; did you mean 'values'?"),
        (
            "jsonl",
            b'{"name":"a","text":"t","values":[{"property":"p","value":null}]}\n',
            "values.1.value found nothing",
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
    ("kind", "value"),
    [
        ("i64", '"12"'), ("i64", "1.5"), ("i64", "true"), ("i64", "9223372036854775808"),
        ("f64", '"12,5"'), ("f64", "false"), ("bool", "1"), ("bool", '"yes"'), ("date", '"2024-13-45"'),
        ("date", '"31.12.2024"'), ("date", '"2024-W01-1"'), ("date", "20240101"), ("text", "5"), ("keyword", "true"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["jsonl", "answer-key"])
def test_a_value_of_another_type_is_a_fault(form: str, kind: str, value: str) -> None:
    item = Item(name="a", text="t", values=(Expected(property="p", value=json.loads(value)),))
    head = Head.model_validate({"name": "x", "install": {"properties": {"p": kind}}})
    with pytest.raises(ImportFaults, match=r"values\.1\.value found .*, expected .* \(" + kind):
        there_and_back(form, [item], head)


def test_all_faults_of_a_file_are_told_at_once() -> None:
    lines = (
        b'{"name":"a","text":"t","values":[{"property":"p","value":1,"type":"i64","unit":"cm"}]}',
        b"nonsense",
        b'{"name":"b"}',
        b'{"name":"a","text":"t"}',
        b"[1]",
        b'{"name":"c","text":"t","values":[{"property":"p","value":"x","type":"text","unit":"mm"}]}',
        b'{"name":"d","text":"t","values":[{"property":"q","value":1,"type":"number"}]}',
    )
    read = FORMATS["jsonl"].read
    assert read is not None
    with pytest.raises(ImportFaults) as caught:
        read(b"\n".join(lines))
    assert [(fault.place, fault.message.partition(";")[0].partition(":")[0]) for fault in caught.value.faults] == [
        ("items.jsonl, line 2", "is not valid JSON"),
        ("items.jsonl, line 3", "text is missing"),
        ("items.jsonl, line 4", "the name 'a' stands twice"),
        ("items.jsonl, line 5", "expected an object with name and text, found a list"),
        ("items.jsonl, line 6", "type of 'p'"),
        ("items.jsonl, line 6", "unit of 'p'"),
        ("items.jsonl, line 7", "type of 'q'"),
        ("items.jsonl, line 6", "values.1.value found 'x', expected a whole number such as 12 (i64)"),
    ]


@pytest.mark.parametrize(
    ("quote", "spans", "placed"),
    [
        ("60 cm", [(6, 11)], [(6, 11)]),
        ("60 cm", [(0, 5)], [(6, 11)]),  # it was moved by an edit
        ("60 cm", [(6, 99)], [(6, 11)]),
        ("cm", [(0, 2)], []),  # it stands there twice
        ("70 cm", [(6, 11)], []),
        ("Width … cm", [(0, 5), (9, 11)], [(0, 5), (9, 11)]),
        ("Width … cm", [(0, 5), (9, 99)], []),
    ],
)
@pytest.mark.parametrize("form", ["jsonl", "answer-key", "csv", "label-studio"])
def test_no_quote_is_placed_where_it_does_not_stand(
    form: str, quote: str, spans: list[tuple[int, int]], placed: list[tuple[int, int]]
) -> None:
    given = tuple(Span(start=start, end=end) for start, end in spans)
    item = Item(
        name="a", text="Width 60 cm, cm", values=(Expected(property="width", value=60.0, quote=quote, spans=given),)
    )
    found = there_and_back(form, [item]).items[0].values[0]
    assert [(span.start, span.end) for span in found.spans] == placed
    assert (found.value, found.quote) == (60.0, quote)


def test_what_a_spreadsheet_makes_of_typed_cells_is_read() -> None:
    from datetime import date, datetime, time

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["item", "side", "property", "value", "kind", "type", "text"])
    sheet.append(["a", "writes", "day", datetime(2024, 1, 2), "text", "date", "t"])
    sheet.append(["b", "writes", "day", date(2024, 1, 2), "text", "date", "t"])
    sheet.append(["c", "writes", "at", time(12, 30), "text", "text", "t"])
    sheet.append(["d", "writes", "width", 12.0, "whole", "i64", "t"])
    sheet.append(["e", "writes", "new", True, "yes/no", "bool", "t"])
    kept = io.BytesIO()
    book.save(kept)
    read = FORMATS["xlsx"].read
    assert read is not None
    values = [item.values[0].value for item in read(kept.getvalue()).items]
    assert values == ["2024-01-02", "2024-01-02", "12:30:00", 12, True]


@pytest.mark.parametrize(
    ("name", "item", "said"),
    [
        ("jsonl", Item(name="a", text="t"), "properties without any value (5)"),
        ("xlsx", Item(name="a", text="x" * 40_000), "texts beyond 32,767 characters, which were cut (1)"),
        (
            "xlsx",
            Item(
                name="a",
                text="x",
                values=(Expected(property="p", value="v", accept=("v", "w" * 20_000, "x" * 20_000, "y")),),
            ),
            "spellings beyond what a cell holds (2)",
        ),
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
