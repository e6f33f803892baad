"""One file of a project: read anew for each use, written only over what was read."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewapp.errors import Conflict, InvalidInput, NotFound

_HALF = re.compile(r"\\ud[89a-f][0-9a-f]{2}", re.IGNORECASE)
"""An escaped half of a character; it may have its other half beside it."""
FILE_BYTES = 50_000_000
"""Largest file that is read."""
LEVELS = 200
"""Deepest nesting of a project's file."""
_writing = threading.Lock()
"""Between looking whether a file changed and replacing it, no other thread replaces it."""
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Document:
    """A JSON file as it was read."""

    path: Path
    text: str
    """With its own line ends."""
    content: Any
    digest: str
    """Of the bytes; tells whether the file changed since."""

    @property
    def name(self) -> str:
        return self.path.stem


def read_document(path: Path) -> Document:
    """Raises NotFound, or InvalidInput with one sentence that names the file."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe would never end
            raise InvalidInput(f"{path.name} is no file; put the file itself there.")
        if found.st_size > FILE_BYTES:
            said = f"{path.name} has {found.st_size / 1e6:.0f} MB; at most {FILE_BYTES // 1_000_000} MB are read."
            raise InvalidInput(said)
        raw = path.read_bytes()
    except FileNotFoundError:
        raise NotFound("file", path.name, way_out="It may have been moved; open the project again.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    if raw.startswith(BOM):
        raise InvalidInput(
            f"{path.name} begins with a byte order mark, which the package refuses; save it as UTF-8 without BOM."
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path.name} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    return Document(path, text, _parsed(path.name, text), hashlib.sha256(raw).hexdigest())


def write_document(document: Document, text: str) -> Document:
    """Put the changed text in the file's place, as a whole or not at all; unchanged text writes nothing.

    Raises Conflict where the file changed since it was read, InvalidInput where it cannot be written.
    """
    if text == document.text:
        return document
    content = _parsed(document.path.name, text)
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = f"\\u{ord(text[error.start]):04x}"
        raise InvalidInput(
            f"What is to be written holds half a character ({half} without its other half); write it whole."
        ) from None
    with _writing:
        if read_document(document.path).digest != document.digest:
            raise Conflict(
                f"{document.path.name} was changed by another program since it was read; nothing was written. Look at "
                "it again, then repeat your change."
            )
        _replace(document.path, raw)
    return Document(document.path, text, content, hashlib.sha256(raw).hexdigest())


def create_document(path: Path, content: Any) -> Document:
    """Write a new file, indented by two. Raises Conflict where one is there."""
    if path.exists():
        raise Conflict(f"{path.name} is there already; choose another name, or change it instead.")
    raw = (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, raw)
    return read_document(path)


def _replace(path: Path, raw: bytes) -> None:
    path = path.resolve()  # the file behind a link, not the link
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InvalidInput(f"{path.name} cannot be written: {error.strerror or error}.") from error
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InvalidInput(f"{path.name} cannot be written: {error.strerror or error}.") from error


def _parsed(name: str, text: str) -> Any:
    try:
        content = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{name} is not valid JSON: {error.msg} (line {error.lineno}).") from error
    except ValueError as error:
        raise InvalidInput(f"{name} is not valid JSON: {error}.") from error
    except RecursionError:
        raise InvalidInput(_too_deep(name)) from None
    if half := _HALF.search(text):
        _check_halves(name, content, half[0])
    level = [content] if isinstance(content, dict | list) else []
    for _ in range(LEVELS):
        level = [
            inner
            for thing in level
            for inner in (thing.values() if isinstance(thing, dict) else thing)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return content
    raise InvalidInput(_too_deep(name))


def _check_halves(name: str, content: Any, half: str) -> None:
    try:
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} holds half a character ({half} without its other half); write it whole.") from None
    except RecursionError:
        raise InvalidInput(_too_deep(name)) from None


def _too_deep(name: str) -> str:
    return f"{name} has objects and lists inside each other more than {LEVELS} levels deep; flatten them."


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise ValueError(f"{digits[:40]} is beyond the range of numbers")
    return number


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")
