"""Small words for templates: times, counts, figures, labels. Registered once as Jinja filters.

They are for reading and follow the language of the page; what a form sends back and what is data is printed as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache

from babel.dates import format_datetime
from flask import Flask
from markupsafe import Markup

from reviewapp.domain.calls import about_dollars, in_dollars
from reviewapp.domain.evaluations import Interval
from reviewapp.domain.people import ROLES, Role
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.tests import OUTCOME_WORDS, TestState
from reviewapp.domain.values import print_value
from reviewapp.languages import gettext, language, ngettext, pgettext, said
from reviewapp.web.cards import DECIDED, answers_for
from reviewapp.web.figures import in_words, local, read_words

TYPE_NAMES: dict[ValueType, str] = {
    "text": "text",
    "keyword": "keyword",
    "i64": "whole number",
    "f64": "number",
    "bool": "yes or no",
    "date": "date",
}
STATUS_WORDS: dict[TestState, tuple[str, str, str]] = {
    "queued": ("none", "○", "waiting"),
    "running": ("warn", "◐", "running"),
    "done": ("ok", "✓", "done"),
    "failed": ("bad", "✕", "failed"),
    "stopped": ("warn", "‖", "stopped"),
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
    for words in FILTERS:
        app.add_template_filter(words)
    app.jinja_env.globals.update(
        type_words=TYPE_NAMES, outcome_words=OUTCOME_WORDS, decided=DECIDED, answers_for=answers_for
    )
    app.jinja_env.globals.update(role_words=ROLE_WORDS, role_choices=[(role, role) for role in ROLES])
    app.jinja_env.globals["ui"] = app.jinja_env.get_template("_macros.html").module


def when(time: datetime) -> Markup:
    """``30 Nov 2026, 14:02`` in the server's time zone, exact to the machine that reads along."""
    # The pattern's letters are Unicode's, as `babel.dates.format_datetime` reads them.
    return _time(time, pgettext("pattern of a day and time", "d MMM y, HH:mm"))


def clock(time: datetime) -> Markup:
    """``14:02``, or with the day when it is not today."""
    if time.astimezone().date() != datetime.now().astimezone().date():
        return when(time)
    return _time(time, pgettext("pattern of a time", "HH:mm"))


def _time(time: datetime, pattern: str) -> Markup:
    local = time.astimezone()
    said = _to_the_minute(local.replace(second=0, microsecond=0), pattern, language())
    return Markup('<time datetime="{}">{}</time>').format(local.isoformat(), said)


@lru_cache(maxsize=4096)
def _to_the_minute(time: datetime, pattern: str, locale: str) -> str:
    return format_datetime(time, pattern, locale=locale)


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 record``, ``2 records``, ``1,500 records``.

    The words are looked up as ``%(num)s record`` and ``%(num)s records``; `reviewapp.languages.texts` finds them where
    the filter is used, so they stand there as they are.
    """
    single, several = f"%(num)s {one}", f"%(num)s {many or one + 's'}"
    return ngettext(single, several, count, num=grouped(count))


def number(value: float, digits: int = 6) -> str:
    """``0.8``, ``120``: to so many digits that count."""
    return local(f"{value:.{digits}g}")


def decimals(value: float, places: int, signed: bool = False) -> str:
    """``0.80``, with a sign ``+0.80``."""
    return local(f"{value:{'+' if signed else ''}.{places}f}")


def duration(seconds: int) -> str:
    """``40 s``, ``5 min``, ``3 h``: to the nearest that says enough."""
    if seconds < 90:
        return f"{seconds} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"


def value(value: Value | None) -> str:
    """A typed value as people read it."""
    return "" if value is None else local(print_value(value, "f64")) if isinstance(value, float) else str(value)


def pairs(values: Iterable[str]) -> list[tuple[str, str]]:
    """Each value as its own words, for a choice."""
    return [(value, value) for value in values]


def grouped(count: int) -> str:
    """``1,500``"""
    return local(f"{count:,}")


def status_chip(status: TestState) -> Markup:
    tone, sign, word = STATUS_WORDS[status]
    return Markup('<span class="chip {}"><span aria-hidden="true">{}</span> {}</span>').format(tone, sign, said(word))


def said_pairs(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Choices whose words are ours, in the language in use."""
    return [(value, said(words)) for value, words in choices]


def setting_words(path: str) -> str:
    """What a setting that differs between revisions is called; those without a word go by the name that files have."""
    words = {
        "value_type": pgettext("setting", "type"),
        "unit": pgettext("setting", "unit"),
        "aliases": pgettext("setting", "other labels"),
        "description": pgettext("setting", "description"),
        "options": pgettext("setting", "options"),
        "pattern": pgettext("setting", "pattern"),
        "minimum": pgettext("setting", "minimum"),
        "maximum": pgettext("setting", "maximum"),
        "min_length": pgettext("setting", "shortest"),
        "max_length": pgettext("setting", "longest"),
        "gate": pgettext("setting", "gate"),
        "order": pgettext("setting", "order of the properties"),
        "context": pgettext("setting", "what a reader should know"),
        "collection": pgettext("setting", "collection"),
        "rules.decimal_mark": pgettext("setting", "decimal mark"),
        "rules.date_order": pgettext("setting", "order of dates"),
        "rules.two_digit_years": pgettext("setting", "two-digit years"),
    }
    return words.get(path) or said(path)


def percent(share: float | None) -> str:
    """``98.4`` for 0.984; a dash where there is none."""
    return "–" if share is None else decimals(100 * share, 1)


def between(interval: Interval) -> str:
    """``95.1 to 98.8``"""
    return gettext("%(low)s to %(high)s", low=decimals(100 * interval.low, 1), high=decimals(100 * interval.high, 1))


def difference(interval: Interval) -> str:
    """``-0.3 to +4.1``"""
    low, high = (decimals(100 * bound, 1, signed=True) for bound in (interval.low, interval.high))
    return gettext("%(low)s to %(high)s", low=low, high=high)


def upfirst(words: str) -> str:
    """The words as the begin of a sentence; the others keep their capitals."""
    return words[:1].upper() + words[1:]


def dollars(micro_usd: int, about: bool = False) -> str:
    """``$1.25``, in German ``1,25 $``; what is only about so much with fewer digits."""
    printed = about_dollars(micro_usd) if about else in_dollars(micro_usd)
    return gettext("$%(amount)s", amount=local(printed.removeprefix("$")))


FILTERS: tuple[Callable[..., object], ...] = (
    *(when, clock, duration),
    *(plural, grouped, number, decimals, percent, between, difference),
    *(value, in_words, read_words, pairs, said_pairs, setting_words, status_chip, upfirst, dollars),
)
