"""Cells that spreadsheets would take for formulas, and back.

A text cell that begins with ``= + - @``, a tab or a line end (also behind spaces and quotes, also full width) gets
a ``'`` in front. Reading takes exactly that one off again, so that ``defused`` and ``restored`` are inverses for
every text. Numbers are never touched: −5 stays a number.
"""

from __future__ import annotations

import re

_DANGEROUS = re.compile("[\\s\"'`‘’“”\u200b\u2060\ufeff]*?[=+\\-@＝＋－＠\t\r\n]")
_ADDED = re.compile(f"'(?={_DANGEROUS.pattern})")


def defused(text: str) -> str:
    """``=1+1`` → ``'=1+1``."""
    if text[:1].isalnum():  # nearly all are: no pattern is asked
        return text
    return f"'{text}" if _DANGEROUS.match(text) else text


def restored(cell: str) -> str:
    """``'=1+1`` → ``=1+1``; any other cell as it is (``'tis``)."""
    return cell[1:] if _ADDED.match(cell) else cell
