from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.formats.xlsx_cells import CELL_UNITS, allowed, cut, escaped, unescaped


@pytest.mark.parametrize(
    ("text", "in_the_file"),
    [
        ("width_x", "width_x"),
        ("_x0041_", "_x005F_x0041_"),
        ("_x005F_", "_x005F_x005F_"),
        ("a_x0041_x0042_b", "a_x005F_x0041_x005F_x0042_b"),
        ("_x004_", "_x004_"),
    ],
)
def test_letters_that_look_like_an_escape_are_escaped(text: str, in_the_file: str) -> None:
    assert escaped(text) == in_the_file
    assert unescaped(in_the_file) == text


@given(st.text(st.sampled_from("_x0041F a"), max_size=40))
def test_what_is_escaped_comes_back(text: str) -> None:
    assert unescaped(escaped(text)) == text


@pytest.mark.parametrize("letter", ["a", "é", "💩", "_x0041_"])
@pytest.mark.parametrize("mark", ["", "…"])
def test_a_cell_holds_so_many_units_for_every_letter(letter: str, mark: str) -> None:
    short = cut(letter * (CELL_UNITS + 1), mark)
    units = len(escaped(short).encode("utf-16-le")) // 2
    assert CELL_UNITS - 13 < units <= CELL_UNITS
    assert short.endswith(mark)
    assert cut(letter * 2_000, mark) == letter * 2_000


def test_what_a_sheet_has_no_place_for_is_replaced() -> None:
    assert allowed("a\x00b\x0cc\ud83dd\te\n") == "a\ufffdb\ufffdc\ufffdd\te\n"
