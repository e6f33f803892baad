"""Runs of block tests, and whole runs of a workflow step by step; the addresses are those of `block_tests`."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import block_tests
from reviewapp.domain.block_tests import ENDED, BlockScope, BlockTestRun, SingleScope
from reviewapp.errors import NotFound
from reviewapp.web.block_test_making import pages
from reviewapp.web.block_tests import PAGE, TONES, shown_inputs, skipped
from reviewapp.web.context import page, person, workspace

__all__ = ["pages"]


@pages.post("/of/<name>/run")
def start(name: str) -> Response:
    """Run all of them, those of one block, or one."""
    block, test = request.form.get("block"), request.form.get("test_id")
    scope = (
        SingleScope(type="single", test_id=test)
        if test
        else BlockScope(type="block", block_id=block)
        if block
        else None
    )
    started = block_tests.start_run(workspace(), name, scope, by=person())
    return redirect(url_for(".run", id=started.id), 303)


@pages.get("/runs/<id>/")
def run(id: str) -> Response:
    """A run: how far it is, and what came out, worst first."""
    here = workspace()
    found = block_tests.get_run(here, id)
    skip = skipped()
    results = block_tests.worst_results(here, id, skip=skip, limit=PAGE)
    more = url_for(".run", id=id, skip=skip + PAGE) if skip + len(results) < found.total - _waiting(found) else None
    return page(
        "block_test_run.html",
        block="run",
        run=found,
        results=[(result, block_tests.get_test(here, result.test)) for result in results],
        skip=skip,
        more=more,
        open=found.status not in ENDED,
        tones=TONES,
    )


def _waiting(run: BlockTestRun) -> int:
    return run.counts["queued"] + run.counts["running"]


@pages.post("/runs/<id>/cancel")
def cancel(id: str) -> Response:
    try:
        block_tests.cancel_run(workspace(), id, by=person())
    except NotFound:
        block_tests.get_run(workspace(), id)
        flash("The run has ended already.", "none")
    return redirect(url_for(".run", id=id), 303)


@pages.post("/of/<name>/steps")
def run_whole(name: str) -> Response:
    """Run the whole workflow on a pasted text."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    if not text.strip():
        flash("Paste a text to run the workflow on.", "bad")
        return redirect(url_for(".workflow", name=name), 303)
    made = block_tests.run_workflow(workspace(), name, text=text, by=person())
    return redirect(url_for(".steps", id=made.id), 303)


@pages.get("/steps/<id>/")
def steps(id: str) -> Response:
    """A whole run, step by step; each step can be made a test."""
    found = block_tests.get_workflow_run(workspace(), id)
    shown = [(step, shown_inputs(step.inputs)) for step in found.steps]
    return page("workflow_run.html", run=found, steps=shown)
