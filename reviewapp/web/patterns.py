"""A page with every shared piece in every state, for whoever changes the stylesheet."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from reviewapp.web.cards import DECIDED, SIGNS
from reviewapp.web.context import page
from reviewapp.web.highlighting import Mark, highlight

pages = Blueprint("patterns", __name__)

TEXT = "Width of the sink 600 mm, depth approx. 500, bowl 340 x 400 mm, colour white."
MARKS = (
    Mark(0, 24, "0", "ok", "width: Checks passed", current=True),
    Mark(26, 43, "1", "warn", "depth: Needs review"),
    Mark(45, 62, "2", "bad", "bowl: Quote not found"),
    Mark(50, 62, "3", "ok", "bowl depth: Checks passed"),
    Mark(64, 76, "4", "none", "colour: nearest place"),
    Mark(71, 76, "", "found", "found"),
)


@pages.get("/patterns")
def index() -> Response:
    return page("patterns.html", tones=SIGNS, decided=DECIDED, marked=highlight(TEXT, MARKS))
