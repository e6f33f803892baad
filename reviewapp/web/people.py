"""The people of a workspace: their roles, invitations, how far each is; without sign-in, the name one answers under."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import accounts, progress, reviewers, tests
from reviewapp.accounts.links import DEFAULT_DAYS
from reviewapp.domain.people import EVERYWHERE, PERSON_NAME_LIMIT, ROLES, Access
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.origins import needs_sign_in
from reviewapp.web import identity
from reviewapp.web.accounts import link_address
from reviewapp.web.context import access, back, data, may, open_tests, page, person, settings, workspace, workspace_name

pages = Blueprint("people", __name__)

OFFERED_TESTS = 50


@pages.get("/name")
def name() -> Response:
    """On one's own machine a chosen name, kept by the browser."""
    if needs_sign_in(settings()):
        return redirect(url_for("accounts.me"), 303)
    return page("name.html", name=person(), back=back())


@pages.post("/name")
def save_name() -> Response:
    if needs_sign_in(settings()):
        return redirect(url_for("accounts.me"), 303)
    chosen = " ".join(request.form.get("name", "").split())
    if not chosen or len(chosen) > PERSON_NAME_LIMIT:
        fault = f"A name of 1 to {PERSON_NAME_LIMIT} characters is expected; this one has {len(chosen)}."
        return page("name.html", status=422, name=chosen, back=back(), fault=fault)
    response = redirect(back(), 303)
    identity.keep_name(response, request, settings(), chosen)
    return response


@pages.get("/w/<workspace>/people/")
def index() -> Response:
    """Who may do what here, and the invitations."""
    return _list()


@pages.post("/w/<workspace>/people/role")
def set_role() -> Response:
    """The role of somebody in this workspace; empty: none."""
    changed = accounts.set_role(
        data(), request.form.get("name", ""), request.form.get("role") or None, workspace=workspace_name(), by=person()
    )
    flash(f"{changed.name}: {changed.access.role_in(workspace_name()) or 'no role here any more'}.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/w/<workspace>/people/leave-test")
def leave_test() -> Response:
    name, test = request.form.get("name", ""), request.form.get("test", "")
    accounts.leave_test(data(), name, workspace_name(), test, by=person())
    flash(f"{name} cannot come to that test any more; the answers stay.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/w/<workspace>/people/invitations")
def invite() -> Response:
    """A link, shown once."""
    form = request.form
    try:
        if test := form.get("test") or None:
            tests.get_test(workspace(), test)
        invitation, secret = accounts.invite(
            data(),
            workspace_name(),
            role=form.get("role", ""),
            access=access(),
            test=test,
            uses=_number("uses", "people"),
            days=_number("days", "days"),
        )
    except InvalidInput as error:
        return _list(error)
    return _list(link=link_address(secret), invitation=invitation)


@pages.post("/w/<workspace>/people/invitations/<link>/revoke")
def revoke(link: str) -> Response:
    accounts.revoke_invitation(data(), link, workspace_name(), by=person())
    flash("Revoked. Nobody can come in by it any more; those who did stay.", "ok")
    return redirect(url_for(".index"), 303)


@pages.get("/w/<workspace>/person")
def show() -> Response:
    """One person: the tests that they may answer here, and how far they are in each."""
    here = workspace()
    wanted = request.args.get("name") or person()
    if wanted != person() and not may("viewer"):
        raise NotFound("person", wanted)
    only = open_tests()
    asked = [queue for queue in reviewers.queue_of(here, wanted) if only is None or queue.test.id in only]
    others = progress.of_person(here, wanted, only=only, limit=OFFERED_TESTS)
    return page("person.html", name=wanted, queues=asked, tests=others)


def _is_of(theirs: Access, name: str) -> bool:
    """Whether whoever asks may learn of somebody: all people for those who run the server, else those who come here."""
    return access().may("admin", EVERYWHERE) or bool(theirs.role_in(name) or theirs.tests_in(name))


def _number(field: str, of: str) -> int:
    typed = request.form.get(field, "").strip()
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise InvalidInput(f"{typed[:20]!r} is no number of {of}; type 1 or more.", param=field)
    return int(typed)


def _list(error: InvalidInput | None = None, *, link: str | None = None, invitation: object = None) -> Response:
    here = workspace()
    form = {"role": "reviewer", "uses": "1", "days": str(DEFAULT_DAYS), "test": ""} | request.values.to_dict()
    return page(
        "people.html",
        status=422 if error else 200,
        people=[p for p in accounts.list_people(data()) if _is_of(p.access, here.name)],
        invitations=accounts.list_invitations(data(), here.name),
        tests=tests.list_tests(here, limit=OFFERED_TESTS),
        roles=ROLES,
        form=form,
        faults={error.param or "role": error.message} if error else {},
        link=link,
        invitation=invitation,
        accounts_needed=needs_sign_in(settings()),
    )
