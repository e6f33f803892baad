"""Several people on one test: who is asked, what they dispute, how far they agree."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import accounts, disputes, progress, reviewers, tests
from reviewapp.domain.answers import DECISIONS, Decision
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.web.context import data, may, page, person, workspace, workspace_name

pages = Blueprint("reviewers", __name__, url_prefix="/w/<workspace>/tests/<test>/reviewers")

SHOWN = 20
"""Disputes on a page."""


@pages.get("/")
def show(test: str) -> Response:
    """Who is asked and how far they are; for authors, the form that asks."""
    return _overview(test)


@pages.post("/assign")
def assign(test: str) -> Response:
    """Ask people, for everything or for shares."""
    typed = request.form.get("names", "").replace(",", "\n").splitlines()
    people = [*request.form.getlist("person"), *typed]
    shares = request.form.get("inputs") == "shares"
    try:
        reviewers.assign(workspace(), test, people, shares=shares, by=person())
    except InvalidInput as error:
        return _overview(test, people=error.message)
    flash("They are asked now, and find it as their queue when they open the test.", "ok")
    return redirect(url_for(".show", test=test), 303)


@pages.post("/unassign")
def unassign(test: str) -> Response:
    reviewers.unassign(workspace(), test, request.form.get("person") or None, by=person())
    flash("Not asked any more; answers that were given stay.", "none")
    return redirect(url_for(".show", test=test), 303)


@pages.post("/overlap")
def overlap(test: str) -> Response:
    """How many people must agree."""
    wanted = request.form.get("overlap", 0, type=int)
    try:
        reviewers.set_overlap(workspace(), test, wanted, by=person())
    except InvalidInput as error:
        return _overview(test, overlap=error.message)
    flash("One answer per value is enough." if wanted == 1 else f"{wanted} people must agree on a value.", "ok")
    return redirect(url_for(".show", test=test), 303)


@pages.get("/agreement")
def agreement(test: str) -> Response:
    """How far people agree, per property and pair."""
    found = tests.get_test(workspace(), test)
    return page("agreement.html", test=found, table=disputes.agreement(workspace(), test))


@pages.get("/disputes")
def differ(test: str) -> Response:
    """Values in dispute, with who said what."""
    return _disputes(test)


@pages.post("/disputes")
def decide(test: str) -> Response:
    """The adjudicator's answer on one of them."""
    form = request.form
    position, name = form.get("position", -1, type=int), form.get("name", "")
    decision: Decision | None = next((d for d in DECISIONS if d == form.get("decision")), None)
    value = form.get("value", "").strip()
    key = f"{position}/{name}"
    if decision is None:
        return _disputes(test, faults={key: "Choose what is right: accept, correct, reject or can't tell."})
    try:
        disputes.adjudicate(
            workspace(),
            test,
            position,
            name,
            decision,
            by=person(),
            value=value if decision == "correct" else None,
            note=" ".join(form.get("note", "").split()),
            seen=form.get("seen", type=int),
        )
    except (InvalidInput, StaleAnswer) as error:
        return _disputes(test, faults={key: error.message}, typed={key: value})
    flash(f"Decided: {name}.", "ok")
    return redirect(url_for(".differ", test=test), 303)


def _overview(test: str, **faults: str) -> Response:
    here = workspace()
    found = tests.get_test(here, test)
    asked = reviewers.assigned(here, test)
    given = progress.of_test(here, test)
    if found.overlap > 1 and not may("author"):  # how far the others are is none of a reviewer's business before that
        asked, given = ({name: n for name, n in all_of.items() if name == person()} for all_of in (asked, given))
    who = accounts.people_of(data(), workspace_name(), least="reviewer", test=test)
    known = {account.name for account in who} | set(given) | set(asked)
    return page(
        "reviewers.html",
        status=422 if faults else 200,
        test=found,
        asked=asked,
        queues={name: reviewers.queue_counts(here, test, name, outcomes=False) for name in asked},
        given=given,
        finished=progress.finished_inputs(here, test),
        known=sorted(known | {person()}),
        counts=tests.counts(here, test),
        disputed=disputes.count_disputes(here, test),
        faults=faults,
        typed=request.form.get("names", ""),
    )


def _disputes(test: str, *, faults: dict[str, str] | None = None, typed: dict[str, str] | None = None) -> Response:
    here = workspace()
    start = request.args.get("input", type=int)
    after = None if start is None else (start, request.args.get("property", ""))
    found = disputes.list_disputes(here, test, after=after, limit=SHOWN + 1)
    more = None
    if len(found) > SHOWN:
        last = found[SHOWN - 1]
        more = url_for(".differ", test=test, input=last.position, property=last.property.name)
    return page(
        "disputes.html",
        status=422 if faults else 200,
        test=tests.get_test(here, test),
        disputes=found[:SHOWN],
        total=disputes.count_disputes(here, test),
        more=more,
        faults=faults or {},
        typed=typed or {},
    )
