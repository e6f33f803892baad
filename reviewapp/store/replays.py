"""Readings that another system made, by record."""

from __future__ import annotations

import json
from collections.abc import Iterable

from reviewapp.domain.tests import ReplayedReply
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, to_json


class ReplayStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, id: str, source: str, replies: Iterable[tuple[str, ReplayedReply]], *, by: str) -> None:
        """Keep the reply for each record (by IRI); a replay that is there already stays as it is."""
        with self._connections.write() as c:
            added = c.execute(
                "insert into replays (id, source, created, created_by) values (?, ?, ?, ?) on conflict do nothing",
                (id, source, now(), by),
            )
            if added.rowcount == 1:
                c.executemany(
                    "insert into replay_readings (replay, iri, readings) values (?, ?, ?)",
                    ((id, iri, _kept(reply)) for iri, reply in replies),
                )

    def reply(self, id: str, iri: str) -> ReplayedReply | None:
        """None where the replay holds nothing of the record."""
        with self._connections.read() as c:
            row = c.execute("select readings from replay_readings where replay = ? and iri = ?", (id, iri)).fetchone()
        if row is None:
            return None
        kept = json.loads(row[0])
        return ReplayedReply(readings=kept) if isinstance(kept, list) else ReplayedReply.model_validate(kept)

    def iris_of_names(self, collection: str, names: Iterable[str]) -> dict[str, str]:
        """Record name → IRI, for those names of the collection that one record has."""
        return self._iris("r.name", collection, names)

    def iris_of_texts(self, collection: str, hashes: Iterable[str]) -> dict[str, str]:
        """Text hash → IRI, for those texts that one record has."""
        return self._iris("r.text_hash", collection, hashes)

    def shared_texts(self, collection: str, hashes: Iterable[str]) -> set[str]:
        """Those of the text hashes that several records of the collection have."""
        return set(self._iris("r.text_hash", collection, hashes, having="> 1"))

    def shared_names(self, collection: str, names: Iterable[str]) -> set[str]:
        """Those of the names that several records of the collection have."""
        return set(self._iris("r.name", collection, names, having="> 1"))

    def iris_there(self, collection: str, iris: Iterable[str]) -> set[str]:
        """Those of the IRIs that are records of the collection."""
        return set(self._iris("r.iri", collection, iris))

    def _iris(self, column: str, collection: str, wanted: Iterable[str], having: str = "= 1") -> dict[str, str]:
        with self._connections.read() as c:
            rows = c.execute(
                f"""select wanted.value, min(r.iri) from json_each(?1) wanted
                    join records r on r.collection = ?2 and {column} = wanted.value
                    group by wanted.value having count(*) {having}""",
                (to_json(sorted(set(wanted))), collection),
            ).fetchall()
        return {row[0]: row[1] for row in rows}


def _kept(reply: ReplayedReply) -> str:
    """A list of readings, or an object that says why there are none."""
    if reply.failed is not None:
        return to_json({"failed": reply.failed})
    return to_json([r.model_dump(mode="json", exclude_defaults=True) for r in reply.readings])
