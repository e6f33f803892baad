"""The extraction pipeline as a block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewapp.domain.blocks import JSON_OUT, READINGS_OUT, ExtractBlock
from reviewapp.domain.tests import DROPPED, ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output, document_of
from reviewapp.extraction.extractors import ReaderStopped, make_extractor
from reviewapp.extraction.models.question import Desk
from reviewapp.extraction.pipeline import extract


class ExtractRunner:
    """Reads a text; gives the values that would be written or shown to a person, and each reading with its quote."""

    def __init__(self, block: ExtractBlock, settings: WorkflowSettings, evidence: Evidence, desk: Desk | None) -> None:
        self._desk = desk
        self._settings = of_block(block, settings)
        self._evidence = evidence
        self._extractor = make_extractor(self._settings)

    def run(self, inputs: Mapping[str, Given]) -> Output:
        text, _ = document_of(inputs)
        try:
            result = extract(text, self._settings, self._evidence, self._extractor, desk=self._desk)
        except ReaderStopped as stopped:
            raise BlockFailed(stopped.message) from None
        problem = result.failed or result.error
        if problem is not None:
            raise BlockFailed(problem, raw=result.raw)
        first: dict[str, ReadValue] = {}
        for value in result.values:
            first.setdefault(value.property, value)
        names = [p.name for p in self._settings.properties]
        return Output(
            {
                JSON_OUT: {name: _value(first.get(name)) for name in names},
                READINGS_OUT: {name: _reading(first.get(name)) for name in names},
            },
            cost_micro_usd=result.cost_micro_usd,
        )

    def close(self) -> None:
        close = getattr(self._extractor, "close", None)
        if close is not None:
            close()


def of_block(block: ExtractBlock, settings: WorkflowSettings) -> WorkflowSettings:
    """The settings with the block's own properties only, and no other blocks."""
    names = block.properties or tuple(p.name for p in settings.properties)
    chosen = tuple(p for p in settings.properties if p.name in names)
    gates = {name: gate for name, gate in settings.gates.items() if name in names}
    return settings.model_copy(update={"properties": chosen, "gates": gates, "blocks": ()})


def _value(read: ReadValue | None) -> Any:
    return None if read is None or read.outcome in DROPPED else read.value


def _reading(read: ReadValue | None) -> dict[str, Any] | None:
    if read is None:
        return None
    return {
        "value": read.value,
        "outcome": read.outcome,
        "quote": read.quote,
        "support": read.support,
        "stated": read.stated,
        "unconfirmed": read.unconfirmed,
        "detail": read.detail,
    }
