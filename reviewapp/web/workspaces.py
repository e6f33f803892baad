"""The start: what to do next in a workspace, and which workspaces there are."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import datasets, records, tests, workflows
from reviewapp.demo import load_sample
from reviewapp.domain.base import SLUG_EXPECTED
from reviewapp.web.context import access, data, may, page, person, settings, workspace
from reviewapp.web.forms import is_slug
from reviewapp.workspaces import open_workspace

pages = Blueprint("workspaces", __name__)

SHOWN_TESTS = 8


@pages.get("/")
def start() -> Response:
    """Straight into the only workspace, else the list of them."""
    names = [name for name in data().workspaces() if access().role_in(name) or access().tests_in(name)]
    if not names and may("admin"):
        open_workspace(data(), settings().workspace, create=True)
        names = [settings().workspace]
    if len(names) == 1 and access().role_in(names[0]) is None:
        return redirect(url_for("people.show", workspace=names[0]))
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
    open_workspace(data(), name, create=True, by=person())
    return redirect(url_for(".show", workspace=name), 303)


@pages.post("/w/<workspace>/sample")
def sample() -> Response:
    """Load the sample texts and workflows and start a test of each."""
    newest = load_sample(workspace(), by=person())[-1]
    flash("The sample is loaded. This is one of its tests; the others are under Tests.", "ok")
    return redirect(url_for("review.show", test=newest.id), 303)


@pages.get("/w/<workspace>/")
def show() -> Response:
    """What there is and what to do next."""
    here = workspace()
    listed = tests.list_tests(here, limit=SHOWN_TESTS)
    return page(
        "start.html",
        collections=records.list_collections(here),
        workflows=workflows.list_workflows(here),
        tests=[(test, tests.counts_seen(here, test, person())) for test in listed],
        datasets=datasets.list_datasets(here, limit=SHOWN_TESTS),
    )
