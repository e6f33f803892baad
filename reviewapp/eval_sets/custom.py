"""Custom evaluators: a class of the project's own Python, run in a process of its own.

Nothing of it is imported here. It runs only where the user allowed the project, with limits on time and memory, in
the project's own interpreter (``.venv``) where it has one. Where that has no `uipath` package, small stand-ins for its
base classes are there instead (`custom_child`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from reviewapp.domain.eval_sets import EvaluatorFile
from reviewapp.domain.evaluations import Score
from reviewapp.evals.eval_sets.faults import EVALUATION_ERROR, THROWN, Fault
from reviewapp.evals.eval_sets.table import CUSTOM
from reviewapp.programs.pool import Pool
from reviewapp.programs.process import ProgramFault

SECONDS = 60.0
"""For one row."""
MEGABYTES = 1_024
CHILD = Path(__file__).with_name("custom_child.py")


def is_custom(head: EvaluatorFile) -> bool:
    return head.evaluator_schema.startswith(CUSTOM)


def custom_source(head: EvaluatorFile, evaluators: Path, root: Path | None = None) -> tuple[Path, str]:
    """(file, class) of a custom evaluator: as given below `root`, in the folder `evaluators`, then in its ``custom``.

    Only files inside the project are taken. Raises Fault (stage ``load``).
    """
    named = head.evaluator_schema.removeprefix(CUSTOM)
    file, colon, name = named.rpartition(":")
    if not colon or not name.isidentifier():
        raise Fault(
            "load",
            f"evaluatorSchema must include class name after ':' - got: {head.evaluator_schema}",
            type="ValueError",
        )
    inside = (root or evaluators.parent.parent).resolve()
    for folder in (inside, evaluators, evaluators / "custom"):
        path = (folder / file).resolve()
        if path.is_file() and path.is_relative_to(inside):
            return path, name
    raise Fault(
        "load",
        f"Evaluator file not found: {evaluators / 'custom' / file}. "
        "Make sure the file exists in the evaluators/custom/ directory",
        type="ValueError",
    )


def interpreter_of(root: Path) -> str:
    """The project's own Python, else the one that runs this program."""
    for name in (".venv/bin/python", ".venv/Scripts/python.exe", "venv/bin/python"):
        if (root / name).is_file():
            return str(root / name)
    return sys.executable


class CustomEvaluator:
    """Asks the child process for every row."""

    fingerprint = None

    def __init__(
        self, content: dict[str, Any], source: Path, name: str, root: Path, *, seconds: float = SECONDS
    ) -> None:
        """Starts nothing yet. `content` is the evaluator file's JSON."""
        command = (interpreter_of(root), "-P", str(CHILD), str(source), name, json.dumps(content))
        self._pool = Pool(command, megabytes=MEGABYTES, seconds=seconds)
        self.name = str(content.get("name") or (content.get("evaluatorConfig") or {}).get("name") or name)

    def score(
        self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any, *, behaviour: str | None = None
    ) -> Score:
        """Raises Fault where the row as a whole cannot be scored."""
        row = {"inputs": inputs, "output": output, "trace": list(trace), "behaviour": behaviour}
        request = {**row, "criteria": criteria}
        try:
            line, _ = self._pool.ask(json.dumps(request).encode())
            answer = json.loads(line)
        except (ProgramFault, ValueError) as error:
            return Score(value=0, error=str(error), details=THROWN + str(error))
        if "raised" in answer:
            told = answer["raised"]
            stage = told.get("stage", "evaluate")
            if stage != "evaluate":
                raise Fault(stage, told["message"], code=told.get("code"), type=told.get("type", EVALUATION_ERROR))
            return Score(value=0, error=told["message"], details=THROWN + told["message"])
        value = answer.get("score")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            said = f"the evaluator gave the score {value!r}; a number from 0 to 1 was expected"
            return Score(value=0, error=said, details=THROWN + said)
        return Score(value=value, details=answer.get("details"), error=answer.get("error"))

    def close(self) -> None:
        """End its processes."""
        self._pool.close()
