"""Pages of what scored eval sets came to: runs, loops, and which side is right where a behaviour changed."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import evaluations
from reviewapp.domain.eval_sets import DIALECT_WORDS, Side
from reviewapp.domain.evaluations import Evaluation
from reviewapp.errors import Conflict, InvalidInput, NotAllowed, NotFound
from reviewapp.eval_sets import keeping, loops, settling
from reviewapp.eval_sets.looping import MOST
from reviewapp.web.context import page, person, workspace
from reviewapp.web.eval_items import as_json
from reviewapp.web.eval_sets import show_project
from reviewapp.web.forms import whole_number

pages = Blueprint("eval_runs", __name__, url_prefix="/w/<workspace>/eval-sets/<project>")

TONES = {"PASS": ("ok", "✓"), "FAIL": ("bad", "✕"), "ERROR": ("warn", "!")}
ROWS = 500
"""Most rows of a report on one page; those that did not pass come first."""
MOST_ROUNDS = 100


@pages.post("/score")
def start(project: str) -> Response:
    """Queue a run of one set."""
    here = workspace()
    try:
        run = keeping.start_score(here, project, request.form.get("file", ""), by=person())
    except (InvalidInput, NotAllowed, Conflict) as error:
        return show_project(keeping.get_project(here, project), error)
    return redirect(url_for(".show", project=project, run=run.id), 303)


@pages.post("/loop")
def start_loop(project: str) -> Response:
    """Queue a loop over one set."""
    here, form = workspace(), request.form
    most = whole_number(form.get("most", "").strip() or str(MOST))
    try:
        if most is None or not 1 <= most <= MOST_ROUNDS:
            raise InvalidInput(f"Type a number of rounds from 1 to {MOST_ROUNDS}.", param="most")
        run = loops.start_loop(here, project, form.get("file", ""), most=most, by=person())
    except (InvalidInput, NotAllowed, Conflict) as error:
        return show_project(keeping.get_project(here, project), error)
    return redirect(url_for(".show", project=project, run=run.id), 303)


@pages.get("/runs/<run>")
def show(project: str, run: str) -> Response:
    """What a run or a loop found; while it goes on, how far it is."""
    here = workspace()
    found = _run_of(project, run)
    shown: dict[str, Any] = {
        "project": keeping.get_project(here, project),
        "run": found,
        "content": keeping.content_of(found),
        "tones": TONES,
        "words": DIALECT_WORDS,
        "as_json": as_json,
    }
    if found.header.kind == loops.LOOP:
        report = loops.report_of_loop(found)
        questions = settling.questions_of_loop(report) if report else []
        rows = [row for one in report.reports for row in one.failures] if report else []
        shown |= {"iterations": loops.iterations_of(here, run), "report": report}
    else:
        score = keeping.report_of_run(found)
        before = keeping.run_before(here, found) if score else None
        earlier = keeping.report_of_run(before) if before else None
        questions = settling.questions_of_run(score, earlier) if score else []
        rows = sorted(score.rows, key=lambda row: row.verdict == "PASS") if score else []
        shown |= {"report": score, "before": before, "earlier": earlier}
    template = "eval_loop.html" if found.header.kind == loops.LOOP else "eval_run.html"
    shown["questions"] = settling.with_answers(here, run, questions)
    return page(template, block="body", rows=rows[:ROWS], left_off=max(0, len(rows) - ROWS), **shown)


def _run_of(project: str, run: str) -> Evaluation:
    """Raises NotFound, also for other kinds and other projects."""
    found = evaluations.get_evaluation(workspace(), run)
    if found.header.kind not in (keeping.KIND, loops.LOOP) or keeping.content_of(found).get("project") != project:
        raise NotFound("run of this project", run)
    return found


@pages.post("/runs/<run>/cancel")
def cancel(project: str, run: str) -> Response:
    _run_of(project, run)
    evaluations.cancel_evaluation(workspace(), run, by=person())
    flash("Cancelled.", "none")
    return redirect(url_for(".show", project=project, run=run), 303)


@pages.post("/runs/<run>/settle")
def settle(project: str, run: str) -> Response:
    """Of a row whose behaviour changed: which side is right. The output, then it becomes the expectation."""
    _run_of(project, run)
    form = request.form
    side: Side = "output" if form.get("side") == "output" else "expectation"
    key = (form.get("file", ""), form.get("item", ""), form.get("evaluator", ""))
    try:
        row = settling.settle(workspace(), run, key, side, by=person()).row
    except (InvalidInput, Conflict) as error:
        flash(error.message, "bad")
    else:
        now = "the expectation is now what the target gave" if side == "output" else "the expectation stays"
        flash(f"{row.item}: {now}.", "ok")
    return redirect(url_for(".show", project=project, run=run), 303)
