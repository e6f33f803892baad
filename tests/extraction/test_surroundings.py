"""What stands around a place."""

from __future__ import annotations

import pytest

from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.surroundings import REACH, cells, surroundings


def around(text: str, words: str) -> tuple[str, str, tuple[str, ...], str]:
    start = text.index(words)
    found = surroundings(PreparedText(text), start, start + len(words))
    return found.left, found.right, found.heads, found.before


TABLE = "Item   Net weight   Gross weight\n-----\nA      12 kg        15 kg\nB      13 kg        16 kg"

CASES = [
    # text, words, left, right, heads, before
    ("Width: 60 cm net", "60 cm", "Width: ", " net", (), ""),
    ("Width\n60 cm", "60 cm", "", "", (), "Width"),
    ("Width\n\n  \n60 cm", "60 cm", "", "", (), "Width"),
    ("Net weight   Gross weight\n12 kg        15 kg", "15 kg",
     "12 kg        ", "", ("Gross weight",), "Net weight   Gross weight"),
    ("Net\tGross\n12\t15", "15", "12\t", "", ("Gross",), "Net\tGross"),
    ("| Net | Gross |\n| 12 | 15 |", "15", "| 12 | ", " |", ("Gross",), "| Net | Gross |"),
    ("Net;Gross\n12;15", "12", "", ";15", ("Net",), "Net;Gross"),
    ("A sentence of words.\n12 kg   15 kg", "15 kg", "12 kg   ", "", (), "A sentence of words."),
    ("page one\f12 kg", "12 kg", "", "", (), "page one"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "left", "right", "heads", "before"), CASES)
def test_surroundings(text: str, words: str, left: str, right: str, heads: tuple[str, ...], before: str) -> None:
    assert around(text, words) == (left, right, heads, before)


def test_heads_reach_over_rows_and_rules() -> None:
    left, _, heads, before = around(TABLE, "16 kg")
    assert left.startswith("B")
    assert heads == ("Gross weight",)
    assert before.startswith("A")


def test_reach_is_bounded() -> None:
    text = "x" * 1_000 + " 5 kg " + "y" * 1_000
    left, right, _, _ = around(text, "5 kg")
    assert (len(left), len(right)) == (REACH, REACH)


def test_context_ends_with_the_words_straight_before() -> None:
    text = "Weight (kg)   Price\n5             7"
    found = surroundings(PreparedText(text), text.index("7"), len(text))
    assert found.context == "Price\n\n5             "


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Net weight   Gross weight", ["Net weight", "Gross weight"]),
        ("a\tb c\td", ["a", "b c", "d"]),
        ("| a | b |", ["a", "b"]),
        ("one sentence, no cells", ["one sentence, no cells"]),
        ("   ", []),
        ("07.01.2025 Direct debit ACME  304-0000   49,90", ["07.01.2025 Direct debit ACME", "304-0000", "49,90"]),
    ],
)
def test_cells(line: str, found: list[str]) -> None:
    assert [line[s:e] for s, e in cells(line)] == found
