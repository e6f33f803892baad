"""A Python function of the project as the target of an eval set."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Protocol

from reviewapp.domain.evaluations import Execution
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.custom import interpreter_of
from reviewapp.eval_sets.target_base import MEGABYTES, MOCKS, SECONDS
from reviewapp.evals.kernel import Case
from reviewapp.programs.process import Program, ProgramFault

ASKED_AT_MOST = 100
"""Calls of simulated tools for one item."""
CHILD = Path(__file__).with_name("function_child.py")


class Simulator(Protocol):
    """Stands in for tools."""

    def is_ready(self, strategy: Any) -> bool:
        """Whether it can answer for a mocking strategy; if not, nothing of the item is run."""

    def __call__(self, strategy: dict[str, Any], asked: dict[str, Any], /) -> Any:
        """What the tool of ``{"tool", "args", "kwargs", "schema"}`` gives. May raise."""


class FunctionTarget:
    """A Python function of the project, in processes of its own that stay; mocks and tool calls are followed."""

    fingerprint = None
    runs_code = True
    reads_inputs = True

    def __init__(self, named: str, root: Path, *, seconds: float = SECONDS, simulate: Simulator | None = None) -> None:
        """`simulate` answers for tools of ``llm`` strategies. Raises InvalidInput."""
        module, colon, name = named.partition(":")
        if not colon or not all(part.isidentifier() for part in module.split(".")) or not name.isidentifier():
            raise InvalidInput(f"{named!r} names no function; write python:package.module:function.", param="target")
        self._command = (interpreter_of(root), "-P", str(CHILD), str(root), named)
        self._seconds = seconds
        self._simulate = simulate
        self._lock = threading.Lock()
        self._free: list[Program] = []

    def run(self, case: Case) -> Execution:
        with self._lock:
            program = self._free.pop() if self._free else None
        try:
            program = program or Program(self._command, megabytes=MEGABYTES)
            answer = self._conversation(program, case)
        except (ProgramFault, ValueError) as error:
            if program is not None:
                program.close()
            return Execution(failed=str(error))
        except RecursionError:
            return Execution(failed="The function's output is nested too deep.")
        with self._lock:
            self._free.append(program)
        return Execution(output=answer.get("output"), trace=tuple(answer.get("trace", ())), failed=answer.get("failed"))

    def close(self) -> None:
        with self._lock:
            free, self._free = self._free, []
        for program in free:
            program.close()

    def _conversation(self, program: Program, case: Case) -> dict[str, Any]:
        """Until the output comes, the child may ask for answers of simulated tools."""
        strategy = case.inputs.get(MOCKS)
        simulates = self._simulate is not None and self._simulate.is_ready(strategy)
        request = {"inputs": case.inputs["inputs"], MOCKS: strategy, "simulates": simulates}
        for _ in range(ASKED_AT_MOST):
            answer: dict[str, Any] = json.loads(program.ask_line(json.dumps(request).encode(), self._seconds))
            if "ask" not in answer:
                return answer
            request = self._simulated(strategy, answer["ask"])
        raise ProgramFault(f"The function called simulated tools more than {ASKED_AT_MOST} times.")

    def _simulated(self, strategy: Any, asked: dict[str, Any]) -> dict[str, Any]:
        assert self._simulate is not None  # noqa: S101 - else the child does not ask
        try:
            return {"answer": self._simulate(strategy, asked)}
        except Exception as error:
            return {"refused": " ".join(str(error).split())}
