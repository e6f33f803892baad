"""Files that can cost more than they look are read in processes of their own, with limits on time and memory.

A process keeps running for the next file. Files and what is made of them go by way of the file system.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from reviewapp.formats.limits import DOCUMENT_MEGABYTES, DOCUMENT_SECONDS
from reviewapp.programs import Pool, ProgramFault


class TooCostly(Exception):
    """Reading the file passed a limit, or ended the process; `str()` is a sentence without its place."""


@contextmanager
def made_by(child: str, stream: BinaryIO, seconds: float, **asked: Any) -> Iterator[tuple[dict[str, Any], Path]]:
    """(the answer of a child process, a file with what it made) for the file in `stream`.

    `child`: a script beside this one; it is asked with ``file`` and ``to``, two paths, and `asked`. Raises `TooCostly`.
    """
    with tempfile.TemporaryDirectory(prefix="reviewapp-") as room:
        file, to = Path(room) / "file", Path(room) / "made"
        with file.open("wb") as copy:
            shutil.copyfileobj(stream, copy)
        request = json.dumps({"file": str(file), "to": str(to), **asked}).encode()
        try:
            answer = json.loads(_pool(child).ask(request, seconds)[0])
        except ProgramFault as fault:
            limits = f"{seconds:g} s and {DOCUMENT_MEGABYTES:,} MB"
            raise TooCostly(f"takes more than a document does to be read (the limits are {limits})") from fault
        yield answer, to


@cache
def _pool(child: str) -> Pool:
    # By its path, as the children of `extraction.programs`; it ends with this process.
    script = Path(__file__).with_name(child)
    return Pool((sys.executable, "-P", str(script)), megabytes=DOCUMENT_MEGABYTES, seconds=DOCUMENT_SECONDS, keep=1)
