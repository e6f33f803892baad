"""The extraction pipeline as a block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reviewapp.domain.blocks import JSON_OUT, READINGS_OUT, ExtractBlock
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import DROPPED, InputResult, Reading, ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output, document_of
from reviewapp.extraction.cues import phrases
from reviewapp.extraction.extractors import Extractor, ReaderStopped, Reply, make_extractor
from reviewapp.extraction.grounding import locate
from reviewapp.extraction.models import Desk, ModelReader
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText


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
            return self.output(self.read(inputs, PreparedText(text), self._desk))
        except ReaderStopped as stopped:
            raise BlockFailed(stopped.message, for_good=True) from None

    def read(self, inputs: Mapping[str, Given], record: PreparedText, desk: Desk | None) -> InputResult:
        """What is read in the block's input, each quote looked for in the text that the whole line was given.

        Raises BlockFailed where there is no text among the inputs, ReaderStopped.
        """
        text, _ = document_of(inputs)
        extractor: Extractor = self._extractor
        if text != record.text:
            if not text.strip():
                raise BlockFailed("The block was given an empty text; there is nothing to read.")
            extractor = ReaderOfPart(PreparedText(text), extractor, desk)
        return extract(record, self._settings, self._evidence, extractor, desk)

    def output(self, result: InputResult) -> Output:
        """What the block hands on. Raises BlockFailed where nothing could be read."""
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


class ReaderOfPart:
    """Reads a text that other blocks made of the record's; the pipeline looks for its quotes in the record."""

    def __init__(self, part: PreparedText, reader: Extractor, desk: Desk | None) -> None:
        self._part = part
        self._reader = reader.at(desk) if desk is not None and isinstance(reader, ModelReader) else reader

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:
        """Raises what the reader raises."""
        reply = self._reader.read(self._part, settings, evidence)
        begin = prepared.text.find(self._part.text)
        placed = (self._placed(reading, settings.property(reading.property), begin) for reading in reply.readings)
        return replace(reply, readings=tuple(placed))

    def _placed(self, reading: Reading, prop: Property | None, begin: int) -> Reading:
        """With the place in the record as its hint: the part, when it was cut out of it, begins at `begin`."""
        hint = None
        if begin >= 0 and prop is not None:
            found = locate(self._part, reading.quote, value=reading.value, hint=reading.hint, cues=phrases(prop))
            if found is not None:
                hint = Span(start=begin + found.place[0].start, end=begin + found.place[0].end)
        return reading.model_copy(update={"hint": hint})


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
