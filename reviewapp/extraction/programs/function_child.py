"""The child process of `FunctionReader`: one request a line on stdin, one answer a line on stdout.

What the function prints goes to stderr, so that it cannot come between the lines. Imports nothing of
reviewapp; run as ``python -P function_child.py package.module:function``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from importlib import import_module
from typing import Any, BinaryIO


def main(named: str) -> None:
    """Answer until stdin ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.path.insert(0, "")  # modules in the folder that reviewapp was started in
    function: Callable[[dict[str, Any]], Any] | None = None
    for line in sys.stdin.buffer:
        try:
            if function is None:
                function = _find(named)
            answer: dict[str, Any] = {"reply": function(json.loads(line))}
            said = _line(answer)
        except Exception as error:
            words = " ".join(str(error).split())[:300]
            told = f"{named} raised {type(error).__name__}" + (f": {words}" if words else ".")
            said = _line({"raised": told, "traceback": traceback.format_exc(limit=-20)})
        _write(answers, said)


def _find(named: str) -> Callable[[dict[str, Any]], Any]:
    module, _, name = named.partition(":")
    found: Callable[[dict[str, Any]], Any] = getattr(import_module(module), name)
    return found


def _line(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, default=plain).encode() + b"\n"


def plain(thing: Any) -> Any:
    """Pydantic models and dataclasses as their fields, dates and decimals as they are written."""
    if hasattr(thing, "model_dump"):
        return thing.model_dump(mode="json")
    if hasattr(thing, "__dataclass_fields__"):
        return {name: getattr(thing, name) for name in thing.__dataclass_fields__}
    if isinstance(thing, date | Decimal):
        return str(thing)
    raise TypeError(f"a reply cannot hold {type(thing).__name__}; return dicts, lists, texts and numbers")


def _write(answers: BinaryIO, said: bytes) -> None:
    left = memoryview(said)
    while left:
        left = left[answers.write(left) :]


if __name__ == "__main__":
    main(sys.argv[1])
