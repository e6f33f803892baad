"""A look at the whole installation and its data: what is in order, what is not, and the way out. Changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

from reviewapp import __version__
from reviewapp.domain.base import Model
from reviewapp.resources import IN_CHECKOUT, folder
from reviewapp.store.health import FileHealth, look_at_server, look_at_workspace
from reviewapp.store.snapshots import is_half_restored, workspace_names

OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""
LOW_SPACE_BYTES = 500_000_000
MAIN_PACKAGES = ("flask", "pydantic", "sqlite-utils", "waitress", "pint", "rapidfuzz", "pypdfium2")


class Finding(Model):
    """One thing that was looked at."""

    check: str
    """What was looked at, in a word or two."""
    state: Literal["ok", "warning", "fault"]
    """`warning`: works, but somebody should know; `fault`: something does not work."""
    found: str
    way_out: str = ""
    """What to do about it; empty where there is nothing to do."""


def examine(data: Path) -> list[Finding]:
    """Look at the program and the data folder, in the order in which a fault of one explains the next."""
    return [*_program(), *_data_folder(data)]


def _program() -> Iterator[Finding]:
    python = platform.python_version()
    yield Finding(check="program", state="ok", found=f"reviewapp {__version__} on Python {python}, {sys.platform}")
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield Finding(
            check="SQLite",
            state="fault",
            found=f"version {sqlite3.sqlite_version}",
            way_out="reviewapp needs SQLite 3.37 or newer; use a Python that was built with it.",
        )
    else:
        yield Finding(check="SQLite", state="ok", found=f"version {sqlite3.sqlite_version}")
    versions, missing = [], []
    for name in MAIN_PACKAGES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    yield Finding(check="packages", state="ok", found=", ".join(versions))
    if missing:
        yield Finding(
            check="packages", state="fault", found=f"missing: {', '.join(missing)}", way_out="Install reviewapp again."
        )
    for name in IN_CHECKOUT:
        try:
            folder(name)
        except FileNotFoundError as error:
            yield Finding(check=name, state="fault", found=str(error), way_out="Install reviewapp again.")


def _data_folder(data: Path) -> Iterator[Finding]:
    shown = str(data)
    if not data.exists():
        way_out = "Nothing to do: it is made by `reviewapp demo`, `reviewapp serve` or the first import."
        yield Finding(check="data folder", state="warning", found=f"{shown} is not there", way_out=way_out)
        return
    if not data.is_dir():
        way_out = "Name a folder with --data."
        yield Finding(check="data folder", state="fault", found=f"{shown} is no folder", way_out=way_out)
        return
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        way_out = "Give the account that runs reviewapp the right to write there."
        yield Finding(check="data folder", state="fault", found=f"{shown} cannot be written to", way_out=way_out)
        return
    yield Finding(check="data folder", state="ok", found=shown)
    yield from _readers(data)
    yield from _half_restored(data)
    yield _space(data)
    yield from _files(data)


def _readers(data: Path) -> Iterator[Finding]:
    """Whether other accounts of the machine may read what is in the folder (systems with such bits)."""
    mode = data.stat().st_mode
    if os.name == "posix" and mode & (stat.S_IROTH | stat.S_IXOTH):
        found = f"every account of this machine may read it ({stat.filemode(mode)})"
        way_out = f"On a machine of several people: chmod o= {data}"
        yield Finding(check="data folder", state="warning", found=found, way_out=way_out)


def _half_restored(data: Path) -> Iterator[Finding]:
    if is_half_restored(data):
        found, way_out = "a restore was stopped in its last step", "Nothing to do: the next start completes it."
        yield Finding(check="restore", state="warning", found=found, way_out=way_out)
    kept = sorted(p.name for p in (*data.glob("before-restore-*"), *data.rglob("*.bak")))
    if kept:
        found = f"{len(kept)} from restores and upgrades ({', '.join(kept[:3])}{' …' if len(kept) > 3 else ''})"
        yield Finding(check="old copies", state="ok", found=found, way_out="Delete them when nobody needs them.")


def _people(health: FileHealth) -> Finding:
    admins = "1 admin" if health.admins == 1 else f"{health.admins} admins"
    found = f"{health.people} with an account, {admins}"
    if health.people and not health.admins:
        way_out = "Nobody can let people in: `reviewapp user role NAME admin`."
        return Finding(check="people", state="warning", found=found, way_out=way_out)
    return Finding(check="people", state="ok", found=found)


def _space(data: Path) -> Finding:
    free = shutil.disk_usage(data).free
    found = f"{free / 1e9:,.1f} GB free"
    if free < LOW_SPACE_BYTES:
        return Finding(check="disk", state="warning", found=found, way_out="Make room: a full disk refuses answers.")
    return Finding(check="disk", state="ok", found=found)


def _files(data: Path) -> Iterator[Finding]:
    server = data / "reviewapp.db"
    runner = FileHealth()
    if server.exists():
        runner = look_at_server(server)
        yield _file("reviewapp.db", server, runner)
        if not (runner.faults or runner.foreign or runner.unread):
            yield _people(runner)
    waiting = 0
    paths = sorted((data / "workspaces").glob("*.db"))
    workspaces = [data / "workspaces" / f"{name}.db" for name in workspace_names(data)]
    for path in [path for path in paths if path not in workspaces]:
        named = "not named as a workspace" if path.is_file() else "no file"
        found = "a link that leads nowhere" if path.is_symlink() and not path.exists() else named
        way_out = "Nobody sees it and no backup has it; rename it (small letters, digits, dashes) or move it elsewhere."
        yield Finding(check=f"file {path.name}", state="warning", found=found, way_out=way_out)
    for path in workspaces:
        health = look_at_workspace(path)
        waiting += health.open_tests
        yield _file(f"workspace {path.stem}", path, health)
    if not workspaces:
        yield Finding(check="workspaces", state="ok", found="none yet", way_out="`reviewapp demo` loads the sample.")
    yield _runner(runner, waiting)


def _file(check: str, path: Path, health: FileHealth) -> Finding:
    if health.foreign:
        found, way_out = "a SQLite file that reviewapp did not write", "Move it out of the data folder."
        return Finding(check=check, state="fault", found=found, way_out=way_out)
    if health.unread:
        found = f"cannot be looked at ({health.unread}); it may well be whole"
        way_out = "Make room on the disk, end what holds the file, give the right to write; then look again."
        return Finding(check=check, state="fault", found=found, way_out=way_out)
    if health.faults:
        found = f"damaged: {'; '.join(health.faults)}"
        return Finding(check=check, state="fault", found=found, way_out=f"Restore {path.name} from a backup.")
    if health.newer:
        found = f"written by a newer reviewapp ({', '.join(health.newer)})"
        return Finding(check=check, state="fault", found=found, way_out="Install that version or a newer one.")
    if health.added or health.missing:
        changed = [f"has {name} that we did not make" for name in health.added]
        changed += [f"lacks {name}" for name in health.missing]
        way_out = "Restore it from a backup: what the audit trail says of it may no longer be whole."
        return Finding(check=check, state="fault", found="; ".join(changed), way_out=way_out)
    size = sum(part.stat().st_size for part in (path, path.with_name(f"{path.name}-wal")) if part.exists())
    found = f"whole, {size / 1e6:,.1f} MB"
    if health.locked:
        found = "another program is writing to it and has not ended for a second"
        way_out = "Wait, or end that program; answers are refused as long as it writes."
        return Finding(check=check, state="warning", found=found, way_out=way_out)
    if health.pending:
        found += f"; the next opening brings it up to date ({', '.join(health.pending)})"
        way_out = "Nothing to do: a copy of the file as it is now stays beside it."
        return Finding(check=check, state="warning", found=found, way_out=way_out)
    return Finding(check=check, state="ok", found=found)


def _runner(health: FileHealth, waiting: int) -> Finding:
    tests = "1 test is" if waiting == 1 else f"{waiting} tests are"
    if health.runner and health.runner_until > time.time():
        return Finding(check="runner", state="ok", found=f"{health.runner}; {tests} waiting or running")
    gone = f"the last one, {health.runner}, ended without a word; " if health.runner else ""
    found = f"nobody runs tests; {gone}{tests} waiting"
    if waiting:
        return Finding(check="runner", state="warning", found=found, way_out="Start `reviewapp serve`; they go on.")
    return Finding(check="runner", state="ok", found=found)
