"""One answer as the page's form sends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from werkzeug.datastructures import MultiDict

from reviewapp.domain.answers import NOTE_LIMIT, Decision
from reviewapp.domain.places import Span
from reviewapp.errors import InvalidInput
from reviewapp.web.cards import Card, Typed

TAKE_BACK = "take_back"
AS_BEFORE = "as_before"
"""What was answered on the same text in an earlier test is taken over."""
TYPED = "typed"
"""What Enter in a field sends: the value that was typed is a correction, a note alone goes to the answer given."""


@dataclass(frozen=True)
class AnswerForm:
    decision: str
    position: int
    name: str
    """Of the property."""
    seen: int | None
    value: str
    note: str
    quote: str
    start: str
    end: str

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> AnswerForm:
        """Raises InvalidInput when a field that the page itself fills is missing."""
        position, seen = form.get("position", type=int), form.get("seen", type=int)
        if position is None or position < 0 or "name" not in form:
            raise InvalidInput("The answer does not say which value it is for; reload the page and answer again.")
        chosen = form.get("choice", "").strip()
        return cls(
            decision="correct" if chosen else form.get("decision", ""),
            position=position,
            name=form["name"],
            seen=seen,
            value=chosen or form.get("value", "").strip(),
            note=" ".join(form.get("note", "").split()),
            quote=form.get("quote", "").replace("\r\n", "\n"),
            start=form.get("start", ""),
            end=form.get("end", ""),
        )

    @property
    def takes_back(self) -> bool:
        return self.decision == TAKE_BACK

    @property
    def is_as_before(self) -> bool:
        return self.decision == AS_BEFORE

    def decide(self, card: Callable[[], Card]) -> Decision | None:
        """What the person decided; None takes their answer back. Raises InvalidInput, for them to mend.

        `card` is asked for only where it matters: when Enter was pressed in a field.
        """
        if len(self.note) > NOTE_LIMIT:
            raise InvalidInput(
                f"The note has {len(self.note):,} characters; {NOTE_LIMIT:,} is the limit.", param="note"
            )
        if self.takes_back:
            return None
        decision = self._typed(card()) if self.decision == TYPED else self.decision
        if decision == "correct" and not self.value:
            raise InvalidInput(f"Type the right value of {self.name}, or mark it in the text.", param="value")
        known = next((d for d in get_args(Decision) if d == decision), None)
        if known is None:
            raise InvalidInput("Choose an answer: accept, correct, reject or can't tell.", param="decision")
        answer: Decision = known
        return answer

    def _typed(self, card: Card) -> str:
        """What Enter means."""
        given = card.mine
        if self.value and self.value != card.typed.value:
            return "correct"
        if given is not None and given.decision is not None:
            return given.decision
        if self.value:
            return "correct"
        if self.note:
            raise InvalidInput("Choose an answer as well; the note is saved with it.", param="note")
        return "correct"

    def spans_in(self, text: str) -> tuple[Span, ...]:
        """Where the marked words stand; none when they are not there, so that no span says what is not so."""
        if self.decision not in ("correct", TYPED) or not (self.start.isdigit() and self.end.isdigit()):
            return ()
        start, end = int(self.start), int(self.end)
        if not start < end <= len(text) or text[start:end] != self.quote:
            return ()
        return (Span(start=start, end=end),)

    def typed(self, fault: str | None = None) -> Typed:
        """What was typed, to be shown again."""
        return Typed(self.value, self.note, self.quote, self.start, self.end, fault)
