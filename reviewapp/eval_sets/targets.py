"""What an eval set is run on: a command, a Python function, a workflow, or outputs that are there already.

A target is named in one text::

    command:python3 run.py {inputs}     any program; see `CommandTarget`
    python:package.module:function      called with an item's inputs; mocks and traces work
    workflow:tender-positions           one of the workspace's workflows; inputs ``{"text": …}``
    outputs:answers.json                by item id or name
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reviewapp.domain.evaluations import Execution
from reviewapp.domain.ids import content_hash
from reviewapp.errors import InvalidInput, ReviewappError
from reviewapp.eval_sets.command_target import CommandTarget
from reviewapp.eval_sets.function_target import FunctionTarget, Simulator
from reviewapp.eval_sets.target_base import SECONDS, EvalTarget
from reviewapp.evals.kernel import Case
from reviewapp.formats.eval_sets.documents import read_document

KINDS = ("command", "python", "workflow", "outputs")


class WorkflowTarget:
    """A workflow that reads ``inputs["text"]``; the output is ``{property: value}`` of what it would write."""

    runs_code = False
    reads_inputs = True

    def __init__(self, read: Callable[[str], dict[str, Any]], fingerprint: str | None, name: str) -> None:
        """`read` may raise a ReviewappError: then the item failed, with its sentence."""
        self._read = read
        self.fingerprint = fingerprint
        self._name = name

    def run(self, case: Case) -> Execution:
        text = case.inputs["inputs"].get("text")
        if not isinstance(text, str):
            return Execution(failed=f"Workflow {self._name} reads inputs.text, which is no text in this item.")
        try:
            return Execution(output=self._read(text))
        except ReviewappError as error:
            return Execution(failed=error.message)

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
    from_here: bool = False,
) -> EvalTarget:
    """A target out of its text. `workflow` makes one of the workspace's, `simulate` asks its models for simulated
    tools; `from_here`: a file of outputs is first sought where this program was started, then in the project.

    Raises InvalidInput, NotFound.
    """
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
        return OutputsTarget(_outputs(_place(rest, root, from_here)), Path(rest).name)
    if workflow is None:
        raise InvalidInput("Workflows live in a workspace; name its data folder with --data.", param="target")
    return workflow(rest)


def is_outside(named: str, root: Path) -> bool:
    """Whether it names a file of outputs that does not lie in the project."""
    kind, _, file = named.partition(":")
    try:
        place = _place(file.strip(), root, from_here=False).resolve()
        return kind == "outputs" and not place.is_relative_to(root.resolve())
    except (OSError, ValueError):
        return False  # it cannot be read either


def _place(file: str, root: Path, from_here: bool) -> Path:
    """Where a file of outputs lies."""
    try:
        named = Path(file).expanduser()
        return named if named.is_absolute() or (from_here and named.is_file()) else root / file
    except (OSError, ValueError, RuntimeError):  # a name that no system takes
        return root / file


def _outputs(path: Path) -> Mapping[str, Any]:
    content = read_document(path).content
    if isinstance(content, dict) and isinstance(content.get("rows"), list):  # a report of `reviewapp score --json`
        return {row["id"]: {"output": row["actual"]} for row in content["rows"] if "id" in row and "actual" in row}
    if not isinstance(content, dict):
        raise InvalidInput(f"{path.name} is no object of outputs by item id or name.", param="target")
    return content
