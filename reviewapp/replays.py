"""Results made elsewhere: brought in as a file, then a test like any other, through the same checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from reviewapp.domain.ids import content_hash, record_iri, text_hash
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Reading, ReplayedReply, Test
from reviewapp.domain.texts import clean_text
from reviewapp.domain.workflows import ReplayExtractor, WorkflowDefinition, WorkflowSettings
from reviewapp.errors import Fault, ImportFaults, InvalidInput
from reviewapp.extraction.reply_shapes import Unreadable, readings_of
from reviewapp.formats.replays import ReplayRow, read_replay
from reviewapp.formats.sources import Source, Upload, base_name
from reviewapp.records import import_records
from reviewapp.store.workspace import Workspace
from reviewapp.tests import start_test
from reviewapp.workflows import get_workflow

NAME_CHARACTERS = 200
_Key = tuple[str, str]
"""``named`` with an IRI or name, or ``text`` with a hash."""


@dataclass(frozen=True)
class Replay:
    """What an import of results gave."""

    test: Test
    records: int
    """Records with results."""
    readings: int
    added: int
    """Records that were not there and came with the file."""


@dataclass
class _Found:
    """What the file says of one record."""

    place: str
    text: str | None
    readings: list[Reading] = field(default_factory=list)
    failed: str | None = None

    @property
    def reply(self) -> ReplayedReply:
        return ReplayedReply(readings=() if self.failed else tuple(self.readings), failed=self.failed)


def replay_results(
    workspace: Workspace, source: Source, *, workflow: str, add_records: bool = False, overlap: int = 1, by: str
) -> Replay:
    """Start a test of what another system read: its file's readings instead of the workflow's reader.

    Properties, gate and checks are the workflow's. A row speaks of a record by IRI, by name, or by its text; with
    `add_records` those that are not there come in from the file's own texts. Every record that the file names is an
    input, one without readings too. Nothing is kept where anything is wrong.

    Raises ImportFaults with all faults of the file, NotFound, OpenTest.
    """
    settings = get_workflow(workspace, workflow).active.settings
    label = base_name(source.name if isinstance(source, Upload) else str(source))[:NAME_CHARACTERS]
    found = _by_record(source, settings)
    if not found:
        raise InvalidInput(f"{label} holds no results.", param="file")
    with workspace.atomic():
        iris, added = _addresses(workspace, settings.collection, found, add_records, by)
        read = {iris[key]: said.reply for key, said in found.items()}
        id = f"rply_{content_hash([[iri, reply.model_dump(mode='json')] for iri, reply in sorted(read.items())])}"
        workspace.replays.add(id, label, read.items(), by=by)
        test = start_test(
            workspace,
            definition=WorkflowDefinition(
                name=workflow,
                collection=settings.collection,
                properties=settings.properties,
                context=settings.context,
                gate=settings.gate,
                gates=settings.gates,
                rules=settings.rules,
                extractor=ReplayExtractor(source=label, import_id=id),
            ),
            iris=list(read),
            overlap=overlap,
            by=by,
        )
    return Replay(test, len(read), sum(len(reply.readings) for reply in read.values()), added)


def _by_record(source: Source, settings: WorkflowSettings) -> dict[_Key, _Found]:
    """What the file says of each record, in its order."""
    found: dict[_Key, _Found] = {}
    faults: list[Fault] = []
    try:
        for row in read_replay(source, [p.name for p in settings.properties]):
            text = None if row.text is None else clean_text(row.text).text
            key = _key(row, text)
            if key is None:
                faults.append(Fault(row.place, "the row does not say which record it speaks of"))
                continue
            said = found.setdefault(key, _Found(row.place, text))
            said.text = said.text or text
            said.failed = said.failed or row.failed
            try:
                said.readings.extend(readings_of(row.document, settings.properties))
            except Unreadable as error:
                faults.append(Fault(row.place, str(error)))
    except ImportFaults as more:
        faults.extend(more.faults)
    if faults:
        raise ImportFaults(faults)
    return found


def _key(row: ReplayRow, text: str | None) -> _Key | None:
    if row.record is not None:
        return ("named", row.record)
    return None if text is None else ("text", text_hash(text))


def _addresses(
    workspace: Workspace, collection: str, found: dict[_Key, _Found], add_records: bool, by: str
) -> tuple[dict[_Key, str], int]:
    """The IRI of every record, and how many were added."""
    iris = _known(workspace, collection, found)
    if shared := _shared(workspace, collection, [key for key in found if key not in iris]):
        raise ImportFaults([Fault(found[key].place, why) for key, why in shared.items()])
    missing = {key: said for key, said in found.items() if key not in iris}
    if missing and not add_records:
        raise ImportFaults([Fault(said.place, _not_there(key, said, collection)) for key, said in missing.items()])
    without = [said.place for said in missing.values() if not said.text]
    if without:
        raise ImportFaults([Fault(place, "the record is not there, and the row has no text") for place in without])
    if missing:
        names = {key: _name_of(key, said) for key, said in missing.items()}
        new = [IncomingRecord(name=names[key], text=said.text or "") for key, said in missing.items()]
        import_records(workspace, collection, new, by=by)
        iris |= {key: record_iri(collection, name) for key, name in names.items()}
    often = {iri for iri, times in Counter(iris.values()).items() if times > 1}
    if twins := [said.place for key, said in found.items() if iris[key] in often]:
        message = "speaks of a record that other rows call by another name; use one"
        raise ImportFaults([Fault(place, message) for place in twins])
    return iris, len(missing)


def _known(workspace: Workspace, collection: str, found: dict[_Key, _Found]) -> dict[_Key, str]:
    """Those that are records already: by IRI, else by name, else by text."""
    named = [key for kind, key in found if kind == "named"]
    there = workspace.replays.iris_there(collection, named)
    of_names = workspace.replays.iris_of_names(collection, named)
    hashes = {key: text_hash(said.text) for key, said in found.items() if said.text is not None}
    of_texts = workspace.replays.iris_of_texts(collection, hashes.values())
    iris = {}
    for key in found:
        iri = key[1] if key[1] in there else of_names.get(key[1]) or of_texts.get(hashes.get(key, ""))
        if iri is not None:
            iris[key] = iri
    return iris


def _shared(workspace: Workspace, collection: str, keys: list[_Key]) -> dict[_Key, str]:
    """Those that speak of several records at once, with a word to each."""
    names = workspace.replays.shared_names(collection, [said for kind, said in keys if kind == "named"])
    texts = workspace.replays.shared_texts(collection, [said for kind, said in keys if kind == "text"])
    way_out = f"of collection {collection!r}; name the record by its IRI"
    named = {key: f"{key[1][:80]!r} is the name of several records {way_out}" for key in keys if key[1] in names}
    return named | {key: f"the row's text is that of several records {way_out}" for key in keys if key[1] in texts}


def _name_of(key: _Key, said: _Found) -> str:
    if key[0] == "named":
        return key[1][:NAME_CHARACTERS]
    first_line = (said.text or "").strip().split("\n")[0][:60]
    return f"{first_line} {key[1][:8]}".strip()


def _not_there(key: _Key, said: _Found, collection: str) -> str:
    what = f"{key[1][:80]!r} is no IRI or name of a record" if key[0] == "named" else "no record has the row's text"
    way_out = ", or add the records from this file" if said.text else ""
    return f"{what} in collection {collection!r}; bring the records in first{way_out}"
