"""Inputs that a model makes for an item before it is run (``inputMockingStrategy``).

What was made goes with the execution as a span of its own, so that judges, custom evaluators and reports see it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewapp.errors import ReviewappError
from reviewapp.formats.eval_sets.documents import read_document

SPAN = "simulated input"
"""Name of the span; it has no ``tool.name``, so that it is no tool call."""
ENTRY_POINTS = "entry-points.json"


@dataclass(frozen=True)
class InputWish:
    """What inputs are wanted."""

    prompt: str
    model: str = ""
    """As the file names it; empty: the workspace's choice."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the inputs, where the project says it."""
    behaviour: str = ""
    expected: Mapping[str, Any] | None = None
    """Criteria by evaluator."""


MakeInputs = Callable[[InputWish], dict[str, Any]]
"""May raise: the item then fails, and nothing is run."""


def input_schema(root: Path) -> dict[str, Any] | None:
    """Of the project's first entry point, where it has any."""
    with suppress(ReviewappError, LookupError, TypeError):
        found = read_document(root / ENTRY_POINTS).content["entryPoints"][0]["input"]
        return found if isinstance(found, dict) else None
    return None


def span_of(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"name": SPAN, "attributes": {"input.value": json.dumps(inputs, ensure_ascii=False)}}


def inputs_in(given: dict[str, Any], trace: Sequence[Any]) -> dict[str, Any]:
    """The inputs that an item was run with: those that were made, else those of its file."""
    first = trace[0] if trace else None
    if not isinstance(first, dict) or first.get("name") != SPAN:
        return given
    made: dict[str, Any] = json.loads(first["attributes"]["input.value"])
    return made
