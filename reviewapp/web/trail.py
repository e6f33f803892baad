"""The audit trail: of a workspace, and of the server; as pages and as CSV."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from reviewapp import trail
from reviewapp.domain.people import TrailEntry
from reviewapp.web.context import data, page, workspace, workspace_name
from reviewapp.workspaces import DataFolder, Workspace

pages = Blueprint("trail", __name__)

SHOWN = 100


@pages.get("/w/<workspace>/trail")
def index() -> AnyResponse:
    """What was done in the workspace, newest first."""
    found = trail.of_workspace(workspace(), before=_before(), limit=SHOWN + 1)
    return _list(workspace_name(), found, ".index", url_for(".export"))


@pages.get("/w/<workspace>/trail.csv")
def export() -> AnyResponse:
    return _csv(workspace(), f"{workspace_name()}-trail.csv")


@pages.get("/trail")
def of_server() -> AnyResponse:
    """What was done about people, roles, keys and the server, newest first."""
    found = trail.of_server(data(), before=_before(), limit=SHOWN + 1)
    return _list("the server", found, ".of_server", url_for(".export_server"))


@pages.get("/trail.csv")
def export_server() -> AnyResponse:
    return _csv(data(), "server-trail.csv")


def _before() -> int | None:
    return request.args.get("before", type=int)


def _list(title: str, found: list[TrailEntry], endpoint: str, export: str) -> AnyResponse:
    shown = found[:SHOWN]
    more = url_for(endpoint, before=shown[-1].number) if len(found) > SHOWN else None
    return page("trail.html", title=title, export=export, entries=shown, more=more)


def _csv(of: Workspace | DataFolder, name: str) -> AnyResponse:
    response = Response(trail.export(of), content_type="text/csv; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
