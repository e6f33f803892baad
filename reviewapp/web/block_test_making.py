"""A new block test: its form, empty or filled from what a person looks at. The addresses are those of `block_tests`."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import block_tests, tests
from reviewapp.domain.blocks import JSON_OUT, ExtractBlock
from reviewapp.domain.tests import DROPPED
from reviewapp.errors import InvalidInput
from reviewapp.web.block_test_form import CHOICES, BlockTestForm, written
from reviewapp.web.block_tests import pages, paths_of, shown_inputs
from reviewapp.web.context import page, person, workspace
from reviewapp.web.forms import whole_number

__all__ = ["pages"]


@pages.get("/of/<name>/new")
def new(name: str) -> Response:
    """An empty form, or one filled from a value on a test's page, or from a step of a whole run."""
    asked = request.args
    form = BlockTestForm(block=asked.get("block", ""), run_id=asked.get("run", ""), step_id=asked.get("step", ""))
    if form.run_id.startswith("wtest_"):
        _fill_from_value(name, form, asked.get("property", ""))
    elif form.run_id:
        _fill_from_step(form, asked.get("handle", ""))
    elif form.block:
        form.handle = _first_output(name, form.block)
    return _form(name, form)


def _first_output(name: str, block: str) -> str:
    return next(iter(block_tests.draft_of(workspace(), name).outputs(block)), "")


def _fill_from_value(name: str, form: BlockTestForm, property: str) -> None:
    """What a person sees on the test's page: the text, the property, and the value that was read or corrected."""
    here = workspace()
    draft = block_tests.draft_of(here, name)
    position = whole_number(form.step_id)
    found = tests.get_input(here, form.run_id, form.step_id if position is None else position)
    form.text = tests.input_text(here, found)
    form.path = property
    form.name = f"{property} of {found.label}"[:200]
    reads = [b for b in draft.blocks if isinstance(b, ExtractBlock) and (not b.properties or property in b.properties)]
    form.block = form.block or (reads[0].id if reads else draft.blocks[0].id)
    values = found.result.values if found.result else ()
    read = next((v.value for v in values if v.property == property and v.outcome not in DROPPED), None)
    form.expected = request.args.get("expected") or written(read)


def _fill_from_step(form: BlockTestForm, handle: str) -> None:
    step = block_tests.get_workflow_run(workspace(), form.run_id).step(form.step_id)
    if step is None:
        return
    form.block = step.id
    form.text = shown_inputs(step.inputs)
    form.handle = handle or next(iter(step.outputs), form.handle)
    form.expected = written(step.outputs.get(form.handle))


@pages.post("/of/<name>/")
def make(name: str) -> Response:
    form = BlockTestForm.of(request.form)
    form.handle = form.handle or _first_output(name, form.block) or JSON_OUT
    try:
        _keep_file(form)
        made = block_tests.make_test(
            workspace(),
            name,
            form.block,
            form.assertion(),
            name=form.name.strip() or None,
            by=person(),
            **form.source(block_tests.draft_of(workspace(), name).block(form.block)),
        )
    except InvalidInput as error:
        form.faults = {error.param if error.param in ("text", "file", "expected", "name") else "form": error.message}
        return _form(name, form, status=422)
    flash("Kept. Run it to see whether it holds now.", "ok")
    return redirect(url_for(".show", id=made.id), 303)


def _keep_file(form: BlockTestForm) -> None:
    """A file that came with the form is kept at once: where something else does not fit, it need not be sent again."""
    given = request.files.get("file")
    if given is None or not given.filename or form.run_id:
        return
    try:
        kept = block_tests.keep_file(workspace(), given.filename, given.read())
    except InvalidInput as error:
        raise InvalidInput(error.message, param="file") from None
    form.file_id, form.file_name = kept.gcs_uri, kept.filename


def _form(name: str, form: BlockTestForm, *, status: int = 200) -> Response:
    draft = block_tests.draft_of(workspace(), name)
    return page(
        "block_test_new.html",
        status=status,
        revision=draft.revision,
        blocks=[(block, draft.outputs(block.id)) for block in draft.blocks],
        paths=paths_of(draft, form.block),
        form=form,
        choices=CHOICES,
    )
