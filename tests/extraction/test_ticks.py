"""An answer that is one of few, with what stands beside it."""

from __future__ import annotations

import pytest

from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import Reading
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import Reply
from reviewapp.extraction.pipeline import judge
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.ticks import doubted_answer

CLASS = Property(name="fire class", value_type="keyword", options=("T30", "T90", "EI30"))
CERTIFIED = Property(name="certified", value_type="bool")


def doubted(text: str, quote: str, value: str | bool) -> str | None:
    start = text.index(quote)
    return doubted_answer(PreparedText(text), (Span(start=start, end=start + len(quote)),), value)


@pytest.mark.parametrize(
    ("text", "quote", "value", "said"),
    [
        ("Certified: ☐ yes ☒ no", "yes", True, "The box at 'yes' is empty."),
        ("Certified: ☐ yes ☐ no", "yes", True, "The box at 'yes' is empty."),
        ("Certified: ☐ yes ☒ no", "☐ yes", True, "The box at '☐ yes' is empty."),
        ("Certified: [ ] yes [x] no", "yes", True, "The box at 'yes' is empty."),
        ("Certified: yes ( ) no (x)", "yes", True, "The box at 'yes' is empty."),
        ("Class: □ T30 ■ T90", "T30", "T30", "The box at 'T30' is empty."),
        ("Order\nClass: T30 ○ T90 ●\nend", "T30", "T30", "The box at 'T30' is empty."),
        ("Certified: yes / no", "yes", True, "'Certified: yes / no' names both answers; one of them is expected."),
        ("Certified: yes/no", "no", False, "'Certified: yes/no' names both answers; one of them is expected."),
        (
            "zertifiziert: ja oder nein",
            "ja",
            True,
            "'zertifiziert: ja oder nein' names both answers; one of them is expected.",
        ),
        ("Certified: [x] yes [x] no", "yes", True, "Both answers are ticked: 'Certified: [x] yes [x] no'."),
        ("Certified: yes?", "yes", True, "A question mark stands behind 'yes'."),
        ("Class: T30 ?", "T30", "T30", "A question mark stands behind 'T30'."),
        ("Class: at least T30", "T30", "T30", "The text says 'at least T30', which is not this one alone."),
        ("Klasse: mindestens T30", "T30", "T30", "The text says 'mindestens T30', which is not this one alone."),
        ("Class: T30 or more", "T30", "T30", "The text says 'T30 or more', which is not this one alone."),
    ],
)
def test_it_is_doubted(text: str, quote: str, value: str | bool, said: str) -> None:
    assert doubted(text, quote, value) == said


@pytest.mark.parametrize(
    ("text", "quote", "value"),
    [
        ("Certified: ☒ yes ☐ no", "yes", True),
        ("Certified: ☐ yes ☒ no", "no", False),
        ("Certified: yes ☒ no ☐", "yes", True),
        ("Certified: yes ☐ no ☒", "no", False),
        ("Class: [x] T30 [ ] T90", "T30", "T30"),
        ("□ T30 door", "T30", "T30"),  # a bullet
        ("Certified: yes", "yes", True),
        ("Certified: yes / approved", "yes", True),
        ("Which class? T30", "T30", "T30"),
        ("At least two doors, class T30", "T30", "T30"),
    ],
)
def test_it_is_not(text: str, quote: str, value: str | bool) -> None:
    assert doubted(text, quote, value) is None


@pytest.mark.parametrize(
    ("prop", "text", "quote", "value"),
    [
        (CERTIFIED, "Certified: ☐ yes ☒ no", "yes", True),
        (CERTIFIED, "Certified: n/a", "n/a", False),
        (CERTIFIED, "Certified: not applicable", "not applicable", False),
        (CERTIFIED, "Zertifiziert: keine Angabe", "keine Angabe", False),
        (CLASS, "Fire class: at least T30", "T30", "T30"),
        (CLASS, "Fire class: T30 (to be confirmed)", "T30", "T30"),
        (CLASS, "Fire class: e.g. T30", "T30", "T30"),
        (CLASS, "Fire class: formerly T30", "T30", "T30"),
        (CLASS, "If the fire class is T30, use oak", "T30", "T30"),
    ],
)
def test_what_is_doubted_goes_to_a_person(prop: Property, text: str, quote: str, value: str | bool) -> None:
    settings = WorkflowSettings(collection="doors", properties=(prop,), gate=0.8)
    reply = Reply(readings=(Reading(property=prop.name, value=value, quote=quote),), calibrated=False)
    (found,) = judge(PreparedText(text), settings, Evidence(), reply)
    assert found.outcome in ("review", "weak_support")
