"""Block tests: those of a workflow by block, one with its last result. Making them: `block_test_making`; their runs:
`block_test_runs`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import block_tests, workflows
from reviewapp.block_tests.wording import in_words
from reviewapp.domain.block_tests import BlockTest, Document, HandleInputs, TestResult
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.languages import said
from reviewapp.web.block_test_form import CHOICES, BlockTestForm, written
from reviewapp.web.context import page, person, workspace
from reviewapp.web.forms import whole_number
from reviewapp.web.side_by_side import CHARACTERS, shown, side_by_side

pages = Blueprint("block_tests", __name__, url_prefix="/w/<workspace>/block-tests")

SHOWN_RUNS = 10
SHOWN_TESTS = 20
"""Of each block, where all blocks are shown."""
PAGE = 100
"""Tests or results."""
TONES = {
    "passed": ("ok", "✓"),
    "failed": ("bad", "✕"),
    "blocked": ("warn", "!"),
    "error": ("bad", "!"),
    "cancelled": ("none", "–"),
    "valid": ("ok", "✓"),
    "drifted": ("warn", "◐"),
    "broken": ("bad", "✕"),
    "warning": ("warn", "!"),
    "invalid": ("bad", "✕"),
}
"""Status → tone and sign of its chip."""


@pages.app_template_filter("written")
def _written(value: Any) -> str:
    return shown(value)


@pages.app_template_filter("beside")
def _beside(expected: Any, actual: Any, kind: str) -> tuple[str, str]:
    return side_by_side(kind, expected, actual)


@pages.app_template_filter("asserted")
def _asserted(test: BlockTest) -> str:
    """``width is exactly 60``"""
    return in_words(test.assertion, said)


@pages.get("/")
def index() -> Response:
    """Workflows with their block tests and last runs."""
    here = workspace()
    found = workflows.list_workflows(here)
    counts = {w.name: sum(block_tests.count_tests(here, w.name).values()) for w in found}
    last = {w.name: next(iter(block_tests.list_runs(here, w.name, limit=1)), None) for w in found}
    return page("block_tests_all.html", workflows=found, counts=counts, last=last, tones=TONES)


@pages.get("/of/<name>/")
def workflow(name: str) -> Response:
    """The tests of a workflow, block by block, or page by page those of one block; those that did not pass first."""
    here = workspace()
    draft = block_tests.draft_of(here, name)
    counts = block_tests.count_statuses(here, name)
    chosen, status = request.args.get("block"), request.args.get("last")
    ids = [chosen] if chosen else [*(b.id for b in draft.blocks), *(id for id in counts if draft.block(id) is None)]
    return page(
        "block_tests.html",
        revision=draft.revision,
        sections=[_section(draft, id, counts.get(id, {}), status, alone=chosen is not None) for id in ids],
        chosen=chosen,
        wanted=status,
        total=sum(sum(of_block.values()) for of_block in counts.values()),
        runs=[] if chosen else block_tests.list_runs(here, name, limit=SHOWN_RUNS),
        tones=TONES,
    )


def _section(
    draft: block_tests.Draft, id: str, counts: dict[str, int], status: str | None, *, alone: bool
) -> dict[str, Any]:
    """A block (None: it is gone) with its tests, and where more of them stand."""
    limit = PAGE if alone else SHOWN_TESTS
    skip = skipped() if alone else 0
    rows = block_tests.worst_tests(workspace(), draft.workflow, id, status, skip=skip, limit=limit)
    wanted = counts.get(status, 0) if status else sum(counts.values())
    more = None
    if skip + len(rows) < wanted:
        at = skip + limit if alone else None
        more = url_for(".workflow", name=draft.workflow, block=id, last=status, skip=at)
    return {
        "id": id,
        "block": draft.block(id),
        "outputs": draft.outputs(id),
        "rows": rows,
        "counts": counts,
        "first": skip + 1,
        "wanted": wanted,
        "more": more,
    }


def skipped() -> int:
    """How many the page passes over."""
    return whole_number(request.args.get("skip", "")) or 0


def shown_inputs(inputs: HandleInputs) -> str:
    shown = {h: given.data if given.type == "json" else _said_in(given.document) for h, given in inputs.items()}
    only = next(iter(shown.values())) if len(shown) == 1 else shown
    return only if isinstance(only, str) else written(only)


def _said_in(document: Document) -> str:
    """A file by its name, and what is read in it."""
    text = block_tests.text_in(workspace(), document)
    return document.filename if text is None else f"{document.filename}\n\n{text}"


def paths_of(draft: block_tests.Draft, block: str) -> list[str]:
    """What stands at the top of a block's outputs (of all blocks, where none is chosen yet)."""
    ids = [block] if block else [b.id for b in draft.blocks]
    schemas = [schema for id in ids for schema in draft.outputs(id).values()]
    return sorted({name for schema in schemas if isinstance(named := schema.get("properties"), dict) for name in named})


def _paths_of(test: BlockTest) -> list[str]:
    try:
        return paths_of(block_tests.draft_of(workspace(), test.workflow), test.block)
    except NotFound:  # its workflow is gone; the test can still be looked at and deleted
        return []


@pages.get("/tests/<id>/")
def show(id: str) -> Response:
    return _show(id)


def _show(id: str, form: BlockTestForm | None = None) -> Response:
    here = workspace()
    test = block_tests.get_test(here, id)
    last, passing, failing = block_tests.latest_results(here, id)
    return page(
        "block_test.html",
        status=422 if form is not None else 200,
        test=test,
        state=block_tests.state_of(here, test),
        last=last,
        passing=passing,
        failing=failing,
        inputs=shown_inputs(test.inputs),
        form=form or BlockTestForm.of_test(test),
        came=_came(test, last),
        is_long=form is None and len(BlockTestForm.of_test(test).expected) > CHARACTERS,
        paths=_paths_of(test),
        choices=CHOICES,
        tones=TONES,
    )


def _came(test: BlockTest, last: TestResult | None) -> BlockTestForm | None:
    """The assertion with what came instead of what was expected; None where that is no question."""
    verdict = last.assertion_result if last else None
    is_of_now = verdict is not None and verdict.assertion_id == test.assertion.id
    if verdict is None or not is_of_now or verdict.outcome != "failed" or verdict.condition_kind != "equals":
        return None
    form = BlockTestForm.of_test(test)
    form.expected = written(verdict.actual_value)
    return form if len(form.expected) <= CHARACTERS else None


@pages.post("/tests/<id>/")
def change(id: str) -> Response:
    """Change what is asserted, or its name."""
    form = BlockTestForm.of(request.form)
    before = block_tests.get_test(workspace(), id).assertion
    form.handle = form.handle or before.target.output_handle_id
    try:
        asserted = form.assertion().model_copy(update={"label": before.label})
        block_tests.change_test(workspace(), id, name=form.name.strip() or None, assertion=asserted, by=person())
    except InvalidInput as error:
        form.faults = {error.param if error.param in ("expected", "name") else "form": error.message}
        return _show(id, form)
    flash("Changed. Its next run judges anew.", "ok")
    return redirect(url_for(".show", id=id), 303)


@pages.post("/tests/<id>/capture")
def capture(id: str) -> Response:
    """Take the schema as it is now for right."""
    block_tests.recapture(workspace(), id, by=person())
    flash("Captured anew: the schema as it is now counts as right.", "ok")
    return redirect(url_for(".show", id=id), 303)


@pages.post("/tests/<id>/delete")
def delete(id: str) -> Response:
    test = block_tests.get_test(workspace(), id)
    block_tests.delete_test(workspace(), id, by=person())
    flash("The block test is deleted, with its results.", "none")
    is_there = any(workflow.name == test.workflow for workflow in workflows.list_workflows(workspace()))
    return redirect(url_for(".workflow", name=test.workflow) if is_there else url_for(".index"), 303)
