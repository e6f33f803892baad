"""What a program is asked and how its answer is read."""

from __future__ import annotations

import json
from typing import Any, Final

from reviewapp.domain.workflows import WorkflowSettings
from reviewapp.extraction.extractors import ExtractorFailed, Reply
from reviewapp.extraction.reply_shapes import Unreadable, readings_of
from reviewapp.programs.environment import without_secrets

VERSION: Final = 1
COST: Final = "cost_micro_usd"
RAW_CHARACTERS: Final = 50_000
"""Kept of what a program printed, where it cannot be used."""
COST_LIMIT: Final = 10**12
"""Largest cost of one text that is believed, in micro-USD."""


def request_of(text: str, settings: WorkflowSettings) -> dict[str, Any]:
    """The request for one text; fields that hold nothing are left out of a property."""
    return {
        "version": VERSION,
        "text": text,
        "context": settings.context,
        "properties": [
            {"name": p.name, "value_type": p.value_type, **p.model_dump(mode="json", exclude_defaults=True)}
            for p in settings.properties
        ],
    }


def reply_of(answer: str, settings: WorkflowSettings, *, raw: str) -> Reply:
    """What a program printed, as readings. `raw` is what is kept for people where it cannot be used.

    Raises ExtractorFailed: no JSON, ``{"failed": "…"}``, or no readings in it.
    """
    answer = answer.removeprefix("\ufeff")
    if not answer.strip():
        raise ExtractorFailed("The program printed nothing; expected one JSON document with readings.", raw=raw)
    try:
        document = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise ExtractorFailed(f"The program's output is not JSON ({_in_a_line(error)}).", raw=raw) from None
    return reply_of_document(document, settings, raw=raw)


def reply_of_document(document: Any, settings: WorkflowSettings, *, raw: str) -> Reply:
    """The same for what is JSON already."""
    cost = 0
    if isinstance(document, dict):
        document = dict(document)
        cost = _cost(document.pop(COST, 0), raw)
        why = document.pop("failed", None)
        if why is not None and why is not False:
            said = f": {_in_a_line(why)}" if isinstance(why, str) and why.strip() else " and did not say why."
            raise ExtractorFailed(f"The program gave up{said}", raw=raw, cost_micro_usd=cost)
    try:
        readings = readings_of(document, settings.properties)
    except Unreadable as error:
        raise ExtractorFailed(str(error), raw=raw, cost_micro_usd=cost) from None
    return Reply(readings=readings, raw=raw, cost_micro_usd=cost, calibrated=False)


def _cost(said: Any, raw: str) -> int:
    if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said <= COST_LIMIT:
        raise ExtractorFailed(f"The reply's {COST} is {said!r}; expected a whole number from 0 on.", raw=raw)
    return said


def _in_a_line(said: object) -> str:
    return without_secrets(" ".join(str(said).split()))[:300]
