"""Somebody's own program as a block, in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reviewapp.domain.blocks import FunctionBlock
from reviewapp.domain.plain_json import plain
from reviewapp.extraction import programs
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output
from reviewapp.programs.pool import Pool
from reviewapp.programs.process import Program, ProgramFault


class FunctionRunner:
    """Calls the function or the command with the value of the input (several inputs: a dict by handle)."""

    def __init__(self, block: FunctionBlock) -> None:
        self._block = block
        self._pool: Pool | None = None
        if block.function is not None:
            child = Path(programs.__file__).with_name("function_child.py")
            command = (sys.executable, "-P", str(child), block.function)
            self._pool = Pool(command, megabytes=block.megabytes, seconds=block.seconds)

    def run(self, inputs: Mapping[str, Given]) -> Output:
        values = {handle: _plain(given) for handle, given in inputs.items()}
        content = next(iter(values.values())) if len(values) == 1 else values
        request = json.dumps(content, ensure_ascii=True).encode()
        try:
            reply = self._call(request) if self._pool else self._start(request)
        except ProgramFault as fault:
            raise BlockFailed(fault.message, raw=fault.raw) from None
        declared = self._block.outputs
        if len(declared) == 1:
            return Output({next(iter(declared)): reply})
        if not isinstance(reply, dict):
            names = ", ".join(declared)
            raise BlockFailed(f"The block has several outputs; expected an object with some of {names}.")
        odd = sorted(reply.keys() - declared.keys())
        warnings = (f"The program gave {odd[0]!r}, which is no output of the block; it was dropped.",) if odd else ()
        return Output({handle: reply[handle] for handle in declared if handle in reply}, warnings=warnings)

    def close(self) -> None:
        if self._pool:
            self._pool.close()

    def _call(self, request: bytes) -> Any:
        assert self._pool is not None  # noqa: S101 - only called with one
        line, _ = self._pool.ask(request)
        answer = _strict(line)
        if "raised" in answer:
            raise BlockFailed(str(answer["raised"]), raw=str(answer["traceback"]))
        return answer["reply"]

    def _start(self, request: bytes) -> Any:
        program = Program(self._block.command, megabytes=self._block.megabytes)
        try:
            said = program.ask_once(request, self._block.seconds)
        finally:
            program.close()
        return _strict(said)


def _strict(said: str) -> Any:
    """JSON that every other program reads. Raises BlockFailed."""
    try:
        return plain(json.loads(said))
    except (ValueError, RecursionError) as error:
        raise BlockFailed(f"The program's output is not JSON ({error}); expected one JSON value.", raw=said) from None


def _plain(given: Given) -> Any:
    """A file as its description with its text; anything else as it is."""
    return given.value if given.file is None else {**given.value, "text": given.text}
