"""Which values of a test are looked at and in which order: what the address of the test page says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from werkzeug.datastructures import MultiDict

from reviewapp.domain.tests import InputFilter, Order
from reviewapp.web.cards import Card, Show

Pane = Literal["text", "page", "both"]
"""The text, the pages it was taken from with the words boxed, or both side by side."""

FILTERS: dict[Show, dict[str, Any]] = {
    "all": {},
    "passed": {"outcome": "written"},
    "review": {"outcome": "review"},
    "no_value": {"outcome": "no_value"},
    "failed": {"outcome": "failed"},
    "unanswered": {"unanswered": True},
    "disputed": {"disputed": True},
    "look": {"look": "wanted"},
    "sent_back": {"look": "sent_back"},
}
"""What each chip asks of the store."""


@dataclass(frozen=True)
class View:
    """The filter; its parts narrow one another."""

    show: Show = "all"
    only: str | None = None
    """The one property that is shown; None: all of them."""
    q: str = ""
    answered_by: str | None = None
    support_from: float | None = None
    """Inclusive."""
    support_below: float | None = None
    """Exclusive."""
    order: Order = "read"
    pane: Pane = "text"
    """How a record with pages is shown."""
    queue: bool = False
    """Only the inputs that the person was asked to answer."""

    @classmethod
    def of(cls, given: MultiDict[str, str], *, queue: bool = False) -> View:
        """From an address or a form; what it does not know counts as not given. `queue` is what counts where the
        address says nothing about it."""
        show, order = given.get("show", "all"), given.get("order", "read")
        known: Any = show if show in get_args(Show) else "all"
        pane = given.get("pane", "text")
        known_pane: Any = pane if pane in get_args(Pane) else "text"
        known_order: Any = order if order in get_args(Order) else "read"
        return cls(
            show=known,
            only=given.get("property") or None,
            q=given.get("q", "").replace("\0", "").strip()[:200],
            answered_by=given.get("by") or None,
            support_from=_support(given.get("from", "")),
            support_below=_support(given.get("below", "")),
            order=known_order,
            pane=known_pane,
            queue={"mine": True, "all": False}.get(given.get("inputs", ""), queue),
        )

    def query(self, **more: Any) -> dict[str, Any]:
        """The parameters that say it, and `more`; None leaves one out."""
        mine = {
            "show": self.show if self.show != "all" else None,
            "property": self.only,
            "q": self.q or None,
            "by": self.answered_by,
            "from": None if self.support_from is None else f"{self.support_from:g}",
            "below": None if self.support_below is None else f"{self.support_below:g}",
            "order": self.order if self.order != "read" else None,
            "pane": self.pane if self.pane != "text" else None,
        }
        return {key: value for key, value in {**mine, **more}.items() if value is not None}

    def filter(self, person: str) -> InputFilter:
        """The values of it, and so the inputs: those with such a value."""
        narrows_values = self.narrows_values or self.order != "read"
        return InputFilter(
            property=self.only if narrows_values else None,
            by=person,
            search=self.q,
            answered_by=self.answered_by,
            support_from=self.support_from,
            support_below=self.support_below,
            assigned_to=person if self.queue else None,
            **FILTERS[self.show],
        )

    def shows(self, card: Card) -> bool:
        return (
            card.belongs_to(self.show)
            and self.only in (None, card.name)
            and (self.answered_by is None or any(given.by == self.answered_by for given in card.answered_by))
            and self._has_support(card)
        )

    def _has_support(self, card: Card) -> bool:
        if self.support_from is None and self.support_below is None:
            return True
        support = card.read.support if card.read else None
        if support is None:
            return False
        low, high = self.support_from, self.support_below
        return (low is None or support >= low) and (high is None or support < high)

    @property
    def narrows_beside_show(self) -> bool:
        """Whether the chips stand in a choice of values, of which they show parts."""
        return self.has_more or self.only is not None or bool(self.q)

    @property
    def narrows_values(self) -> bool:
        """Whether more than a property is asked of a value."""
        return self.show != "all" or (self.answered_by, self.support_from, self.support_below) != (None, None, None)

    @property
    def has_more(self) -> bool:
        """Whether a part is set that stands folded away."""
        return (self.answered_by, self.support_from, self.support_below) != (None, None, None)

    @property
    def is_narrow(self) -> bool:
        return replace(self, order="read", pane="text") != View()


def _support(text: str) -> float | None:
    """0..1, also as people type it (``0,8``); None where it is none."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None
