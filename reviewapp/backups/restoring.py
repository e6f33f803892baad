"""Putting a backup in the place of what is there, in one step; or one workspace of it beside what is there."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from reviewapp.backups.archive import Manifest, opened, unpack
from reviewapp.backups.making import ROOM, remove_what_was_left
from reviewapp.domain.base import Model
from reviewapp.errors import Conflict, DamagedFile, NewerFile, NotFound, StorageError
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.store.connections import BUSY_SECONDS
from reviewapp.store.in_use import InUse
from reviewapp.store.snapshots import SERVER_FILE, data_files, put_in_place, stage, unstage
from reviewapp.workspaces import DataFolder, open_data, open_workspace


class Restored(Model):
    """What a restore did."""

    made: datetime
    """When the backup was made."""
    workspaces: tuple[str, ...]
    kept: str | None
    """Folder below the data folder with the files that were there before; None: there were none."""


def restore_backup(source: Path, folder: Path, *, replace: bool = False, by: str) -> Restored:
    """Put a backup in the place of what is in `folder`, which is kept beside it.

    The whole backup is read and checked before anything is moved. Raises InvalidInput for a file that is no whole
    backup, NewerFile, Conflict where there is data already (unless `replace`) or a server at work on it, StorageError.
    """
    with opened(source) as (archive, manifest):
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


def workspaces_in(source: Path) -> tuple[datetime, tuple[str, ...]]:
    """When a backup was made, and the names of its workspaces. Raises InvalidInput, NotFound, StorageError."""
    with opened(source) as (_, manifest):
        return manifest.made, tuple(_workspace_names(manifest))


def _workspace_names(manifest: Manifest) -> list[str]:
    return [Path(file.name).stem for file in manifest.files if file.name != SERVER_FILE]


def restore_workspace(source: Path, data: DataFolder, name: str, *, into: str, by: str) -> datetime:
    """Put one workspace of a backup beside those there are, as `into`, while the server goes on; when it was made.

    What was waiting or running in it is cancelled: the workspace it was copied from goes on with that. Accounts, roles
    and keys stay as they are. Raises NotFound where the backup has no workspace of the name (param ``workspace``),
    InvalidInput and Conflict for a new name that does not do (``into``), and, without a param, InvalidInput, NewerFile,
    DamagedFile and StorageError for the file; then nothing was changed.
    """
    remove_what_was_left(data.path)
    with opened(source) as (archive, manifest), tempfile.TemporaryDirectory(prefix=ROOM, dir=data.path) as room:
        file = next((f for f in manifest.files if f.name == f"workspaces/{name}.db"), None)
        if file is None:
            there = ", ".join(_workspace_names(manifest)) or "none"
            raise NotFound("workspace", name, way_out=f"The backup has: {there}.", param="workspace")
        if file.bytes > shutil.disk_usage(room).free:
            raise StorageError(f"It needs {file.bytes / 1e6:,.0f} MB, and there is not so much room; make some.")
        with open_data(Path(room)) as beside:
            copy = Path(room) / file.name
            unpack(archive, file, copy, source.name)
            open_workspace(beside, name).end_what_is_under_way()
        data.adopt(copy, into)
    data.trail.note(by, "bring back workspace", f"{name} of {manifest.made:%Y-%m-%d %H:%M} UTC", into)
    return manifest.made


def _put_in_place(archive: zipfile.ZipFile, manifest: Manifest, folder: Path, source: str) -> str:
    """Unpack and check everything beside what is there, then change places; the folder with what was there."""
    with _nobody_at_work(folder):
        staging = stage(folder)
        try:
            for file in manifest.files:
                unpack(archive, file, staging / file.name, source)
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
def _nobody_at_work(folder: Path) -> Iterator[None]:
    """No program has the folder open, and none comes to open it meanwhile."""
    _refuse_runner(folder)
    with closing(InUse(folder, busy_seconds=BUSY_SECONDS)) as in_use:
        if not in_use.make_alone():
            raise Conflict(
                "Another program has this data folder open (a server, a command, an MCP host); end it first."
            )
        yield


def _refuse_runner(folder: Path) -> None:
    """Say by name who works on what is there. A damaged file has no lease."""
    if not (folder / SERVER_FILE).exists():
        return
    with suppress(DamagedFile, NewerFile), DataFolder(folder) as data:
        lease = Lease(data.leases)
        try:
            lease.take()
            lease.release()
        except LeaseTaken as error:
            holder = error.held.holder
            raise Conflict(
                f"{holder.what!r} (process {holder.pid} on {holder.host}) works on this data folder; stop it first."
            ) from None
