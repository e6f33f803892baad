"""Workflows: the list, one with its revisions, the form that makes or changes one, trying it on a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import records, tests, workflows
from reviewapp.domain.blocks import Block
from reviewapp.domain.properties import Property
from reviewapp.domain.revisions import Difference, differences
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import ExtractorChoice, Revision, WorkflowDefinition, WorkflowSettings
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.workflow_file import read_definition, write_definition
from reviewapp.languages import said
from reviewapp.web.cards import make_cards, marks_of, other_readings
from reviewapp.web.context import page, person, settings, workspace
from reviewapp.web.highlighting import highlight
from reviewapp.web.workflow_form import MARKS, ORDERS, WorkflowForm

pages = Blueprint("workflows", __name__, url_prefix="/w/<workspace>/workflows")

SHOWN_TESTS = 5
OFFERED_RECORDS = 50
"""Records to choose from when a workflow is tried."""
READERS = (
    ("rules", "the embedded reader: no model, no network"),
    ("model", "a language model, as chosen under Models"),
)
"""What the form offers to read with; programs and functions of one's own are named in YAML."""


@pages.get("/")
def index() -> Response:
    here = workspace()
    return page("workflows.html", workflows=workflows.list_workflows(here), collections=records.list_collections(here))


@pages.get("/new")
def new() -> Response:
    """An empty form, or one with the properties that the collection declares."""
    here = workspace()
    collections = records.list_collections(here)
    named = request.args.get("collection") or (collections[0].name if len(collections) == 1 else "")
    declared = next((c.properties for c in collections if c.name == named), ())
    return _form(WorkflowForm.for_collection(named, declared))


@pages.get("/<name>/change")
def change(name: str) -> Response:
    found = workflows.get_workflow(workspace(), name)
    return _form(WorkflowForm.from_settings(name, found.active.settings), changes=name)


@pages.post("/")
def put() -> Response:
    """Make or change a workflow from the form; `op` says whether only to try it, or to show its rows otherwise."""
    form = WorkflowForm.of(request.form)
    changes = request.form.get("changes", "")
    op = request.form.get("op", "put")
    meant = form.for_trying() if op == "try" else form
    if op not in ("put", "try"):
        return _form(form, changes=changes)
    try:
        if not changes and op == "put" and _exists(form.name.strip()):
            raise InvalidInput(f"There is a workflow {form.name.strip()!r} already; choose another name.", param="name")
        definition = meant.definition(_extractor(changes)).model_copy(update={"blocks": _blocks(changes)})
        definition = definition.model_copy(update={"gates": _gates(changes, definition)})
        workflows.refuse_programs(definition, settings().programs)
        if op == "try":
            return _form(form, changes=changes, tried=_try(definition, form))
        return _put(definition, form.note)
    except InvalidInput as error:
        return _form(form, changes=changes, error=error, faults=meant.faults())


@pages.get("/paste")
def pasting() -> Response:
    """An empty field for YAML or JSON, or one with what the workflow `of` says now."""
    name = request.args.get("of")
    if not name:
        return page("workflow_paste.html", text="", changes="")
    found = workflows.get_workflow(workspace(), name)
    return page("workflow_paste.html", text=write_definition(found.active.settings.defined_as(name)), changes=name)


@pages.post("/paste")
def paste() -> Response:
    """Make or change a workflow from pasted YAML or JSON."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    try:
        return _put(read_definition(text, "pasted text"), request.form.get("note", ""))
    except InvalidInput as error:
        return page("workflow_paste.html", status=422, text=text, fault=error.message, changes="")


@pages.get("/<name>/")
def show(name: str) -> Response:
    here = workspace()
    found = workflows.get_workflow(here, name)
    recent = tests.list_tests(here, workflow=name, limit=SHOWN_TESTS)
    revisions = workflows.list_revisions(here, name)
    return page(
        "workflow.html",
        workflow=found,
        settings=found.active.settings,
        revisions=revisions,
        changed=_changes(revisions),
        reader=dict(_readers(found.active.settings.extractor.kind))[found.active.settings.extractor.kind],
        history=workflows.history(here, name),
        tests=[(test, tests.counts_seen(here, test, person())) for test in recent],
        as_yaml=write_definition(found.active.settings.defined_as(name)),
    )


@pages.get("/<name>/revisions/<revision>")
def revision(name: str, revision: str) -> Response:
    """A revision and what changed against another one: the one that `against` names, else the one made before it."""
    here = workspace()
    found = workflows.get_workflow(here, name)
    shown = workflows.get_revision(here, name, revision)
    all_of_it = workflows.list_revisions(here, name)
    earlier = next((r for r in all_of_it if r.number < shown.number), None)
    other = request.args.get("against")
    against = workflows.get_revision(here, name, other) if other else earlier
    return page(
        "workflow_revision.html",
        workflow=found,
        revision=shown,
        revisions=all_of_it,
        against=against,
        changes=differences(against.settings, shown.settings) if against else [],
        as_yaml=write_definition(shown.settings.defined_as(name)),
    )


@pages.post("/<name>/activate")
def activate(name: str) -> Response:
    revision = request.form.get("revision", "")
    found = workflows.activate_revision(workspace(), name, revision, person(), expected=request.form.get("expected"))
    flash(f"Revision {found.active.number} is in use now.", "ok")
    return redirect(url_for(".show", name=name), 303)


@pages.post("/<name>/delete")
def delete(name: str) -> Response:
    workflows.delete_workflow(workspace(), name, person())
    flash(f"Workflow {name} is deleted; its tests and datasets stay.", "none")
    return redirect(url_for(".index"), 303)


def _put(definition: WorkflowDefinition, note: str) -> Response:
    workflows.refuse_programs(definition, settings().programs)
    found = workflows.put_workflow(workspace(), definition, by=person(), note=note.strip())
    flash(f"Saved: {found.name}, revision {found.active.number}. Start a test to see what it reads.", "ok")
    return redirect(url_for(".show", name=found.name), 303)


def _exists(name: str) -> bool:
    try:
        workflows.get_workflow(workspace(), name)
    except NotFound:
        return False
    return True


def _extractor(changes: str) -> ExtractorChoice | None:
    """What reads for the workflow that is changed; the form does not show it, so it stays."""
    return workflows.get_workflow(workspace(), changes).active.settings.extractor if changes else None


def _blocks(changes: str) -> tuple[Block, ...]:
    """The line of blocks of the workflow that is changed; it stays as well."""
    return workflows.get_workflow(workspace(), changes).active.settings.blocks if changes else ()


def _gates(changes: str, definition: WorkflowDefinition) -> dict[str, float]:
    """Gates of single properties of the workflow that is changed; they stay with the properties that do."""
    if not changes:
        return {}
    kept = workflows.get_workflow(workspace(), changes).active.settings.gates
    names = {prop.name for prop in definition.properties if isinstance(prop, Property)}
    return {name: gate for name, gate in kept.items() if name in names}


def _try(definition: WorkflowDefinition, form: WorkflowForm) -> dict[str, Any]:
    """What it would read in the pasted text, else in the chosen record: marked text and cards."""
    text = form.text.replace("\r\n", "\n")
    if not text.strip() and form.record:
        text = records.get_record(workspace(), form.record).text
    if not text.strip():
        raise InvalidInput("Paste a text to try it on, or choose a record.", param="text")
    result: InputResult = workflows.try_on_text(workspace(), definition, text)
    settings = WorkflowSettings(
        collection=definition.collection,
        properties=definition.properties,
        gate=definition.gate,
        gates=definition.gates,
    )
    cards = make_cards(settings, result, {}, person="")
    return {
        "cards": cards,
        "marked": highlight(text, marks_of(cards)),
        "others": other_readings(result),
        "settings": settings,
        "result": result,
    }


def _changes(revisions: Sequence[Revision]) -> dict[str, list[Difference]]:
    """By revision, what it changed against the one made before it. `revisions`: newest first."""
    return {new.id: differences(old.settings, new.settings) for new, old in pairwise(revisions)}


def _form(
    form: WorkflowForm,
    *,
    changes: str = "",
    error: InvalidInput | None = None,
    faults: dict[str, str] | None = None,
    tried: dict[str, Any] | None = None,
) -> Response:
    collections = records.list_collections(workspace())
    known = form.collection in {c.name for c in collections}
    response = page(
        "workflow_form.html",
        status=422 if error else 200,
        form=form,
        changes=changes,
        blocks=_blocks(changes),
        collections=collections,
        records=_offered(form.collection) if known else [],
        readers=_readers(form.reader),
        faults={error.param or "form": error.message} | (faults or {}) if error else {},
        tried=tried,
        marks=MARKS,
        orders=ORDERS,
    )
    if request.method == "POST":
        response.headers["HX-Push-Url"] = "false"  # the address that takes the form shows no form
    return response


def _readers(chosen: str) -> list[tuple[str, str]]:
    """Kinds of readers and their words; one that only YAML can name is offered where it is chosen."""
    offered = [(kind, said(words)) for kind, words in READERS]
    return offered if chosen in dict(READERS) else [*offered, (chosen, chosen)]


def _offered(collection: str) -> list[tuple[str, str]]:
    """(IRI, name) of the first records of a collection, for a choice."""
    return [(r.iri, r.name) for r in records.list_records(workspace(), collection, limit=OFFERED_RECORDS)]
