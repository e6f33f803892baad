"""The child process of `FunctionReader`: one request a line on stdin, one answer a line on stdout.

What the function prints goes to stderr, so that it cannot come between the lines. Run as
``python -P function_child.py package.module:function``.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

# This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
sys.path.append(str(Path(__file__).resolve().parents[3]))

from reviewapp.child import line_of, private_pipes, write


def main(named: str) -> None:
    """Answer until stdin ends."""
    requests, answers = private_pipes()
    sys.path.insert(0, "")  # modules in the folder that reviewapp was started in
    function: Callable[[dict[str, Any]], Any] | None = None
    for line in requests:
        try:
            if function is None:
                function = _find(named)
            answer: dict[str, Any] = {"reply": function(json.loads(line))}
            said = line_of(answer)
        except Exception as error:
            words = " ".join(str(error).split())[:300]
            told = f"{named} raised {type(error).__name__}" + (f": {words}" if words else ".")
            said = line_of({"raised": told, "traceback": traceback.format_exc(limit=-20)})
        write(answers, said)


def _find(named: str) -> Callable[[dict[str, Any]], Any]:
    module, _, name = named.partition(":")
    found: Callable[[dict[str, Any]], Any] = getattr(import_module(module), name)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
