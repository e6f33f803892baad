"""The chips over the test page: what can be shown, and how many values of it there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flask import current_app

from reviewapp import tests
from reviewapp.disputes import count_disputes
from reviewapp.domain.tests import ValueCounts
from reviewapp.web.cards import SIGNS, Show
from reviewapp.web.counted import Counted, CountMemory
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
"""Values that are counted anew wherever a filter is shown, with an answer too: some milliseconds."""
MOST_SEARCHED = 200
"""Texts that are searched anew for the same; each may be long."""
PLAIN: tuple[Show, ...] = ("all", "unanswered", "look")
"""Chips without a sign."""
ALWAYS: tuple[Show, ...] = ("all", "passed", "review", "no_value", "failed", "unanswered")
"""The others are there when they hold something, or are chosen."""
ANSWERED: tuple[Show, ...] = ("unanswered", "disputed", "sent_back", "look")
"""Chips whose numbers change with an answer."""


@dataclass(frozen=True)
class Chip:
    show: Show
    tone: Tone
    sign: str
    words: str
    count: int | None
    """None: not counted yet."""


@dataclass(frozen=True)
class Within:
    """What the chips count within the other parts of the filter."""

    counts: ValueCounts | None
    """None: not counted yet."""
    is_current: bool = True
    """Whether nothing changed since they were counted."""


def is_small(page: ReviewPage) -> bool:
    """Whether few enough values and texts are to be looked at to count them whenever their numbers are shown."""
    if page.view.q and page.whole.inputs > MOST_SEARCHED:
        return False
    among = page.whole.answerable
    if page.view.only is not None:
        among //= max(1, len(page.test.settings.properties))
    return among <= MOST_COUNTED


def count_within(page: ReviewPage) -> Within:
    """The values within the filter without its chip. Of many what was counted last, unless the page is to count them
    all."""
    asked = replace(page.view, show="all").filter(page.person).model_copy(update={"property": page.view.only})
    if is_small(page):
        return Within(tests.count_within(page.workspace, page.test.id, asked))
    memory: CountMemory = current_app.extensions["counted"]
    key = (page.workspace.name, page.test.id, asked)
    kept, version = memory.get(key), page.test.version
    if kept is not None and kept.version == version:
        return Within(kept.counts)
    if not page.counts_all:
        return Within(kept.counts if kept else None, is_current=False)
    counts = tests.count_within(page.workspace, page.test.id, asked)
    memory.keep(key, Counted(version, counts))
    return Within(counts)


def asks_within(page: ReviewPage) -> bool:
    """Whether the chips show what the summary of the test does not know."""
    return page.view.narrows_beside_show or page.view.show == "look" or bool(page.looks)


def chips_to_answer(page: ReviewPage, *, several: bool) -> list[Chip]:
    """Those whose numbers an answer changes: mostly one, `several` where there are disputes or looks. None where many
    values would have to be counted: the page's poll brings them."""
    if several:
        return [chip for chip in page.chips if chip.show in ANSWERED] if is_small(page) else []
    if not page.view.narrows_beside_show:
        return [_chip("unanswered", page.counts.answerable - page.counts.answered)]
    counts = page.within.counts if is_small(page) else None
    return [_chip("unanswered", counts.unanswered)] if counts else []


def chips_of(page: ReviewPage) -> list[Chip]:
    number = _within(page) if page.view.narrows_beside_show else _in_the_whole(page)
    return [
        _chip(show, number[show])
        for show, _tone, _words in CHIPS
        if show in ALWAYS or number[show] or show == page.view.show or (show == "look" and page.looks)
    ]


def _within(page: ReviewPage) -> dict[Show, int | None]:
    counts = page.within.counts
    return {show: getattr(counts, show) if counts else None for show, _tone, _words in CHIPS}


def _in_the_whole(page: ReviewPage) -> dict[Show, int | None]:
    c = page.outcomes
    wanted = page.within.counts if asks_within(page) else None
    return {
        "all": c.answerable,
        "passed": c.passed,
        "review": c.review,
        "no_value": c.no_value,
        "failed": c.failed,
        "unanswered": c.answerable - c.answered,
        "disputed": count_disputes(page.workspace, page.test.id) if page.is_blind else 0,
        "sent_back": page.looks.get("send_back", 0),
        "look": wanted.look if wanted else None,
    }


def _chip(show: Show, count: int | None) -> Chip:
    tone, words = next((tone, words) for name, tone, words in CHIPS if name == show)
    return Chip(show, tone, "" if show in PLAIN else SIGNS[tone], words, count)
