import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.formats.csv_records import find_delimiter
from reviewapp.formats.safe_cells import defused, restored
from tests.formats.reading import faults, incoming, pairs, records

TAKEN = [
    ("name,text\na,5 kg\n", [("a", "5 kg")]),
    ("name;text\na;5,5 kg\n", [("a", "5,5 kg")]),
    ("name\ttext\na\t5 kg\n", [("a", "5 kg")]),
    ("name|text\na|5 kg\n", [("a", "5 kg")]),
    ("sep=;\nname;text\na;5,5 kg\n", [("a", "5,5 kg")]),
    ('name,text\na,"A\r\nB\nC\rTotal, 5 kg"\nb,"say ""hi"""\n', [("a", "A\nB\nC\nTotal, 5 kg"), ("b", 'say "hi"')]),
    ('text\n"one, two"\n"three; four"\n', [("r line 2", "one, two"), ("r line 3", "three; four")]),
    ('name,text\na,"1\n2\n3"\n,6\n', [("a", "1\n2\n3"), ("r line 5", "6")]),
    ("name,text\n\n,,\na,5 kg\n\n", [("a", "5 kg")]),
    ("name,text,note\na,5 kg\n", [("a", "5 kg")]),
    ("name,text\r\na,5 kg,,\r\n", [("a", "5 kg")]),
    ("text,name\r5 kg,a\r", [("a", "5 kg")]),
    (
        "name,text\na,'=1+1\nb,'@SUM(1)\nc,'tis 5 kg\nd,''=x\n",
        [("a", "=1+1"), ("b", "@SUM(1)"), ("c", "'tis 5 kg"), ("d", "'=x")],
    ),
    ("name,text\n02138,00030340067212\n", [("02138", "00030340067212")]),
    ('"name","text"\n"a, b; c","5; 6; 7; 8"\n', [("a, b; c", "5; 6; 7; 8")]),
    ("id;Beschreibung;text\n1;x;5 kg\n", [("1", "5 kg")]),
]


@pytest.mark.parametrize(("content", "expected"), TAKEN)
def test_csv_is_read(content, expected):
    assert pairs("r.csv", content) == expected


REFUSED = [
    ("", "r.csv: the file is empty"),
    ("name,text\n", "r.csv: holds no record"),
    ("name,body\na,5 kg\n", "r.csv, line 2: has no text: found the fields 'name', 'body'"),
    ("name,text\na,\n", "r.csv, line 2: the text is empty"),
    ("name,text,Text\na,b,c\n", "r.csv, line 1: two columns have the heading 'Text'; rename one"),
    ("name,text\na,5,5 kg\n", "r.csv, line 2: the row has 3 cells, the heading 2"),
    ('name,text\na,ok\nb,"never closed\nc,d\n', "r.csv, line 3: in the row that begins after line 2: a quoted cell is"),
    ('name,text\na,"x"y\n', "r.csv, line 2: in the row that begins after line 1: ',' expected after '\"'"),
    ("name,text\na,5\0kg\n", "r.csv, line 2: the text holds a NUL character"),
]


@pytest.mark.parametrize(("content", "expected"), REFUSED)
def test_csv_is_refused_by_line(content, expected):
    [fault] = faults("r.csv", content)
    assert fault.startswith(expected)


@pytest.mark.parametrize(
    ("content", "expected", "above"),
    [
        ("Report;;\r\n\r\nof 1.12.2026;;\r\nName;Price;Text\r\nA;1,5;b, c\r\n", [("A", "b, c")], "2 rows"),
        ('Export of 1 December, by Ann\nname,text\nA,"x, y"\n', [("A", "x, y")], "the row"),
        ('"sep=;"\r\ntitle\r\nname;text\r\nA;b\r\n', [("A", "b")], "the row"),
    ],
)
def test_rows_above_the_headings_are_passed_over(content, expected, above):
    assert pairs("r.csv", content) == expected
    assert incoming("r.csv", content).notes[0] == f"r.csv: passed over {above} above the headings."


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("a,b,c\nd,text\n", "r.csv, line 2: has no text: found the fields 'a', 'b', 'c'"),
        ("x\n" * 20 + "text\nlate\n", "r.csv, line 2: has no text (nor has any other row): found the fields 'x'"),
        ('a,b\nc,"unclosed\n', "r.csv, line 2: in the row that begins after line 1: a quoted cell is never closed"),
    ],
)
def test_headings_are_no_guess(content, fault):
    assert faults("r.csv", content)[0].startswith(fault)


def test_columns_can_be_chosen():
    content = "Pos;Kurztext;Langtext;Preis\n4.1;Tür;T30, 900 x 2100;7,10\n"
    brought = incoming("r.csv", content, text_columns=["Kurztext", "Langtext"], name_column="Pos")
    assert [(r.name, r.text) for r in brought.records] == [("4.1", "Kurztext: Tür\nLangtext: T30, 900 x 2100")]
    assert brought.notes == ("r.csv: passed over the fields 'Preis'.",)


def test_a_long_quoted_cell_is_read():
    text = "line of text, with a comma\n" * 20_000
    [record] = records("r.csv", f'name,text\na,"{text}"\n')
    assert record.text == text


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,5;3\t2,5\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("text\nsome, words; here\n", ","),
        ("name;text\na;one, two, three\nb;four, five, six\n", ";"),
        ("", ","),
    ],
)
def test_the_delimiter_is_found(sample, expected):
    assert find_delimiter(sample) == expected


CELLS = [
    ("=cmd|' /C calc'!A0", True),
    ("+1+1", True),
    ("-1+1", True),
    ("@SUM(1)", True),
    ("\t=1", True),
    ("\r=1", True),
    ("\n=1", True),
    (" =1", True),
    ('"=1', True),
    ("'=1", True),
    ("＝1", True),
    ("＋1", True),
    ("－1", True),
    ("＠A", True),
    ("\u00a0=1", True),
    ("\ufeff=1", True),
    ("'tis", False),
    ("a=1", False),
    ("", False),
    ("5 kg", False),
    ("−5 °C", False),
    ("02138", False),
]


@pytest.mark.parametrize(("text", "dangerous"), CELLS)
def test_formulas_are_defused(text, dangerous):
    assert defused(text) == ("'" + text if dangerous else text)
    assert restored(defused(text)) == text


@given(st.text(st.sampled_from(list("=+-@＝＋－＠'\"` \t\r\n\u00a0\u200b\ufeffa1|")), max_size=8) | st.text())
def test_defusing_is_undone_exactly(text):
    cell = defused(text)
    assert restored(cell) == text
    assert restored(defused(cell)) == cell
    assert not cell.lstrip(' \u00a0"').startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(
    lambda t: refused_character(t) is None and clean_text(t).text.strip()
)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]))
def test_csv_gives_every_text_back_in_its_kept_form(texts, delimiter, line_end):
    table = io.StringIO(newline="")
    writer = csv.writer(table, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerow(["name", "text"])
    writer.writerows((f"n{i}", defused(text)) for i, text in enumerate(texts))
    expected = [(f"n{i}", clean_text(text).text) for i, text in enumerate(texts)]
    assert pairs("r.csv", table.getvalue()) == expected
