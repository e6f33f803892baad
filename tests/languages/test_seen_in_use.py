"""Sentences that stood in English on German pages, found by use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reviewapp.languages import ENGLISH, said, speak


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    speak("de")
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    ("english", "meant"),
    [
        ("The number can also be read as 2.01; only 201 cm is within 10 to 1000.",
         "Die Zahl kann auch als 2.01 gelesen werden; nur 201 cm liegt zwischen 10 und 1000."),
        ("The number can also be read as 2.01; only 201 cm is at least 20.",
         "Die Zahl kann auch als 2.01 gelesen werden; nur 201 cm liegt nicht unter 20."),
        ("Learnt from the answers on 3 texts; on 4 others 12 of 14 values are right, 11 before.",
         "Gelernt aus den Antworten auf 3 Texte; auf 4 anderen sind 12 von 14 Werten richtig, vorher 11."),
        ("Found '2', expected at most 1.", "Gefunden '2', erwartet höchstens 1."),
        ("Found 'x', expected a whole number.", "Gefunden 'x', erwartet eine ganze Zahl."),
        ("Found a list, expected any of: fields with values, a text.",
         "Gefunden eine Liste, erwartet eines von: Felder mit Werten, ein Text."),
        ("This does not fit the condition: condition.lower: found '1', expected a number.",
         "Das passt nicht zur Bedingung: condition.lower: gefunden '1', erwartet eine Zahl."),
    ],
)  # fmt: skip
def test_they_are_said_in_german(english: str, meant: str) -> None:
    assert said(english) == meant


def test_a_file_without_text_says_so_in_german() -> None:
    words = said(
        "offers.jsonl, line 1: has no text (nor has any other row): found the fields 'name', 'body'; "
        "expected 'text', or say which columns hold the text: with --text COLUMN, or on the page under "
        "Columns of tables and JSON"
    )
    assert "hat keinen Text (auch keine andere Zeile)" in words
    assert "gefunden die Felder 'name', 'body'" in words
