"""Accept many values at once: first a sample to look at, then all of them as one step."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from reviewapp import many, reviewers, tests
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.web.context import page, person, workspace
from reviewapp.web.view import View

pages = Blueprint("many", __name__, url_prefix="/w/<workspace>/tests/<test>/many")

USUAL_SUPPORT = 0.9


@pages.get("/")
def show(test: str) -> Response:
    """How many values would be accepted from a support on, and some of them."""
    return _form(test, request.args)


@pages.post("/")
def accept(test: str) -> Response:
    """Accept as many as the page showed; where there are more or fewer by now, show it again."""
    view, support = _view(test, request.form), _support(request.form)
    try:
        done = many.accept_many(
            workspace(),
            test,
            support=support,
            count=request.form.get("count", -1, type=int),
            by=person(),
            filter=view.filter(person()),
        )
    except (Conflict, InvalidInput) as error:
        return _form(test, request.form, error.message)
    flash(f"Accepted: {done:,} values. Undo takes all of them back at once.", "ok")
    return redirect(url_for("review.show", test=test, **view.query()), 303)


def _form(test: str, given: MultiDict[str, str], fault: str | None = None) -> Response:
    view, support = _view(test, given), _support(given)
    found = many.find_candidates(workspace(), test, support=support, by=person(), filter=view.filter(person()))
    return page(
        "many.html",
        status=422 if fault else 200,
        test=tests.get_test(workspace(), test),
        found=found,
        support=support,
        kept=view.query(),
        only=view.only,
        fault=fault,
    )


def _view(test: str, given: MultiDict[str, str]) -> View:
    """The filter that the person came from, whatever it showed: the outcome and being unanswered are asked here."""
    asked = reviewers.is_asked(workspace(), test, person())
    view = View.of(given, queue=asked)
    return replace(view, show="all", answered_by=None, order="property", support_from=None, support_below=None)


def _support(given: MultiDict[str, str]) -> float:
    try:
        found = float(given.get("support", "").replace(",", "."))
    except ValueError:
        return USUAL_SUPPORT
    return found if 0 <= found <= 1 else USUAL_SUPPORT
