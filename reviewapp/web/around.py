"""What is listed beside the text: the inputs around the one at hand, or in another order the values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reviewapp import tests
from reviewapp.domain.tests import InputRow, ValueAt

if TYPE_CHECKING:
    from reviewapp.web.review_view import ReviewPage

SHOWN_BEFORE = 15
SHOWN_AFTER = 35
"""Inputs listed before and behind the one at hand; a test with thousands stays a small page."""


@dataclass(frozen=True)
class Window:
    """What is listed: the inputs around the one at hand; in another order the values around the one at hand."""

    rows: list[InputRow]
    before: str | None
    """Address of earlier ones; None: there are none."""
    after: str | None
    total: int
    """Inputs of the filter."""
    values: tuple[ValueAt, ...] = ()


def window_of(page: ReviewPage) -> Window:
    return _values_around(page) if page.in_order else _inputs_around(page)


def _inputs_around(page: ReviewPage) -> Window:
    wanted = page.view.filter(page.person)
    at = page.position or 0
    earlier = tests.list_inputs(page.workspace, page.test.id, wanted, by=page.person, before=at, limit=SHOWN_BEFORE + 1)
    later = tests.list_inputs(page.workspace, page.test.id, wanted, by=page.person, after=at - 1, limit=SHOWN_AFTER + 1)
    before = page.at_input(earlier[0].position) if len(earlier) > SHOWN_BEFORE else None
    after = page.at_input(later[-1].position) if len(later) > SHOWN_AFTER else None
    return Window(earlier[-SHOWN_BEFORE:] + later[:SHOWN_AFTER], before, after, _total(page))


def _values_around(page: ReviewPage) -> Window:
    if page.position is None or page.value is None:
        return Window([], None, None, _total(page))
    beside = (page.position, page.value)
    earlier = _values(page, beside, back=True, limit=SHOWN_BEFORE + 1)
    later = _values(page, beside, limit=SHOWN_AFTER + 1)
    before = page.at(earlier[-1]) if len(earlier) > SHOWN_BEFORE else None
    after = page.at(later[-1]) if len(later) > SHOWN_AFTER else None
    card = next((card for card in page.all_cards if card.name == page.value), None)
    here = ValueAt(
        position=page.position,
        label=page.input.label if page.input else "",
        property=page.value,
        outcome=card.outcome if card else None,
        support=card.read.support if card and card.read else None,
        answered=card is not None and not card.is_open,
    )
    rows = (*reversed(earlier[:SHOWN_BEFORE]), here, *later[:SHOWN_AFTER])
    return Window([], before, after, _total(page), rows)


def _values(page: ReviewPage, beside: tuple[int, str] | None, *, back: bool = False, limit: int) -> list[ValueAt]:
    wanted = page.view.filter(page.person)
    order = page.view.order
    return tests.list_values(page.workspace, page.test.id, wanted, order, beside=beside, back=back, limit=limit)


def _total(page: ReviewPage) -> int:
    if not page.view.is_narrow:
        return page.test.input_count
    return tests.count_inputs(page.workspace, page.test.id, page.view.filter(page.person))


def previous_of(page: ReviewPage) -> str | None:
    """The address of the input before, in another order of the value before; None: there is none."""
    if page.in_order:
        rows = page.window.values
        at = next((i for i, row in enumerate(rows) if _is_here(page, row)), 0)
        return page.at(rows[at - 1]) if at else None
    earlier = [row.position for row in page.window.rows if row.position < (page.position or 0)]
    return page.here(input=earlier[-1], value=None) if earlier else None


def next_of(page: ReviewPage) -> str | None:
    """The same, behind it."""
    if page.in_order:
        rows = page.window.values
        at = next((i for i, row in enumerate(rows) if _is_here(page, row)), len(rows))
        return page.at(rows[at + 1]) if at + 1 < len(rows) else None
    later = [row.position for row in page.window.rows if row.position > (page.position or 0)]
    return page.here(input=later[0], value=None) if later else page.window.after


def _is_here(page: ReviewPage, row: ValueAt) -> bool:
    return (row.position, row.property) == (page.position, page.value)
