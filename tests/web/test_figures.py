"""Numbers of a page have one decimal mark, that of its language; fields, files and texts keep theirs."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from reviewapp.domain.properties import Value
from reviewapp.domain.tests import InputResult, Test
from reviewapp.languages import speak
from reviewapp.web.figures import in_words, local, typed_words
from reviewapp.web.filters import dollars
from reviewapp.workspaces import Workspace
from tests.web import world
from tests.web.reviewing import parsed, path, send

GERMAN = {"Accept-Language": "de"}
TEXT = "Width 36 mm, depth 1234567.5 mm"


@pytest.mark.parametrize(
    ("value", "english", "german", "typed"),
    [
        (3.5, "3.5", "3,5", "3.5"),
        (60.0, "60", "60", "60"),
        (1234567.25, "1234567.25", "1234567,25", "1234567.25"),
        (1.234, "1.234", "1,234", "1.234"),
        (-0.5, "-0.5", "-0,5", "-0.5"),
        (12, "12", "12", "12"),
        ("1.10", "1.10", "1.10", "1.10"),
        ("2026-12-01", "2026-12-01", "2026-12-01", "2026-12-01"),
        (True, "yes", "ja", "ja"),
        (False, "no", "nein", "nein"),
    ],
)
def test_a_value_in_both_languages(value: Value, english: str, german: str, typed: str) -> None:
    assert in_words(value) == english
    speak("de")
    try:
        assert in_words(value) == german
        assert typed_words(value) == typed
        assert local("1,234.5") == "1.234,5"
    finally:
        speak("en")


def test_dollars_have_the_marks_of_the_language() -> None:
    assert [dollars(2_499_280), dollars(2_500_000), dollars(1_234_500_000)] == ["$2.499280", "$2.50", "$1,234.50"]
    speak("de")
    try:
        assert [dollars(2_499_280), dollars(1_234_500_000)] == ["2,499280 $", "1.234,50 $"]
    finally:
        speak("en")


@pytest.fixture
def test(workspace: Workspace) -> Test:
    queued = world.fill(workspace, [("one", TEXT)])
    read = (
        world.value(TEXT, "width", 3.6, "Width 36 mm", stated="36 mm"),
        world.value(TEXT, "depth", 123456.75, "depth 1234567.5 mm", stated="1234567.5 mm"),
    )
    return world.run(workspace, queued, [InputResult(values=read)])


def test_a_card_mixes_no_marks(client: FlaskClient, test: Test) -> None:
    send(client, test, "width", "correct", value="4.25")
    page = parsed(client.get(path(test), headers=GERMAN))
    cards = {card.css_first("h3").text().split(" · ")[0]: card for card in page.css("section.card")}
    width, depth = (" ".join(cards[name].text().split()) for name in ("width", "depth"))
    assert "36 mm → 3,6 cm" in width
    assert "Korrigiert zu 4,25 cm" in width
    assert "0,90" in width
    assert "123456,75 cm" in depth
    assert "depth 1234567.5 mm" in depth
    field = cards["width"].css_first("input[name=value]")
    assert field.attributes["value"] == "4.25"
    shown = client.get(path(test, "reading?name=width&value=42,5+mm"), headers=GERMAN).text
    assert "= 4,25 cm" in shown
