"""From a source to frozen inputs: files are kept with what they say, steps of runs as they were.

An input may be given short: a text stands for a file (its id, a record's IRI, or a ``data:`` address), an object
without `type` is none.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from pydantic import TypeAdapter, ValidationError

from reviewapp.domain.block_tests import Document, FileInput, HandleInput, HandleInputs, JsonInput
from reviewapp.domain.blocks import JSON_IN
from reviewapp.domain.ids import content_hash
from reviewapp.domain.misfits import misfit
from reviewapp.domain.plain_json import fault_of
from reviewapp.errors import InvalidInput, NotFound, ReviewappError
from reviewapp.store.workspace import Workspace

INPUTS: Final = 20
FILE_BYTES: Final = 25_000_000
KEPT: Final = "reviewapp:file/"
_DATA: Final = re.compile(r"data:(?P<mime>[\w.+-]+/[\w.+-]+)?(?P<rest>(?:;[\w.=+-]+)*),(?P<body>.*)", re.DOTALL)
_EXTENSIONS: Final = {
    "application/pdf": ".pdf",
    "text/html": ".html",
    "text/markdown": ".md",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}
_document = TypeAdapter(Document)


def freeze_inputs(workspace: Workspace, given: Mapping[str, Any]) -> tuple[HandleInputs, str]:
    """Inputs as a test keeps them, and their fingerprint; the files' contents are kept too. Within a transaction.

    Raises InvalidInput with one sentence.
    """
    if len(given) > INPUTS:
        raise InvalidInput(f"There are {len(given)} inputs; at most {INPUTS} are taken.", param="source.handle_inputs")
    frozen = {handle: _freeze(workspace, handle, value) for handle, value in given.items()}
    fingerprint = inputs_fingerprint(frozen)
    workspace.block_tests.keep_inputs(fingerprint, frozen)
    return frozen, fingerprint


def inputs_fingerprint(inputs: HandleInputs) -> str:
    """32 hex digits over the values; of a file its content counts, not its name or where it lay."""
    return content_hash({handle: _counted(given) for handle, given in inputs.items()})


def _counted(given: HandleInput) -> Any:
    if isinstance(given, JsonInput):
        return {"json": given.data}
    return {"file": given.document.content_fingerprint or given.document.gcs_uri}


def _freeze(workspace: Workspace, handle: str, value: Any) -> HandleInput:
    place = f"source.handle_inputs.{handle}"
    if isinstance(value, JsonInput):
        return value
    if isinstance(value, FileInput):
        return FileInput(type="file", document=_keep(workspace, value.document, place))
    if isinstance(value, str):
        return FileInput(type="file", document=_by_name(workspace, value, place))
    if not isinstance(value, Mapping) or value.get("type") not in ("json", "file"):
        raise InvalidInput(
            f'{place} is {_said(value)}; expected {{"type": "json", "data": …}} or {{"type": "file", "document": …}}.',
            param=place,
        )
    if value["type"] == "json":
        _refuse_others(value, {"type", "data"}, place)
        return json_input(value.get("data"), place)
    _refuse_others(value, {"type", "document", "file_id"}, place)
    if isinstance(value.get("file_id"), str):
        return FileInput(type="file", document=_by_name(workspace, value["file_id"], place))
    return FileInput(type="file", document=_keep(workspace, _read_document(value.get("document"), place), place))


def json_input(data: Any, place: str) -> JsonInput:
    """Raises InvalidInput where it could not be read back."""
    if (fault := fault_of(data)) is not None:
        raise InvalidInput(f"{place}: {fault}.", param=place)
    return JsonInput(type="json", data=data)


def _read_document(content: Any, place: str) -> Document:
    """In the public shape, or in that of results: ``{"id", "filename", "mime_type"}``."""
    if isinstance(content, Mapping) and "id" in content and "original_id" not in content:
        rest = {key: value for key, value in content.items() if key != "id"}
        content = {"gcs_uri": str(content["id"]), **rest, "original_id": content["id"]}
    try:
        return _document.validate_python(content)
    except ValidationError as error:
        first = misfit(error, content)
        where = ".".join((place, "document", *map(str, first.where)))
        raise InvalidInput(f"{where}: {first.message}.", param=f"{place}.document") from None


def _refuse_others(value: Mapping[str, Any], known: set[str], place: str) -> None:
    if odd := sorted(value.keys() - known):
        raise InvalidInput(f"{place}: unknown field {odd[0]!r}; known are {', '.join(sorted(known))}.", param=place)


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _keep(workspace: Workspace, document: Document, place: str) -> Document:
    """The document with its content kept here, where we can reach it; else as it is."""
    if (known := _of_ours(workspace, document)) is not None:
        return known.model_copy(update={"filename": document.filename, "mime_type": document.mime_type})
    if document.gcs_uri.startswith("data:"):
        kept = _from_data(workspace, document.gcs_uri, document.filename, place)
    elif (record := workspace.records.get(document.gcs_uri)) is not None:
        kept = keep_text(workspace, record.text, document.filename)
    else:
        return document
    return kept.model_copy(update={"original_id": document.original_id, "filename": document.filename})


def _of_ours(workspace: Workspace, document: Document) -> Document | None:
    """What is kept here under the document's address, id or fingerprint."""
    named = (document.gcs_uri.removeprefix(KEPT), document.content_fingerprint or "")
    return next((found for name in named if (found := workspace.block_tests.file(name)) is not None), None)


def _by_name(workspace: Workspace, name: str, place: str) -> Document:
    if name.startswith("data:"):
        return _from_data(workspace, name, None, place)
    if (known := workspace.block_tests.file(name.removeprefix(KEPT))) is not None:
        return known
    record = workspace.records.get(name)
    if record is not None:
        return keep_text(workspace, record.text, record.name)
    raise InvalidInput(
        f"{place}: {_said(name)} is neither a record's IRI nor a file kept here; give a `data:` address, the whole "
        'document, or a text as {"type": "json", "data": …}.',
        param=place,
    )


def keep_text(workspace: Workspace, text: str, name: str) -> Document:
    """A text as a file."""
    content = text.encode()
    fingerprint = hashlib.sha256(content).hexdigest()
    workspace.block_tests.keep_file(fingerprint, name, "text/plain", content, text)
    return _kept(workspace, fingerprint)


def _kept(workspace: Workspace, fingerprint: str) -> Document:
    kept = workspace.block_tests.file(fingerprint)
    if kept is None:
        raise NotFound("file", fingerprint)
    return kept


def _from_data(workspace: Workspace, address: str, filename: str | None, place: str) -> Document:
    found = _DATA.fullmatch(address)
    if found is None:
        raise InvalidInput(f"{place}: the data address is none; write data:text/plain;base64,….", param=place)
    mime_type = found["mime"] or "text/plain"
    try:
        body = found["body"]
        encoded = ";base64" in found["rest"]
        content = base64.b64decode(body, validate=True) if encoded else unquote_to_bytes(body)
    except (binascii.Error, ValueError):
        raise InvalidInput(f"{place}: the content is not base64.", param=place) from None
    return keep_content(workspace, content, filename or f"file{_EXTENSIONS.get(mime_type, '.txt')}", mime_type, place)


def keep_content(workspace: Workspace, content: bytes, filename: str, mime_type: str, place: str = "file") -> Document:
    """A file with its content; what it says is read now and stays so. Raises InvalidInput where it cannot be read."""
    if len(content) > FILE_BYTES:
        limit = FILE_BYTES // 1_000_000
        raise InvalidInput(f"{place}: the file has {len(content):,} bytes; at most {limit} MB are taken.", param=place)
    fingerprint = hashlib.sha256(content).hexdigest()
    if workspace.block_tests.file(fingerprint) is None:
        text = _text_of(content, filename, mime_type, place)
        workspace.block_tests.keep_file(fingerprint, filename, mime_type, content, text)
    return _kept(workspace, fingerprint)


def keep_file(workspace: Workspace, filename: str, content: bytes) -> Document:
    """A file that a person gives, kept with what it says; `file_id` of an input takes its fingerprint.

    Raises InvalidInput where it cannot be read.
    """
    mime_type = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    with workspace.atomic():
        return keep_content(workspace, content, filename, mime_type)


def _text_of(content: bytes, filename: str, mime_type: str, place: str) -> str:
    from reviewapp.formats.readers import read_files
    from reviewapp.formats.sources import Upload

    if mime_type == "text/plain":
        try:
            return content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            pass
    extension = _EXTENSIONS.get(mime_type, ".txt" if mime_type.startswith("text/") else "")
    name = filename if not extension or filename.lower().endswith(extension) else f"{filename}{extension}"
    try:
        with_text = [record.text for record in read_files([Upload(name.rpartition("/")[2], content)]).records]
    except ReviewappError as error:
        raise InvalidInput(f"{place}: {filename!r} cannot be read: {error.message}", param=place) from None
    return "\f".join(with_text)


def of_step(workspace: Workspace, run_id: str, step_id: str | None, block: str) -> HandleInputs:
    """The inputs of a step of a run; `step_id` None: the block's own step. Raises NotFound, InvalidInput."""
    if run_id.startswith("wtest_"):
        return _of_test(workspace, run_id, step_id)
    run = workspace.block_tests.workflow_run(run_id)
    if run is None:
        raise NotFound(
            "run", run_id, code="run_not_found", way_out="Name a workflow run (wfrun_…) or a test (wtest_…)."
        )
    wanted = step_id or block
    step = run.step(wanted)
    if step is None:
        there = ", ".join(s.id for s in run.steps)
        raise InvalidInput(f"Run {run_id} has no step {wanted!r}; it has {there}.", param="source.step_id")
    if step.skipped:
        raise InvalidInput(f"Step {wanted!r} was skipped in {run_id}, so it had no inputs.", param="source.step_id")
    return step.inputs


def _of_test(workspace: Workspace, test_id: str, step_id: str | None) -> HandleInputs:
    """What a test read: the text of one of its inputs, by IRI or position."""
    from reviewapp.tests import get_input, get_test, input_text

    test = get_test(workspace, test_id)
    if step_id is None:
        raise InvalidInput("The source is a test: name the input, by IRI or position.", param="source.step_id")
    key: str | int = int(step_id) if step_id.isascii() and step_id.isdecimal() and len(step_id) < 9 else step_id
    found = get_input(workspace, test.id, key)
    return {JSON_IN: JsonInput(type="json", data=input_text(workspace, found))}
