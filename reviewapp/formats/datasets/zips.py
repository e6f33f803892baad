"""Zip files with fixed times, rights and order: the same content gives the same bytes."""

from __future__ import annotations

import shutil
import zipfile
from typing import IO

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
