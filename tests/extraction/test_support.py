"""The embedded score: what speaks for and against a value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.cues import phrases
from reviewapp.extraction.grounding import locate
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.support import DOUBTS, FACTORS, FEATURE_NAMES, UNSTATED, WEIGHTS, Features, features, support
from reviewapp.extraction.surroundings import surroundings


def support_of(prop: Property, value: Value, text: str, quote: str) -> float:
    prepared = PreparedText(text)
    grounding = locate(prepared, quote, value=value, cues=phrases(prop))
    assert grounding is not None
    start, end = grounding.place[0].start, grounding.place[-1].end
    around = surroundings(prepared, start, end)
    said = text[start:end]
    return support(features(prop, value, said, said, grounding, around, prepared, Rules(), Evidence()))


WIDTH: dict[str, Any] = {"name": "width", "value_type": "f64", "unit": "cm", "aliases": ("Breite",)}
TOTAL: dict[str, Any] = {"name": "total", "value_type": "f64", "aliases": ("amount due",)}
COMPANY: dict[str, Any] = {"name": "company", "value_type": "text", "description": "The seller who issues the receipt."}
WATERPROOF: dict[str, Any] = {"name": "waterproof", "value_type": "bool"}
COLOUR: dict[str, Any] = {"name": "colour", "value_type": "keyword", "options": ("red", "white", "light grey")}

WRITE, ASK, DROP = (0.8, 1.0), (0.5, 0.8), (0.0, 0.5)
"""Bands of support with the default gate."""

CASES: list[tuple[str, dict[str, Any], Value, str, str, tuple[float, float]]] = [
    ("label and value in the quote", WIDTH, 60.0, "Width: 600 mm\nHeight: 900 mm", "Width: 600 mm", WRITE),
    ("label beside the quote", WIDTH, 60.0, "Width: 600 mm\nHeight: 900 mm", "600 mm", WRITE),
    ("label in another language", WIDTH, 60.0, "Breite 600 mm", "600 mm", WRITE),
    ("label above the quote", WIDTH, 60.0, "Width\n600 mm\n", "600 mm", WRITE),
    ("head of the column", WIDTH, 60.0, "Height   Width\n900 mm   600 mm", "600 mm", WRITE),
    ("nothing names it", WIDTH, 60.0, "A sheet of 600 mm.", "600 mm", ASK),
    ("another label", WIDTH, 90.0, "Width: 600 mm\nHeight: 900 mm", "900 mm", ASK),
    ("rival in the quote", WIDTH, 60.0, "Width: 600 mm or 700 mm", "Width: 600 mm or 700 mm", ASK),
    ("another value behind an or", WIDTH, 120.0, "Width: 1200 mm, or 1400 mm if wanted", "Width: 1200 mm", ASK),
    ("the value behind an or", WIDTH, 140.0, "Width: 1200 mm or 1400 mm", "1400 mm", ASK),
    ("an or of words", TOTAL, 5.0, "Total 5.00 or as agreed", "5.00", WRITE),
    ("number sign is no negation", TOTAL, 5.0, "Invoice No. 5 total 5.00", "total 5.00", WRITE),
    ("number sign without a dot", TOTAL, 5.0, "Doc no CS0038 total 5.00", "total 5.00", WRITE),
    ("hedged", TOTAL, 5.0, "Estimated total 5.00", "total 5.00", ASK),
    ("negated", TOTAL, 5.0, "The total is not 5.00", "5.00", ASK),
    ("value not in the quote", COLOUR, "red", "Colour: red\nHandle: white", "Handle: white", DROP),
    ("words of another", COMPANY, "Acme Ltd", "Beta Company\n12 Road", "Beta Company", DROP),
    ("by the description only", COMPANY, "Acme Ltd", "Receipt of the seller Acme Ltd", "Acme Ltd", ASK),
    ("yes that is said", WATERPROOF, True, "Waterproof: yes", "Waterproof: yes", WRITE),
    ("no that is said", WATERPROOF, False, "The case is not waterproof.", "not waterproof", WRITE),
    ("yes of what is denied", WATERPROOF, True, "The case is not waterproof.", "not waterproof", DROP),
    ("option in the quote", COLOUR, "light grey", "Colour: Light grey", "Colour: Light grey", WRITE),
    ("option by implication", COLOUR, "white", "Colour: snow", "Colour: snow", ASK),
    ("negation behind the ellipsis", COLOUR, "red", "colour shall not be red", "colour ... be red", DROP),
    ("many places, none of which names it", TOTAL, 5.0, "5.00\n5.00\n7.00", "5.00", ASK),
    ("slips in the quote", COLOUR, "white", "Colour of handle: white", "Colour of hondle: white", WRITE),
]


@pytest.mark.parametrize(("prop", "value", "text", "quote", "band"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_band_of_support(prop: dict[str, Any], value: Value, text: str, quote: str, band: tuple[float, float]) -> None:
    support = support_of(Property(**prop), value, text, quote)
    assert band[0] <= support <= band[1]


def test_the_named_place_has_more_support_than_its_neighbour() -> None:
    text = "Net 12 kg Gross 15 kg"
    net = Property(name="net_weight", value_type="f64", unit="kg")
    assert support_of(net, 12.0, text, "12 kg") > support_of(net, 15.0, text, "15 kg")


SHARES = st.floats(0, 1)


@given(st.builds(Features, **dict.fromkeys(FEATURE_NAMES, SHARES)), st.none() | SHARES)
def test_support_is_a_share_and_every_feature_pulls_its_way(found: Features, confidence: float | None) -> None:
    whole = support(found, confidence)
    assert 0 <= whole <= 1
    assert float(f"{whole:.5f}") == whole, "no 0.5780799999999999 in a file"
    for name in WEIGHTS:
        assert support(replace(found, **{name: 1.0}), confidence) >= whole - 1e-12
    for name in (*FACTORS, *DOUBTS):
        assert support(replace(found, **{name: 1.0}), confidence) <= whole + 1e-12
    assert support(replace(found, states=0.0), confidence, calibrated=False) <= UNSTATED


def test_weights_add_up_and_name_features() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    assert sorted([*WEIGHTS, *FACTORS, *DOUBTS]) == sorted(FEATURE_NAMES)


PLAIN = Features(
    states=1.0, names=0.0, alone=1.0, grounded=1.0,
    rivals=0.0, unplaced=0.0, negated=0.0, hedged=0.0, either=0.0, omitted=0.0,
)  # fmt: skip
"""Stated where nothing names the property: 0.6."""


@pytest.mark.parametrize(
    ("found", "confidence", "calibrated", "expected"),
    [
        (PLAIN, None, True, 0.6),
        (PLAIN, 0.9, True, 0.87),
        (PLAIN, 0.1, True, 0.15),
        (PLAIN, 1.0, False, 0.68),
        (replace(PLAIN, negated=1.0), 0.9, True, 0.4785),
        (replace(PLAIN, states=0.0), 0.9, True, 0.7),
        (replace(PLAIN, states=0.0, names=1.0), None, True, 0.45),
        (replace(PLAIN, states=0.0, names=1.0), 1.0, False, 0.45),
    ],
)
def test_confidence_of_the_reader(found: Features, confidence: float | None, calibrated: bool, expected: float) -> None:
    assert support(found, confidence, calibrated=calibrated) == pytest.approx(expected)
