"""Lines of a text stream, none of them longer than memory should hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from reviewapp.formats.limits import LINE_BYTES, megabytes

TOO_LONG = f"the line is longer than {megabytes(LINE_BYTES)}, the most one line may have"


def numbered_lines(text: TextIO, limit: int = LINE_BYTES) -> Iterator[tuple[int, str | None]]:
    """Line numbers from 1 with each line and its end; None in place of a line above `limit` characters."""
    number = 0
    while line := text.readline(limit):
        number += 1
        if len(line) < limit or line.endswith(("\n", "\r")):
            yield number, line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(limit)
        yield number, None
