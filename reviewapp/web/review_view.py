"""What the test page shows: the filter in the address, the inputs around the one at hand, and its cards."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, get_args
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from reviewapp import answers, tests
from reviewapp.domain.tests import ENDED, InputFilter, InputResult, InputRow, ReadValue, Test, TestCounts, TestInput
from reviewapp.web.cards import SIGNS, Card, Show, make_cards, marks_of, other_readings
from reviewapp.web.highlighting import Tone, find_marks, highlight
from reviewapp.workspaces import Workspace

SHOWN_BEFORE = 30
SHOWN_AFTER = 60
"""Inputs listed before and behind the one at hand; a test with thousands stays a small page."""
LOOKED_AT = 25
"""Inputs looked through for the next value to answer before the last of them is shown as it is."""

CHIPS: tuple[tuple[Show, Tone, str], ...] = (
    ("all", "none", "All"),
    ("passed", "ok", "Checks passed"),
    ("review", "warn", "Needs review"),
    ("no_value", "none", "No value"),
    ("failed", "bad", "Failed"),
    ("unanswered", "none", "Unanswered"),
)
FILTERS: dict[Show, dict[str, Any]] = {
    "all": {},
    "passed": {"outcome": "written"},
    "review": {"outcome": "review"},
    "no_value": {"outcome": "no_value"},
    "failed": {"outcome": "failed"},
    "unanswered": {"unanswered": True},
}

_COLUMNS = re.compile(r"^.*\S(?: {3,}|\t+)\S.*$", re.MULTILINE)


@dataclass(frozen=True)
class View:
    """Which values are looked at; kept in the address."""

    show: Show = "all"
    only: str | None = None
    """The one property that is shown; None: all of them."""
    q: str = ""

    @classmethod
    def of(cls, given: MultiDict[str, str]) -> View:
        """From an address or a form; what it does not know counts as not given."""
        show = given.get("show", "all")
        known: Any = show if show in get_args(Show) else "all"
        return cls(show=known, only=given.get("property") or None, q=given.get("q", "").strip()[:200])

    def query(self, **more: Any) -> dict[str, Any]:
        """The parameters that say it, and `more`; None leaves one out."""
        mine = {"show": self.show if self.show != "all" else None, "property": self.only, "q": self.q or None}
        return {key: value for key, value in {**mine, **more}.items() if value is not None}

    def filter(self, person: str) -> InputFilter:
        """The inputs with such a value."""
        about = self.only if self.show != "all" else None
        return InputFilter(property=about, by=person, search=self.q, **FILTERS[self.show])

    def shows(self, card: Card) -> bool:
        return card.belongs_to(self.show) and self.only in (None, card.name)

    @property
    def is_narrow(self) -> bool:
        return self != View()


@dataclass(frozen=True)
class Chip:
    show: Show
    tone: Tone
    sign: str
    words: str
    count: int


@dataclass(frozen=True)
class Window:
    """The inputs listed: those around the one at hand."""

    rows: list[InputRow]
    before: int | None
    """Position to go to for earlier ones; None: there are none."""
    after: int | None
    total: int


@dataclass
class ReviewPage:
    """One input of a test as one person sees it. Reads as little as what is asked of it needs."""

    workspace: Workspace
    test: Test
    view: View
    person: str
    position: int | None = None
    """Of the input at hand; None: there is none among those of the filter."""
    value: str | None = None
    """Property of the card at hand, where the address names it."""

    @cached_property
    def counts(self) -> TestCounts:
        return tests.counts(self.workspace, self.test.id)

    @property
    def seconds_left(self) -> int | None:
        """About how long the run still takes, from how long it took so far; None where that says nothing yet."""
        done, started = self.counts.inputs_done, self.test.started
        if not done or started is None or self.test.status != "running":
            return None
        return round((datetime.now(UTC) - started).total_seconds() / done * (self.counts.inputs - done))

    @cached_property
    def input(self) -> TestInput | None:
        return None if self.position is None else tests.get_input(self.workspace, self.test.id, self.position)

    @cached_property
    def result(self) -> InputResult:
        return (self.input and self.input.result) or InputResult()

    @property
    def has_cards(self) -> bool:
        """Whether there is something to answer."""
        read = self.input.result if self.input else None
        return read is not None and not read.failed and not read.error

    @cached_property
    def all_cards(self) -> list[Card]:
        if self.position is None or not self.has_cards:
            return []
        given = answers.answers_of_input(self.workspace, self.test.id, self.position)
        return make_cards(self.test.settings, self.result, given, person=self.person, overlap=self.test.overlap)

    @cached_property
    def cards(self) -> list[Card]:
        """Those that the filter shows, one of them current: the one named, else the first open one, else the first."""
        shown = [card for card in self.all_cards if self.view.shows(card) or card.name == self.value]
        named = next((card for card in shown if card.name == self.value), None)
        current = named or next((card for card in shown if card.is_open), None) or (shown[0] if shown else None)
        return [replace(card, current=card is current) for card in shown]

    @cached_property
    def others(self) -> list[ReadValue]:
        return other_readings(self.result) if self.view.show in ("all", "failed") else []

    @cached_property
    def text(self) -> str | None:
        if self.input is None or self.input.text_hash is None:
            return None
        return tests.input_text(self.workspace, self.input)

    @cached_property
    def marked(self) -> Markup:
        text = self.text or ""
        return highlight(text, [*marks_of(self.cards), *find_marks(text, self.view.q)])

    @property
    def looks_like_columns(self) -> bool:
        """Whether the text lines things up with spaces, as receipts and tables do."""
        text = (self.text or "")[:20_000]
        lines = text.count("\n") + 1
        return len(_COLUMNS.findall(text)) >= max(3, lines // 8)

    @property
    def row(self) -> InputRow | None:
        """The input at hand as its list shows it, out of what is here anyway."""
        if self.input is None:
            return None
        read = self.input.result
        return InputRow(
            position=self.input.position,
            iri=self.input.iri,
            label=self.input.label,
            state="queued" if read is None else "error" if read.error else "failed" if read.failed else "read",
            answerable=len(self.all_cards),
            answered=sum(bool(card.answered_by) for card in self.all_cards),
            mine=sum(card.mine is not None for card in self.all_cards),
            no_value=sum(card.read is None for card in self.all_cards),
            outcomes=dict(Counter(value.outcome for value in self.result.values)) if self.has_cards else {},
        )

    @cached_property
    def window(self) -> Window:
        wanted = self.view.filter(self.person)
        at = self.position or 0
        earlier = tests.list_inputs(
            self.workspace, self.test.id, wanted, by=self.person, before=at, limit=SHOWN_BEFORE + 1
        )
        later = tests.list_inputs(
            self.workspace, self.test.id, wanted, by=self.person, after=at - 1, limit=SHOWN_AFTER + 1
        )
        before = earlier[0].position if len(earlier) > SHOWN_BEFORE else None
        after = later[-1].position if len(later) > SHOWN_AFTER else None
        rows = earlier[-SHOWN_BEFORE:] + later[:SHOWN_AFTER]
        whole = not self.view.is_narrow
        total = self.test.input_count if whole else tests.count_inputs(self.workspace, self.test.id, wanted)
        return Window(rows, before, after, total)

    @property
    def previous(self) -> int | None:
        earlier = [row.position for row in self.window.rows if row.position < (self.position or 0)]
        return earlier[-1] if earlier else None

    @property
    def next(self) -> int | None:
        later = [row.position for row in self.window.rows if row.position > (self.position or 0)]
        return later[0] if later else self.window.after

    @property
    def chips(self) -> list[Chip]:
        c = self.counts
        number: dict[Show, int] = {
            "all": c.answerable,
            "passed": c.passed,
            "review": c.review,
            "no_value": c.no_value,
            "failed": c.failed,
            "unanswered": c.answerable - c.answered,
        }
        plain = ("all", "unanswered")
        return [
            Chip(show, tone, "" if show in plain else SIGNS[tone], words, number[show]) for show, tone, words in CHIPS
        ]

    def here(self, **changes: Any) -> str:
        """The address of this page with some parameters changed; None leaves one out."""
        query = self.view.query(**{"input": self.position, **changes})
        return f"{self._address}?{urlencode(query)}" if query else self._address

    @cached_property
    def _address(self) -> str:
        """Made once: a list of inputs asks a hundred times, and `url_for` costs more than the rest of a row."""
        return url_for("review.show", test=self.test.id)

    def again(self) -> ReviewPage:
        """The same input with what was answered since; it and its text never change once it is read, nor does the
        status of a test that has ended."""
        ended = self.test.status in ENDED
        test = self.test if ended else tests.get_test(self.workspace, self.test.id)
        fresh = replace(self, test=test, value=None)
        if self.has_cards:
            fresh.input, fresh.text = self.input, self.text
        return fresh

    def values(self) -> dict[str, Any]:
        """What the template is given, looked up when it asks."""
        return {
            "shown": self,
            "test": self.test,
            "view": self.view,
            "here": self.here,
            "input": self.input,
            "is_open": self.test.status not in ENDED,
            "unread": self.input is not None and self.input.result is None,
        }


def to_answer(page: ReviewPage, *, from_position: int) -> ReviewPage | None:
    """The page of the first input from there on that still has a value for this person to answer; the search goes
    round to the start once. None: everything of this filter is answered."""
    wanted = page.view.filter(page.person).model_copy(update={"unanswered": True})
    at, wrapped = from_position, from_position == 0
    for _ in range(LOOKED_AT):
        found = tests.next_open(page.workspace, page.test.id, wanted, by=page.person, from_position=at)
        if found is None:
            if wrapped:
                return None
            at, wrapped = 0, True
            continue
        if wrapped and from_position and found >= from_position:
            return None
        there = ReviewPage(page.workspace, page.test, page.view, page.person, found)
        if any(card.is_open and page.view.shows(card) for card in there.all_cards):
            return there
        at = found + 1
    return None
