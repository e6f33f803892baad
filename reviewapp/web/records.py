"""Records: bring them in, find them, look at one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, BinaryIO, cast

from flask import Blueprint, flash, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from reviewapp import records
from reviewapp.domain.records import FILE_TEXT_LIMIT, IncomingRecord, Record
from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.sources import Upload
from reviewapp.web.context import page, person, workspace
from reviewapp.web.filters import plural
from reviewapp.web.forms import split_list
from reviewapp.web.highlighting import find_marks, highlight

pages = Blueprint("records", __name__, url_prefix="/w/<workspace>/records")

SHOWN = 100
SHOWN_FOUND = 40
"""Records found on a page: each is read, to show where the words stand."""
AROUND = 60
"""Characters shown before and behind them."""
PASTED = (
    ("text", "one text"),
    ("csv", "a table (CSV, first row names the columns)"),
    ("jsonl", "JSONL, one record a line"),
)
"""What a pasted text may be."""


@pages.get("/")
def index() -> Response:
    """Collections; with `q` how many of their records have these words."""
    here, q = workspace(), _q()
    collections = records.list_collections(here)
    found = {c.name: records.count_records(here, c.name, search=q) for c in collections} if q else {}
    return page("collections.html", collections=collections, q=q, found=found)


@pages.get("/new")
def new() -> Response:
    """The forms that bring records in."""
    return _form({"collection": request.args.get("collection", "")})


@pages.post("/files")
def upload() -> Response:
    """Files, or a folder of them."""
    typed = request.form.to_dict()
    uploads = [
        Upload(file.filename, cast("BinaryIO", file.stream)) for file in request.files.getlist("files") if file.filename
    ]
    try:
        if not uploads:
            raise InvalidInput("Choose at least one file or a folder.", param="files")
        return _import(typed, uploads)
    except InvalidInput as error:
        return _form(typed, error, "files")


@pages.post("/pasted")
def paste() -> Response:
    """One text, or a table of them."""
    typed = request.form.to_dict()
    try:
        return _import_pasted(typed)
    except InvalidInput as error:
        return _form(typed, error, "paste")


def _import_pasted(typed: dict[str, str]) -> Response:
    text = typed.get("text", "")
    if not text.strip():
        raise InvalidInput("Paste a text first.", param="text")
    if len(text) > FILE_TEXT_LIMIT:
        raise InvalidInput(
            f"The text has {len(text):,} characters; {FILE_TEXT_LIMIT:,} is the limit of one record. Split it.",
            param="text",
        )
    kind = typed.get("kind", "text")
    if kind in ("csv", "jsonl"):
        return _import(typed, [Upload(f"pasted.{kind}", text.encode("utf-8", "surrogatepass"))])
    refused = refused_character(text)
    if refused is not None:
        raise InvalidInput(f"At position {refused[0]} the text has {refused[1]}; take it out.", param="text")
    name = " ".join(typed.get("name", "").split())
    if not 0 < len(name) <= 200:
        raise InvalidInput("Give the text a name of 1 to 200 characters.", param="name")
    record = IncomingRecord(name=name, text=clean_text(text).text)
    return _told(records.import_records(workspace(), _collection(typed), [record], by=person()))


def _import(typed: dict[str, str], uploads: Sequence[Upload]) -> Response:
    from reviewapp.formats.readers import read_files  # brings every format with it

    incoming = read_files(
        uploads,
        text_columns=split_list(typed.get("text_columns", "")),
        name_column=typed.get("name_column", "").strip() or None,
    )
    report = records.import_records(
        workspace(), _collection(typed), incoming.records, by=person(), notes=incoming.notes
    )
    return _told(report)


def _collection(typed: dict[str, str]) -> str:
    return typed.get("collection", "").strip()


def _told(report: Any) -> Response:
    """The collection, with what the import did said on top."""
    parts = [plural(report.new, "new record"), plural(report.changed, "changed one"), f"{report.same:,} the same"]
    flash("Brought in: " + ", ".join(parts) + ".", "ok")
    for note in report.notes:
        flash(note, "warn")
    return redirect(url_for(".collection", collection=report.collection), 303)


@pages.get("/<collection>/")
def collection(collection: str) -> Response:
    """The records of a collection."""
    here, q = workspace(), _q()
    shown = SHOWN_FOUND if q else SHOWN
    found = records.list_records(here, collection, search=q, after=request.args.get("after"), limit=shown + 1)
    more = (
        url_for(".collection", collection=collection, q=q or None, after=found[shown - 1].iri)
        if len(found) > shown
        else None
    )
    return page(
        "records.html",
        collection=records.get_collection(here, collection),
        records=found[:shown],
        excerpts={r.iri: _excerpt(records.get_record(here, r.iri).text, q) for r in found[:shown]} if q else {},
        beginnings={} if q else records.beginnings(here, [r.iri for r in found[:shown]]),
        total=records.count_records(here, collection, search=q),
        q=q,
        more=more,
    )


@pages.get("/<collection>/record")
def record(collection: str) -> Response:
    """One record, by the `iri` of the address."""
    found = _record(collection, request.args.get("iri", ""))
    q = _q()
    following = records.list_records(workspace(), collection, search=q, after=found.iri, limit=1)
    marked = highlight(found.text, find_marks(found.text, q))
    return page("record.html", record=found, q=q, marked=marked, following=following[0] if following else None)


@pages.get("/<collection>/record/page/<int:number>.png")
def picture(collection: str, number: int) -> Response:
    """A page of the record's PDF; `number` counts from 1."""
    found = _record(collection, request.args.get("iri", ""))
    image = records.page_image(workspace(), found.iri, number - 1)
    response = make_response(image)
    response.content_type = "image/png"
    return response


@pages.post("/<collection>/record/delete")
def delete(collection: str) -> Response:
    records.delete_record(workspace(), _record(collection, request.form.get("iri", "")).iri, person())
    flash("Deleted. Tests and datasets keep what they hold of it.", "none")
    return redirect(url_for(".collection", collection=collection), 303)


def _q() -> str:
    """The words looked for."""
    return request.args.get("q", "").replace("\0", "").strip()[:200]


def _excerpt(text: str, q: str) -> Markup:
    """The first place of the words with what stands around it; empty where only the name has them."""
    found = find_marks(text, q, limit=1)
    if not found:
        return Markup("")
    start, end = max(0, found[0].start - AROUND), found[0].end + AROUND
    here = replace(found[0], start=found[0].start - start, end=found[0].end - start)
    return highlight(text[start:end], [here])


def _record(collection: str, iri: str) -> Record:
    """The record, if it is in this collection. Raises NotFound."""
    found = records.get_record(workspace(), iri)
    if found.collection != collection:
        raise NotFound(f"record of collection {collection!r}", iri)
    return found


def _form(typed: dict[str, str], error: InvalidInput | None = None, where: str = "") -> Response:
    faults = {error.param or where: error.message} if error else {}
    response = page(
        "records_new.html",
        status=422 if error else 200,
        collections=records.list_collections(workspace()),
        typed=typed,
        faults=faults,
        where=where,
        kinds=PASTED,
    )
    if error:
        response.headers["HX-Push-Url"] = "false"  # the address that takes the form shows no page
    return response
