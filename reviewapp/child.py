"""The end of a child process that runs other people's Python: requests and answers, a line of JSON each.

Imports nothing of reviewapp and nothing but the standard library, for it runs in any project's Python.
"""

from __future__ import annotations

import json
import os
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import Any, BinaryIO


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """(requests, answers): stdin and stdout, out of the reach of that Python: it reads nothing and prints to stderr."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def line_of(answer: dict[str, Any]) -> bytes:
    """Raises TypeError, ValueError or RecursionError for what JSON cannot hold."""
    return json.dumps(answer, default=plain).encode() + b"\n"


def write(answers: BinaryIO, line: bytes) -> None:
    """The whole of it."""
    left = memoryview(line)
    while left:
        left = left[answers.write(left) :]


def plain(thing: Any) -> Any:
    """Pydantic models and dataclasses as their fields, dates and decimals as they are written."""
    if hasattr(thing, "model_dump"):
        return thing.model_dump(mode="json")
    if is_dataclass(thing):
        return {field.name: getattr(thing, field.name) for field in fields(thing)}
    if isinstance(thing, date | Decimal):
        return str(thing)
    raise TypeError(f"a reply cannot hold {type(thing).__name__}; return dicts, lists, texts and numbers")
