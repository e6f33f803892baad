"""Invitations and links that set a password, in the server's file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from reviewapp.domain.people import Grant, Link
from reviewapp.errors import NotFound
from reviewapp.store.connections import Connections
from reviewapp.store.rows import maybe_when, now, when

COLUMNS = """links.id, kind, people.name, workspace, test, role, uses, uses_left, until, links.created,
    links.created_by, revoked"""
FROM = "links left join people on people.number = links.person"


class LinkStore:
    """Each call is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def invite(self, link_id: str, secret_hash: str, grant: Grant, uses: int, until: float, by: str) -> Link:
        with self._connections.write() as db:
            db.execute(
                """insert into links
                        (id, hash, kind, workspace, test, role, uses, uses_left, until, created, created_by)
                    values (?, ?, 'invitation', ?, ?, ?, ?, ?, ?, ?, ?)""",
                (link_id, secret_hash, grant.workspace, grant.test or "", grant.role, uses, uses, until, now(), by),
            )
            return _link(db.execute(f"select {COLUMNS} from {FROM} where links.id = ?", (link_id,)).fetchone())

    def let_set_password(self, link_id: str, secret_hash: str, person: int, until: float, by: str) -> Link:
        """In place of an earlier one of the same person."""
        with self._connections.write() as db:
            db.execute("update links set revoked = ? where person = ? and revoked is null", (now(), person))
            db.execute(
                """insert into links (id, hash, kind, person, uses, uses_left, until, created, created_by)
                    values (?, ?, 'password', ?, 1, 1, ?, ?, ?)""",
                (link_id, secret_hash, person, until, now(), by),
            )
            return _link(db.execute(f"select {COLUMNS} from {FROM} where links.id = ?", (link_id,)).fetchone())

    def live_by_hash(self, secret_hash: str, at: float) -> Link | None:
        """The link with that secret, if it can still be used."""
        with self._connections.read() as db:
            row = db.execute(
                f"""select {COLUMNS} from {FROM}
                    where links.hash = ? and revoked is null and uses_left > 0 and until > ?""",
                (secret_hash, at),
            ).fetchone()
        return None if row is None else _link(row)

    def use(self, link_id: str) -> bool:
        """Use it once; False where it was used up or revoked in the meantime."""
        with self._connections.write() as db:
            used = db.execute(
                "update links set uses_left = uses_left - 1 where id = ? and uses_left > 0 and revoked is null",
                (link_id,),
            )
            return used.rowcount == 1

    def invitations(self, workspace: str) -> list[Link]:
        """Those into a workspace, newest first."""
        with self._connections.read() as db:
            rows = db.execute(
                f"""select {COLUMNS} from {FROM} where kind = 'invitation' and workspace = ?
                    order by links.created desc, links.id""",
                (workspace,),
            ).fetchall()
        return [_link(row) for row in rows]

    def revoke(self, link_id: str, workspace: str) -> Link:
        """Raises NotFound where the workspace has no such invitation that is not revoked yet."""
        with self._connections.write() as db:
            gone = db.execute(
                """update links set revoked = ?
                    where id = ? and workspace = ? and kind = 'invitation' and revoked is null""",
                (now(), link_id, workspace),
            )
            if gone.rowcount == 0:
                raise NotFound("invitation", link_id, way_out="The people page shows those there are.")
            return _link(db.execute(f"select {COLUMNS} from {FROM} where links.id = ?", (link_id,)).fetchone())

    def revoke_all_by(self, name: str) -> list[Link]:
        """End the invitations that somebody made; those that were still open."""
        with self._connections.write() as db:
            rows = db.execute(
                f"""select {COLUMNS} from {FROM}
                    where kind = 'invitation' and links.created_by = ? and revoked is null and uses_left > 0""",
                (name,),
            ).fetchall()
            db.executemany("update links set revoked = ? where id = ?", [(now(), row[0]) for row in rows])
        return [_link(row) for row in rows]


def _link(row: Any) -> Link:
    invites = row[1] == "invitation"
    return Link(
        id=row[0],
        kind=row[1],
        person=row[2],
        grant=Grant(workspace=row[3], test=row[4] or None, role=row[5]) if invites else None,
        uses=row[6],
        uses_left=row[7],
        until=datetime.fromtimestamp(row[8], UTC),
        created=when(row[9]),
        created_by=row[10],
        revoked=maybe_when(row[11]),
    )
