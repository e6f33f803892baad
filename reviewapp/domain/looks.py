"""Second looks: an answer was given, and somebody else confirms it or sends it back."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from reviewapp.domain.base import Model

Verdict = Literal["confirm", "send_back"]


class Look(Model):
    """One person's look at the answer that was there. Never changed; a new answer wants a new look."""

    test: str
    position: int
    property: str
    answer: int
    """Id of the answer looked at: the latest in force on the value."""
    by: str
    at: datetime
    verdict: Verdict
    note: str = ""
