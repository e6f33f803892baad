"""The web application. `create_app` is its recipe, to be read from top to bottom."""

from __future__ import annotations

import secrets

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from reviewapp.accounts import SignInLimits
from reviewapp.domain.records import FILE_TEXT_LIMIT
from reviewapp.resources import folder
from reviewapp.settings import Settings
from reviewapp.web import (
    accounts,
    assets,
    backups,
    block_test_runs,
    calls,
    context,
    dataset_items,
    dataset_work,
    datasets,
    errors,
    eval_items,
    eval_runs,
    eval_sets,
    evaluations,
    filters,
    gates,
    guards,
    help,
    identity,
    keys,
    language,
    learning,
    many,
    own_keys,
    patterns,
    people,
    records,
    replays,
    review,
    reviewers,
    sign_in,
    trail,
)
from reviewapp.web import tests as tests_pages
from reviewapp.web import workflows as workflows_pages
from reviewapp.web import workspaces as workspaces_pages
from reviewapp.web.counted import CountMemory
from reviewapp.web.later import Later
from reviewapp.web.prefix import UnderPrefix
from reviewapp.web.presence import Presence
from reviewapp.workspaces import DataFolder, open_data

FORM_TEXT_BYTES = 4 * FILE_TEXT_LIMIT + 1_000_000
"""Longest form, its files apart: the longest text there may be, at four bytes a character, and room for the rest."""
FORM_PARTS = 20_000
"""Most fields of one form and files of one upload; a folder of documents is one upload."""

PAGES = (
    workspaces_pages.pages,
    sign_in.pages,
    help.pages,
    language.pages,
    accounts.pages,
    people.pages,
    keys.pages,
    trail.pages,
    backups.pages,
    records.pages,
    workflows_pages.pages,
    learning.pages,
    tests_pages.pages,
    review.pages,
    reviewers.pages,
    many.pages,
    own_keys.pages,
    datasets.pages,
    dataset_items.pages,
    dataset_work.pages,
    evaluations.pages,
    block_test_runs.pages,
    eval_sets.pages,
    eval_items.pages,
    eval_runs.pages,
    gates.pages,
    calls.pages,
    replays.pages,
    patterns.pages,
)


def create_app(settings: Settings, data: DataFolder | None = None) -> Flask:
    """The application over `data`, by default the data folder that the settings name. Starts no runner."""
    app = Flask("reviewapp", template_folder=str(folder("templates")), static_folder=str(folder("static")))
    app.config.update(
        MAX_CONTENT_LENGTH=settings.upload_megabytes * 1_000_000,
        MAX_FORM_MEMORY_SIZE=FORM_TEXT_BYTES,
        MAX_FORM_PARTS=FORM_PARTS,
        SESSION_COOKIE_SAMESITE="Lax",  # Flask's cookie holds messages for the next page only
        SEND_FILE_MAX_AGE_DEFAULT=365 * 24 * 3600,  # the address of a static file changes with its content
    )
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # merging would redirect, and to http behind a proxy
    app.secret_key = secrets.token_bytes(32)  # signs only messages for the next page, which may end with the process
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    app.session_interface = identity.Messages()
    app.extensions["settings"] = settings
    app.extensions["sign_in_limits"] = SignInLimits()
    app.extensions["presence"] = Presence()
    app.extensions["counted"] = CountMemory()
    app.extensions["data"] = data if data is not None else open_data(settings.data)

    language.install(app)
    guards.install(app)
    app.before_request(language.speak_as_chosen)
    errors.install(app)
    filters.install(app)
    assets.install(app)
    context.install(app)
    own_keys.install(app)
    for pages in PAGES:
        app.register_blueprint(pages)
    api = Later(lambda: _api(settings, app.extensions["data"]))
    app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/v1": api})  # type: ignore[method-assign]
    if settings.public_url:
        app.wsgi_app = UnderPrefix(app.wsgi_app, settings.public_url)  # type: ignore[method-assign]
    return app


def _api(settings: Settings, data: DataFolder) -> Flask:
    from reviewapp.api.app import create_api

    return create_api(settings, data)
