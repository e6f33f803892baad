from __future__ import annotations

import json

import pytest

from reviewapp.cli.output import counted, print_json, print_json_list, print_table, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("width", "width"),
        ("red \x1b[31mtext\x1b[0m", "red  [31mtext [0m"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("a\x9b2Jb", "a 2Jb"),
        ("abc \u202egpj.exe", "abc  gpj.exe"),
        (60, "60"),
    ],
)
def test_names_and_quotes_cannot_steer_the_terminal(text, shown):
    assert printable(text) == shown


def test_a_table_has_its_columns_under_their_heads(capsys):
    print_table(("name", "items"), [("Tür", 4), ("重置", 12), ("x" * 80, 1_000)])
    assert capsys.readouterr().out.splitlines() == [
        "name" + " " * 56 + "  items",
        "Tür" + " " * 57 + "      4",
        "重置" + " " * 56 + "     12",
        "x" * 59 + "…   1000",
    ]


def test_a_table_without_rows_has_its_heads(capsys):
    print_table(("name", "items"), [])
    assert capsys.readouterr().out == "name  items\n"


@pytest.mark.parametrize(("number", "words"), [(0, "0 inputs"), (1, "1 input"), (12_000, "12,000 inputs")])
def test_numbers_are_said_with_their_noun(number, words):
    assert counted(number, "input") == words


@pytest.mark.parametrize("count", [0, 1, 2, 100, 101, 250])
def test_a_long_list_is_printed_as_part_of_one_document(capsys, count):
    rows = [{"n": n, "text": "two\nlines", "inner": [n, {}]} for n in range(count)]
    print_json_list({"name": "Höhe", "counts": {"n": count}}, "rows", iter(rows))
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"name": "Höhe", "counts": {"n": count}, "rows": rows}
    if count:
        assert printed == json.dumps(json.loads(printed), ensure_ascii=False, indent=2) + "\n"


def test_json_is_strict_and_readable(capsys):
    print_json({"name": "Höhe", "big": 2**60})
    assert capsys.readouterr().out == '{\n  "name": "Höhe",\n  "big": 1152921504606846976\n}\n'
    with pytest.raises(ValueError, match="Out of range float"):
        print_json(float("nan"))
