"""Models: which are chosen, what they may cost and did; and the log of every call."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, flash, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from reviewapp import calls, choices, tests, workflows
from reviewapp.domain.calls import ModelCall, in_dollars, micro_usd_of
from reviewapp.domain.choices import EMBEDDED, ModelName, Use
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput
from reviewapp.formats.calls_table import calls_csv, calls_jsonl
from reviewapp.languages import gettext
from reviewapp.web.context import page, person, workspace, workspace_name
from reviewapp.web.filters import pairs

pages = Blueprint("calls", __name__, url_prefix="/w/<workspace>/models")

SHOWN = 100
USES: dict[Use, str] = {"extract": "Read values", "decide": "Judge support"}
WORDS = {
    "open": ("none", "…", "under way"),
    "answered": ("ok", "✓", "read"),
    "unreadable": ("warn", "!", "reply not usable"),
    "failed": ("bad", "✕", "no reply"),
    "from_log": ("none", "↺", "from the log"),
}
"""Tone, sign and words of a call's status."""


@pages.get("/")
def index() -> AnyResponse:
    return _models()


@pages.post("/choose")
def choose() -> AnyResponse:
    """Choose a model for a use, in the workspace or for a workflow; ``embedded`` takes the choice back."""
    form = request.form
    try:
        use = _use(form.get("use", ""))
        workflow = form.get("workflow") or None
        name = _name(form.get("model", ""), form.get("effort", ""))
        if name == EMBEDDED[use].name and workflow is None:
            choices.drop_choice(workspace(), use, by=person())
        else:
            choices.choose(workspace(), use, name, workflow=workflow, by=person())
    except (InvalidInput, Conflict) as error:
        return _models(error)
    where = f"workflow {workflow}" if workflow else "every workflow without a choice of its own"
    flash(f"{USES[use]}: {name}, for {where}. Tests from now on run on it.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/drop")
def drop() -> AnyResponse:
    """Take a choice back."""
    use, workflow = _use(request.form.get("use", "")), request.form.get("workflow") or None
    choices.drop_choice(workspace(), use, workflow=workflow, by=person())
    flash("The choice is taken back.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/try")
def try_() -> AnyResponse:
    """Ask a model for one word."""
    try:
        made = calls.try_connection(workspace(), _name(request.form.get("model", ""), request.form.get("effort", "")))
    except (InvalidInput, Conflict, BudgetExceeded) as error:
        return _models(error)
    if made.status == "failed":
        return _models(InvalidInput(made.error or "No reply came.", param="model"))
    told = f"answered in {made.milliseconds / 1000:.1f} s for {in_dollars(made.cost_micro_usd)}"
    flash(f"{made.provider}/{made.model} {told}.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/budget")
def budget() -> AnyResponse:
    """Set what may be spent in a month; empty takes the limit away."""
    said = request.form.get("dollars", "").strip()
    try:
        limit = None if not said else micro_usd_of(said)
        set_ = calls.set_budget(workspace(), limit, workflow=request.form.get("of") or None, by=person())
    except ValueError:
        return _models(
            InvalidInput(f"{said[:40]!r} is no amount in US dollars; write it like 25 or 2.50.", param="dollars")
        )
    except InvalidInput as error:
        return _models(error)
    whose = f"Workflow {set_.workflow}" if set_.workflow else "The workspace"
    may = "may spend what it needs" if limit is None else f"may spend {in_dollars(limit)} a month"
    flash(f"{whose} {may}.", "ok")
    return redirect(url_for(".index"), 303)


@pages.get("/calls")
def log() -> AnyResponse:
    """The calls, newest first."""
    test, workflow = request.args.get("test") or None, request.args.get("workflow") or None
    found = calls.list_calls(
        workspace(), test=test, workflow=workflow, before=request.args.get("before", type=int), limit=SHOWN + 1
    )
    shown = found[:SHOWN]
    more = url_for(".log", before=shown[-1].id, test=test, workflow=workflow) if len(found) > SHOWN else None
    return page("calls.html", calls=shown, more=more, words=WORDS, test=test, workflow=workflow)


@pages.get("/calls/<int:number>")
def call(number: int) -> AnyResponse:
    """One call with its reply; of one that the log answered, the reply it got."""
    shown = calls.get_call(workspace(), number)
    reply = shown.reply if shown.source is None else calls.get_call(workspace(), shown.source).reply
    return page("call.html", call=shown, reply=reply, words=WORDS)


@pages.get("/calls.<any(csv, jsonl):kind>")
def export(kind: str) -> AnyResponse:
    """The whole log; JSONL with the replies."""
    rows = calls.every_call(workspace())
    content = calls_csv(rows) if kind == "csv" else calls_jsonl(rows)
    types = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
    response = Response(content, content_type=types[kind])
    response.headers.set("Content-Disposition", "attachment", filename=f"{workspace_name()}-calls.{kind}")
    return response


def _models(error: InvalidInput | Conflict | BudgetExceeded | None = None) -> AnyResponse:
    here = workspace()
    form: dict[str, Any] = request.form.to_dict() if error else {}
    names = [w.name for w in workflows.list_workflows(here)]
    options = choices.options("extract")
    return page(
        "models.html",
        status=422 if error else 200,
        uses=USES,
        chosen=[c for c in choices.list_choices(here) if c.use in USES],
        options=options,
        names=[(str(o.name), f"{o.label} ({o.name})") for o in options[1:]],
        efforts=[("", gettext("as the provider does")), *pairs(sorted({e for o in options for e in o.efforts}))],
        scopes=[("", gettext("the whole workspace")), *((n, gettext("workflow %(name)s", name=n)) for n in names)],
        budgets=calls.budgets(here),
        stopped=tests.stopped_tests(here),
        latest=_latest(calls.list_calls(here, limit=5)),
        words=WORDS,
        form=form,
        faults={error.param or "model": error.message} if error else {},
    )


def _latest(found: list[ModelCall]) -> list[ModelCall]:
    return [c for c in found if c.status != "from_log"]


def _use(said: str) -> Use:
    if said not in USES:
        raise InvalidInput(f"{said!r} is no use of a model; expected {' or '.join(USES)}.", param="use")
    return said


def _name(said: str, effort: str) -> ModelName:
    """``provider/model``; a model's name may have slashes of its own."""
    provider, slash, model = said.strip().partition("/")
    if not slash or not provider or not model or len(said) > 300:
        raise InvalidInput(f"{said[:80]!r} names no model; write it as provider/model.", param="model")
    return ModelName(provider=provider, model=model, effort=effort or None)
