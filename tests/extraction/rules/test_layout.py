from __future__ import annotations

import pytest

from reviewapp.extraction.rules.layout import read_layout
from reviewapp.extraction.rules.words import fold, spellings, split_words

LABELLED_LINES = (
    "Invoice Date:      Due Date:\n03/20/2023         04/04/2023\n\n\n"
    "The parties agree to keep all of it to themselves for years."
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12 kgGross 15", ["12", "kg", "gross", "15"]),
        ("Change1.00", ["change", "1", "00"]),
        ("MwSt. GmbH", ["mwst", "gmbh"]),
        ("FÄLLIG", ["fallig"]),
        ("tempera\u00adture", ["temperature"]),
        ("Größe", ["grosse"]),
        ("D.I.Y.", ["d", "i", "y"]),
        ("SubTotal", ["subtotal"]),
        ("", []),
    ],
)
def test_words_come_apart_where_scans_glue_them(text: str, words: list[str]) -> None:
    assert read_layout(text).words == words


def test_words_know_where_they_stand() -> None:
    text = "Net 12 kgGross"
    layout = read_layout(text)
    assert [text[s:e] for s, e in zip(layout.starts, layout.ends, strict=True)] == ["Net", "12", "kg", "Gross"]


def test_lines_have_cells_and_know_running_text() -> None:
    first, second, third = read_layout(LABELLED_LINES).lines
    assert [LABELLED_LINES[c.start : c.end] for c in first.cells] == ["Invoice Date:", "Due Date:"]
    assert len(second.cells) == 2
    assert second.set_out
    assert (third.prose, third.blank_before) == (True, 2)
    assert not first.prose


def test_a_bar_and_a_tab_part_cells() -> None:
    text = "a | b\tc"
    assert [text[c.start : c.end] for c in read_layout(text).lines[0].cells] == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["", "\n\n", "\f \r\n", "x\r\ny\rz\n"])
def test_any_line_ends(text: str) -> None:
    assert len(read_layout(text).lines) == len(text.split())


def test_spelling_of_umlauts() -> None:
    assert spellings("fällig am") == ("fällig am", "faellig am")
    assert spellings("due") == ("due",)
    assert fold("ÉTÉ") == "ete"
    assert split_words("netWeight_kg 2") == ("net", "weight", "kg")
