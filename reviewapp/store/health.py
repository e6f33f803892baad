"""Looking at a file without changing it: whether it is whole, ours, and as new as this program."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from sqlite_utils import Database, Migrations

from reviewapp.domain.ids import text_hash
from reviewapp.store.connections import names_known
from reviewapp.store.schema import WORKSPACE_ID, workspace_migrations
from reviewapp.store.server_schema import SERVER_ID, server_migrations

_UNREAD = (
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
)
FAULTS_SHOWN = 5
"""Most faults of one kind that are told of a file."""


@dataclass(frozen=True)
class FileHealth:
    """What a look at a file found."""

    faults: tuple[str, ...] = ()
    """What is damaged, in SQLite's words or ours; empty: the file is whole."""
    unread: str = ""
    """Why it could not be looked at, though it may be whole: a full disk, missing rights; empty: it could."""
    foreign: bool = False
    """A SQLite file that reviewapp did not write; nothing else was looked at."""
    newer: tuple[str, ...] = ()
    """Migrations that this program does not know: a newer one wrote the file."""
    pending: tuple[str, ...] = ()
    """Migrations that the next opening applies."""
    added: tuple[str, ...] = ()
    """Triggers and views that are not as our migrations make them: they run with what we write."""
    missing: tuple[str, ...] = ()
    """Triggers and views of ours that somebody took out."""
    open_tests: int = 0
    """Tests queued or running (workspace files)."""
    runner: str | None = None
    """Who holds the runner's lease, as it stands in the file (the server's file); None: nobody."""
    runner_until: float = 0
    """Until when, in seconds since 1970."""
    locked: bool = False
    """Another program writes to it and did not end within a second."""
    people: int = 0
    """Open accounts (the server's file)."""
    admins: int = 0
    """Of these, those who run the server."""


def look_at_workspace(path: Path) -> FileHealth:
    """Look at a workspace's file; never raises for what is wrong with it."""
    return _look(path, workspace_migrations, WORKSPACE_ID)


def look_at_server(path: Path) -> FileHealth:
    """Look at the server's file; never raises for what is wrong with it."""
    return _look(path, server_migrations, SERVER_ID)


def _look(path: Path, migrations: Migrations, application_id: int) -> FileHealth:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5)) as db:
            found = _look_inside(db, migrations, application_id)
        return found if found.foreign or found.faults else replace(found, locked=_is_locked(path))
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _UNREAD:
            return FileHealth(unread=str(error), locked=_is_locked(path))
        return FileHealth(faults=(str(error),))


def _is_locked(path: Path) -> bool:
    """Whether nobody else can write now; begins a transaction and takes it back."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=1)) as db:
            db.execute("begin immediate")
            db.execute("rollback")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _people(db: sqlite3.Connection) -> tuple[int, int]:
    if not _has(db, "people"):
        return 0, 0
    (people,) = db.execute("select count(*) from people where disabled is null").fetchone()
    (admins,) = db.execute(
        """select count(*) from people join grants on person = number
            where disabled is null and workspace = '*' and test = '' and role = 'admin'"""
    ).fetchone()
    return int(people), int(admins)


def _look_inside(db: sqlite3.Connection, migrations: Migrations, application_id: int) -> FileHealth:
    (found,) = db.execute("pragma application_id").fetchone()
    if found != application_id:
        return FileHealth(foreign=True)
    wrapped = Database(db, execute_plugins=False)
    applied = [m.name for m in migrations.applied(wrapped)]
    pending = tuple(m.name for m in migrations.pending(wrapped))
    known = names_known(migrations)
    added, missing = _altered(db, migrations, pending)
    runner, until = _runner(db)
    people, admins = _people(db)
    return FileHealth(
        people=people,
        admins=admins,
        faults=tuple(_faults(db)),
        newer=tuple(name for name in applied if name not in known),
        pending=pending,
        added=added,
        missing=missing,
        open_tests=_open_tests(db),
        runner=runner,
        runner_until=until,
    )


def _altered(
    db: sqlite3.Connection, migrations: Migrations, pending: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(added or changed, missing) triggers and views, beside those of a file that knows the same migrations."""
    with closing(sqlite3.connect(":memory:")) as empty:
        wrapped = Database(empty, execute_plugins=False)
        names = [m.name for m in migrations.pending(wrapped)]
        if pending and tuple(names[-len(pending) :]) != pending:
            return (), ()  # of a program that never was; whatever is pending will tell
        migrations.apply(wrapped, stop_before=pending[0] if pending else None)
        ours = _statements(empty)
    found = _statements(db)
    added = (name for name, statement in found.items() if ours.get(name) != statement)
    return tuple(added), tuple(name for name in ours if name not in found)


def _statements(db: sqlite3.Connection) -> dict[str, str]:
    """By kind and name, what it does; without spaces and quotes, which a rename may change."""
    rows = db.execute("select type, name, sql from sqlite_master where type in ('trigger', 'view') order by name")
    return {f"{kind} {name}": re.sub(r"[\s\"'`\[\]]", "", sql or "").lower() for kind, name, sql in rows}


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    for (said,) in db.execute(f"pragma integrity_check({FAULTS_SHOWN})"):
        if said != "ok":
            yield said
    for table, row, parent, _ in db.execute("pragma foreign_key_check").fetchmany(FAULTS_SHOWN):
        yield f"row {row} of table {table} points at a row of {parent} that is not there"
    if _has(db, "texts"):
        changed = (h for h, text in db.execute("select hash, text from texts") if text_hash(text) != h)
        for hash_, _ in zip(changed, range(FAULTS_SHOWN), strict=False):
            yield f"text {hash_[:12]} was changed by another program: it does not match its hash"


def _open_tests(db: sqlite3.Connection) -> int:
    if not _has(db, "tests"):
        return 0
    (number,) = db.execute("select count(*) from tests where status in ('queued', 'running')").fetchone()
    return int(number)


def _runner(db: sqlite3.Connection) -> tuple[str | None, float]:
    row = None
    if _has(db, "leases"):
        row = db.execute("select holder, until from leases where name = 'runner'").fetchone()
    if row is None:
        return None, 0
    holder = json.loads(row[0])
    return f"{holder['what']} (process {holder['pid']} on {holder['host']})", float(row[1])


def _has(db: sqlite3.Connection, table: str) -> bool:
    return db.execute("select 1 from sqlite_master where type = 'table' and name = ?", (table,)).fetchone() is not None
