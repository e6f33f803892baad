"""A workflow that is a line of blocks, run on texts as it would run live: what its `extract` blocks read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from reviewapp import __version__
from reviewapp.domain.blocks import DOCUMENT, FILE_IN, JSON_IN, READINGS_OUT, ExtractBlock, FunctionBlock, sources_of
from reviewapp.domain.evaluations import Execution
from reviewapp.domain.ids import content_hash
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.evals.kernel import Case
from reviewapp.evaluations.targets import Conversions, converted
from reviewapp.store.workspace import Workspace


class ReadsByBlocks:
    """Inputs: ``{"text": …}``. A block whose inputs were not given (another category was taken) is passed over; one
    that fails makes the case failed. Of a property that several blocks read the first reading counts."""

    def __init__(
        self, workspace: Workspace, workflow: str, settings: WorkflowSettings, evidence: Evidence, convert: Conversions
    ) -> None:
        """`workflow` is whose budget and call log models count in. Raises what making a block's runner raises."""
        from reviewapp.calls import CallDesk
        from reviewapp.extraction.blocks import code_of, make_runner

        self._blocks = settings.line
        self._sources = sources_of(settings.line)
        self._convert = convert
        desk = CallDesk(workspace, scope="trial", workflow=workflow)
        self._runners = {block.id: make_runner(block, settings, evidence, desk) for block in settings.line}
        codes = [code_of(block) for block in settings.line if isinstance(block, FunctionBlock)]
        units = {name: list(pair) for name, pair in convert.items()}
        self.fingerprint: str | None = None
        if None not in codes:  # else somebody's program may do otherwise next time
            self.fingerprint = content_hash(
                ["line", __version__, settings.fingerprint, evidence.model_dump(), units, codes]
            )

    def run(self, case: Case) -> Execution:
        from reviewapp.extraction.blocks import BlockFailed, Given

        begun, cost = time.perf_counter(), 0
        made: dict[str, Any] = {DOCUMENT: case.inputs["text"]}
        found: dict[str, dict[str, Any]] = {}
        for block in self._blocks:
            sources = self._sources[block.id].items()
            inputs = {_as_json(handle): Given(made[source]) for handle, source in sources if source in made}
            if not inputs:
                continue
            try:
                output = self._runners[block.id].run(inputs)
            except BlockFailed as failed:
                return Execution(failed=f"Block {block.id!r}: {failed.message}", milliseconds=_since(begun))
            cost += output.cost_micro_usd
            made.update({f"{block.id}.{handle}": value for handle, value in output.values.items()})
            if isinstance(block, ExtractBlock):
                for value in self._values(output.values[READINGS_OUT]):
                    found.setdefault(value["property"], value)
        return Execution(output={"values": list(found.values())}, milliseconds=_since(begun), cost_micro_usd=cost)

    def _values(self, readings: Mapping[str, Mapping[str, Any] | None]) -> Iterator[dict[str, Any]]:
        for name, reading in readings.items():
            if reading is None:
                continue
            value = reading["value"]
            if name in self._convert:
                value = converted(value, *self._convert[name])
            found = {"property": name, "value": value, **{k: reading[k] for k in ("quote", "outcome", "support")}}
            yield found if reading["unconfirmed"] is None else {**found, "unconfirmed": True}

    def close(self) -> None:
        """End what blocks keep running."""
        for runner in self._runners.values():
            close = getattr(runner, "close", None)
            if close is not None:
                close()


def _as_json(handle: str) -> str:
    """A text comes as JSON, to readers too."""
    return JSON_IN if handle == FILE_IN else handle


def _since(begun: float) -> float:
    return round((time.perf_counter() - begun) * 1e3, 3)
