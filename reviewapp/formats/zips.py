"""Zip files: written with fixed times, rights and order (the same content gives the same bytes), read with care."""

from __future__ import annotations

import io
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats import limits

DAMAGE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, NotImplementedError, EOFError,
    UnicodeDecodeError,
)  # fmt: skip
"""What `zipfile` lets through of a damaged archive, beside what the disk says."""
REFUSALS = (*DAMAGE, OSError, RuntimeError, ValueError)
"""The same with a wrong password, impossible names and numbers, where the whole archive stands in memory."""

PIECE_BYTES = 1 << 16
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
ORDINARY_FILE = 0o100644 << 16


def put(archive: zipfile.ZipFile, name: str, content: bytes | IO[bytes]) -> None:
    """Add a file; a stream is read from its beginning, in pieces."""
    entry = zipfile.ZipInfo(name, FIXED_TIME)
    entry.create_system, entry.external_attr, entry.compress_type = 3, ORDINARY_FILE, zipfile.ZIP_DEFLATED
    if isinstance(content, bytes):
        archive.writestr(entry, content)
        return
    content.seek(0)
    with archive.open(entry, "w", force_zip64=True) as target:
        shutil.copyfileobj(content, target)


def taken_out(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """One file of a zip of ours that comes in pieces, in pieces. Memory stays small."""
    with tempfile.TemporaryFile() as file:
        file.writelines(pieces)
        with zipfile.ZipFile(file) as archive, archive.open(name) as content:
            while piece := content.read(PIECE_BYTES):
                yield piece


def packed(folder: Path) -> bytes:
    """A zip of the files in a folder and below, links and hidden ones left out. Raises `ImportFaults` where they are
    more than an archive may hold."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )
    size = sum(path.stat().st_size for path in files)
    if size > limits.ARCHIVE_EXPANDED_BYTES:
        most = limits.megabytes(limits.ARCHIVE_EXPANDED_BYTES)
        raise ImportFaults([Fault(folder.name, f"holds {limits.megabytes(size)}; at most {most}")])
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path in files:
            put(archive, path.relative_to(folder).as_posix(), path.read_bytes())
    return made.getvalue()


@contextmanager
def opened(data: bytes, name: str, *, kind: str, expected: str) -> Iterator[zipfile.ZipFile]:
    """A zip file to read within. Raises `ImportFaults` where it is damaged, unpacks to more than the limit, or a name
    that is asked for is not in it (KeyError); `kind` is what it should be, `expected` what should be in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > limits.ARCHIVE_EXPANDED_BYTES:
                most = limits.megabytes(limits.ARCHIVE_EXPANDED_BYTES)
                raise ImportFaults([Fault(name, f"unpacks to {limits.megabytes(size)}; at most {most}")])
            yield archive
    except KeyError as error:
        raise ImportFaults([Fault(name, f"expected {expected} in it")]) from error
    except REFUSALS as error:
        raise ImportFaults([Fault(name, f"is damaged or no {kind}: {error}")]) from error
