import csv
import io
from datetime import UTC, datetime

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.formats.answers_table import COLUMNS, AnswerRow, answers_csv, answers_xlsx
from reviewapp.formats.csv_records import table_rows
from tests.formats.test_csv_records import CELLS

AT = datetime(2026, 11, 30, 12, 30, 5, tzinfo=UTC)


def row(**fields):
    return AnswerRow(**{"input": "Item 1", "iri": "record:doors/1", "property": "width", "type": "f64", **fields})


def table(*rows, **options):
    text = b"".join(answers_csv(rows, **options)).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def words_of(value):
    """A cell's words, before a spreadsheet is kept from taking them for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def read_back(data: bytes):
    """The cells below the heading, as an import of records reads them."""
    return [cells for _, cells in table_rows(io.StringIO(data.decode("utf-8-sig"), newline=""), ",")][1:]


def cells_written(rows):
    return [[words_of(value) for value in row.__dict__.values()] for row in rows]


def sheet(*rows):
    book = openpyxl.load_workbook(io.BytesIO(b"".join(answers_xlsx(rows))))
    return book["answers"]


def cells_of(found, column):
    return [cells[COLUMNS.index(column)] for cells in found[1:]]


CORRECTED = row(
    unit="cm", read=10.0, stated="100 mm", quote="100 mm", start=14, end=20, support=0.75, outcome="review",
    detail="no unit stated", decision="correct", answer=12.0, expected=12.0, note="typo", reviewer="O'Neil, Ann", at=AT,
)  # fmt: skip


def test_what_was_read_answered_and_stands_are_columns_of_their_own():
    found = table(CORRECTED)
    assert tuple(found[0]) == COLUMNS
    assert dict(zip(*found, strict=True)) == {
        "input": "Item 1", "iri": "record:doors/1", "property": "width", "type": "f64", "unit": "cm", "read": "10.0",
        "stated": "100 mm", "quote": "100 mm", "start": "14", "end": "20", "support": "0.75", "outcome": "review",
        "detail": "no unit stated", "decision": "correct", "answer": "12.0", "expected": "12.0", "note": "typo",
        "reviewer": "O'Neil, Ann", "at": "2026-11-30T12:30:05+00:00",
    }  # fmt: skip


VALUES = [
    ("i64", 0, "0", 0),
    ("bool", False, "false", False),
    ("bool", True, "true", True),
    ("f64", 0.0, "0.0", 0),
    ("f64", -5.0, "-5.0", -5),
    ("i64", -5, "-5", -5),
    ("i64", 2**63 - 1, "9223372036854775807", "9223372036854775807"),
    ("i64", 999_999_999_999_999, "999999999999999", 999_999_999_999_999),
    ("keyword", "02138", "02138", "02138"),
    ("keyword", "00030340067212", "00030340067212", "00030340067212"),
    ("keyword", "06932169358293", "06932169358293", "06932169358293"),
    ("keyword", "1.10", "1.10", "1.10"),
    ("keyword", "-5", "'-5", "-5"),
    ("date", "2026-11-30", "2026-11-30", "2026-11-30"),
    ("text", 'Bolt, M8, "A4" steel\nzinc', 'Bolt, M8, "A4" steel\nzinc', 'Bolt, M8, "A4" steel\nzinc'),
    ("text", "重置昵称", "重置昵称", "重置昵称"),
    ("text", "#N/A", "#N/A", "#N/A"),
    ("text", None, "", None),
]


@pytest.mark.parametrize(("kind", "value", "in_csv", "in_xlsx"), VALUES)
def test_values_are_written_as_what_they_are(kind, value, in_csv, in_xlsx):
    written = row(type=kind, read=value, answer=value, expected=value)
    for column in ("read", "answer", "expected"):
        assert cells_of(table(written), column) == [in_csv]
        cell = sheet(written).cell(2, COLUMNS.index(column) + 1)
        assert cell.value == in_xlsx
        assert type(cell.value) is type(in_xlsx)
        assert cell.data_type != "f"


@pytest.mark.parametrize(("text", "dangerous"), [(text, d) for text, d in CELLS if text])
def test_texts_are_never_formulas(text, dangerous):
    written = row(input=text, read=text, type="text", quote=text, note=text, reviewer=text, detail=text)
    [defused] = {cells_of(table(written), c)[0] for c in ("input", "read", "quote", "note", "reviewer", "detail")}
    assert defused == ("'" + text if dangerous else text)
    cell = sheet(written)["A2"]
    assert (cell.data_type, cell.number_format) == ("s", "@")
    assert cell.value == text
    assert read_back(b"".join(answers_csv([written]))) == cells_written([written])


def test_every_row_has_every_column():
    found = table(row(), CORRECTED, row(read='a,"b"\r\nc', type="text"))
    assert {len(cells) for cells in found} == {len(COLUMNS)}
    assert cells_of(found, "read") == ["", "10.0", 'a,"b"\r\nc']


def test_a_byte_order_mark_only_where_it_is_wanted():
    assert next(answers_csv([], bom=True)).startswith(b"\xef\xbb\xbfinput,")
    assert next(answers_csv([])).startswith(b"input,")
    assert read_back(b"".join(answers_csv([CORRECTED], bom=True))) == cells_written([CORRECTED])


def test_tables_come_in_pieces():
    pieces = list(answers_csv(row(note="x" * 1_000) for _ in range(1_000)))
    assert len(pieces) > 10
    assert max(map(len, pieces)) < 100_000


def test_what_a_sheet_cannot_hold_is_replaced_or_cut():
    written = row(type="text", read="a\x01b", note="n" * 900, quote="q" * 40_000)
    assert sheet(written)["F2"].value == "a\ufffdb"
    assert sheet(written)["H2"].value == "q" * 32_766 + "…"


def test_a_sheet_has_a_heading_that_stays():
    found = sheet(CORRECTED)
    assert [cell.value for cell in found[1]] == list(COLUMNS)
    assert found.freeze_panes == "A2"


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)
TYPED = st.one_of(
    st.tuples(st.just("text"), TEXTS),
    st.tuples(st.just("keyword"), st.text("=+-@\t\r\n'\" 01", min_size=1, max_size=6)),
    st.tuples(st.just("i64"), st.integers(-(2**63), 2**63 - 1)),
    st.tuples(st.just("f64"), st.floats(allow_nan=False, allow_infinity=False)),
    st.tuples(st.just("bool"), st.booleans()),
)
OPTIONAL = st.none() | TEXTS


@given(st.lists(st.tuples(TYPED, OPTIONAL, OPTIONAL, TEXTS, st.none() | st.floats(0, 1)), max_size=5))
def test_rows_come_back_exactly(drawn):
    rows = [
        row(input=name, type=kind, read=value, expected=value, note=note, quote=quote, support=support, at=AT)
        for (kind, value), note, quote, name, support in drawn
    ]
    assert read_back(b"".join(answers_csv(rows))) == cells_written(rows)
