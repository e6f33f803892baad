"""Learning from answers: what there is to learn from, what was learnt, what it is worth."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from reviewapp import learning, workflows
from reviewapp.domain.learning import Learning
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput
from reviewapp.web.context import page, person, workspace

pages = Blueprint("learning", __name__, url_prefix="/w/<workspace>/workflows/<name>/learning")


@pages.get("/")
def show(name: str) -> Response:
    return _page(name)


@pages.post("/")
def learn(name: str) -> Response:
    """Learn, and show at once what came of it."""
    try:
        done = learning.learn_workflow(workspace(), name, by=person())
    except (InvalidInput, Conflict, BudgetExceeded) as error:
        return _page(name, fault=error.message)
    return _page(name, done=done)


def _page(name: str, *, done: Learning | None = None, fault: str | None = None) -> Response:
    here = workspace()
    found = workflows.get_workflow(here, name)
    return page(
        "learning.html",
        status=422 if fault else 200,
        workflow=found,
        material=learning.material(here, name),
        least=learning.LEAST_TEXTS,
        cues=learning.cues(found.active.settings),
        done=done,
        fault=fault,
    )
