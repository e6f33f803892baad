"""Whether the words around a place name a property."""

from __future__ import annotations

import pytest

from reviewapp.extraction.cues import alike, key_words, naming, weights, words
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.surroundings import surroundings


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("flow_b", ("flow", "b")),
        ("netWeight", ("net", "weight")),
        ("Gesamt-Gewicht (kg)", ("gesamt", "gewicht", "kg")),
        ("Größe", ("grösse",)),
        ("٣ قطع", ("3", "قطع")),
        ("—", ()),
    ],
)
def test_words(phrase: str, found: tuple[str, ...]) -> None:
    assert words(phrase) == found


@pytest.mark.parametrize(
    ("cue", "word", "same"),
    [
        ("weight", "weight", True),
        ("weight", "weights", True),
        ("weights", "weight", True),
        ("gewicht", "gesamtgewicht", True),
        ("net", "network", False),
        ("b", "a", False),
        ("width", "height", False),
    ],
)
def test_alike(cue: str, word: str, same: bool) -> None:
    assert alike(cue, word) is same


def test_words_of_the_kind_tell_little_beside_others() -> None:
    assert weights("net_weight") == {"net": 3, "weight": 1}
    assert weights("weight") == {"weight": 4}
    assert weights("date of the invoice") == {"date": 1, "invoice": 4}


def test_key_words_of_a_description() -> None:
    assert key_words("The seller who issues the receipt, with its date.") == {"seller", "issues", "receipt", "date"}


NAMING = [
    # text, quote, names, at least, at most
    ("Width: 60 cm", "60 cm", ["width"], 0.95, 1),
    ("Breite 60 cm", "60 cm", ["width", "Breite"], 0.95, 1),
    ("60 cm wide, width", "60 cm", ["width"], 0.3, 0.4),
    ("The width of the shelf in the hall is 60 cm", "60 cm", ["width"], 0.75, 0.95),
    ("Width 50 cm, 60 cm", "60 cm", ["width"], 0.3, 0.5),
    ("Width\n60 cm", "60 cm", ["width"], 0.6, 0.6),
    ("Width 50 cm\n60 cm", "60 cm", ["width"], 0.2, 0.2),
    ("Height   Width\n50 cm   60 cm", "60 cm", ["width"], 0.9, 0.9),
    ("Net 60 cm", "60 cm", ["net_weight"], 0.7, 0.8),
    ("Height 60 cm", "60 cm", ["width"], 0, 0),
    ("", "", ["width"], 0, 0),
]


@pytest.mark.parametrize(("text", "quote", "names", "least", "most"), NAMING)
def test_naming(text: str, quote: str, names: list[str], least: float, most: float) -> None:
    start = text.index(quote)
    around = surroundings(PreparedText(text), start, start + len(quote))
    assert least <= naming(around, names) <= most
