"""Backups on a page: take one away, and bring back a workspace of one beside what there is.

The whole server, its people and keys too, is put back by `reviewapp restore`, with the server stopped: nobody can be
signed in while the file with the sessions is changed under them.
"""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, flash, redirect, request, send_file, url_for
from werkzeug.wrappers import Response

from reviewapp import backups
from reviewapp.errors import Conflict, DamagedFile, InvalidInput, NewerFile, NotFound, ReviewappError, StorageError
from reviewapp.web.context import data, page, person, settings

pages = Blueprint("backups", __name__, url_prefix="/backups")


@pages.get("/")
def index() -> Response:
    return _form()


@pages.post("/")
def make() -> Response:
    """A backup as a download; nothing of it stays here."""
    stream = backups.open_backup(data(), by=person())
    name = f"reviewapp-{datetime.now(UTC):%Y-%m-%d}.zip"
    response = send_file(stream, "application/zip", as_attachment=True, download_name=name)
    response.content_length = os.fstat(stream.fileno()).st_size
    return response


@pages.post("/workspace")
def bring_back() -> Response:
    """One workspace of a backup under a new name."""
    wanted, into = request.form.get("workspace", "").strip(), request.form.get("into", "").strip()
    uploaded = request.files.get("file")
    try:
        if uploaded is None or not uploaded.filename:
            raise InvalidInput("No file was chosen; take one that this page or `reviewapp backup` made.")
        with tempfile.TemporaryDirectory(prefix=backups.ROOM, dir=data().path) as room:
            source = Path(room) / "backup.zip"
            uploaded.save(source)
            backups.restore_workspace(source, data(), wanted, into=into, by=person())
    except (InvalidInput, Conflict, NotFound, NewerFile, DamagedFile, StorageError) as error:
        return _form(error)
    flash(f"Workspace {wanted} of the backup is here as {into}; nothing else was changed.", "ok")
    return redirect(url_for("workspaces.show", workspace=into), 303)


def _form(error: ReviewappError | None = None) -> Response:
    return page(
        "backups.html",
        status=200 if error is None else 422,
        form={"workspace": settings().workspace, "into": ""} | request.form.to_dict(),
        faults={} if error is None else {error.param or "file": error.message},
        megabytes=settings().upload_megabytes,
    )
