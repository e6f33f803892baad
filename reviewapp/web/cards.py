"""The cards of one input: per property what was read, what the live workflow would do, and what people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reviewapp.domain.answers import Answer, Decision, Standing, in_force, standing, visible, wants_answer
from reviewapp.domain.looks import Look
from reviewapp.domain.properties import Property
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import DROPPED, OUTCOME_WORDS, InputResult, Outcome, ReadValue
from reviewapp.domain.values import EXAMPLES
from reviewapp.domain.workflows import WorkflowSettings
from reviewapp.languages import gettext, said
from reviewapp.web.figures import in_words, typed_words
from reviewapp.web.highlighting import Mark, Tone

Show = Literal["all", "passed", "review", "no_value", "failed", "unanswered", "disputed", "look", "sent_back"]
"""Which values are shown; the summary's chips."""

SIGNS: dict[Tone, str] = {"ok": "✓", "warn": "◐", "bad": "✕", "none": "–", "found": ""}

DECIDED: dict[Decision, tuple[Tone, str, str]] = {
    "accept": ("ok", "✓", "Accepted"),
    "correct": ("warn", "✎", "Corrected"),
    "reject": ("bad", "✕", "Rejected"),
    "cant_tell": ("none", "?", "Can't tell"),
}
"""Tone, sign and words of a given answer."""

MOST_BUTTONS = 8
"""Options shown as buttons; more are a list to type in."""
NO_LOOKS: Mapping[str, Look] = {}

BESIDE_THE_VALUE: tuple[Outcome, ...] = ("duplicate", "unknown_property")
"""Readings that get no card of their own: a further reading of a property, or of none that was asked for."""


@dataclass(frozen=True)
class Typed:
    """What stands in a card's fields: after a fault just what was typed, else the person's own answer."""

    value: str = ""
    note: str = ""
    quote: str = ""
    start: str = ""
    end: str = ""
    fault: str | None = None


@dataclass(frozen=True)
class Card:
    """One property of one input, ready to be shown."""

    index: int
    """Place in the workflow's order; part of element ids."""
    prop: Property
    read: ReadValue | None
    """None: the test read no value."""
    passed_over: str | None = None
    """Why no block of the workflow's line looked for one."""
    history: tuple[Answer, ...] = ()
    """The steps that this person may see, oldest first."""
    is_open: bool = True
    """Whether this person still has to answer it."""
    standing: Standing = field(default_factory=lambda: Standing(state="open"))
    """What counts, as far as this person may see."""
    look: Look | None = None
    """Somebody's second look at the answer that is there."""
    mine: Answer | None = None
    """This person's answer in force."""
    current: bool = False
    typed: Typed = Typed()
    clash: Answer | None = None
    """An answer that came between what this person saw and what they sent."""
    saved: bool = False
    """Just saved, to be said."""

    @property
    def name(self) -> str:
        return self.prop.name

    @property
    def outcome(self) -> Outcome | None:
        return self.read.outcome if self.read else None

    @property
    def tone(self) -> Tone:
        match self.outcome:
            case None:
                return "none"
            case "written":
                return "ok"
            case "review":
                return "warn"
        return "bad"

    @property
    def sign(self) -> str:
        return SIGNS[self.tone]

    @property
    def words(self) -> str:
        return OUTCOME_WORDS[self.read.outcome] if self.read else "No value"

    @property
    def asks_for(self) -> str:
        """What the field of the right value wants, in words."""
        if self.prop.unit:
            return f"right value in {self.prop.unit}"
        return EXAMPLES[self.prop.value_type] if self.prop.value_type == "date" else "right value"

    @property
    def seen(self) -> int:
        """The version of the value that this card shows: the id of the latest step on it."""
        return self.history[-1].id if self.history else 0

    @property
    def latest(self) -> Answer | None:
        """The latest answer in force of those in sight: what a second look is at."""
        return max(self.answered_by, key=lambda answer: answer.id, default=None)

    @property
    def wants_look(self) -> bool:
        """Whether this person may look a second time at the answer that is there."""
        return self.latest is not None and self.look is None

    @property
    def is_sent_back(self) -> bool:
        return self.look is not None and self.look.verdict == "send_back"

    @property
    def places(self) -> int:
        """How many places of the text have the words of the quote."""
        grounding = self.read.grounding if self.read else None
        return 0 if grounding is None else 1 + len(grounding.others)

    @property
    def options(self) -> tuple[str, ...]:
        """What can be chosen at a press: yes and no, or the property's few options."""
        if self.prop.value_type == "bool":
            return ("yes", "no")
        return self.prop.options if len(self.prop.options) <= MOST_BUTTONS else ()

    @property
    def has_digits(self) -> bool:
        """Whether a digit chooses an option: not where it may be the beginning of a value that is typed."""
        if not self.options or self.prop.value_type in ("i64", "f64", "date"):
            return False
        return not any(option.strip()[:1].isdigit() for option in self.options)

    @property
    def answered_by(self) -> tuple[Answer, ...]:
        """Everybody's answer in force, oldest first."""
        return tuple(sorted(in_force(self.history).values(), key=lambda answer: answer.id))

    def belongs_to(self, show: Show) -> bool:
        """Whether the card is among those that a chip shows."""
        match show:
            case "all":
                return True
            case "passed":
                return self.outcome == "written"
            case "review":
                return self.outcome == "review"
            case "no_value":
                return self.read is None
            case "failed":
                return self.outcome in DROPPED
            case "unanswered":
                return self.is_open or self.saved or self.current
            case "disputed":
                return self.standing.state == "disputed" or self.saved or self.current
            case "look":
                return self.wants_look or self.saved or self.current
            case "sent_back":
                return self.is_sent_back or self.saved or self.current

    def printed(self, answer: Answer) -> str:
        """The corrected value of an answer, with its unit."""
        if answer.value is None:
            return ""
        unit = f" {self.prop.unit}" if self.prop.unit else ""
        return in_words(answer.value) + unit


def answers_for(card: Card) -> list[tuple[str, Decision, str]]:
    """The answers that make sense on a card: key, decision, words on the button."""
    if card.read is None:
        offered: list[tuple[str, Decision, str]] = [("a", "accept", "None stated"), ("c", "correct", "It states…")]
    elif card.read.value is None:
        offered = [("c", "correct", "Correct"), ("r", "reject", "Reject")]
    else:
        offered = [("a", "accept", "Accept"), ("c", "correct", "Correct"), ("r", "reject", "Reject")]
    return [*offered, ("t", "cant_tell", "Can't tell")]


def make_cards(
    settings: WorkflowSettings,
    result: InputResult,
    answers: Mapping[str, Sequence[Answer]],
    *,
    person: str,
    overlap: int = 1,
    looks: Mapping[str, Look] = NO_LOOKS,
) -> list[Card]:
    """A card per property, in the workflow's order. `answers` are everybody's steps, `looks` the second looks, both by
    property."""
    cards = []
    for index, prop in enumerate(settings.properties):
        steps = answers.get(prop.name, ())
        history = tuple(visible(steps, person, overlap)) if steps else ()
        mine = in_force(history).get(person) if history else None
        read = read_for(prop.name, result.values)
        look = looks.get(prop.name)
        returned = look is not None and look.verdict == "send_back" and mine is not None and look.answer == mine.id
        cards.append(
            Card(
                index=index,
                prop=prop,
                read=read,
                passed_over=result.passed_over.get(prop.name),
                history=history,
                is_open=returned or not steps or wants_answer(steps, person, overlap),
                look=look,
                standing=standing(history, overlap, read=None if read is None else read.value),
                mine=mine,
                typed=typed_from(mine),
            )
        )
    return cards


def typed_from(mine: Answer | None) -> Typed:
    """The fields as the person's own answer left them."""
    if mine is None:
        return Typed()
    value = typed_words(mine.value) if mine.value is not None else ""
    return Typed(value=value, note=mine.note, quote=mine.quote or "")


def other_readings(result: InputResult) -> list[ReadValue]:
    return [v for v in result.values if v.outcome in BESIDE_THE_VALUE]


def marks_of(cards: Sequence[Card]) -> list[Mark]:
    """Where each card's value stands: its quote, further places with the same words, the nearest place on a miss,
    and the words that people marked for a correction."""
    marks: list[Mark] = []
    for card in cards:
        key, name, read = str(card.index), card.name, card.read
        if read is not None and read.grounding is not None:
            label = f"{name}: {said(card.words)}"
            marks.extend(Mark(s.start, s.end, key, card.tone, label, card.current) for s in read.grounding.place)
            others = [span for place in read.grounding.others for span in place]
            marks.extend(
                Mark(s.start, s.end, key, "none", gettext("%(name)s: the same words", name=name)) for s in others
            )
        elif read is not None and read.nearest is not None:
            near = read.nearest
            marks.append(
                Mark(near.start, near.end, key, "none", gettext("%(name)s: nearest place", name=name), card.current)
            )
        for answer in card.answered_by:
            label = gettext("%(name)s: marked by %(by)s", name=name, by=answer.by)
            marks.extend(Mark(s.start, s.end, key, "ok", label, card.current) for s in answer.spans)
    return marks
