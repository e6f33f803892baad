"""What an eval set is run on: a command, a Python function, a workflow, or outputs that are there already.

A target is named in one text::

    command:python3 run.py {inputs}     any program; see `CommandTarget`
    python:package.module:function      called with an item's inputs; mocks and traces work
    workflow:tender-positions           one of the workspace's workflows; inputs ``{"text": …}``
    outputs:answers.json                by item id or name
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from reviewapp.domain.evaluations import Execution
from reviewapp.domain.ids import content_hash
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.custom import interpreter_of
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.values import check_plain
from reviewapp.evals.kernel import Case
from reviewapp.extraction.programs.process import Program, ProgramFault
from reviewapp.formats.eval_sets.documents import read_document

ASKED_AT_MOST = 100
"""Calls of simulated tools for one item."""
SECONDS = 300.0
"""For one item."""
MEGABYTES = 4_096
LOG_BYTES = 50_000_000
ARGUMENT_BYTES = 131_000
"""Longest argument that systems hand to a program (Linux: 32 pages of memory)."""
MOCKS = "mocks"
"""In a case's inputs: its mocking strategy, beside ``inputs``."""
WISH = "wish"
"""In a case's inputs: which inputs a model is to make for it (`made_inputs.InputWish`)."""
KINDS = ("command", "python", "workflow", "outputs")
CHILD = Path(__file__).with_name("function_child.py")


class EvalTarget(Protocol):
    """A `Target` of the kernel whose cases' inputs are ``{"inputs": …, "mocks"?: …}``."""

    runs_code: bool
    """Whether running it may change something outside: the user is asked first."""
    reads_inputs: bool
    """Whether its outputs come of the case's inputs."""

    @property
    def fingerprint(self) -> str | None: ...

    def run(self, case: Case) -> Execution: ...

    def close(self) -> None: ...


def checked(execution: Execution) -> Execution:
    """The same, or a failure where output or trace cannot be scored and kept."""
    try:
        check_plain([execution.output, list(execution.trace)])
    except Fault as fault:
        return Execution(failed=f"The output cannot be scored: {fault.message}", milliseconds=execution.milliseconds)
    return execution


class CommandTarget:
    """Any program, run in the project's folder for every item.

    ``{inputs}`` in its arguments becomes the inputs as JSON text, ``{mocks}`` the mocking strategy, ``{log}`` and
    ``{trace}`` the paths of files of this run. Without ``{inputs}`` the JSON comes on stdin. The output is the JSON on
    stdout; with ``{log}`` it is the JSON that `pattern` (its first group) finds in the log's last matching line.
    """

    fingerprint = None
    runs_code = True
    reads_inputs = True

    def __init__(self, command: str, root: Path, *, pattern: str | None = None, seconds: float = SECONDS) -> None:
        """Raises InvalidInput."""
        try:
            self._command = shlex.split(command)
            self._pattern = re.compile(pattern or r"(\{.*\})\s*$")
        except (ValueError, re.error) as error:
            raise InvalidInput(f"The target's command or pattern cannot be read: {error}.", param="target") from error
        if not self._command:
            raise InvalidInput("The target names no command; write command:PROGRAM ARGUMENTS.", param="target")
        if self._pattern.groups < 1:
            raise InvalidInput("The pattern needs one group in brackets, around the output.", param="pattern")
        self._root = root
        self._seconds = seconds

    def run(self, case: Case) -> Execution:
        inputs, mocks = case.inputs["inputs"], case.inputs.get(MOCKS)
        if mocks is not None and not any("{mocks}" in part for part in self._command):
            return Execution(
                failed="The item has a mocking strategy, which a command cannot follow; use a python: target, or give "
                "the command {mocks}. Nothing was run."
            )
        with tempfile.TemporaryDirectory(prefix="reviewapp-") as folder:
            places = {
                "{inputs}": json.dumps(inputs, ensure_ascii=False),
                "{mocks}": json.dumps(mocks, ensure_ascii=False),
                "{log}": str(Path(folder) / "log"),
                "{trace}": str(Path(folder) / "trace.json"),
            }
            command = [_filled(part, places) for part in self._command]
            if any(len(part.encode()) > ARGUMENT_BYTES for part in command):
                return Execution(
                    failed=f"The inputs are longer than an argument may be ({ARGUMENT_BYTES // 1_000} kB); leave "
                    "{inputs} out of the command and read them from stdin. Nothing was run."
                )
            try:
                said = self._ask(command, places["{inputs}"])
                output = self._output(said, Path(places["{log}"]))
                return Execution(output=output, trace=_trace(Path(places["{trace}"])))
            except (ProgramFault, ValueError, OSError) as error:
                return Execution(failed=" ".join(str(error).split()))

    def close(self) -> None:
        """Nothing stays open."""

    def _ask(self, command: list[str], inputs: str) -> str:
        if shutil.which(command[0], path=None) is None and not (self._root / command[0]).is_file():
            raise ProgramFault(f"There is no program {command[0]!r} here; name one that is installed, or its path.")
        inside = ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(self._root), *command]
        program = Program(inside, megabytes=MEGABYTES)
        try:
            return program.ask_once(inputs.encode(), self._seconds)
        finally:
            program.close()

    def _output(self, said: str, log: Path) -> Any:
        if any("{log}" in part for part in self._command):
            if not log.is_file():
                raise ValueError("The command wrote no log to {log}.")
            if log.stat().st_size > LOG_BYTES:
                raise ValueError(f"The command's log has more than {LOG_BYTES // 1_000_000} MB.")
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            found = next((match for line in reversed(lines) if (match := self._pattern.search(line))), None)
            if found is None:
                raise ValueError(f"No line of the log fits the pattern {self._pattern.pattern!r}.")
            said = found[1]
        try:
            return json.loads(said)
        except (ValueError, RecursionError):
            start = said.strip()[:80]
            raise ValueError(f"The command gave no JSON but {start!r}; print the output as JSON, only that.") from None


Simulator = Callable[[dict[str, Any], dict[str, Any]], Any]
"""(mocking strategy, ``{"tool", "args", "kwargs", "schema"}``) → what the tool gives. May raise."""


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
        request = {"inputs": case.inputs["inputs"], MOCKS: strategy, "simulates": self._simulate is not None}
        for _ in range(ASKED_AT_MOST):
            answer: dict[str, Any] = json.loads(program.ask_line(json.dumps(request).encode(), self._seconds))
            if "ask" not in answer:
                return answer
            request = self._simulated(strategy, answer["ask"])
        raise ProgramFault(f"The function called simulated tools more than {ASKED_AT_MOST} times.")

    def _simulated(self, strategy: Any, asked: dict[str, Any]) -> dict[str, Any]:
        try:
            assert self._simulate is not None  # noqa: S101 - else the child does not ask
            return {"answer": self._simulate(strategy, asked)}
        except Exception as error:
            return {"refused": " ".join(str(error).split())}


class WorkflowTarget:
    """A workflow that reads ``inputs["text"]``; the output is ``{property: value}`` of what it would write."""

    runs_code = False
    reads_inputs = True

    def __init__(self, read: Callable[[str], dict[str, Any]], fingerprint: str | None, name: str) -> None:
        self._read = read
        self.fingerprint = fingerprint
        self._name = name

    def run(self, case: Case) -> Execution:
        text = case.inputs["inputs"].get("text")
        if not isinstance(text, str):
            return Execution(failed=f"Workflow {self._name} reads inputs.text, which is no text in this item.")
        return Execution(output=self._read(text))

    def close(self) -> None:
        """Nothing stays open."""


class OutputsTarget:
    """Outputs that are there already, by item id or name."""

    runs_code = False
    reads_inputs = False

    def __init__(self, outputs: Mapping[str, Any], file: str) -> None:
        self._outputs = outputs
        self._file = file
        self.fingerprint = content_hash(["outputs", outputs])

    def run(self, case: Case) -> Execution:
        for key in (case.inputs.get("id"), case.name):
            if key in self._outputs:
                found = self._outputs[key]
                if isinstance(found, dict) and found.keys() <= {"output", "trace", "failed"} and "output" in found:
                    return Execution(
                        output=found["output"], trace=tuple(found.get("trace") or ()), failed=found.get("failed")
                    )
                return Execution(output=found)
        return Execution(failed=f"{self._file} has no output for this item.")

    def close(self) -> None:
        """Nothing stays open."""


def make_target(
    named: str,
    root: Path,
    *,
    workflow: Callable[[str], WorkflowTarget] | None = None,
    pattern: str | None = None,
    seconds: float = SECONDS,
    simulate: Simulator | None = None,
) -> EvalTarget:
    """A target out of its text. `workflow` makes one of the workspace's, `simulate` asks its models for simulated
    tools. Raises InvalidInput, NotFound."""
    kind, colon, rest = named.partition(":")
    rest = rest.strip()
    if not colon or not rest or kind not in KINDS:
        raise InvalidInput(
            f"{named!r} names no target; write command:PROGRAM {{inputs}}, python:module:function, workflow:NAME or "
            "outputs:FILE.",
            param="target",
        )
    if kind == "command":
        return CommandTarget(rest, root, pattern=pattern, seconds=seconds)
    if kind == "python":
        return FunctionTarget(rest, root, seconds=seconds, simulate=simulate)
    if kind == "outputs":
        file = Path(rest).expanduser()
        return OutputsTarget(_outputs(file if file.is_absolute() or file.is_file() else root / rest), file.name)
    if workflow is None:
        raise InvalidInput("Workflows live in a workspace; name its data folder with --data.", param="target")
    return workflow(rest)


def _outputs(path: Path) -> Mapping[str, Any]:
    content = read_document(path).content
    if isinstance(content, dict) and isinstance(content.get("rows"), list):  # a report of `reviewapp score --json`
        return {row["id"]: {"output": row["actual"]} for row in content["rows"] if "id" in row and "actual" in row}
    if not isinstance(content, dict):
        raise InvalidInput(f"{path.name} is no object of outputs by item id or name.", param="target")
    return content


def _filled(part: str, places: Mapping[str, str]) -> str:
    return re.sub(r"\{(?:inputs|mocks|log|trace)\}", lambda match: places[match[0]], part)


def _trace(path: Path) -> tuple[Any, ...]:
    with suppress(OSError, ValueError, RecursionError):
        spans = json.loads(path.read_text(encoding="utf-8"))
        return tuple(spans) if isinstance(spans, list) else ()
    return ()
