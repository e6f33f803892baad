"""Whole copies of files, taken while others write, and putting a set of files in the place of another.

A restore has one moment at which it happens: when ``.restoring/complete.json`` is there. Killed before it, everything
is as it was; killed after it, the next opening of the data folder goes on with the moves. The files that were there
are kept in a folder of their own.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from reviewapp.domain.base import SLUG_PATTERN, Model
from reviewapp.errors import DamagedFile, StorageError

STAGING = ".restoring"
COMPLETE = "complete.json"
SERVER_FILE = "reviewapp.db"
FULL_BYTES = 100_000
BESIDE = ("-wal", "-shm", "")
"""What belongs to a SQLite file, the file itself last."""


class Plan(Model):
    """What a restore moves."""

    new: tuple[str, ...]
    """Files below the staging folder, as paths below the data folder."""
    old: tuple[str, ...]
    """Files of the data folder before it."""
    kept: str
    """Folder below the data folder that the old files go to."""


def copy_whole(source: Path, target: Path) -> None:
    """One state of `source`, whatever is written meanwhile, as a file of its own; `target` appears when it is whole.

    Raises StorageError for a full disk or a folder that cannot be written, DamagedFile where the source is damaged.
    """
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with closing(sqlite3.connect(source, timeout=5)) as opened, closing(sqlite3.connect(part)) as copy:
            opened.backup(copy)  # in one step: a write in between would make it begin anew
            copy.execute("pragma journal_mode = delete")  # one file, with nothing beside it
        part.replace(target)
        sync_folder(target.parent)
    except sqlite3.DatabaseError as error:
        raise _in_our_words(error, source, target) from error
    except OSError as error:
        raise StorageError(f"{target.name} cannot be written ({error.strerror}); choose another place.") from error
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def data_files(folder: Path) -> Iterator[str]:
    """The files of a data folder, as paths below it: those that the program opens, whatever else lies there."""
    if (folder / SERVER_FILE).exists():
        yield SERVER_FILE
    yield from (f"workspaces/{name}.db" for name in workspace_names(folder))


def workspace_names(folder: Path) -> list[str]:
    """Names of the workspaces of a data folder, in order."""
    files = (folder / "workspaces").glob("*.db")
    return sorted(path.stem for path in files if re.fullmatch(SLUG_PATTERN, path.stem) and path.is_file())


def stage(folder: Path) -> Path:
    """An empty folder to put the new files in; what an earlier restore left there is removed."""
    staging = folder / STAGING
    if staging.exists():
        shutil.rmtree(staging)
    (staging / "workspaces").mkdir(parents=True)
    return staging


def put_in_place(folder: Path, kept: str) -> str:
    """Put what is staged in place of what is there; the folder that this went to, named after `kept`.

    Whole from the moment the plan is written.
    """
    staging = folder / STAGING
    while (folder / kept).exists():
        kept = f"{kept}-again"
    plan = Plan(new=tuple(data_files(staging)), old=tuple(data_files(folder)), kept=kept)
    for path in plan.new:
        _sync_file(staging / path)
    part = staging / f"{COMPLETE}.part"
    part.write_text(plan.model_dump_json(), encoding="utf-8")
    _sync_file(part)
    sync_folder(staging)
    part.replace(staging / COMPLETE)
    sync_folder(staging)
    finish_restore(folder)
    return kept


def unstage(folder: Path) -> None:
    """Remove what is staged, unless the restore is complete and goes on at the next opening."""
    staging = folder / STAGING
    if not (staging / COMPLETE).exists():
        shutil.rmtree(staging, ignore_errors=True)


def finish_restore(folder: Path) -> None:
    """Go on with a restore that was complete; nothing happens where there is none. Every step may be done twice."""
    staging = folder / STAGING
    if not (staging / COMPLETE).exists():
        return
    plan = Plan.model_validate_json((staging / COMPLETE).read_text(encoding="utf-8"))
    kept = folder / plan.kept
    for path in plan.old:
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        for suffix in BESIDE:
            place, target = folder / f"{path}{suffix}", kept / f"{path}{suffix}"
            if place.exists() and not (kept / path).exists():
                place.replace(target)
    (folder / "workspaces").mkdir(exist_ok=True)
    for path in plan.new:
        with suppress(FileNotFoundError):  # moved before the process was killed
            (staging / path).replace(folder / path)
    sync_folder(folder / "workspaces")
    sync_folder(folder)
    (staging / COMPLETE).unlink()
    shutil.rmtree(staging)


def is_half_restored(folder: Path) -> bool:
    """Whether a restore is complete but for its last moves."""
    return (folder / STAGING / COMPLETE).exists()


def is_full(folder: Path) -> bool:
    """Whether its disk has no room for what SQLite needs beside a file; it then says "disk I/O error"."""
    return shutil.disk_usage(folder).free < FULL_BYTES


def sync_folder(folder: Path) -> None:
    """Names in it survive the end of the machine, where the system can do that."""
    with suppress(OSError):
        _sync_file(folder)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _in_our_words(error: sqlite3.DatabaseError, source: Path, target: Path) -> StorageError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageError(f"There is no room for a copy of {source.name} beside {target.name}; make room, try again.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedFile(f"{source.name} is damaged ({error}); restore it from a backup.")
    return StorageError(f"{source.name} cannot be copied to {target.name} ({error}); check permissions and disk.")
