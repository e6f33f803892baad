"""Which language the pages speak: the one that a person chose, else that chosen in this browser, else the one it asks
for."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit, urlunsplit

from flask import Blueprint, Flask, g, json, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from reviewapp import accounts, languages
from reviewapp.languages import ENGLISH, LANGUAGES, catalogue_of, gettext
from reviewapp.web import context, identity

pages = Blueprint("language", __name__)


def install(app: Flask) -> None:
    """Texts for templates (`_`, `ngettext`, `said`), and the language of each request."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        languages.gettext, languages.ngettext, newstyle=True, pgettext=languages.pgettext
    )
    app.jinja_env.globals.update(
        {"_": text, "language": languages.language, "languages": LANGUAGES, "script_words": script_words}
    )
    app.add_template_filter(languages.said)
    app.before_request(_speak)
    app.teardown_request(_fall_silent)


def text(message: str, **values: object) -> Markup:
    """A text of a template in the language in use, `values` escaped; in place of the extension's `_`, which takes three
    times as long, some twenty times a card."""
    return _markup(languages.language(), message) % values if values else _whole(languages.language(), message)


@cache
def _markup(language: str, message: str) -> Markup:
    return Markup(catalogue_of(language).gettext(message))  # noqa: S704  # nosec B704 - of our own templates


@cache
def _whole(language: str, message: str) -> Markup:
    """A text without gaps; its doubled ``%%`` are single ones."""
    return _markup(language, message) % {}


def script_words() -> str:
    """What the script says, as JSON by the names that it uses."""
    return json.dumps(
        {
            "saving": gettext("saving…"),
            "lost": gettext("✕ Not saved: the server does not answer."),
            "busy": gettext("✕ Not saved: the file is busy."),
            "refused": gettext("✕ Not saved: see the line at the top."),
            "again": gettext("Send again"),
            "drop": gettext("Drop it"),
            "first": gettext("An answer is not saved yet. Send it again or drop it first."),
            "trying": gettext("The server does not answer; trying again every second."),
            "unchanged": gettext("The server does not answer, so nothing was changed. Try again."),
        },
        ensure_ascii=False,
    )


@pages.post("/language")
def choose() -> Response:
    """Keep the choice, and go back to the page it was made on."""
    response = redirect(_where_it_was(), 303)
    chosen = request.form.get("language", "")
    if chosen in LANGUAGES:
        identity.keep_language(response, request, context.settings(), chosen)
        if g.get("account") is not None:
            accounts.choose_language(context.data(), g.account, chosen)
    return response


def _where_it_was() -> str:
    """The page that the form stood on, at what script has moved on to since: the same path with another query."""
    back = urlsplit(context.back())
    now = urlsplit(request.referrer or "")
    query = now.query if now.path == back.path else back.query
    return urlunsplit(("", "", back.path, query, ""))


def _speak() -> None:
    chosen = request.cookies.get(identity.LANGUAGE_COOKIE, "")
    languages.speak(chosen if chosen in LANGUAGES else _asked_for())


def speak_as_chosen() -> None:
    """Whoever signed in is spoken to as they chose, in any browser."""
    account = g.get("account")
    if account is not None and account.language in LANGUAGES:
        languages.speak(account.language)


def _asked_for() -> str:
    """The first of the browser's languages that we have: British English before German is English."""
    tags = (tag.split("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((tag for tag in tags if tag in LANGUAGES), ENGLISH)


def _fall_silent(_error: BaseException | None) -> None:
    """The thread's next work, an answer of the API perhaps, is not in this person's language."""
    languages.speak(ENGLISH)
