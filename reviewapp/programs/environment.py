"""What a program gets of this process, what of it is not kept, and what it may leave behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from pathlib import Path
from typing import Final

_MARK: Final = "REVIEWAPP_PROGRAM"
_SECRET: Final = re.compile(r"KEY|TOKEN|SECRET|PASSW", re.IGNORECASE)
_SECRET_CHARACTERS: Final = 8
"""A shorter value may be a word of the text."""


def environment(mark: str) -> dict[str, str]:
    """This process's, less our own settings; Python children speak UTF-8. All that it starts inherits `mark`."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("REVIEWAPP_")}
    return own | {"PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1", _MARK: mark}


def without_secrets(text: str) -> str:
    """What a program printed, without the keys that it was given in its environment."""
    for name, value in os.environ.items():
        if len(value) >= _SECRET_CHARACTERS and value in text and _SECRET.search(name):
            text = text.replace(value, "…")
    return text


def end_strays(mark: str) -> None:
    """End what the program started in sessions of their own, out of its process group's reach (Linux)."""
    wanted = f"{_MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError, ValueError):  # ended meanwhile, or another account's
            if wanted in place.read_bytes().split(b"\0"):
                os.kill(int(place.parent.name), signal.SIGKILL)
