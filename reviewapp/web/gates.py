"""The gate of a workflow: how right values are from which support on, by the answers that people gave."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import evaluations, tests, workflows
from reviewapp.domain.tests import Test
from reviewapp.errors import InvalidInput
from reviewapp.evals.gate import Point
from reviewapp.web.context import page, person, workspace
from reviewapp.web.evaluations import picture
from reviewapp.web.plots import gate_plot, reliability_plot

pages = Blueprint("gates", __name__, url_prefix="/w/<workspace>/workflows/<name>/gate")

WANTED = 0.98
STEPS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.96, 0.98, 0.99, 1.0)
"""Gates of the table."""


@pages.get("/")
def show(name: str) -> Response:
    return _page(name)


@pages.post("/")
def set_(name: str) -> Response:
    """Set the gate: a new revision."""
    typed = request.form.get("gate", "").strip()
    try:
        try:
            gate = float(typed)
        except ValueError:
            raise InvalidInput(f"{typed!r} is no number; type a gate such as 0.85.", param="gate") from None
        changed = evaluations.set_gate(
            workspace(), name, gate, by=person(), expected=request.form.get("expected") or None
        )
    except InvalidInput as error:
        return _page(name, error)
    flash(f"The gate is {changed.active.settings.gate:g} now: revision {changed.active.number} is in use.", "ok")
    return redirect(url_for(".show", name=name), 303)


@pages.get("/curve.svg")
def curve(name: str) -> Response:
    points, _ = _points(name)
    only = request.args.get("property") or None
    wanted, _ = _wanted()
    return picture(gate_plot(evaluations.gate_study(points, only), evaluations.suggest_gate(points, wanted, only)))


@pages.get("/reliability.svg")
def reliability(name: str) -> Response:
    points, _ = _points(name)
    return picture(reliability_plot(evaluations.gate_study(points, request.args.get("property") or None)))


def _points(name: str) -> tuple[list[Point], Test | None]:
    """Answers on the revision in use; while it has none, those on the newest answered test of another one, with it."""
    here = workspace()
    points = evaluations.gate_points(here, name)
    if points:
        return points, None
    for test in tests.list_tests(here, workflow=name):
        if tests.counts(here, test.id).answered and (points := evaluations.gate_points(here, name, test=test.id)):
            return points, test
    return [], None


def _wanted() -> tuple[float, str | None]:
    """(precision wanted, 0 to 1; what is wrong with what was typed)"""
    typed = request.args.get("wanted", "").strip().rstrip("%").strip()
    if not typed:
        return WANTED, None
    try:
        percent = float(typed.replace(",", "."))
    except ValueError:
        percent = 0.0
    if not 50 <= percent <= 100:
        return WANTED, f"{typed!r} is no share from 50 to 100 %; type one such as 98."
    return percent / 100, None


def _page(name: str, error: InvalidInput | None = None) -> Response:
    here = workspace()
    found = workflows.get_workflow(here, name)
    points, other = _points(name)
    only = request.args.get("property") or None
    wanted, fault = _wanted()
    settings = found.active.settings
    study = evaluations.gate_study(points, only)
    by_property = [(p.name, evaluations.suggest_gate(points, wanted, p.name)) for p in settings.properties]
    asked = {*STEPS, round(settings.gate, 2)}
    return page(
        "gate.html",
        status=422 if error or fault else 200,
        workflow=found,
        settings=settings,
        other=other,
        study=study,
        curve=[p for p in study.curve if p.gate in asked],
        suggestion=evaluations.suggest_gate(points, wanted, only),
        by_property=by_property,
        known=evaluations.known_of(points, [p.name for p in settings.properties]),
        wanted=wanted,
        only=only,
        faults={"wanted": fault, "gate": error.message if error else None},
        typed=request.form.get("gate", ""),
    )
