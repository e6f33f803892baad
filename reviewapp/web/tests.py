"""Tests: the list, starting one, cancelling one. Answering is `review`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from reviewapp import evaluations, records, tests, workflows
from reviewapp.domain.calls import LikelyCost
from reviewapp.domain.records import RecordRow
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput, OpenTest
from reviewapp.web.context import page, person, workspace
from reviewapp.web.forms import whole_number
from reviewapp.workspaces import Workspace

pages = Blueprint("tests", __name__, url_prefix="/w/<workspace>/tests")

SHOWN = 20
OFFERED_RECORDS = 200
FAULTS_AT = ("workflow", "name", "sample", "telling", "watch", "iri", "iris")
"""Parameters that the form has a place for; what is wrong elsewhere is told beside the workflow."""
"""Records offered to be ticked one by one; beyond that the list of records is the place to choose."""


@dataclass(frozen=True)
class StartForm:
    """What to test, as it was filled in."""

    workflow: str = ""
    inputs: str = "sample"
    """``sample``, ``telling``, ``all`` or ``chosen``."""
    sample: str = str(tests.DEFAULT_SAMPLE)
    telling: str = "20"
    """How many of the records whose answers would say most."""
    iris: tuple[str, ...] = ()

    @classmethod
    def of(cls, form: MultiDict[str, str], workflow: str) -> StartForm:
        iris = tuple(form.getlist("iri"))
        inputs = form.get("inputs", "chosen" if iris else "sample")
        sample, telling = (form.get(field, getattr(cls, field)).strip() for field in ("sample", "telling"))
        return cls(form.get("workflow", workflow), inputs, sample, telling, iris)

    def within(self, total: int) -> StartForm:
        """The same with no more offered than there are; what was typed stays."""
        sample, telling = (
            str(total) if typed == usual and int(usual) > total else typed
            for typed, usual in ((self.sample, StartForm.sample), (self.telling, StartForm.telling))
        )
        return replace(self, sample=sample, telling=telling)

    def arguments(self, here: Workspace) -> dict[str, object]:
        """The inputs as `start_test` takes them. Raises InvalidInput."""
        if not self.workflow:
            raise InvalidInput("Choose the workflow to test.", param="workflow")
        if self.inputs == "all":
            return {"everything": True}
        if self.inputs == "chosen":
            if not self.iris:
                raise InvalidInput("Tick at least one record, or choose a sample.", param="iri")
            return {"iris": self.iris}
        if self.inputs == "telling":
            picks = evaluations.suggest_records(here, self.workflow, _whole(self.telling, "telling"))
            if not picks:
                raise InvalidInput("Every record of it is answered, or it has none.", param="telling")
            return {"iris": tuple(pick.key for pick in picks)}
        return {"sample": _whole(self.sample, "sample")}


def _whole(typed: str, param: str) -> int:
    number = whole_number(typed)
    if not number:
        raise InvalidInput(f"{typed[:20]!r} is no number of inputs; type 1 or more.", param=param)
    return number


@pages.get("/")
def index() -> Response:
    """Tests, newest first."""
    here = workspace()
    found = tests.list_tests(here, after=request.args.get("after"), limit=SHOWN + 1)
    shown = [(test, tests.counts_seen(here, test, person())) for test in found[:SHOWN]]
    more = url_for(".index", after=found[SHOWN - 1].id) if len(found) > SHOWN else None
    return page("tests.html", tests=shown, workflows=workflows.list_workflows(here), more=more)


@pages.get("/new")
def new() -> Response:
    """The form that starts one."""
    return _form(StartForm.of(request.args, ""))


@pages.post("/")
def start() -> Response:
    form = StartForm.of(request.form, "")
    try:
        test = tests.start_test(workspace(), workflow=form.workflow, by=person(), **form.arguments(workspace()))  # type: ignore[arg-type]
    except OpenTest as error:
        flash(f"{error.message} This is the one.", "warn")
        return redirect(url_for("review.show", test=error.test), 303)
    except (InvalidInput, Conflict, BudgetExceeded) as error:
        return _form(form, error)
    return redirect(url_for("review.show", test=test.id), 303)


@pages.post("/<test>/cancel")
def cancel(test: str) -> Response:
    tests.cancel_test(workspace(), test, person())
    flash("Cancelled. What was read so far is kept and can be answered.", "none")
    return redirect(url_for("review.show", test=test), 303)


@pages.post("/<test>/again")
def again(test: str) -> Response:
    """Start a test of what this one could not read."""
    try:
        started = tests.run_again(workspace(), test, by=person())
    except OpenTest as error:
        flash(f"{error.message} This is the one.", "warn")
        return redirect(url_for("review.show", test=error.test), 303)
    flash("Reading again what could not be read; what was read stays in the first test.", "none")
    return redirect(url_for("review.show", test=started.id), 303)


@pages.post("/<test>/continue")
def go_on(test: str) -> Response:
    """Go on with a stopped test; where that still cannot be, its page says why."""
    try:
        tests.go_on(workspace(), test, by=person())
    except OpenTest as error:
        flash(f"{error.message} This is the one.", "warn")
        return redirect(url_for("review.show", test=error.test), 303)
    except (InvalidInput, Conflict, BudgetExceeded) as error:
        flash(error.message, "warn")
    else:
        flash("Going on with what was not read; what was read stays.", "none")
    return redirect(url_for("review.show", test=test), 303)


def _form(form: StartForm, error: InvalidInput | Conflict | BudgetExceeded | None = None) -> Response:
    here = workspace()
    known = workflows.list_workflows(here)
    chosen = next((w for w in known if w.name == form.workflow), known[0] if known else None)
    rows: list[RecordRow] = []
    total = 0
    cost: LikelyCost | None = None
    trouble: str | None = None
    if chosen is not None:
        try:
            cost = tests.likely_cost(here, chosen.name)
        except (InvalidInput, Conflict) as refused:  # its model cannot be asked now
            trouble = refused.message
        rows = records.list_records(here, chosen.collection, limit=OFFERED_RECORDS)
        total = records.count_records(here, chosen.collection)
        form = form.within(total) if total and not error else form
    field = error.param if error and error.param in FAULTS_AT else "workflow"
    return page(
        "test_new.html",
        status=429 if isinstance(error, BudgetExceeded) else 422 if error else 200,
        block="inputs_choice",
        form=form,
        workflows=known,
        chosen=chosen,
        records=rows,
        total=total,
        cost=cost,
        trouble=None if error else trouble,
        faults={field: error.message} if error else {},
    )
