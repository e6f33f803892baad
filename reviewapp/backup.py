"""One file with everything: taken while people answer, put back in one step.

A backup is a zip archive: ``reviewapp.db``, ``workspaces/NAME.db`` and, last, ``manifest.json`` with the size and the
SHA-256 of each. Every file in it is one state of the original, whatever was written meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from reviewapp import __version__
from reviewapp.domain.base import SLUG_PATTERN, Model
from reviewapp.errors import Conflict, DamagedFile, InvalidInput, NewerFile, NotFound, StorageError
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.store.health import FileHealth, look_at_server, look_at_workspace
from reviewapp.store.snapshots import SERVER_FILE, copy_whole, data_files, put_in_place, stage, sync_folder, unstage
from reviewapp.workspaces import DataFolder, open_data

MANIFEST = "manifest.json"
ROOM = ".backup-"
MANIFEST_LIMIT_BYTES = 10_000_000
PIECE_BYTES = 1 << 20
LEFT_SECONDS = 24 * 3600
"""What a killed backup left is removed by the next one after so long."""
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


class Restored(Model):
    """What a restore did."""

    made: datetime
    """When the backup was made."""
    workspaces: tuple[str, ...]
    kept: str | None
    """Folder below the data folder with the files that were there before; None: there were none."""


def make_backup(data: DataFolder, target: Path, *, by: str) -> Manifest:
    """Write everything into `target`, which appears when it is whole, in place of an older one.

    Only this account may read it, unless an older one of that name was open to others. Raises StorageError where it
    cannot be written, DamagedFile for a file that could not be restored.
    """
    if not target.parent.is_dir():
        raise NotFound("folder", str(target.parent), way_out="Make it, or name a file somewhere else.")
    _remove_what_was_left(target.parent)
    try:
        with tempfile.TemporaryDirectory(prefix=ROOM, dir=target.parent) as room:  # nobody else looks or writes there
            part = Path(room) / "backup.zip"
            manifest = _write(data.path, part, Path(room))
            part.chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o600)
            part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise StorageError(
            f"The backup {target.name} cannot be written ({error.strerror}); nothing was changed, choose another place."
        ) from error
    data.trail.note(by, "make backup", target.name)
    return manifest


def _remove_what_was_left(folder: Path) -> None:
    for room in folder.glob(f"{ROOM}*"):
        with suppress(OSError):
            if room.stat().st_mtime < time.time() - LEFT_SECONDS:
                shutil.rmtree(room)


def _write(folder: Path, part: Path, room: Path) -> Manifest:
    files = []
    with part.open("xb") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name in data_files(folder):
                copy = room / "copy.db"
                copy_whole(folder / name, copy)
                _refuse_unusable(name, copy)
                files.append(Kept(name=name, bytes=copy.stat().st_size, sha256=_sha256(copy)))
                archive.write(copy, name)
                copy.unlink()
            manifest = Manifest(made=datetime.now(UTC), program=__version__, files=tuple(files))
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
        stream.flush()
        os.fsync(stream.fileno())
    return manifest


def _refuse_unusable(name: str, copy: Path) -> None:
    """A backup that could not be restored would be found out on the worst of days."""
    health = _look(name, copy)
    if health.foreign or health.faults:
        fault = "is no file of reviewapp's" if health.foreign else f"is damaged ({health.faults[0]})"
        raise DamagedFile(
            f"{name} {fault}, so no backup was made; move it out of the data folder, or put back an older one."
        )


def restore_backup(source: Path, folder: Path, *, replace: bool = False, by: str) -> Restored:
    """Put a backup in the place of what is in `folder`, which is kept beside it.

    The whole backup is read and checked before anything is moved. Raises InvalidInput for a file that is no whole
    backup, NewerFile, Conflict where there is data already (unless `replace`) or a server at work on it, StorageError.
    """
    with _opened(source) as (archive, manifest):
        there = list(data_files(folder))
        if there and not replace:
            raise Conflict(
                f"The data folder {folder.name!r} has data already; name a new one with --data, or give --replace to "
                "put the backup in its place (what is there is kept beside it)."
            )
        needed = sum(file.bytes for file in manifest.files)
        with _made(folder):
            if needed > shutil.disk_usage(folder).free:
                raise StorageError(
                    f"The backup needs {needed / 1e6:,.0f} MB, and there is not so much room; make some."
                )
            kept = _put_in_place(archive, manifest, folder, source.name)
    with open_data(folder) as data:
        data.trail.note(by, "restore backup", f"{source.name} of {manifest.made:%Y-%m-%d %H:%M} UTC")
        return Restored(made=manifest.made, workspaces=tuple(data.workspaces()), kept=kept if there else None)


def _put_in_place(archive: zipfile.ZipFile, manifest: Manifest, folder: Path, source: str) -> str:
    """Unpack and check everything beside what is there, then change places; the folder with what was there."""
    with _nobody_at_work(folder):
        staging = stage(folder)
        try:
            for file in manifest.files:
                _unpack(archive, file, staging / file.name, source)
            return put_in_place(folder, f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}")
        finally:
            unstage(folder)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """The folder is there; where it was not and nothing came into it, it is gone again."""
    was_there = folder.exists()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if not was_there:
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def _opened(source: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    if not source.is_file():
        raise NotFound("backup", source.name, way_out="Name the file that `reviewapp backup` wrote.")
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive, _manifest(archive, source.name)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError) as error:
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


def _unpack(archive: zipfile.ZipFile, file: Kept, target: Path, source: str) -> None:
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
    health = _look(file.name, target)
    if health.newer:
        raise NewerFile(f"{source} was made by a newer reviewapp (it knows {health.newer[0]!r}); install that version.")
    if health.foreign or health.faults:
        raise DamagedFile(f"{file.name} in {source} is damaged; nothing was changed. Take another backup.")
    if health.added:
        raise InvalidInput(
            f"{file.name} in {source} runs statements that reviewapp did not put there ({health.added[0]}); nothing "
            "was changed. Take another backup."
        )


def _look(name: str, path: Path) -> FileHealth:
    return look_at_server(path) if name == SERVER_FILE else look_at_workspace(path)


@contextmanager
def _nobody_at_work(folder: Path) -> Iterator[None]:
    """Hold the runner's lease of what is there, so that no server works on it. A damaged file has no lease."""
    if not (folder / SERVER_FILE).exists():
        yield
        return
    try:
        data = DataFolder(folder)
    except (DamagedFile, NewerFile):
        yield
        return
    with data:
        lease = Lease(data.leases)
        try:
            lease.take()
        except LeaseTaken as error:
            holder = error.held.holder
            raise Conflict(
                f"{holder.what!r} (process {holder.pid} on {holder.host}) works on this data folder; stop it first."
            ) from None
        data.close()
        yield


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
