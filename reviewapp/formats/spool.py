"""Records on their way from the readers to the store, kept on disk so that memory stays small.

Every source is read once. What is good goes into a temporary file, and is only handed on when all of all files was
good: so all faults are told at once, nothing is half imported, and no more than one record is in memory at a time.
"""

from __future__ import annotations

import json
import struct
import tempfile
import weakref
from collections.abc import Iterator

from reviewapp.domain.records import IncomingRecord
from reviewapp.formats.limits import MEGABYTE
from reviewapp.formats.page_words import pack, unpack

IN_MEMORY_BYTES = 8 * MEGABYTE
"""Smaller imports never touch the disk."""
_LENGTHS = struct.Struct("<QQQ")


class RecordSpool:
    """Records that can be gone through any number of times, in the order they were added."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - closed with the spool
        self._finalizer = weakref.finalize(self, self._file.close)
        self._count = 0

    def add(self, record: IncomingRecord) -> None:
        body = record.model_dump_json(exclude={"file", "pages"}).encode()
        pages = json.dumps([pack(page) for page in record.pages]).encode() if record.pages else b""
        file = record.file or b""
        self._file.write(b"".join((_LENGTHS.pack(len(body), len(pages), len(file)), body, pages, file)))
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[IncomingRecord]:
        position = 0
        for _ in range(self._count):
            self._file.seek(position)  # another walk may have moved on in between
            lengths = _LENGTHS.unpack(self._file.read(_LENGTHS.size))
            body, pages, file = (self._file.read(length) for length in lengths)
            position += _LENGTHS.size + sum(lengths)
            record = IncomingRecord.model_validate_json(body)
            if pages:
                update = {"pages": tuple(unpack(page) for page in json.loads(pages)), "file": file}
                record = record.model_copy(update=update)
            yield record

    def close(self) -> None:
        """Free the temporary file now; otherwise that happens when the last reference goes."""
        self._finalizer()
