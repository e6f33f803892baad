"""Evaluations of datasets: the list, starting one, its report, two side by side, many in a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import choices, datasets, evaluations, tests, workflows
from reviewapp.domain.choices import model_named
from reviewapp.domain.evaluations import BASES, BASIS_WORDS, VERDICT_WORDS, Basis, Evaluation, Verdict
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.evals.comparison import ChangeKind
from reviewapp.evals.grading import FAULTY, verdicts_of, why_ungraded
from reviewapp.web.context import page, person, workspace
from reviewapp.web.forms import whole_number
from reviewapp.web.plots import POLICY, matrix_plot

pages = Blueprint("evaluations", __name__, url_prefix="/w/<workspace>/evaluations")

SHOWN = 30
SHOWN_ITEMS = 40
OFFERED = 100
KINDS: tuple[ChangeKind, ...] = ("fixed", "broken", "still wrong", "still right")
TONES = {"right": "ok", "clean": "ok", "wrong": "bad", "missing": "warn", "forbidden": "bad", "unjudged": "none"}
SIGNS = {"right": "✓", "clean": "✓", "wrong": "✕", "missing": "–", "forbidden": "✕", "unjudged": "?"}


@pages.get("/")
def index() -> Response:
    """Evaluations, newest first."""
    here = workspace()
    found = evaluations.list_evaluations(here, kind="dataset", after=request.args.get("after"), limit=SHOWN + 1)
    more = url_for(".index", after=found[SHOWN - 1].id) if len(found) > SHOWN else None
    return page(
        "evaluations.html",
        evaluations=found[:SHOWN],
        more=more,
        basis=_basis(),
        matrices={e.grading.dataset: e.grading.dataset_name for e in found},
    )


@pages.get("/new")
def new() -> Response:
    """The form that starts one."""
    return _form()


@pages.post("/")
def start() -> Response:
    """Queue an evaluation."""
    here, form = workspace(), request.form
    what = form.get("what", "workflow")
    try:
        chosen: dict[str, Any] = {}
        if what == "test":
            chosen["test"] = form.get("test", "")
        elif what == "earlier":
            chosen["earlier"] = form.get("earlier", "")
        else:
            chosen["workflow"] = form.get("workflow", "")
            if form.get("revision"):
                chosen["revision"] = form["revision"]
            if form.get("model"):
                chosen["models"] = {"extract": model_named(form["model"])}
        version = form.get("version", "").strip()
        number = whole_number(version)
        if version and not number:
            raise InvalidInput(
                f"{version[:20]!r} is no version; type 1 or more, or nothing for the present one.", param="version"
            )
        started = evaluations.start_grading(here, form.get("dataset", ""), version=number, by=person(), **chosen)
    except (InvalidInput, NotFound) as error:  # what was chosen may be gone by now
        return _form(error)
    return redirect(url_for(".show", evaluation=started.id), 303)


@pages.get("/<evaluation>/")
def show(evaluation: str) -> Response:
    """The report, and the items with faults (or all)."""
    here = workspace()
    found = evaluations.get_grading(here, evaluation)
    basis, faulty, only = _basis(), request.args.get("show") != "all", request.args.get("property") or None
    rows, last = _rows(found, basis, faulty=faulty, only=only, after=request.args.get("after", -1, type=int))
    kept: dict[str, Any] = {"basis": basis, "show": None if faulty else "all", "property": only}
    return page(
        "evaluation.html",
        block="body",
        evaluation=found,
        report=found.report,
        basis=basis,
        rows=rows,
        faulty=faulty,
        only=only,
        kept=kept,
        more=url_for(".show", evaluation=evaluation, after=last, **kept) if last is not None else None,
        others=[
            e
            for e in evaluations.list_evaluations(here, dataset=found.grading.dataset, limit=OFFERED)
            if e.id != evaluation
        ],
        **_words(),
    )


@pages.post("/<evaluation>/cancel")
def cancel(evaluation: str) -> Response:
    evaluations.cancel_evaluation(workspace(), evaluation, by=person())
    flash("Cancelled. What was graded so far is kept.", "none")
    return redirect(url_for(".show", evaluation=evaluation), 303)


@pages.post("/<evaluation>/delete")
def delete(evaluation: str) -> Response:
    evaluations.delete_evaluation(workspace(), evaluation, by=person())
    flash("Deleted. The dataset stays.", "none")
    return redirect(url_for(".index"), 303)


@pages.get("/compare")
def compare() -> Response:
    """Two side by side; without both, the form that chooses them."""
    here = workspace()
    basis = _basis()
    ended = [e for e in evaluations.list_evaluations(here, kind="dataset", limit=OFFERED) if e.status == "done"]
    before, after = request.args.get("before"), request.args.get("after")
    if not before or not after:
        return page(
            "comparison.html", ended=ended, basis=basis, first=before, second=after, comparison=None, **_words()
        )
    wanted = request.args.get("kind", "")
    kinds = (wanted,) if wanted in KINDS else KINDS[:2]
    only = request.args.get("property") or None
    try:
        comparison = evaluations.compare(here, before, after, basis)
    except Conflict as error:  # one of them has not ended
        chosen = {"first": before, "second": after, "comparison": None, "fault": error.message}
        return page("comparison.html", status=409, ended=ended, basis=basis, **chosen, **_words())
    changes = evaluations.list_changes(
        here, before, after, basis, kinds=kinds, property=only,
        behind=request.args.get("behind", -1, type=int), limit=SHOWN_ITEMS + 1,
    )  # fmt: skip
    kept: dict[str, Any] = {"before": before, "after": after, "basis": basis, "kind": wanted or None, "property": only}
    more = url_for(".compare", behind=changes[SHOWN_ITEMS - 1].position, **kept) if len(changes) > SHOWN_ITEMS else None
    return page(
        "comparison.html",
        comparison=comparison,
        first=evaluations.get_evaluation(here, before),
        second=evaluations.get_evaluation(here, after),
        changes=changes[:SHOWN_ITEMS],
        kinds=KINDS,
        kind=wanted,
        only=only,
        basis=basis,
        kept=kept,
        more=more,
        ended=ended,
        **_words(),
    )


@pages.get("/matrix/<dataset>")
def matrix(dataset: str) -> Response:
    """What was graded on a dataset: a row each, a column per property."""
    here = workspace()
    found = evaluations.matrix(here, dataset)
    names = list(dict.fromkeys(name for e in found if e.report for name in e.report.properties))
    return page("matrix.html", dataset=dataset, rows=found, names=names, basis=_basis(), **_words())


@pages.get("/matrix/<dataset>/f1.svg")
def matrix_picture(dataset: str) -> Response:
    return picture(matrix_plot(evaluations.matrix(workspace(), dataset), _basis()))


def picture(svg: bytes) -> Response:
    """A plot as a file of its own."""
    response = make_response(svg)
    response.content_type = "image/svg+xml"
    response.headers["Content-Security-Policy"] = POLICY
    return response


# -- what the pages need ------------------------------------------------------------------------------------------


def _basis() -> Basis:
    asked = request.args.get("basis")
    return next((basis for basis in BASES if basis == asked), "written")


def _words() -> dict[str, Any]:
    return {"bases": BASIS_WORDS, "verdict_words": VERDICT_WORDS, "verdict_tones": TONES, "verdict_signs": SIGNS}


@dataclass(frozen=True)
class Row:
    """An item of the report."""

    position: int
    name: str
    failed: str | None
    """Why it was not graded."""
    verdicts: list[Verdict]
    """Those that are shown."""
    learnt: bool
    """The revision learnt from it."""


def _rows(
    found: Evaluation, basis: Basis, *, faulty: bool, only: str | None, after: int
) -> tuple[list[Row], int | None]:
    """One page of items, and the position behind which the next begins."""
    here, position = workspace(), after
    rows: list[Row] = []
    while batch := evaluations.results(here, found.id, after=position, limit=200):
        for result in batch:
            position = result.position
            failed = why_ungraded(result)
            verdicts = [Verdict.model_validate(row) for row in verdicts_of(result) or ()]
            shown = [v for v in verdicts if only in (None, v.property) and (not faulty or v.kinds[basis] in FAULTY)]
            if shown or (only is None and (failed or not faulty)):
                if len(rows) == SHOWN_ITEMS:
                    return rows, rows[-1].position
                learnt = found.grading.was_learnt(result.inputs_fingerprint)
                rows.append(Row(position, result.name, failed, shown, learnt))
    return rows, None


def _form(error: InvalidInput | NotFound | None = None) -> Response:
    here, form = workspace(), request.values
    known = workflows.list_workflows(here)
    named = form.get("workflow") or (known[0].name if known else "")
    revisions = workflows.list_revisions(here, named) if any(w.name == named for w in known) else []
    return page(
        "evaluation_new.html",
        status=422 if error else 200,
        block="what",
        datasets=datasets.list_datasets(here, limit=OFFERED),
        workflows=known,
        named=named,
        revisions=revisions,
        models=[option for option in choices.options("extract") if option.available],
        tests=[t for t in tests.list_tests(here, limit=OFFERED) if t.status in ("done", "cancelled")],
        form=form,
        faults={_field(error): error.message} if error else {},
    )


def _field(error: InvalidInput | NotFound) -> str:
    """Of the form, beside which a sentence belongs."""
    if isinstance(error, NotFound):
        kind = error.kind.partition(" ")[0]
        return kind if kind in ("version", "test", "dataset") else "workflow"
    return error.param or "workflow"
