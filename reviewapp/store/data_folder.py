"""The data folder: ``reviewapp.db`` for the server, ``workspaces/NAME.db`` for workspaces. Nothing else is state."""

from __future__ import annotations

import re
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

from reviewapp.domain.base import SLUG_EXPECTED, SLUG_PATTERN
from reviewapp.errors import Conflict, DamagedFile, InvalidInput, NotFound, StorageError
from reviewapp.store.connections import BUSY_SECONDS, Connections
from reviewapp.store.in_use import InUse
from reviewapp.store.keys import KeyStore
from reviewapp.store.leases import Leases
from reviewapp.store.links import LinkStore
from reviewapp.store.ownership import give_to_owner
from reviewapp.store.people import PeopleStore
from reviewapp.store.server_schema import SERVER_ID, server_migrations
from reviewapp.store.sessions import SessionStore
from reviewapp.store.snapshots import SERVER_FILE, finish_restore, sync_folder, workspace_names
from reviewapp.store.trail import ServerTrail
from reviewapp.store.workspace import Listener, Workspace


class DataFolder:
    """Opens workspaces by name, each once. Safe to use from any thread; `close` it at the end."""

    def __init__(self, path: Path | str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Makes the folder when it is not there. Raises StorageError where that fails, Busy during a restore."""
        self.path = Path(path)
        self.listeners: list[Listener] = []
        """Called after a test was started or cancelled in any workspace opened here."""
        self._busy_seconds = busy_seconds
        self._opening = threading.Lock()
        self._open: dict[str, Workspace] = {}
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)  # a new one is for this account alone
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"The data folder {self.path.name!r} cannot be made ({error.strerror}); choose another with --data."
            ) from error
        self._in_use = InUse(self.path, busy_seconds=busy_seconds)
        try:
            finish_restore(self.path)
            self._refuse_emptied()
            self._server = Connections(self.path / SERVER_FILE, server_migrations, SERVER_ID, busy_seconds=busy_seconds)
            """``reviewapp.db``: what is about people and machines."""
        except BaseException:
            self._in_use.close()
            raise
        self.keys = KeyStore(self._server)
        self.leases = Leases(self._server)
        self.people = PeopleStore(self._server)
        self.sessions = SessionStore(self._server)
        self.links = LinkStore(self._server)
        self.trail = ServerTrail(self._server)

    def _refuse_emptied(self) -> None:
        """An emptied file beside workspaces would be filled anew, and everybody's account gone without a word."""
        server = self.path / SERVER_FILE
        if server.exists() and server.stat().st_size == 0 and self.workspaces():
            raise DamagedFile(
                f"{server.name} is empty (0 bytes); restore it from a backup, or delete it to go on without accounts."
            )

    def atomic(self) -> AbstractContextManager[Any]:
        """A transaction over the stores of the server's file."""
        return self._server.write()

    @property
    def _folder(self) -> Path:
        return self.path / "workspaces"

    def workspaces(self) -> list[str]:
        """Names of the workspaces, in order."""
        return workspace_names(self.path)

    def workspace(self, name: str, *, create: bool = False) -> Workspace:
        """The workspace of that name; the same object every time.

        Raises NotFound where there is none (unless `create`), InvalidInput for a name that none can have,
        StorageError or Busy where its file cannot be opened.
        """
        with self._opening:
            if name in self._open:
                return self._open[name]
            # The name becomes a file name, so nothing but a slug gets past this line.
            if not re.fullmatch(SLUG_PATTERN, name):
                if create:
                    raise InvalidInput(f"{name!r} is no workspace name; use {SLUG_EXPECTED}.", param="workspace")
                raise NotFound("workspace", name)
            path = self._folder / f"{name}.db"
            if not create and not path.exists():
                there = ", ".join(self.workspaces()) or "none yet"
                raise NotFound("workspace", name, way_out=f"There are: {there}.")
            if not create and path.stat().st_size == 0:
                raise DamagedFile(f"{path.name} is empty (0 bytes); restore it from a backup, or delete it.")
            workspace = Workspace(name, path, listeners=self.listeners, busy_seconds=self._busy_seconds)
            self._open[name] = workspace
            return workspace

    def adopt(self, file: Path, name: str) -> None:
        """Make a workspace of a file of the same disk, which is moved.

        Raises InvalidInput for a name that none can have, Conflict where there is one of that name; both with the
        param ``into``.
        """
        with self._opening:
            if not re.fullmatch(SLUG_PATTERN, name):
                raise InvalidInput(f"{name!r} is no workspace name; use {SLUG_EXPECTED}.", param="into")
            path = self._folder / f"{name}.db"
            if path.exists() or path.is_symlink():
                raise Conflict(f"There is a workspace {name!r} already; choose another name.", param="into")
            file.replace(path)
            sync_folder(self._folder)

    def close(self) -> None:
        with self._opening:
            for workspace in self._open.values():
                workspace.close()
            self._open.clear()
        self._server.close()
        give_to_owner(self.path)
        self._in_use.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
