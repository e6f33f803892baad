"""The gate of a workflow: how right values are from which support on, by the answers that people gave."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import evaluations, workflows
from reviewapp.errors import InvalidInput
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
    """Set the gate, of all properties or of one: a new revision. Without a gate a property has the workflow's again."""
    typed, only = request.form.get("gate", "").strip(), request.form.get("property") or None
    try:
        gate = None if only is not None and not typed else _number(typed)
        expected = request.form.get("expected") or None
        changed = evaluations.set_gate(workspace(), name, gate, property=only, by=person(), expected=expected)
    except InvalidInput as error:
        return _page(name, error)
    now, number = changed.active.settings, changed.active.number
    if only is None:
        flash(f"The gate is {now.gate:g} now: revision {number} is in use.", "ok")
    else:
        flash(f"The gate of {only} is {now.gate_of(only):g} now: revision {number} is in use.", "ok")
    return redirect(url_for(".show", name=name, property=only), 303)


def _number(typed: str) -> float:
    try:
        return float(typed.replace(",", "."))
    except ValueError:
        raise InvalidInput(f"{typed!r} is no number; type a gate such as 0.85.", param="gate") from None


@pages.get("/curve.svg")
def curve(name: str) -> Response:
    points, only = evaluations.gate_answers(workspace(), name).points, request.args.get("property") or None
    wanted, _ = _wanted()
    return picture(gate_plot(evaluations.gate_study(points, only), evaluations.suggest_gate(points, wanted, only)))


@pages.get("/reliability.svg")
def reliability(name: str) -> Response:
    points = evaluations.gate_answers(workspace(), name).points
    return picture(reliability_plot(evaluations.gate_study(points, request.args.get("property") or None)))


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
    answers = evaluations.gate_answers(here, name)
    points, settings = answers.points, found.active.settings
    asked = request.values.get("property") or None
    only = asked if asked is not None and settings.property(asked) else None
    wanted, fault = _wanted()
    study = evaluations.gate_study(points, only)
    in_use = settings.gate if only is None else settings.gate_of(only)
    shown = {*STEPS, round(in_use, 2)}
    return page(
        "gate.html",
        status=422 if error or fault else 200,
        workflow=found,
        settings=settings,
        answers=answers,
        study=study,
        in_use=in_use,
        curve=[p for p in study.curve if p.gate in shown],
        suggestion=evaluations.suggest_gate(points, wanted, only),
        by_property=[(p.name, evaluations.suggest_gate(points, wanted, p.name)) for p in settings.properties],
        known=evaluations.known_of(points, [p.name for p in settings.properties]),
        wanted=wanted,
        only=only,
        faults={"wanted": fault, "gate": error.message if error else None},
        typed=request.form.get("gate", ""),
    )
