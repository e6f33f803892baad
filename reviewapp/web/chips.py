"""The chips over the test page: what can be shown, and how many values of it there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reviewapp.disputes import count_disputes
from reviewapp.second_looks import count_looks
from reviewapp.web.cards import SIGNS, Show
from reviewapp.web.highlighting import Tone

if TYPE_CHECKING:
    from reviewapp.web.review_view import ReviewPage

CHIPS: tuple[tuple[Show, Tone, str], ...] = (
    ("all", "none", "All"),
    ("passed", "ok", "Checks passed"),
    ("review", "warn", "Needs review"),
    ("no_value", "none", "No value"),
    ("failed", "bad", "Failed"),
    ("unanswered", "none", "Unanswered"),
    ("disputed", "warn", "Disputed"),
    ("sent_back", "warn", "Sent back"),
    ("look", "none", "Second look"),
)
PLAIN: tuple[Show, ...] = ("all", "unanswered", "look")
"""Chips without a sign."""


@dataclass(frozen=True)
class Chip:
    show: Show
    tone: Tone
    sign: str
    words: str
    count: int | None
    """None: not counted."""


def unanswered_chip(page: ReviewPage) -> Chip:
    """The one that every answer changes, without looking up the others."""
    show, tone, words = next(chip for chip in CHIPS if chip[0] == "unanswered")
    return Chip(show, tone, "", words, page.counts.answerable - page.counts.answered)


def chips_of(page: ReviewPage) -> list[Chip]:
    c = page.outcomes
    looks = count_looks(page.workspace, page.test.id)
    number: dict[Show, int | None] = {
        "all": c.answerable,
        "passed": c.passed,
        "review": c.review,
        "no_value": c.no_value,
        "failed": c.failed,
        "unanswered": c.answerable - c.answered,
        "disputed": count_disputes(page.workspace, page.test.id) if page.is_blind else 0,
        "sent_back": looks.get("send_back", 0),
        "look": None,
    }
    always = ("all", "passed", "review", "no_value", "failed", "unanswered")
    return [
        Chip(show, tone, "" if show in PLAIN else SIGNS[tone], words, number[show])
        for show, tone, words in CHIPS
        if show in always or number[show] or show == page.view.show or (show == "look" and looks)
    ]
