"""The start: what to do next in a workspace, and which workspaces there are."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import datasets, records, tests, workflows
from reviewapp.domain.base import SLUG_EXPECTED
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.web.context import data, page, settings, workspace
from reviewapp.web.forms import is_slug
from reviewapp.workspaces import open_workspace

pages = Blueprint("workspaces", __name__)

SHOWN_TESTS = 8


@pages.get("/")
def start() -> Response:
    """Straight into the only workspace, else the list of them."""
    names = data().workspaces()
    if not names:
        open_workspace(data(), settings().workspace, create=True)
        names = [settings().workspace]
    if len(names) == 1:
        return redirect(url_for(".show", workspace=names[0]))
    return page("workspaces.html", names=names)


@pages.post("/w/")
def create() -> Response:
    """Make a workspace."""
    name = request.form.get("name", "").strip()
    if not is_slug(name):
        fault = f"{name!r} is no workspace name; use {SLUG_EXPECTED}."
        return page("workspaces.html", status=422, names=data().workspaces(), name=name, fault=fault)
    open_workspace(data(), name, create=True)
    return redirect(url_for(".show", workspace=name), 303)


@pages.get("/w/<workspace>/")
def show() -> Response:
    """What there is and what to do next."""
    try:
        here = workspace()
    except NotFound as error:
        raise NotFound(error.kind, error.name, way_out="Choose one from the start page.") from None
    except InvalidInput:
        raise NotFound("workspace", request.path, way_out="Choose one from the start page.") from None
    listed = tests.list_tests(here, limit=SHOWN_TESTS)
    return page(
        "start.html",
        collections=records.list_collections(here),
        workflows=workflows.list_workflows(here),
        tests=[(test, tests.counts(here, test.id)) for test in listed],
        datasets=datasets.list_datasets(here, limit=SHOWN_TESTS),
    )
