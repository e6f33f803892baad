"""Records on their way from the readers to the store, kept on disk so that memory stays small.

Every source is read once. What is good goes into a temporary file, and is only handed on when all of all files was
good: so all faults are told at once, nothing is half imported, and no more than one record is in memory at a time.
"""

from __future__ import annotations

import struct
import tempfile
import weakref
from collections.abc import Iterator

from reviewapp.domain.records import IncomingRecord
from reviewapp.formats.limits import MEGABYTE

IN_MEMORY_BYTES = 8 * MEGABYTE
"""Smaller imports never touch the disk."""
_LENGTHS = struct.Struct("<QQ")


class RecordSpool:
    """Records that can be gone through any number of times, in the order they were added."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - closed with the spool
        self._finalizer = weakref.finalize(self, self._file.close)
        self._count = 0

    def add(self, record: IncomingRecord) -> None:
        body = record.model_dump_json(exclude={"file"}).encode()
        file = record.file or b""
        self._file.write(_LENGTHS.pack(len(body), len(file)))
        self._file.write(body)
        self._file.write(file)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[IncomingRecord]:
        position = 0
        for _ in range(self._count):
            self._file.seek(position)  # another walk may have moved on in between
            body_length, file_length = _LENGTHS.unpack(self._file.read(_LENGTHS.size))
            record = IncomingRecord.model_validate_json(self._file.read(body_length))
            if file_length:
                record = record.model_copy(update={"file": self._file.read(file_length)})
            position += _LENGTHS.size + body_length + file_length
            yield record

    def close(self) -> None:
        """Free the temporary file now; otherwise that happens when the last reference goes."""
        self._finalizer()
