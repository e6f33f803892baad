"""`targetOutputKey`: what of an output is looked at."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reviewapp.evals.eval_sets.faults import Fault, missing_target
from reviewapp.evals.eval_sets.values import too_deep

WHOLE = "*"
_TOKENS = re.compile(r"[^.\[\]]+|\[(\d+)\]")
_ATTACHMENT = re.compile(r"urn:uipath:cas:file:orchestrator:([0-9a-f-]+)$", re.IGNORECASE)
Target = str | Sequence[str]


@lru_cache(maxsize=4096)
def steps(path: str) -> tuple[str | int, ...]:
    """``items[0].name`` → ``("items", 0, "name")``; empty parts vanish. Raises ValueError where nothing is left."""
    found = tuple(match[0] if match[1] is None else int(match[1]) for match in _TOKENS.finditer(path))
    if not found:
        raise ValueError(f"Invalid path: '{path}'")
    return found


def at_path(value: Any, path: str) -> Any:
    """What stands at the path; `WHOLE` is the value itself. Raises KeyError, IndexError or TypeError where nothing
    does, ValueError for a path without a step."""
    if path == WHOLE:
        return value
    for step in steps(path):
        if isinstance(step, int):
            if not isinstance(value, list):
                raise TypeError(f"Cannot index into {type(value).__name__} with integer index [{step}]")
        elif not isinstance(value, dict):
            raise TypeError(f"Cannot access key '{step}' on {type(value).__name__}")
        value = value[step]
    return value


def actual_at(output: Any, target: Target) -> Any:
    """The part of the actual output. Raises Fault."""
    if isinstance(target, str):
        found = output if target == WHOLE else _reach(output, target)
        return attached(found)
    if not isinstance(output, dict):
        raise Fault("evaluate", f"Got {type(output).__name__}", code="INVALID_ACTUAL_OUTPUT")
    return {path: attached(value) for path, value in {path: _reach(output, path) for path in target}.items()}


def expected_at(expected: Any, target: Target) -> Any:
    """The part of the expected output; JSON text is read unless the whole is looked at. Raises Fault."""
    if target == WHOLE:
        return expected
    if isinstance(expected, str):
        expected = _read(expected)
    if isinstance(target, str):
        return _reach(expected, target)
    if not isinstance(expected, dict):
        raise Fault("evaluate", f"Got {type(expected).__name__}", code="INVALID_EXPECTED_OUTPUT")
    return {path: _reach(expected, path) for path in target}


def attached(value: Any) -> Any:
    """The value, unless it is the address of an attachment: those lie on the platform, out of reach from here."""
    if isinstance(value, str) and value[:4].lower() == "urn:" and (match := _ATTACHMENT.match(value)):
        raise Fault(
            "evaluate",
            f"The attachment {match[1]} lies on the platform and cannot be read from here; put its text into the "
            "output instead.",
            code="ATTACHMENT_DOWNLOAD_FAILED",
        )
    return value


def _reach(value: Any, path: str) -> Any:
    try:
        return at_path(value, path)
    except (KeyError, IndexError, TypeError) as error:
        raise missing_target(error) from error


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Fault("evaluate", f"Error: {error}", code="INVALID_EXPECTED_OUTPUT") from error
    except RecursionError as error:
        raise too_deep() from error
