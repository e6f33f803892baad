"""What the test page shows: the filter in the address, the inputs around the one at hand, and its cards."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from reviewapp import answers, reviewers, tests
from reviewapp.answers import answered_by_anybody
from reviewapp.domain.looks import Verdict
from reviewapp.domain.records import Page
from reviewapp.domain.tests import (
    ENDED,
    InputFilter,
    InputResult,
    InputRow,
    ReadValue,
    Test,
    TestCounts,
    TestInput,
    ValueAt,
)
from reviewapp.earlier import EarlierAnswer, Origin, earlier_answers, origins
from reviewapp.second_looks import count_looks, looks_of_input
from reviewapp.web.around import Window, next_of, previous_of, window_of
from reviewapp.web.cards import Card, make_cards, marks_of, other_readings
from reviewapp.web.chips import Chip, Within, asks_within, chips_of, count_within
from reviewapp.web.context import open_tests
from reviewapp.web.highlighting import find_marks, highlight
from reviewapp.web.presence import Seen
from reviewapp.web.sheets import Sheet, sheets_of
from reviewapp.web.view import Pane, View
from reviewapp.workspaces import Workspace

_COLUMNS = re.compile(r"^.*\S(?: {3,}|\t+)\S.*$", re.MULTILINE)


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
    others_here: tuple[Seen, ...] = ()
    """Who else is on the test, and on which input."""
    is_asked: bool = False
    """Whether the test asks this person for inputs of their own."""
    held: int | None = None
    """What the page had seen before the news on the card in which somebody types, who is to get it later."""
    counts_all: bool = False
    """Whether the chips' numbers are wanted however many values are to be counted."""
    may_answer: bool = True
    """Whether this person may do more than look."""

    @property
    def is_blind(self) -> bool:
        """Whether nobody sees what others answered before they answered themselves."""
        return self.test.overlap > 1

    @property
    def in_order(self) -> bool:
        """Whether values come one by one across inputs, not input by input."""
        return self.view.order != "read"

    @cached_property
    def whole(self) -> TestCounts:
        """The summary of the whole test, with everybody's answers."""
        return tests.counts(self.workspace, self.test.id)

    @cached_property
    def counts(self) -> TestCounts:
        """The summary of what this person is to answer; in a queue of one's own without the outcomes."""
        if self.view.queue:
            return reviewers.queue_counts(self.workspace, self.test.id, self.person, outcomes=False)
        return tests.counts_seen(self.workspace, self.test, self.person) if self.is_blind else self.whole

    @cached_property
    def outcomes(self) -> TestCounts:
        """The same with the outcomes, for the chips."""
        if self.view.queue:
            return reviewers.queue_counts(self.workspace, self.test.id, self.person)
        return self.counts

    @property
    def seconds_left(self) -> int | None:
        """About how long the run still takes, from how long it took so far; None where that says nothing yet."""
        done, started = self.whole.inputs_done, self.test.started
        if not done or started is None or self.test.status != "running":
            return None
        return round((datetime.now(UTC) - started).total_seconds() / done * (self.whole.inputs - done))

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
        looks = looks_of_input(self.workspace, self.test.id, self.position) if given else {}
        return make_cards(
            self.test.settings, self.result, given, person=self.person, overlap=self.test.overlap, looks=looks
        )

    @cached_property
    def cards(self) -> list[Card]:
        """Those that the filter shows, one of them current: the one named, else the first open one, else the first."""
        shown = [card for card in self.all_cards if self.view.shows(card) or card.name == self.value]
        if self.in_order and self.value is not None:
            shown = [card for card in shown if card.name == self.value]
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
    def text_state(self) -> str:
        """``changed`` or ``gone``: the record is no longer what the test read and the answers are about."""
        return "current" if self.input is None else tests.text_state(self.workspace, self.input)

    @cached_property
    def earlier(self) -> dict[str, EarlierAnswer]:
        """What was answered on the same text in an earlier test, by property."""
        if self.position is None:
            return {}
        return earlier_answers(self.workspace, self.test.id, self.position, by=self.person, among=open_tests())

    @cached_property
    def origins(self) -> dict[int, Origin]:
        """Where answers on this input were taken over from, by the answer's id."""
        return {} if self.position is None else origins(self.workspace, self.test.id, self.position)

    @cached_property
    def pages(self) -> list[Page]:
        """The pages that the text was taken from; none where it came without."""
        return [] if self.input is None else tests.input_pages(self.workspace, self.input)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """The pages with the marks on them, where they are shown."""
        return sheets_of(self.pages, marks_of(self.cards)) if self.view.pane != "text" else []

    @property
    def pane(self) -> Pane:
        return self.view.pane if self.pages else "text"

    @cached_property
    def not_read(self) -> int:
        """Inputs that an ended test left unread, or whose reader failed."""
        return tests.count_not_read(self.workspace, self.test.id) if self.test.status in ENDED else 0

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
            answered=sum(self._counts_as_answered(card) for card in self.all_cards),
            mine=sum(card.mine is not None for card in self.all_cards),
            no_value=sum(card.read is None for card in self.all_cards),
            outcomes=dict(Counter(value.outcome for value in self.result.values)) if self.has_cards else {},
        )

    def _counts_as_answered(self, card: Card) -> bool:
        return card.mine is not None if self.is_blind else bool(card.answered_by)

    def done_of(self, row: InputRow) -> int:
        """How many values of an input are answered: by anybody, in blind review by this person."""
        return row.mine if self.is_blind else row.answered

    def others_at(self, position: int) -> str:
        """Who else is on an input, as words; empty: nobody."""
        return ", ".join(seen.person for seen in self.others_here if seen.position == position)

    @cached_property
    def window(self) -> Window:
        """What is listed around what is at hand."""
        return window_of(self)

    @property
    def previous(self) -> str | None:
        """The address of the input before, in another order of the value before; None: there is none."""
        return previous_of(self)

    @property
    def next(self) -> str | None:
        """The same, behind it."""
        return next_of(self)

    @cached_property
    def looks(self) -> dict[Verdict, int]:
        """Second looks at answers of the test, by verdict."""
        return count_looks(self.workspace, self.test.id)

    @cached_property
    def within(self) -> Within:
        """What the chips count within the other parts of the filter."""
        return count_within(self)

    @property
    def is_uncounted(self) -> bool:
        """Whether numbers of the chips are missing or old, and are to be asked for."""
        return asks_within(self) and not self.within.is_current

    @cached_property
    def chips(self) -> list[Chip]:
        return chips_of(self)

    def at(self, value: ValueAt) -> str:
        """The address of a value in the list."""
        return self.here(input=value.position, value=value.property)

    @cached_property
    def people(self) -> list[str]:
        """Whose answers can be asked for: in blind review only one's own."""
        if self.is_blind:
            return [self.person]
        return sorted(name for name in answers.progress(self.workspace, self.test.id) if name)

    @cached_property
    def left(self) -> dict[str, int]:
        """Values still to answer, by property; in blind review by this person."""
        given = answers.progress(self.workspace, self.test.id)
        mine = given.get(self.person, {}) if self.is_blind else answered_by_anybody(self.workspace, self.test.id)
        each = self.whole.answerable // max(1, len(self.test.settings.properties))
        return {p.name: each - mine.get(p.name, 0) for p in self.test.settings.properties}

    @property
    def seen(self) -> int:
        """The latest step on this input that the page shows; later ones of others are brought by the poll."""
        return max((card.seen for card in self.all_cards), default=0) if self.held is None else self.held

    @property
    def poll_version(self) -> str:
        """What the poll compares: grows with every result, answer and status, and changes as others move about."""
        about = "".join(f".{seen.position}{seen.person}" for seen in self.others_here)
        return f"{self.test.version}{about}{'' if self.held is None else '.held'}"

    @property
    def kept(self) -> dict[str, Any]:
        """What forms send along, so that their answer stays within the view."""
        return self.view.query(inputs=self._scope)

    @property
    def _scope(self) -> str | None:
        return None if self.view.queue == self.is_asked else "mine" if self.view.queue else "all"

    def here(self, **changes: Any) -> str:
        """The address of this page with some parameters changed; None leaves one out."""
        query = self.view.query(**{"input": self.position, "inputs": self._scope, **changes})
        return f"{self._address}?{urlencode(query)}" if query else self._address

    def at_input(self, position: int) -> str:
        """The address of another input in the same view."""
        return f"{self._inputs_address}{position}"

    @cached_property
    def _inputs_address(self) -> str:
        """Made once for a list of inputs: without the number at its end."""
        there = self.here(input=None, value=None)
        return f"{there}{'&' if '?' in there else '?'}input="

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


def to_answer(page: ReviewPage, *, beside: tuple[int, str] | None = None) -> ReviewPage | None:
    """The page of the next value behind `beside` (position, property) that still wants this person's answer, within
    filter and order; the search goes round to the start once. None: everything of this filter is answered."""
    wanted = page.view.filter(page.person).model_copy(update={"unanswered": True, "property": page.view.only})
    if page.in_order:
        return _value_to_answer(page, wanted, beside)
    start = 0 if beside is None else beside[0] + 1
    at = tests.next_open(page.workspace, page.test.id, wanted, by=page.person, from_position=start)
    if at is None and start:
        at = tests.next_open(page.workspace, page.test.id, wanted, by=page.person, from_position=0)
    return None if at is None else replace(page, position=at, value=None)


def _value_to_answer(page: ReviewPage, wanted: InputFilter, beside: tuple[int, str] | None) -> ReviewPage | None:
    for start in (beside, None) if beside is not None else (None,):
        found = tests.list_values(page.workspace, page.test.id, wanted, page.view.order, beside=start, limit=1)
        if found:
            return replace(page, position=found[0].position, value=found[0].property)
    return None


def first_value(page: ReviewPage) -> ReviewPage:
    """The page at the first value of the filter in its order, answered or not; where there is none, at nothing."""
    wanted = page.view.filter(page.person)
    found = tests.list_values(page.workspace, page.test.id, wanted, page.view.order, limit=1)
    return replace(page, position=found[0].position, value=found[0].property) if found else page
