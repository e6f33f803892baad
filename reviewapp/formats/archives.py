"""DOCX and XLSX are ZIP archives of XML: looked at before anything in them is unpacked.

Refused: archives that unpack to more than a limit (zip bombs), damaged and encrypted ones, and XML with a document
type declaration (the only place where entities, and so entity bombs and external files, can be declared).
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from reviewapp.formats import limits
from reviewapp.formats.zips import REFUSALS

_CONTENTS = "[Content_Types].xml"
_DOCTYPE = b"<!doctype"
_PROLOG_BYTES = 1 << 16
_OLE_FILE = b"\xd0\xcf\x11\xe0"


_NO_MEMORY = {"lxml.etree": 2, "xml.etree.ElementTree": 1}
"""The code with which an XML reader, by its module, says so; it tells it like a fault of the file."""


class ArchiveFault(ValueError):
    """The file is no archive that can be taken; the message is a sentence without its place."""


def is_want_of_memory(error: Exception) -> bool:
    """Whether reading a part ended for want of memory: nothing is wrong with the file but its size."""
    module = type(error).__module__
    return isinstance(error, MemoryError) or getattr(error, "code", 0) == _NO_MEMORY.get(module)


@contextmanager
def opened_archive(stream: BinaryIO, kind: str) -> Iterator[zipfile.ZipFile]:
    """The archive, once it is known to be harmless. `kind` (``DOCX``) is for messages.

    Raises `ArchiveFault`, also for damage that shows while parts are read.
    """
    start = stream.read(4)
    stream.seek(0)
    if start == _OLE_FILE:
        raise ArchiveFault(f"is locked with a password or in an old format; save it as {kind} without a password")
    try:
        with zipfile.ZipFile(stream) as archive:
            _check(archive, kind)
            yield archive
    except ArchiveFault:
        raise
    except REFUSALS as error:
        raise ArchiveFault(f"is damaged or no {kind} file: {error}") from error


def _check(archive: zipfile.ZipFile, kind: str) -> None:
    parts = archive.infolist()
    if len(parts) > limits.ARCHIVE_PARTS:
        raise ArchiveFault(f"holds {len(parts):,} parts; at most {limits.ARCHIVE_PARTS:,}")
    if all(part.filename != _CONTENTS for part in parts):
        raise ArchiveFault(f"is no {kind} file: it lacks {_CONTENTS}")
    if any(part.flag_bits & 0x1 for part in parts):
        raise ArchiveFault("is locked with a password; save it without one")
    xml = [part for part in parts if part.filename.lower().endswith((".xml", ".rels"))]
    expanded = sum(part.file_size for part in xml)  # zipfile reads no more than this, whatever the data say
    if expanded > limits.ARCHIVE_EXPANDED_BYTES:
        allowed = limits.megabytes(limits.ARCHIVE_EXPANDED_BYTES)
        raise ArchiveFault(f"unpacks to {limits.megabytes(expanded)}; at most {allowed}")
    for part in xml:
        with archive.open(part) as content:
            prolog = content.read(_PROLOG_BYTES).replace(b"\0", b"").lower()  # UTF-16 hides nothing
        if _DOCTYPE in prolog:
            raise ArchiveFault(f"declares a document type in {part.filename}, which {kind} files never need")
