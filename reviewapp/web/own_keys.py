"""The keys of the test page. Everybody may choose their own: kept with their account, without one in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Flask, flash, g, json, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import accounts
from reviewapp.domain.people import Person
from reviewapp.web import context
from reviewapp.web.context import page

pages = Blueprint("own_keys", __name__, url_prefix="/my-keys")

COOKIE = "reviewapp-keys"
KEPT_SECONDS = 400 * 24 * 3600
FIXED = (
    ("1 … 9", "choose an option, while correcting and nothing is typed"),
    ("Enter", "save what was typed"),
    ("Esc", "leave a field"),
)
"""Keys that stay what they are."""
ACTIONS: dict[str, str] = {
    "a": "accept, or: the text states none",
    "c": "correct: type the right value, or mark it in the text",
    "r": "reject",
    "t": "can't tell",
    "b": "as before: take over what was answered on this text earlier",
    "u": "undo my last answer",
    "U": "redo what I undid",
    "m": "note",
    "j": "next value",
    "k": "value before",
    "n": "next input",
    "p": "input before",
    "o": "next place of the same words",
    "v": "second look: confirm another's answer",
    "z": "second look: send it back",
    "f": "choose what to show; again: the next choice, Enter takes it",
    "/": "find in texts",
    "s": "save as dataset",
    "?": "these keys",
}
"""What the page does at a key, by the key that does it unless somebody chose another."""
USUAL = {action: action for action in ACTIONS}


def install(app: Flask) -> None:
    app.jinja_env.globals.update(key_for=key_for, all_keys=all_keys, keys_as_json=keys_as_json)


def own_keys() -> dict[str, str]:
    """The key of each action (named by its usual key), as this person chose."""
    if "own_keys" not in g:
        account: Person | None = g.get("account")
        kept = account.keys if account is not None else request.cookies.get(COOKIE)
        if not kept:
            g.own_keys = USUAL
            return USUAL
        chosen = dict(parse_qsl(kept))
        own, faults = choose({action: chosen.get(action, action) for action in ACTIONS})
        g.own_keys = USUAL if faults else own
    found: dict[str, str] = g.own_keys
    return found


def choose(wanted: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """(keys by action, faults by action): every key is one visible character that no other action has."""
    chosen = {action: wanted.get(action, "").strip() or action for action in ACTIONS}
    faults = {}
    for action, pressed in chosen.items():
        if len(pressed) != 1 or not pressed.isprintable():
            faults[action] = f"{pressed!r} is not one character; type a single letter, digit or sign."
        elif pressed.isdigit():
            faults[action] = f"{pressed} chooses an option while correcting; take another key."
        elif (other := next((a for a, p in chosen.items() if p == pressed and a != action), None)) is not None:
            faults[action] = f"{pressed!r} is also the key of: {ACTIONS[other]}. Every action needs a key of its own."
    return chosen, faults


def key_for(action: str) -> str:
    """What to press for an action."""
    return own_keys()[action]


def all_keys() -> list[tuple[str, str]]:
    """(key, what it does), for the page's list."""
    return [(key_for(action), words) for action, words in ACTIONS.items()] + list(FIXED)


def keys_as_json() -> str:
    """For the script: pressed key → action."""
    return json.dumps({pressed: action for action, pressed in own_keys().items()})


@pages.get("/")
def index() -> Response:
    """The keys, to be changed."""
    return _form(own_keys(), {})


@pages.post("/")
def save() -> Response:
    usual = "usual" in request.form
    chosen, faults = choose({} if usual else request.form.to_dict())
    if faults:
        return _form(chosen, faults, status=422)
    changed = {action: pressed for action, pressed in chosen.items() if action != pressed}
    response = redirect(url_for(".index"), 303)
    if g.get("account") is not None:
        accounts.choose_keys(context.data(), g.account, urlencode(changed))
        flash("These are your keys now." if changed else "The usual keys are yours again.", "ok")
        return response
    flash("These are your keys now, in this browser." if changed else "The usual keys are yours again.", "ok")
    age = KEPT_SECONDS if changed else 0
    response.set_cookie(
        COOKIE, urlencode(changed), max_age=age, path=f"{request.script_root}/", httponly=True, samesite="Lax"
    )
    return response


def _form(keys: Mapping[str, str], faults: Mapping[str, str], status: int = 200) -> Response:
    return page("own_keys.html", status=status, own=keys, faults=faults, actions=ACTIONS, fixed=FIXED)
