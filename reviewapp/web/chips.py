"""The chips over the test page: what can be shown, and how many values of it there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reviewapp.disputes import count_disputes
from reviewapp.second_looks import count_looks
from reviewapp.tests import count_values
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
MOST_COUNTED = 10_000
"""Values that are counted anew for a filter; beyond, that would take longer than an answer may."""
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
    if page.view.narrows_beside_show:
        return Chip(show, tone, "", words, _narrowed(page, show))
    return Chip(show, tone, "", words, page.counts.answerable - page.counts.answered)


def _narrowed(page: ReviewPage, show: Show) -> int | None:
    """How many values of a chip are within the other parts of the filter; None where there are too many to count."""
    among = page.whole.answerable
    if page.view.only is not None and not page.view.q:  # a search goes through texts, however many properties they have
        among //= max(1, len(page.test.settings.properties))
    if among > MOST_COUNTED:
        return None
    asked = replace(page.view, show=show).filter(page.person).model_copy(update={"property": page.view.only})
    return count_values(page.workspace, page.test.id, asked)


def chips_of(page: ReviewPage) -> list[Chip]:
    always: tuple[Show, ...] = ("all", "passed", "review", "no_value", "failed", "unanswered")
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
    if page.view.narrows_beside_show:
        number |= {show: _narrowed(page, show) for show in always}
    return [
        Chip(show, tone, "" if show in PLAIN else SIGNS[tone], words, number[show])
        for show, tone, words in CHIPS
        if show in always or number[show] or show == page.view.show or (show == "look" and looks)
    ]
