"""A workflow's line of blocks, run on texts as it would run live: what its `extract` blocks read."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from reviewapp.domain.blocks import (
    DOCUMENT,
    FILE_IN,
    JSON_IN,
    JSON_OUT,
    Block,
    ClassifyBlock,
    ExtractBlock,
    SplitBlock,
    sources_of,
)
from reviewapp.domain.tests import InputResult, ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.extracting import ExtractRunner
from reviewapp.extraction.blocks.model import BlockFailed, Given
from reviewapp.extraction.blocks.runners import Runner, make_runner
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.extraction.models import Desk
from reviewapp.extraction.pipeline import NOTHING_TO_READ, said_of, without_halves
from reviewapp.extraction.prepared import PreparedText


class Line:
    """Used by several threads at once. A block whose inputs were not given (another category was taken) is passed
    over; one that fails makes the text failed. Of a property that several blocks read the first block's reading counts.
    """

    def __init__(self, settings: WorkflowSettings, evidence: Evidence) -> None:
        """Raises what making a block's runner raises."""
        self._settings = settings
        self._evidence = evidence
        self._sources = sources_of(settings.line)
        self._runners: dict[str, Runner] = {b.id: make_runner(b, settings, evidence) for b in settings.line}

    def read(self, text: str, desk: Desk | None = None) -> InputResult:
        """Every span is one of `text`, whatever a block was given of it. `desk`: where models are asked.

        Raises ReaderStopped alone.
        """
        begun = time.perf_counter()
        if not text.strip():
            return InputResult(error=NOTHING_TO_READ)
        run = _Run(self._settings, PreparedText(text), desk)
        failed = raw = None
        for block in self._settings.line:
            try:
                run.step(block, self._sources[block.id], self._runner_of(block, desk))
            except ReaderStopped:
                raise
            except BlockFailed as fault:
                if fault.for_good:
                    raise ReaderStopped(fault.message) from fault
                failed, raw = fault.message, fault.raw
            except Exception as error:
                failed = f"It stopped with an error ({said_of(error)}); the other inputs go on."
            if failed is not None:
                failed = without_halves(f"Block {block.id!r}: {failed}")
                break
        return InputResult(
            values=() if failed else tuple(run.values),
            passed_over={} if failed else run.not_read(),
            failed=failed,
            raw=None if raw is None else without_halves(raw),
            milliseconds=round((time.perf_counter() - begun) * 1e3, 3),
            cost_micro_usd=run.cost_micro_usd,
        )

    def _runner_of(self, block: Block, desk: Desk | None) -> Runner:
        """One that asks at this desk; what is costly to make is made once."""
        if desk is not None and isinstance(block, ClassifyBlock | SplitBlock) and block.by == "model":
            return make_runner(block, self._settings, self._evidence, desk)
        return self._runners[block.id]

    def close(self) -> None:
        """End what blocks keep running."""
        for runner in self._runners.values():
            close = getattr(runner, "close", None)
            if close is not None:
                close()


class _Run:
    """What the blocks made of one text so far."""

    def __init__(self, settings: WorkflowSettings, record: PreparedText, desk: Desk | None) -> None:
        self._settings = settings
        self._record = record
        self._desk = desk
        self._made: dict[str, Any] = {DOCUMENT: record.text}
        """By ``block.output-handle``."""
        self._passed_over: dict[str, str] = {}
        """Block → why."""
        self.values: list[ReadValue] = []
        self.cost_micro_usd = 0

    def step(self, block: Block, sources: Mapping[str, str], runner: Runner) -> None:
        """Run a block and keep what it gives, or pass it over. Raises what it raises, ReaderStopped too."""
        given = {handle: self._made[source] for handle, source in sources.items() if source in self._made}
        if not given:
            self._passed_over[block.id] = f"Block {block.id!r} was passed over: {self._lack(sources)}."
            return
        inputs = {JSON_IN if h == FILE_IN else h: Given(value) for h, value in given.items()}  # a text comes as JSON
        if isinstance(runner, ExtractRunner):
            result = runner.read(inputs, self._record, self._desk)
            self.cost_micro_usd += result.cost_micro_usd
            output = runner.output(result)
            self._keep(result.values)
        else:
            output = runner.run(inputs)
            self.cost_micro_usd += output.cost_micro_usd
        self._made.update({f"{block.id}.{handle}": value for handle, value in output.values.items()})

    def _keep(self, values: Iterable[ReadValue]) -> None:
        """Those of properties that no block before read; a reader's words on another block's property are not asked."""
        before = {value.property for value in self.values}
        for value in values:
            elsewhere = value.outcome == "unknown_property" and self._settings.property(value.property) is not None
            if value.property not in before and not elsewhere:
                self.values.append(value)

    def _lack(self, sources: Mapping[str, str]) -> str:
        """Why there is no input: the first of its sources gave nothing."""
        id, _, handle = next(iter(sources.values())).partition(".")
        source = next(block for block in self._settings.line if block.id == id)
        if id in self._passed_over:
            return f"so was {id!r} before it"
        if isinstance(source, ClassifyBlock):
            category = self._made[f"{id}.{JSON_OUT}"]["category"]
            return f"{id!r} found no category" if category is None else f"{id!r} found the category {category!r}"
        return f"{id!r} gave nothing at {handle!r}"

    def not_read(self) -> dict[str, str]:
        """Property without a value → why no block looked for it; without those that were looked for."""
        readers: dict[str, list[str]] = {}
        for block in self._settings.line:
            if isinstance(block, ExtractBlock):
                for name in block.properties or [p.name for p in self._settings.properties]:
                    readers.setdefault(name, []).append(block.id)
        found = {}
        for prop in self._settings.properties:
            ids = readers.get(prop.name, [])
            if not ids:
                found[prop.name] = "No block of the workflow reads it."
            elif all(id in self._passed_over for id in ids):
                found[prop.name] = self._passed_over[ids[0]]
        return found
