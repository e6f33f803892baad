"""One SQLite file: a connection for every thread, one writer at a time, errors in our own words.

Reading never waits (WAL). Writing takes the process's lock first and then ``BEGIN IMMEDIATE``, so that threads queue
up in Python instead of polling the file, and other processes are waited for by SQLite's busy timeout.
"""

from __future__ import annotations

import itertools
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlite_utils import Database, Migrations

from reviewapp.errors import Busy, DamagedFile, InvalidInput, NewerFile, ReviewappError, StorageError
from reviewapp.store.snapshots import copy_whole, is_full

BUSY_SECONDS = 5.0
"""How long a write waits for other threads, and then for other programs; after that it says so."""

OLDEST_SQLITE = (3, 37, 0)
"""STRICT tables."""

_memory_names = itertools.count(1)


def names_known(migrations: Migrations) -> set[str]:
    """The names of all migrations of this version."""
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        return {m.name for m in migrations.pending(empty)}


class Connections:
    """All connections of this process to one file."""

    def __init__(
        self, path: Path | None, migrations: Migrations, application_id: int, *, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        """`path` None: a database in memory, shared by all threads, gone after `close`.

        Raises DamagedFile, NewerFile, Busy or StorageError; a missing file is made.
        """
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            needed = ".".join(map(str, OLDEST_SQLITE))
            raise StorageError(
                f"SQLite {needed} or newer is needed, this Python has {sqlite3.sqlite_version}; use a newer Python."
            )
        self.path = path
        self.busy_seconds = busy_seconds
        self._memory_name = f"/reviewapp-{os.getpid()}-{next(_memory_names)}"
        self._lock = threading.RLock()
        self._opening = threading.Lock()
        self._by_thread: dict[threading.Thread, _Own] = {}
        self._closed = False
        self._local = threading.local()
        with self._translated():
            self._prepare(migrations, application_id)

    @property
    def name(self) -> str:
        return "the workspace" if self.path is None else self.path.name

    # -- opening and closing -----------------------------------------------------------------------------------

    def _open(self) -> Database:
        if self.path is None:
            # memdb, not shared cache: the same locks and the same busy timeout as a file has.
            target, uri = f"file:{self._memory_name}?vfs=memdb", True
        else:
            target, uri = str(self.path), False
        # Closing happens from another thread, hence check_same_thread=False; no connection is used by two at once.
        connection = sqlite3.connect(
            target, uri=uri, timeout=self.busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("pragma foreign_keys = on")
            connection.execute("pragma synchronous = full")
            connection.create_function("folded_contains", 2, _folded_contains, deterministic=True)
            return Database(connection, strict=True, execute_plugins=False)
        except BaseException:
            connection.close()
            raise

    def _prepare(self, migrations: Migrations, application_id: int) -> None:
        db = self._own().db
        try:
            self._refuse_foreign(db, migrations, application_id)
            if self.path is not None and db.conn.execute("pragma journal_mode").fetchone() != ("wal",):
                db.conn.execute("pragma journal_mode = wal")
            if pending := migrations.pending(db):
                self._keep_before(pending[0].name, db, migrations)
                with self.write():
                    migrations.apply(db)
                    db.conn.execute(f"pragma application_id = {application_id}")
        except BaseException:
            self.close()
            raise

    def _keep_before(self, migration: str, db: Database, migrations: Migrations) -> None:
        """A copy of a file that is about to be brought up to date, beside it, for an older reviewapp to read again."""
        if self.path is not None and migrations.applied(db):
            copy_whole(self.path, self.path.with_name(f"{self.path.name}.before-{migration}.bak"))

    def _refuse_foreign(self, db: Database, migrations: Migrations, application_id: int) -> None:
        (found,) = db.conn.execute("pragma application_id").fetchone()
        (tables,) = db.conn.execute("select count(*) from sqlite_master").fetchone()
        if found != application_id and tables:
            raise DamagedFile(f"{self.name} is a SQLite file, but not one that reviewapp wrote; move it elsewhere.")
        ours = [m.name for m in migrations.pending(db)] + [m.name for m in migrations.applied(db)]
        if unknown := sorted(set(ours) - names_known(migrations)):
            raise NewerFile(
                f"{self.name} was written by a newer reviewapp (it knows {unknown[0]!r}); "
                "install that version, or open a backup made before."
            )

    def _own(self) -> _Own:
        """What this thread has of its own; its connection is opened at first use."""
        own: _Own | None = getattr(self._local, "own", None)
        if own is None:
            own = _Own(self._open())
            with self._opening:
                if self._closed:
                    own.db.close()
                    self._refuse_closed()
                self._close_those_of_ended_threads()
                self._by_thread[threading.current_thread()] = self._local.own = own
        return own

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StorageError(f"{self.name} was closed; nothing was saved.")

    def _close_those_of_ended_threads(self) -> None:
        keeper = next(iter(self._by_thread), None)  # a database in memory lives as long as one connection does
        for thread in [t for t in self._by_thread if not t.is_alive() and t is not keeper]:
            self._by_thread.pop(thread).db.close()

    def close(self) -> None:
        """Close every connection; whoever is at work finishes first, and nobody begins anew."""
        with self._opening:
            self._closed = True
            for own in self._by_thread.values():
                # Closed while it works, a connection takes the process down; one that is stuck is left to its end.
                if own.using.acquire(timeout=self.busy_seconds):
                    own.db.close()
                    own.using.release()
            self._by_thread.clear()

    # -- reading and writing -----------------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, for a single query."""
        with self._in_use() as own:
            yield own.db.conn

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, for several queries that must see the same state."""
        with self._in_use() as own:
            connection = own.db.conn
            if connection.in_transaction:
                yield connection
                return
            connection.execute("begin")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("commit")

    @contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed at the end or, on any error, undone. Nested ones are savepoints.

        Committed, it survives the end of the process; a lasting one also that of the machine (it waits for the disk).
        Raises Busy when other threads or programs hold the file for longer than the busy timeout.
        """
        with self._in_use() as own:
            connection = own.db.conn
            if own.writing:
                with _savepoint(connection):
                    yield connection
                return
            if connection.in_transaction:
                raise RuntimeError("a write within a snapshot, which could meet a later state of the file")
            if not self._lock.acquire(timeout=self.busy_seconds):
                raise Busy("Another part of the server is writing to this workspace; nothing was saved, try again.")
            try:
                if lasting != own.lasting:
                    connection.execute(f"pragma synchronous = {'full' if lasting else 'normal'}")
                    own.lasting = lasting
                connection.execute("begin immediate")
                own.writing, own.after_commit = True, []
                try:
                    yield connection
                    connection.execute("commit")
                except BaseException:
                    own.db.rollback()
                    raise
            finally:
                own.writing = False
                self._lock.release()
        for call in own.after_commit:
            call()

    def after_commit(self, call: Callable[[], object]) -> None:
        """Make this call when this thread's transaction is committed, not when it is undone; without one at once."""
        own = self._own()
        if own.writing:
            own.after_commit.append(call)
        else:
            call()

    @contextmanager
    def _in_use(self) -> Iterator[_Own]:
        """This thread's own, not to be closed meanwhile; SQLite's errors come out in our words."""
        with self._translated():
            own = self._own()
            with own.using:
                if own.depth == 0:
                    self._refuse_closed()
                own.depth += 1
                try:
                    yield own
                finally:
                    own.depth -= 1

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise  # our own bug, or caught by the store that knows which rule it is
        except sqlite3.DatabaseError as error:
            ours = self._in_our_words(error)
            if ours is None:
                raise
            raise ours from error
        except OverflowError as error:
            if "SQLite" not in str(error):
                raise
            raise InvalidInput("A number in this request is larger than any there is; check the address.") from error
        except UnicodeEncodeError as error:
            refused = error.object[error.start]
            raise InvalidInput(
                f"Half of a surrogate pair (U+{ord(refused):04X}) is no character; take it out of the text."
            ) from error

    def _in_our_words(self, error: sqlite3.DatabaseError) -> ReviewappError | None:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Busy(f"Another program is writing to {self.name}; nothing was saved, try again.")
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return DamagedFile(f"{self.name} is damaged ({error}); restore it from a backup.")
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and self.path and is_full(self.path.parent)):
            return StorageError(f"The disk that holds {self.name} is full; nothing was saved, make room and try again.")
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
            return StorageError(f"{self.name} cannot be read and written ({error}); check its permissions and disk.")
        return None

    # -- watching ----------------------------------------------------------------------------------------------

    def trace(self, callback: Callable[[str], object] | None) -> None:
        """Call `callback` with every SQL statement of this thread; None ends it."""
        self._own().db.conn.set_trace_callback(callback)


@dataclass
class _Own:
    """What belongs to one thread."""

    db: Database
    using: threading.RLock = field(default_factory=threading.RLock)
    """Held while the connection works, so that nobody closes it then."""
    depth: int = 0
    """How many uses are nested in each other now."""
    writing: bool = False
    lasting: bool = True
    after_commit: list[Callable[[], object]] = field(default_factory=list)


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    """Undone alone where an error leaves it. One name for all, nested ones too: SQLite means the innermost, and keeps
    the statements prepared, which a new name each time (`Database.atomic`) costs 0.1 ms an answer."""
    connection.execute("savepoint part")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk has undone everything already
            connection.execute("rollback to part")
            connection.execute("release part")
        raise
    connection.execute("release part")


def _folded_contains(text: str | None, folded_words: str) -> bool:
    """True where `text` holds the words (already case-folded), whatever the case, in any script."""
    return text is not None and folded_words in text.casefold()
