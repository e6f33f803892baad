"""What people answered, and what comes out: nothing empty, nothing lost, nothing that runs."""

from __future__ import annotations

import io
import json

import pytest

from reviewapp.answer_rows import answer_rows
from reviewapp.answers import history, progress
from reviewapp.datasets import get_dataset, import_dataset, list_datasets, save_dataset
from reviewapp.formats.answers_table import answers_csv, answers_xlsx
from reviewapp.tests import counts
from tests.builders import zipped
from tests.field_cases.product import Product, Said, prop

HOSTILE = {
    "plain": 'Bolt, M8, "A4" steel\nzinc',
    "=cmd|' /C calc'!A0": "=cmd|' /C calc'!A0",
    "+1+1": "+1+1",
    "@SUM(1)": "@SUM(1)",
    "tab": "\t=1",
    "-2+3": "-2+3",
    "wide": "＝1+1",
    "重置昵称": "重置昵称",
    "quote": "'=1+1",
}


def test_25_zero_no_and_nought_are_values(product: Product) -> None:
    properties = [prop("defects found", "i64"), prop("certified", "bool"), prop("offset", unit="mm")]
    product.read({"a": "Defects found: 0\nCertified: no\nOffset 0.0 mm"}, properties)
    for name in ("defects found", "certified", "offset"):
        assert product.answer("a", name, "accept") == 303
    (item,) = product.export()["expected.json"]["records"]
    assert [(v["value"], type(v["value"])) for v in item["values"]] == [(0, int), (False, bool), (0.0, float)]
    assert [(row["read"], row["expected"]) for row in product.table()] == [("0", "0"), ("false",) * 2, ("0.0",) * 2]
    shown = [value.text().split("\n")[0].strip() for value in product.page("a").css(".card p.value")]
    assert shown == ["0", "no", "0 mm"]
    assert counts(product.workspace, product.test).answered == 3


@pytest.mark.parametrize("typed", ["NaN", "inf", "-inf", "1e999", "-", "∞", "1e309 cm", "", "5 kg", "0x10"])
def test_26_what_is_no_number_is_refused_beside_its_field(product: Product, typed: str) -> None:
    product.read({"a": "Width 5 cm"}, [prop("width", unit="cm")])
    assert product.answer("a", "width", "correct", typed) == 422
    assert product.answer("a", "width", "accept") == 303
    assert [v["value"] for v in product.export()["expected.json"]["records"][0]["values"]] == [5.0]


@pytest.mark.parametrize("code", ["02138", "00030340067212", "06932169358293", "1.10", "1E5", "2024-01", "TRUE"])
def test_28_codes_stay_strings(product: Product, code: str) -> None:
    product.read({"a": f"Code: {code}"}, [prop("code", "keyword")], {"a": [("code", code, code)]})
    assert product.answer("a", "code", "accept") == 303
    assert product.export()["expected.json"]["records"][0]["values"][0]["value"] == code
    assert product.table()[0]["read"] == code
    (cell,) = _cells(product, "read")
    assert (cell.value, cell.data_type) == (code, "s")


def _cells(product: Product, column: str) -> list[object]:
    import openpyxl

    content = b"".join(answers_xlsx(answer_rows(product.workspace, product.test)))
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    heads = [cell.value for cell in next(sheet.iter_rows())]
    return [row[heads.index(column)] for row in sheet.iter_rows(min_row=2)]


def test_73_74_76_cells_are_whole_readable_and_run_nothing(product: Product) -> None:
    texts = {name: f"Item: {value}\nvalue -5" for name, value in HOSTILE.items()}
    said: dict[str, list[Said]] = {n: [("item", v, v.strip()), ("value", -5, "-5")] for n, v in HOSTILE.items()}
    product.read(texts, [prop("item", "text"), prop("value")], said)
    for name in HOSTILE:
        assert product.answer(name, "item", "accept", note="=HYPERLINK(1)") == 303
    rows = product.table()
    for row in rows:
        for column, cell in row.items():
            assert not cell.startswith(("=", "+", "@", "\t", "\r", "＝")), column
    assert {row["read"] for row in rows if row["property"] == "value"} == {"-5.0"}
    assert all(cell.data_type != "f" for cell in [*_cells(product, "read"), *_cells(product, "input")])  # type: ignore[attr-defined]
    assert {cell.value for cell in _cells(product, "read")} >= {-5}  # type: ignore[attr-defined]
    kept = list(answer_rows(product.workspace, product.test))
    values = [item["values"][0]["value"] for item in product.export()["expected.json"]["records"]]
    assert set(values) == {value.strip() for value in HOSTILE.values()}
    assert "重置昵称" in json.dumps(product.export(), ensure_ascii=False)
    assert "重置昵称".encode() in b"".join(answers_csv(iter(kept)))


def reviewed(product: Product) -> None:
    """Five items: two accepted, one corrected with a note, one rejected, one open."""
    product.read({f"r{n}": f"Width {n + 10} cm" for n in range(5)}, [prop("width", unit="cm")])
    assert product.answer("r0", "width", "accept") == 303
    assert product.answer("r1", "width", "accept") == 303
    assert product.answer("r2", "width", "correct", "10", note="typo") == 303
    assert product.answer("r3", "width", "reject") == 303


def test_77_79_80_what_was_read_and_what_was_answered_stay_apart(product: Product) -> None:
    reviewed(product)
    files = product.export()
    assert [item["name"] for item in files["records.json"]] == ["r0", "r1", "r2", "r3"]
    expected = files["expected.json"]["records"]
    assert [[v["value"] for v in item.get("values", [])] for item in expected] == [[10], [11], [10], []]
    assert [[(v["value"], v.get("reason")) for v in item.get("leave_out", [])] for item in expected] == [
        [],
        [],
        [(12, "typo")],
        [(13, None)],
    ]
    told = [(r["read"], r["decision"], r["answer"], r["expected"], r["note"], r["outcome"]) for r in product.table()]
    assert told == [
        ("10.0", "accept", "", "10.0", "", "written"),
        ("11.0", "accept", "", "11.0", "", "written"),
        ("12.0", "correct", "10.0", "10.0", "typo", "written"),
        ("13.0", "reject", "", "", "", "written"),
        ("14.0", "", "", "", "", "written"),
    ]


def test_53_a_dataset_brought_into_an_empty_workspace_comes_out_the_same(product: Product) -> None:
    reviewed(product)
    saved = save_dataset(product.workspace, product.test, by="Ann")
    content = zipped(product.workspace, saved.id)
    empty = product.data.workspace("other", create=True)
    brought = import_dataset(empty, saved.name, content, by="Bob")
    assert zipped(empty, brought.id) == content
    assert import_dataset(empty, saved.name, content, by="Bob").id == brought.id
    assert [d.id for d in list_datasets(empty)] == [brought.id]
    assert get_dataset(empty, brought.id).item_count == 4
    records = json.dumps(product.export()["records.json"]).encode()
    assert "0 new, 0 changed, 4 the same" in product.import_file("again.json", records)[1]


def test_55_92_progress_counts_values_once(product: Product) -> None:
    texts = {f"r{n}": f"Width {n + 10} cm\nHeight {n} cm\nDepth 3 cm" for n in range(10)}
    product.read(texts, [prop(name, unit="cm") for name in ("width", "height", "depth")])
    for name in ("width", "height", "depth"):
        for n in range(4):
            assert product.answer(f"r{n}", name, "accept") == 303
    for decision in ("cant_tell", "reject", "accept"):
        assert product.answer("r0", "width", decision) == 303
    now = counts(product.workspace, product.test, by="Ann")
    assert (now.answered, now.answerable) == (12, 30)
    assert progress(product.workspace, product.test) == {"Ann": {"width": 4, "height": 4, "depth": 4}}
    assert "12" in product.page("r0").body.text()  # type: ignore[union-attr]


def test_94_95_an_answer_is_changed_and_taken_back_step_by_step(product: Product) -> None:
    product.read({"a": "Width 5 cm", "b": "Width 6 cm"}, [prop("width", unit="cm")])
    assert product.answer("a", "width", "accept") == 303
    assert product.answer("a", "width", "cant_tell") == 303
    assert product.client.post(f"/w/default/tests/{product.test}/undo").status_code == 303
    steps = [step.decision for step in history(product.workspace, product.test, "record:field/a", "width")]
    assert (len(steps), steps[:2]) == (3, ["accept", "cant_tell"])
    assert product.table()[0]["decision"] == "accept"
    assert [v["value"] for v in product.export()["expected.json"]["records"][0]["values"]] == [5.0]
    assert counts(product.workspace, product.test).answered == 1


def test_71_the_first_open_input_is_shown_however_often_the_page_is_loaded(product: Product) -> None:
    product.read(dict.fromkeys("abc", "Width 5 cm"), [prop("width", unit="cm")])
    assert product.answer("a", "width", "accept") == 303
    for _ in range(3):
        page = product.client.get(f"/w/default/tests/{product.test}/")
        assert '<h2 dir="auto">b</h2>' in page.text


def test_89_nothing_tells_where_a_file_was(product: Product) -> None:
    secret = product.folder / "anna" / "secret"
    secret.mkdir(parents=True)
    (secret / "report.txt").write_text("Width 5 cm")
    assert product.command("records", "import", str(secret / "report.txt"), "--collection", "field")[0] == 0
    listed = product.command("records", "list", "--collection", "field", "--json")[1]
    assert "report" in listed
    assert "secret" not in listed
    (secret / "bad.jsonl").write_text("{")
    code, _, err = product.command("records", "import", str(secret / "bad.jsonl"), "--collection", "field")
    assert (code, "secret" in err) == (1, False)
