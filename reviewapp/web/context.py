"""What views and templates share: the workspace of the address, the person, and rendering a page or a block of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, g, make_response, render_template, request, url_for
from flask.wrappers import Response
from jinja2_fragments.flask import render_block
from markupsafe import Markup, escape

from reviewapp import __version__
from reviewapp.domain.people import EVERYWHERE, Access, Person, Role
from reviewapp.errors import NotAllowed, NotFound
from reviewapp.languages import said
from reviewapp.settings import Settings
from reviewapp.web import roles
from reviewapp.workspaces import DataFolder, Workspace, open_workspace


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
            "signed_in": g.get("account") is not None,
            "may": may,
            "can": can,
            "access": access(),
            "workspace_name": g.get("workspace_name"),
            "this_page": this_page,
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


def workspace_name() -> str:
    """Name of the workspace that the address names."""
    return str(g.workspace_name)


def access() -> Access:
    """Who asks, and what they may do; whoever is not known may do nothing."""
    found: Access | None = g.get("access")
    return found if found is not None else Access(name="")


def account() -> Person:
    """The account of whoever asks. Raises NotFound on a server without sign-in."""
    found: Person | None = g.get("account")
    if found is None:
        raise NotFound("account", person(), way_out="On this server nobody signs in; choose your name instead.")
    return found


def person() -> str:
    """Who answers: the account's name; on a server without sign-in that chosen in this browser, else the settings'."""
    return access().name


def may(needed: Role, test: str | None = None) -> bool:
    """Whether whoever asks has that role in the workspace of the address (without one: on the server)."""
    return access().may(needed, g.get("workspace_name") or EVERYWHERE, test)


def open_tests() -> tuple[str, ...] | None:
    """Ids of the only tests of the workspace that are open to whoever asks; None: all of them."""
    return None if may("viewer") else access().tests_in(workspace_name())


def can(endpoint: str) -> bool:
    """Whether whoever asks may use that page here (`roles.RULES`); what they may not is not offered."""
    try:
        roles.check(endpoint, access(), g.get("workspace_name"), (request.view_args or {}).get("test"))
    except (NotAllowed, NotFound):
        return False
    return True


def back() -> str:
    """The page to return to, as a form or an address names it; only ever one of ours."""
    wanted = request.values.get("back", "")
    parts = urlsplit(wanted)
    ours = wanted.startswith("/") and not wanted.startswith("//") and not parts.netloc and "\\" not in wanted
    return wanted if ours and wanted.isprintable() else url_for("workspaces.start")


def this_page() -> str:
    """The address of the page, for coming back to it; of a page that a form brought, the start page's."""
    if request.method != "GET":
        return url_for("workspaces.start")
    return request.script_root + request.full_path.rstrip("?")


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
        current_app.update_template_context(values)
        self._context = self._template.new_context(values)

    def render(self, block: str, **more: Any) -> str:
        """One block, with `more` values of its own."""
        return "".join(self._template.blocks[block](self._context.derived(more) if more else self._context))


def partial(target: str, html: str, swap: str = "outerMorph") -> Markup:
    """`html` for the element that the selector `target` finds, as one of several pieces of an htmx response."""
    opening = f'<hx-partial hx-target="{escape(target)}" hx-swap="{escape(swap)}">'
    return Markup(f"{opening}{html}</hx-partial>")  # noqa: S704  # nosec B704 - of our own templates


def tell(message: str, tone: str = "ok") -> Markup:
    """A sentence for the status line of the page, as one piece of an htmx response."""
    line = Markup('<p class="{}">{}</p>').format(escape(tone), said(message))
    return partial("#status", line, "innerHTML")
