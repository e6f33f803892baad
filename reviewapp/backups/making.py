"""One file with everything, taken while people answer. Every file in it is one state of the original."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from reviewapp import __version__
from reviewapp.backups.archive import MANIFEST, Kept, Manifest, look, sha256_of
from reviewapp.errors import DamagedFile, NotFound, StorageError
from reviewapp.store.snapshots import copy_whole, data_files, sync_folder
from reviewapp.workspaces import DataFolder

ROOM = ".backup-"
LEFT_SECONDS = 24 * 3600
"""What a killed backup left is removed by the next one after so long."""


def make_backup(data: DataFolder, target: Path, *, by: str) -> Manifest:
    """Write everything into `target`, which appears when it is whole, in place of an older one.

    Only this account may read it, unless an older one of that name was open to others. Raises StorageError where it
    cannot be written, DamagedFile for a file that could not be restored.
    """
    if not target.parent.is_dir():
        raise NotFound("folder", str(target.parent), way_out="Make it, or name a file somewhere else.")
    remove_what_was_left(target.parent)
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


def open_backup(data: DataFolder, *, by: str) -> BinaryIO:
    """A backup to be read and closed, of which nothing stays. Raises as `make_backup`."""
    remove_what_was_left(data.path)
    with tempfile.TemporaryDirectory(prefix=ROOM, dir=data.path, ignore_cleanup_errors=True) as room:
        file = Path(room) / "backup.zip"
        make_backup(data, file, by=by)
        return file.open("rb")  # read on when its name is gone


def remove_what_was_left(folder: Path) -> None:
    """What killed backups and restores left in a folder a day ago or longer."""
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
                files.append(Kept(name=name, bytes=copy.stat().st_size, sha256=sha256_of(copy)))
                archive.write(copy, name)
                copy.unlink()
            manifest = Manifest(made=datetime.now(UTC), program=__version__, files=tuple(files))
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
        stream.flush()
        os.fsync(stream.fileno())
    return manifest


def _refuse_unusable(name: str, copy: Path) -> None:
    """A backup that could not be restored would be found out on the worst of days."""
    health = look(name, copy)
    if health.foreign or health.faults or health.unread:
        fault = "is no file of reviewapp's" if health.foreign else f"is damaged ({[*health.faults, health.unread][0]})"
        raise DamagedFile(
            f"{name} {fault}, so no backup was made; move it out of the data folder, or put back an older one."
        )
