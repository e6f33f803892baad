"""Calls to language models: what was asked for, what it cost, and how much may be spent."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Literal

from pydantic import Field

from reviewapp.domain.base import Model
from reviewapp.domain.choices import Use

CallStatus = Literal["open", "answered", "unreadable", "failed", "from_log"]
"""Under way; a reply that was read; a reply that could not be used; no reply; an earlier reply, free of charge."""
CallScope = Literal["test", "trial", "check"]
"""Of a test; on a text or records without keeping anything; of a connection."""


class ModelCall(Model):
    """One request to a provider, or one that the log answered."""

    id: int
    at: datetime
    route: str
    """``tests/<workflow>``, ``trials/<workflow>``, ``check``."""
    scope: CallScope
    workflow: str | None
    test: str | None
    position: int | None
    """Of the test's input."""
    use: Use
    provider: str
    model: str
    effort: str | None
    status: CallStatus
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micro_usd: int = 0
    """Millionths of a US dollar. A call whose end is not known counts with all that it may have cost."""
    milliseconds: float = 0
    reply: str | None = None
    """As it came; None where there is none, and for those answered from the log (see `source`)."""
    error: str | None = None
    """Why there is no reply, or why it cannot be used."""
    source: int | None = None
    """The call whose reply this is, where the log answered."""


class LikelyCost(Model):
    """What a test of a whole collection will likely cost, in micro-USD."""

    models: tuple[str, ...]
    """Who will be asked, as ``provider/model``; none where nobody is."""
    texts: int
    all_micro_usd: int
    left_micro_usd: int | None
    """Of this month's budgets of workflow and workspace, the smaller one; None: no limit."""

    @property
    def each_micro_usd(self) -> int:
        return round(self.all_micro_usd / max(1, self.texts))


class Spending(Model):
    """A budget and what is spent of it this month."""

    workflow: str | None
    """None: the whole workspace."""
    micro_usd_per_month: int | None = Field(ge=0)
    """None: no limit."""
    spent_micro_usd: int
    """Calls that have ended since the month began (UTC)."""
    open_micro_usd: int
    """Most that the calls under way may cost."""
    month: str
    """``2026-11``"""

    @property
    def left_micro_usd(self) -> int | None:
        """What may still be spent; None: no limit."""
        if self.micro_usd_per_month is None:
            return None
        return max(0, self.micro_usd_per_month - self.spent_micro_usd - self.open_micro_usd)


def month_of(at: datetime) -> str:
    """``2026-11``, in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m")


def next_month(at: datetime) -> datetime:
    """When the next month's budget begins."""
    at = at.astimezone(UTC)
    return datetime(at.year + at.month // 12, at.month % 12 + 1, 1, tzinfo=UTC)


MOST_DOLLARS = 1_000_000_000


def micro_usd_of(dollars: str) -> int:
    """Millionths of a dollar of an amount as people write it (``25``, ``$2.50``, ``1,000``), rounded up.

    Raises ValueError for what is none, or more than anybody spends.
    """
    try:
        amount = Decimal(dollars.strip().removeprefix("$").replace(",", ""))
    except InvalidOperation:
        raise ValueError(dollars) from None
    if not amount.is_finite() or not -MOST_DOLLARS <= amount <= MOST_DOLLARS:
        raise ValueError(dollars)
    return int((amount * 1_000_000).to_integral_value(ROUND_CEILING))


def about_dollars(micro_usd: int) -> str:
    """``$0.011`` for 10,556: an estimate, to cents or two digits."""
    dollars = micro_usd / 1_000_000
    if dollars >= 1:
        return f"${dollars:,.2f}"
    return f"${float(f'{dollars:.1e}'):.6f}".rstrip("0").ljust(len("$0.00"), "0")


def in_dollars(micro_usd: int) -> str:
    """``$1.25``, ``$0.000400``: cents, or all six places where cents would hide it."""
    dollars = micro_usd / 1_000_000
    return f"${dollars:,.2f}" if micro_usd % 10_000 == 0 else f"${dollars:,.6f}"
