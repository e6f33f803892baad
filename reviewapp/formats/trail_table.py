"""The audit trail as CSV: a row an entry, without formulas; UTF-8 with a byte order mark, by which Excel knows it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from reviewapp.domain.people import TrailEntry
from reviewapp.formats.safe_cells import defused

COLUMNS = ("number", "at", "by", "did", "subject", "workspace")
PIECE_CHARACTERS = 1 << 16


def trail_csv(entries: Iterable[TrailEntry]) -> Iterator[bytes]:
    """The heading and a row for each entry, in pieces."""
    piece = io.StringIO(newline="")
    rows = csv.writer(piece)
    piece.write("\ufeff")
    rows.writerow(COLUMNS)
    for e in entries:
        texts = (defused(text) for text in (e.by, e.did, e.subject, e.workspace))
        rows.writerow((e.number, e.at.isoformat(timespec="seconds"), *texts))
        if piece.tell() > PIECE_CHARACTERS:
            yield piece.getvalue().encode()
            piece.seek(0)
            piece.truncate()
    yield piece.getvalue().encode()
