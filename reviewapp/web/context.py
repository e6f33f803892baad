"""What views and templates share: the workspace of the address, the person, and rendering a page or a block of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from flask import Flask, current_app, g, make_response, render_template, request
from flask.wrappers import Response
from jinja2_fragments.flask import render_block
from markupsafe import Markup, escape

from reviewapp import __version__
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace, open_workspace

NAME_COOKIE = "reviewapp-name"


def install(app: Flask) -> None:
    @app.url_value_preprocessor
    def take_workspace(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        g.workspace_name = (values or {}).pop("workspace", None)

    @app.url_defaults
    def give_workspace(endpoint: str, values: dict[str, Any]) -> None:
        name = g.get("workspace_name")
        if name and "workspace" not in values and app.url_map.is_endpoint_expecting(endpoint, "workspace"):
            values["workspace"] = name

    @app.context_processor
    def shared() -> dict[str, Any]:
        return {
            "person": person(),
            "workspace_name": g.get("workspace_name"),
            "nonce": g.get("nonce", ""),
            "version": __version__,
        }


def settings() -> Settings:
    found: Settings = current_app.extensions["settings"]
    return found


def data() -> DataFolder:
    found: DataFolder = current_app.extensions["data"]
    return found


def workspace() -> Workspace:
    """The workspace that the address names; NotFound where there is none."""
    return open_workspace(data(), g.workspace_name)


def person() -> str:
    """Who answers: the name chosen in this browser, else that of the settings."""
    chosen = unquote(request.cookies.get(NAME_COOKIE, "")).strip()
    return chosen[:200] if chosen else settings().person


def is_htmx() -> bool:
    """Whether a script on our page asks for a piece of it."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def page(template: str, *, status: int = 200, block: str | None = None, **values: Any) -> Response:
    """The whole page; only `block` of it where htmx asks and a block is named."""
    wants_block = block is not None and is_htmx()
    html = render_block(template, str(block), **values) if wants_block else render_template(template, **values)
    return make_response(html, status)


class Blocks:
    """Blocks of one template over one set of values; what they share is put together once."""

    def __init__(self, template: str, **values: Any) -> None:
        self._template = current_app.jinja_env.get_template(template)
        self._values = values
        current_app.update_template_context(self._values)

    def render(self, block: str, **more: Any) -> str:
        """One block, with `more` values of its own."""
        of_block = self._template.new_context({**self._values, **more})
        return "".join(self._template.blocks[block](of_block))


def partial(target: str, html: str, swap: str = "outerMorph") -> Markup:
    """`html` for the element that the selector `target` finds, as one of several pieces of an htmx response."""
    opening = f'<hx-partial hx-target="{escape(target)}" hx-swap="{escape(swap)}">'
    return Markup(f"{opening}{html}</hx-partial>")  # noqa: S704 - html comes from our own templates


def tell(message: str, tone: str = "ok") -> Markup:
    """A sentence for the status line of the page, as one piece of an htmx response."""
    line = Markup('<p class="{}">{}</p>').format(escape(tone), message)
    return partial("#status", line, "innerHTML")
