"""The words of the pages, and the way through them, on one page."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from reviewapp.web.context import page

pages = Blueprint("help", __name__, url_prefix="/help")


@pages.get("")
def show() -> Response:
    return page("help.html")
