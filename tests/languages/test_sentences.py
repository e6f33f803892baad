"""Sentences of the domain are recognised by their form and said in the language in use."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Message
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from reviewapp.domain.properties import Property
from reviewapp.domain.values import parse_typed
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import Fault, ImportFaults, InvalidInput, NotFound, OpenTest, TooManyTries
from reviewapp.extraction.checks import failed_check
from reviewapp.languages import said, speak
from reviewapp.languages.catalogue import read_catalogue
from reviewapp.languages.sentences import CONTEXT, form_of, values_of


@pytest.fixture(autouse=True)
def in_german() -> Iterator[None]:
    speak("de")
    yield
    speak("en")


def refusal(typed: str, value_type: str) -> str:
    with pytest.raises(InvalidInput) as refused:
        parse_typed(typed, value_type, Rules(), Evidence())  # type: ignore[arg-type]
    return refused.value.message


WIDTH = Property(name="width", value_type="f64", unit="cm", minimum=5, maximum=80)
COLOUR = Property(name="colour", value_type="keyword", options=tuple(f"option {n}" for n in range(12)))
CODE = Property(name="code", value_type="text", pattern=r"\d+", min_length=3)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (refusal("wide", "f64"), "'wide' ist keine Zahl; erwartet wird eine Zahl wie 12,5."),
        (refusal("2.5", "i64"), "'2.5' ist keine ganze Zahl; erwartet wird eine ganze Zahl."),
        (refusal("maybe", "bool"), "'maybe' ist nicht ja oder nein; erwartet wird ja oder nein."),
        (refusal("30.2.2024", "date"),
         "'30.2.2024' ist kein Tag des Kalenders; erwartet wird ein Datum wie 2024-03-31."),
        (refusal("", "text"), "Der Wert ist leer; erwartet wird ein Text."),
        (failed_check(WIDTH, 4.0, "4"), "4 cm liegt unter dem Minimum 5 cm."),
        (failed_check(WIDTH, 600.5, "600.5"), "600.5 cm liegt über dem Maximum 80 cm."),
        (failed_check(COLOUR, "blue", "blue"), "'blue' ist keine der Optionen: option 0, option 1, option 2, option 3, "
         "option 4, option 5, option 6, option 7 und 4 weitere."),
        (failed_check(CODE, "a1", "a1"), r"'a1' entspricht nicht dem Muster \d+."),
        (NotFound("test", "wtest_1").message, "Nicht gefunden: Test 'wtest_1'."),
        (NotFound("dataset", "x", way_out="Versions that are kept: 1, 2.").message,
         "Nicht gefunden: Datensatz 'x'. Behaltene Versionen: 1, 2."),
        (OpenTest("sinks", "wtest_2").message,
         "Der Workflow 'sinks' hat einen laufenden Test (wtest_2); warten Sie auf sein Ende, oder brechen Sie ihn ab."),
        (TooManyTries(150).message,
         "Zu viele Versuche; warten Sie (3 Minuten), oder bitten Sie einen Admin um einen Link, der ein neues Passwort "
         "setzt."),
        (ImportFaults([Fault("a.jsonl, line 3", "the text is empty"), Fault("b.json", "holds no record")]).message,
         "2 Fehler; nichts wurde eingelesen:\na.jsonl, Zeile 3: der Text ist leer\nb.json: enthält keinen Eintrag"),
        ("The text says 'up to 5': an upper bound, not a single value.",
         "Im Text steht 'up to 5': eine obere Grenze, kein einzelner Wert."),
        ("'6 kg' cannot be taken: it states 'kg', which cannot be told in cm. Write one number in cm.",
         "'6 kg' passt nicht: da steht 'kg', das lässt sich nicht in cm umrechnen. Geben Sie eine Zahl in cm ein."),
        ("line 3, gate: found '3', expected at most 1", "Zeile 3, gate: gefunden '3', erwartet höchstens 1"),
        ("a.csv, line 2: in the row that begins after line 1: a quoted cell is never closed; the rest was not read",
         "a.csv, Zeile 2: in der Zeile, die nach Zeile 1 beginnt: eine Zelle in Anführungszeichen wird nie "
         "geschlossen; der Rest wurde nicht gelesen"),
        ("There is no collection 'none' to read from. There are: tenders, x.",
         "Es gibt keine Sammlung 'none' zum Lesen. Vorhanden sind: tenders, x."),
        ("The text states no unit; the property is in EUR.", "Im Text steht keine Einheit; das Merkmal ist in EUR."),
    ],
)  # fmt: skip
def test_a_sentence_is_said_in_german(english: str, german: str):
    assert said(english) == german


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann",
        "stainless steel",
        "Der Wert ist leer; erwartet wird ein Text.",
        "Width of the sink 600 mm, depth 500.",
    ],
)
def test_what_is_not_ours_stays(text: str):
    assert said(text) == text


def test_values_are_never_translated():
    """A property may be called as one of our words is: only what the catalogue marks is translated in turn."""
    assert said("There is no property 'record'.") == "Nicht gefunden: Merkmal 'record'."
    assert said("Taken back: your answer on test.") == "Zurückgenommen: Ihre Antwort auf test."


@pytest.mark.parametrize(
    "piece",
    [
        "a, b; c (d) is x: ",
        "line 1, character 2: ",
        "found 1, expected 2 ",
        " is ",
        "'x' in ",
        "(a",
        "; it has ",
        ": ",
        "\n",
        "a",
    ],
)
@pytest.mark.parametrize("times", [8, 24, 300, 30_000])
@pytest.mark.timeout(120)
def test_what_somebody_makes_look_like_ours_comes_to_an_end(piece: str, times: int):
    assert len(said(piece * times)) > 0


def test_markup_is_left_to_whoever_made_it():
    assert said(Markup("Nothing was called.")) == Markup("Nothing was called.")


def test_english_is_said_as_it_is():
    speak("en")
    assert said("Nothing was called.") == "Nothing was called."


ENTRIES = [message for message in read_catalogue("de") if message.context == CONTEXT and message.string]
AMBIGUOUS = {"There is no {part!r} {behind}."}
"""As a form the same as another one, whose translation serves both."""


@pytest.mark.parametrize("message", ENTRIES, ids=lambda message: str(message.id)[:60])
def test_every_sentence_is_recognised_with_its_own_values(message: Message):
    if message.id in AMBIGUOUS:
        return
    english = str(message.id)
    values = {name: f"«{n}»" for n, name in enumerate(sorted(values_of(english)))}
    quoted = {name: repr(value) if f"{{{name}!r}}" in english else value for name, value in values.items()}
    assert said(filled(english, quoted)) == filled(str(message.string), quoted)


@given(value=st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=30))
def test_any_value_comes_back_as_it_was(value: str):
    form = form_of("{printed} is below the minimum {minimum}.", "{printed} liegt unter dem Minimum {minimum}.")
    found = form.pattern.fullmatch(f"{value} is below the minimum 5.")
    assert found is not None
    assert form.fill(found.groupdict(), "de") == f"{value} liegt unter dem Minimum 5."


def filled(form: str, values: dict[str, str]) -> str:
    with_values = re.sub(r"(?<!\{)\{(\w+)(![tr])?\}(?!\})", lambda place: values[place[1]], form)
    return with_values.replace("{{", "{").replace("}}", "}")
