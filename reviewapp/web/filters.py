"""Small words for templates: times, counts, labels. Registered once as Jinja filters."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from flask import Flask
from markupsafe import Markup

from reviewapp.domain.evaluations import Interval
from reviewapp.domain.people import ROLES, Role
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.tests import OUTCOME_WORDS, TestStatus
from reviewapp.domain.values import print_value
from reviewapp.web.cards import DECIDED, answers_for

TYPE_NAMES: dict[ValueType, str] = {
    "text": "text",
    "keyword": "keyword",
    "i64": "whole number",
    "f64": "number",
    "bool": "yes or no",
    "date": "date",
}
STATUS_WORDS: dict[TestStatus, tuple[str, str, str]] = {
    "queued": ("none", "○", "waiting"),
    "running": ("warn", "◐", "running"),
    "done": ("ok", "✓", "done"),
    "failed": ("bad", "✕", "failed"),
    "cancelled": ("none", "–", "cancelled"),
}
"""Tone, sign and word of a test's status."""

ROLE_WORDS: dict[Role, str] = {
    "viewer": "you read what is there.",
    "reviewer": "you read and answer.",
    "author": "you answer, and change workflows, records, tests and datasets.",
    "admin": "you may do everything here, people and keys too.",
}


def install(app: Flask) -> None:
    app.add_template_filter(when)
    app.add_template_filter(clock)
    app.add_template_filter(plural)
    app.add_template_filter(grouped)
    app.add_template_filter(number)
    app.add_template_filter(duration)
    app.add_template_filter(value)
    app.add_template_filter(pairs)
    app.add_template_filter(status_chip)
    app.add_template_filter(percent)
    app.add_template_filter(between)
    app.add_template_filter(difference)
    app.jinja_env.globals.update(
        type_words=TYPE_NAMES, outcome_words=OUTCOME_WORDS, decided=DECIDED, answers_for=answers_for
    )
    app.jinja_env.globals.update(role_words=ROLE_WORDS, role_choices=[(role, role) for role in ROLES])
    app.jinja_env.globals["ui"] = app.jinja_env.get_template("_macros.html").module


def when(time: datetime) -> Markup:
    """``30 Nov 2026, 14:02`` in the server's time zone, exact to the machine that reads along."""
    local = time.astimezone()
    return Markup('<time datetime="{}">{} {:%b %Y, %H:%M}</time>').format(local.isoformat(), local.day, local)


def clock(time: datetime) -> Markup:
    """``14:02``, or with the day when it is not today."""
    local = time.astimezone()
    if local.date() != datetime.now().astimezone().date():
        return when(time)
    return Markup('<time datetime="{}">{:%H:%M}</time>').format(local.isoformat(), local)


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 record``, ``2 records``, ``1,500 records``."""
    return f"{grouped(count)} {one if count == 1 else many or one + 's'}"


def number(value: float) -> str:
    """``0.8``, ``120``."""
    return f"{value:g}"


def duration(seconds: int) -> str:
    """``40 s``, ``5 min``, ``3 h``: to the nearest that says enough."""
    if seconds < 90:
        return f"{seconds} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"


def value(value: Value | None) -> str:
    """A typed value as people read it."""
    return "" if value is None else print_value(value, "f64" if isinstance(value, float) else "text")


def pairs(values: Iterable[str]) -> list[tuple[str, str]]:
    """Each value as its own words, for a choice."""
    return [(value, value) for value in values]


def grouped(count: int) -> str:
    return f"{count:,}"


def status_chip(status: TestStatus) -> Markup:
    tone, sign, word = STATUS_WORDS[status]
    return Markup('<span class="chip {}"><span aria-hidden="true">{}</span> {}</span>').format(tone, sign, word)


def percent(share: float | None) -> str:
    """``98.4`` for 0.984; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f}"


def between(interval: Interval) -> str:
    """``95.1 to 98.8``"""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def difference(interval: Interval) -> str:
    """``-0.3 to +4.1``"""
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
