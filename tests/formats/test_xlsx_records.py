from datetime import date, datetime, time

import pytest

from reviewapp.formats.cell_display import shown
from tests.formats.making import with_part, xlsx
from tests.formats.reading import faults, incoming, pairs, records

SHOWN = [
    (None, "General", ""),
    (True, "General", "TRUE"),
    (5, "General", "5"),
    (5.0, "General", "5"),
    (0, "General", "0"),
    (0.1 + 0.2, "General", "0.3"),
    (1e15, "General", "1000000000000000"),
    (0.00001234, "General", "0.00001234"),
    (-2.5, "General", "-2.5"),
    (1234.5, "0.00", "1234.50"),
    (1234.5, "#,##0.00", "1,234.50"),
    (1234567, "#,##0", "1,234,567"),
    (0.5, "#,##0.00", "0.50"),
    (0.5, "#.##", ".5"),
    (2.5, "0.0##", "2.5"),
    (0.1825, "0.00%", "18.25%"),
    (0.5, "0%", "50%"),
    (2138, "00000", "02138"),
    (12, '0 "kg"', "12 kg"),
    (12.5, '#,##0.00\\ "€"', "12.50 €"),
    (-12.5, "#,##0.00\\ [$€-407]", "-12.50 €"),
    (-3, "0;(0)", "(3)"),
    (0, '0;-0;"none"', "none"),
    (5, ";;;", ""),
    (5, '0"; "0', "5"),
    (-0.001, "0.00", "0.00"),
    (1500000, '0.0,,"M"', "1.5M"),
    (2.675, "0.00", "2.68"),
    (0.333, "# ?/?", "0.333"),
    (12345, "0.00E+00", "12345"),
    (5, "[Red]0", "5"),
    (7, "@", "7"),
    (datetime(2024, 3, 1), "mm-dd-yy", "2024-03-01"),
    (datetime(2024, 3, 1, 14, 30), "m/d/yy h:mm", "2024-03-01 14:30"),
    (datetime(2024, 3, 1), "yyyy-mm-dd", "2024-03-01"),
    (datetime(2024, 3, 1), "dd.mm.yyyy", "01.03.2024"),
    (datetime(2024, 3, 1), "d/m/yy", "1/3/24"),
    (datetime(2024, 3, 1), "[$-409]d\\ mmmm\\ yyyy", "1 March 2024"),
    (datetime(2024, 3, 1), "dddd, mmm d", "Friday, Mar 1"),
    (datetime(2024, 3, 1, 14, 5, 9), "dd.mm.yyyy hh:mm:ss", "01.03.2024 14:05:09"),
    (datetime(2024, 3, 1, 14, 5), "h:mm AM/PM", "2:05 PM"),
    (date(2024, 3, 1), "dd/mm/yyyy", "01/03/2024"),
    (time(7, 5), "h:mm", "7:05"),
    ("text", "0.00", "text"),
]


@pytest.mark.parametrize(("value", "number_format", "expected"), SHOWN)
def test_cells_are_text_as_the_sheet_shows_them(value, number_format, expected):
    assert shown(value, number_format) == expected


def test_rows_are_records():
    content = xlsx(
        [["name", "text"], ["a", "Länge 5 m\nzweite Zeile"], [None, None], [None, 7], ["02138", "keeps its zero"]]
    )
    assert pairs("r.xlsx", content) == [
        ("a", "Länge 5 m\nzweite Zeile"),
        ("r row 4", "7"),
        ("02138", "keeps its zero"),
    ]


def test_numbers_and_dates_join_as_shown():
    def adjust(book):
        sheet = book.worksheets[0]
        sheet["B2"].number_format = "dd.mm.yyyy"
        sheet["C2"].number_format = "#,##0.00"

    content = xlsx([["name", "day", "sum"], ["a", datetime(2024, 3, 1), 1234.5]], adjust=adjust)
    [record] = records("r.xlsx", content, text_columns=["day", "sum"])
    assert record.text == "day: 01.03.2024\nsum: 1,234.50"


def test_sheets_without_text_are_passed_over_with_a_note():
    content = xlsx([["prices"], [1]], [["name", "text"], ["a", "5 kg"]], titles=["Prices", "Items"])
    brought = incoming("r.xlsx", content)
    assert [(r.name, r.text) for r in brought.records] == [("a", "5 kg")]
    assert brought.notes == ("r.xlsx: passed over the sheet 'Prices', which has no text column.",)


def test_names_made_for_two_sheets_differ():
    content = xlsx([["text"], ["5 kg"]], [["text"], ["6 kg"]])
    assert pairs("r.xlsx", content) == [("r Sheet1 row 2", "5 kg"), ("r Sheet2 row 2", "6 kg")]


def test_hidden_sheets_are_passed_over_with_a_note():
    def adjust(book):
        book.worksheets[1].sheet_state = "hidden"

    content = xlsx([["text"], ["5 kg"]], [["text"], ["6 kg"]], adjust=adjust)
    brought = incoming("r.xlsx", content)
    assert [r.text for r in brought.records] == ["5 kg"]
    assert brought.notes == ("r.xlsx: passed over the hidden sheet 'Sheet2'.",)


def test_a_formula_counts_with_its_saved_result():
    def save_result(part):
        return part.replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>").replace(
            b"<f>1+1</f><v/>", b"<f>1+1</f><v>2</v>"
        )

    unsaved = xlsx([["name", "text"], ["a", "=1+1"]])
    assert faults("r.xlsx", unsaved) == [
        "r.xlsx, row 2: cell B2 is a formula without a saved result; open and save the file once"
    ]
    assert pairs("r.xlsx", with_part(unsaved, "xl/worksheets/sheet1.xml", save_result)) == [("a", "2")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (xlsx([["name", "body"], ["a", "x"]]), "r.xlsx, row 2: has no text: found the fields 'name', 'body'"),
        (xlsx([[]]), "r.xlsx: the sheet is empty"),
        (xlsx([["name", "text"]]), "r.xlsx: holds no record"),
        (xlsx([["name", "text"], ["a", "   "]]), "r.xlsx, row 2: the text is empty"),
        (xlsx([["text", "Text"], ["a", "b"]]), "r.xlsx, row 1: two columns have the heading 'Text'"),
        (b"PK\x03\x04 broken", "r.xlsx: is damaged or no XLSX file"),
        (b"\xd0\xcf\x11\xe0" + b"x" * 600, "r.xlsx: is locked with a password or in an old format; save it as XLSX"),
        (b"name,text\n", "r.xlsx: is damaged or no XLSX file"),
        (b"", "r.xlsx: is damaged or no XLSX file"),
    ],
)
def test_what_cannot_be_read_is_one_fault(content, expected):
    [fault] = faults("r.xlsx", content)
    assert fault.startswith(expected)


def test_escaped_characters_of_the_format_are_read():
    content = xlsx([["name", "text"], ["a", "one_x000D_\ntwo"]])
    assert pairs("r.xlsx", content) == [("a", "one\ntwo")]


def test_rows_above_the_headings_are_passed_over():
    content = xlsx([["Report 2026"], [], ["of", date(2026, 12, 1)], ["name", "sum", "text"], ["a", 1.5, "5 kg"]])
    assert pairs("r.xlsx", content) == [("a", "5 kg")]
    assert incoming("r.xlsx", content).notes[0] == "r.xlsx: passed over 2 rows above the headings."


def test_a_cell_without_a_heading_is_told_with_its_way_out():
    content = xlsx([["name", "text"], ["a", "5 kg", None, "?"]])
    assert faults("r.xlsx", content) == [
        "r.xlsx, row 2: the row has 4 cells, the heading 2; give their columns a heading, or empty the cells"
    ]


def test_a_full_cell_may_have_lost_its_end():
    rows = [["name", "text"], ["a", "x" * 32_766], ["b", "y" * 40_000], ["c", "z" * 32_767]]
    assert incoming("r.xlsx", xlsx(rows[:3])).notes == (
        "r.xlsx, row 3: a cell is full (32,767 characters); its end may have been cut off.",
    )
    assert incoming("r.xlsx", xlsx(rows)).notes == (
        "r.xlsx: 2 rows have a full cell (32,767 characters); ends may have been cut off.",
    )
