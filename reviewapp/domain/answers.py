"""Answers: what people decided, and which answer stands."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from reviewapp.domain.base import Model
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Value

Decision = Literal["accept", "correct", "reject", "cant_tell"]
DECISIONS: tuple[Decision, ...] = ("accept", "correct", "reject", "cant_tell")
NOTE_LIMIT = 1_000


class Answer(Model):
    """One step of one person on one property of one input. Never changed, never deleted."""

    id: int
    """Grows with time within the workspace."""
    test: str
    position: int
    """Of the input in the test."""
    property: str
    by: str
    at: datetime
    decision: Decision | None
    """None takes the person's answer back."""
    value: Value | None = None
    """The right value, in the property's type and unit; with `correct` only."""
    quote: str | None = None
    """Words marked in the text that state the corrected value."""
    spans: tuple[Span, ...] = ()
    note: str = Field(default="", max_length=NOTE_LIMIT)
    seen: int = 0
    """The version of the value that the person saw (the id of the latest answer on it then; 0: none)."""
    text_hash: str | None = None
    """Of the text it answers, so that an answer older than a changed record says so."""
    role: Literal["reviewer", "adjudicator"] = "reviewer"
    undoes: int | None = None
    """The id of the answer that this step takes back (undo); None for an ordinary step."""


class Standing(Model):
    """What counts for one property of one input; computed, never stored."""

    state: Literal["open", "partial", "answered", "disputed"]
    """`partial`: fewer reviewers than wanted have answered; `disputed`: they do not agree."""
    answer: Answer | None = None
    """The answer that stands; only with `answered`."""
