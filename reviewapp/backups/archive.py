"""What a backup is: a zip archive of ``reviewapp.db``, ``workspaces/NAME.db`` and, last, ``manifest.json``.

The manifest has the size and the SHA-256 of each. Nothing of it is believed before it is checked.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from reviewapp.domain.base import SLUG_PATTERN, Model
from reviewapp.errors import DamagedFile, InvalidInput, NewerFile, NotFound, StorageError
from reviewapp.formats.zips import DAMAGE
from reviewapp.store.health import FileHealth, look_at_server, look_at_workspace
from reviewapp.store.snapshots import SERVER_FILE

MANIFEST = "manifest.json"
MANIFEST_LIMIT_BYTES = 10_000_000
PIECE_BYTES = 1 << 20
NAME = re.compile(rf"reviewapp\.db|workspaces/{SLUG_PATTERN}\.db")
"""What may be in a backup; names of the archive become paths, so nothing else does."""


class Kept(Model):
    """One file of a backup."""

    name: str
    bytes: int = Field(ge=0, lt=1 << 50)
    sha256: str


class Manifest(Model):
    """What a backup holds."""

    kind: Literal["reviewapp backup"] = "reviewapp backup"
    format: Literal[1] = 1
    made: datetime
    program: str
    """Version of reviewapp that made it."""
    files: tuple[Kept, ...]


@contextmanager
def opened(source: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    if not source.is_file():
        raise NotFound("backup", source.name, way_out="Name the file that `reviewapp backup` wrote.")
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive, _manifest(archive, source.name)
    except (*DAMAGE, KeyError) as error:
        raise _no_backup(source.name) from error
    except OSError as error:
        raise StorageError(f"{source.name} cannot be restored ({error.strerror}); nothing was changed.") from error


def _manifest(archive: zipfile.ZipFile, name: str) -> Manifest:
    if archive.getinfo(MANIFEST).file_size > MANIFEST_LIMIT_BYTES or not all(map(_is_plain, archive.infolist())):
        raise _no_backup(name)
    try:
        manifest = Manifest.model_validate_json(archive.read(MANIFEST))
    except ValidationError as error:
        raise _no_backup(name) from error
    names = [file.name for file in manifest.files]
    if not all(NAME.fullmatch(n) for n in names) or len(set(names)) != len(names) or SERVER_FILE not in names:
        raise _no_backup(name)
    return manifest


def _is_plain(member: zipfile.ZipInfo) -> bool:
    """Neither encrypted nor packed in a way that we never pack."""
    return not member.flag_bits & 1 and member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _no_backup(name: str) -> InvalidInput:
    return InvalidInput(f"{name} is no whole backup of reviewapp; nothing was changed. Take another one.")


def unpack(archive: zipfile.ZipFile, file: Kept, target: Path, source: str) -> None:
    digest, size = hashlib.sha256(), 0
    with archive.open(file.name) as packed, target.open("wb") as unpacked:
        while piece := packed.read(PIECE_BYTES):
            size += len(piece)
            if size > file.bytes:
                break
            digest.update(piece)
            unpacked.write(piece)
    if size != file.bytes or digest.hexdigest() != file.sha256:
        raise InvalidInput(
            f"{file.name} in {source} is not as it was written; nothing was changed. Take another backup."
        )
    health = look(file.name, target)
    if health.newer:
        raise NewerFile(f"{source} was made by a newer reviewapp (it knows {health.newer[0]!r}); install that version.")
    if health.foreign or health.faults or health.unread:
        raise DamagedFile(f"{file.name} in {source} is damaged; nothing was changed. Take another backup.")
    if health.added:
        raise InvalidInput(
            f"{file.name} in {source} runs statements that reviewapp did not put there ({health.added[0]}); nothing "
            "was changed. Take another backup."
        )


def look(name: str, path: Path) -> FileHealth:
    return look_at_server(path) if name == SERVER_FILE else look_at_workspace(path)


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
