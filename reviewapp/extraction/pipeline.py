"""From a text to its values, each with what the live workflow would do with it.

For every reading, in this order; the first that fails decides the outcome:

1. the property is one of the settings → else ``unknown_property``
2. it is the first reading of the property (also when that one failed) → else ``duplicate``
3. the value fits the type and the property's own checks → else ``invalid_value``
4. the quote is in the text, and a number is in its quote → else ``quote_not_found``
5. the unit is the property's or was converted into it → else `unconfirmed`, for a person
6. support is at least 0.5 → else ``weak_support``
7. support reaches the gate and nothing is unconfirmed → ``written``, else ``review``

A reader that raises, or whose reply cannot be used, makes the input `failed`; nothing is raised from here but
`ReaderStopped`, which ends the test. Where a model judges support (`decide`), it does so after 7; 6 and 7 follow anew.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import Final

from reviewapp.domain.choices import ModelName
from reviewapp.domain.places import Place
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.tests import InputResult, Outcome, Reading, ReadValue
from reviewapp.domain.workflows import DROP_BELOW, Evidence, WorkflowSettings
from reviewapp.extraction.checks import failed_check, option_meant
from reviewapp.extraction.cues import phrases
from reviewapp.extraction.evidence import evidence_for
from reviewapp.extraction.extractors import Extractor, ExtractorFailed, ReaderStopped, Reply, make_extractor
from reviewapp.extraction.grounding import locate, nearest
from reviewapp.extraction.models import Desk, ModelReader, NoReply
from reviewapp.extraction.models.decide import judged
from reviewapp.extraction.normal_form import Invalid, Normalised
from reviewapp.extraction.normalise import normalise
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.stated import (
    OMITTED,
    doubted_day,
    doubted_number,
    doubted_option,
    number_missing,
    whole_phrase,
)
from reviewapp.extraction.support import features, support
from reviewapp.extraction.surroundings import surroundings
from reviewapp.extraction.ticks import doubted_answer
from reviewapp.extraction.units import sole_currency

EPSILON: Final = 1e-6
"""Support this little below a bound still reaches it: it may have been kept as a 32-bit float."""

NOTHING_TO_READ: Final = "The record has no text; there is nothing to read."

_HALF: Final = re.compile("[\ud800-\udfff]")
_NO_PLACE: Final = "The text does not hold this quote."
_NO_QUOTE: Final = "The reader gave no quote."


@dataclass(frozen=True, slots=True)
class _Case:
    """What all readings of one text share."""

    prepared: PreparedText
    settings: WorkflowSettings
    evidence: Evidence
    calibrated: bool


def extract(
    prepared: PreparedText | str,
    settings: WorkflowSettings,
    evidence: Evidence,
    extractor: Extractor | None = None,
    desk: Desk | None = None,
) -> InputResult:
    """Read one text. `evidence` is the collection's; what the text itself says about its writing goes before it.

    Without `extractor` the one that the settings ask for is made; whoever reads many texts makes it once. `desk`: where
    models are asked, for settings that name one. Raises ReaderStopped alone.
    """
    begun = time.perf_counter()
    if isinstance(prepared, str):
        prepared = PreparedText(prepared)
    if not prepared.text.strip():
        return InputResult(error=NOTHING_TO_READ)
    own = evidence_for(prepared.text, evidence)
    reply = _read(prepared, settings, own, extractor, desk)
    values: tuple[ReadValue, ...] = ()
    failed = reply.failed
    if failed is None:
        try:
            values = judge(prepared, settings, own, reply)
        except Exception as error:
            failed = f"The readings could not be checked ({said_of(error)}); please report this with the text."
    raw = reply.raw
    if failed is None and settings.decide is not None and desk is not None:
        try:
            values = _judged(values, prepared, settings, settings.decide, desk)
        except NoReply as error:
            values, failed, raw = (), error.message, error.raw
    return InputResult(
        values=values,
        failed=without_halves(failed) if failed is not None else None,
        raw=without_halves(raw) if failed is not None and raw is not None else None,
        milliseconds=round((time.perf_counter() - begun) * 1e3, 3),
        cost_micro_usd=reply.cost_micro_usd,
    )


def judge(
    prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence, reply: Reply
) -> tuple[ReadValue, ...]:
    """The readings of a reply with their outcomes, in the reply's order; `evidence` is what holds for this text."""
    case = _Case(prepared, settings, evidence, reply.calibrated)
    seen: set[str] = set()
    values = []
    for reading in map(_storable, reply.readings):
        prop = settings.property(reading.property)
        if prop is None:
            values.append(_unknown(case, reading))
        else:
            values.append(_judge(case, prop, reading, again=reading.property in seen))
            seen.add(reading.property)
    return tuple(values)


def _read(
    prepared: PreparedText,
    settings: WorkflowSettings,
    evidence: Evidence,
    extractor: Extractor | None,
    desk: Desk | None,
) -> Reply:
    try:
        reader = extractor or make_extractor(settings)
        if desk is not None and isinstance(reader, ModelReader):
            reader = reader.at(desk)
        return reader.read(prepared, settings, evidence)
    except ReaderStopped:
        raise
    except ExtractorFailed as failure:
        return Reply(failed=failure.message, raw=failure.raw, cost_micro_usd=failure.cost_micro_usd)
    except Exception as error:
        return Reply(failed=f"The reader stopped with an error ({said_of(error)}); the other inputs go on.")


def _judged(
    values: tuple[ReadValue, ...], prepared: PreparedText, settings: WorkflowSettings, judge: ModelName, desk: Desk
) -> tuple[ReadValue, ...]:
    """With the judge's support, and the outcomes that follow from it."""
    supports = judged(values, prepared, settings, judge, desk)
    found = []
    for value, backing in zip(values, supports, strict=True):
        if backing is not None:
            outcome = _decide(settings.gate_of(value.property), backing, value.unconfirmed)
            value = value.model_copy(update={"support": backing, "outcome": outcome})
        found.append(value)
    return tuple(found)


def _storable(reading: Reading) -> Reading:
    """The reading without halves of surrogate pairs, which a model's JSON may hold and no file can."""
    said = {"property": reading.property, "value": reading.value, "quote": reading.quote}
    odd = {name: without_halves(v) for name, v in said.items() if isinstance(v, str) and _HALF.search(v)}
    return reading.model_copy(update=odd) if odd else reading


def without_halves(text: str) -> str:
    """With every half of a surrogate pair replaced: no file can hold one."""
    return _HALF.sub("\ufffd", text)


def said_of(error: Exception) -> str:
    """``ValueError: no such row``, on one line."""
    words = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _unknown(case: _Case, reading: Reading) -> ReadValue:
    grounding = locate(case.prepared, reading.quote, value=reading.value, hint=reading.hint, cues=(reading.property,))
    known = ", ".join(prop.name for prop in case.settings.properties)
    return ReadValue(
        property=reading.property,
        value=reading.value,
        printed=_as_text(reading.value),
        quote=reading.quote,
        grounding=grounding,
        outcome="unknown_property",
        detail=f"{reading.property!r} is not a property of this workflow; it reads {known}.",
    )


def _currency(prepared: PreparedText) -> str | None:
    return sole_currency(prepared.text)


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _judge(case: _Case, prop: Property, reading: Reading, *, again: bool) -> ReadValue:
    """One reading of a known property, checked step by step."""
    prepared, rules, evidence = case.prepared, case.settings.rules, case.evidence
    grounding = locate(prepared, reading.quote, value=reading.value, hint=reading.hint, cues=phrases(prop))
    around = surroundings(prepared, grounding.place[0].start, grounding.place[-1].end) if grounding else None
    quote = OMITTED.join(span.cut(prepared.text) for span in grounding.place) if grounding else reading.quote
    phrase = quote
    if grounding and prop.value_type in ("i64", "f64"):
        phrase = whole_phrase(prepared, grounding.place, rules, evidence)
    context = around.context if around else None
    currency = prepared.once("currency", _currency) if prop.unit else None
    normal = normalise(reading.value, phrase, prop, rules, evidence, context, currency=currency)
    fitting = _spelled(prop, normal) if isinstance(normal, Normalised) else None
    if grounding and fitting is not None and fitting.unconfirmed is None:
        fitting = replace(fitting, unconfirmed=_doubt_beside(case, prop, fitting.value, grounding.place))

    def given(outcome: Outcome, detail: str | None = None, backing: float | None = None) -> ReadValue:
        return ReadValue(
            property=prop.name,
            value=fitting.value if fitting else None,
            printed=(fitting or normal).printed,
            quote=quote,
            grounding=grounding,
            nearest=None if grounding else nearest(prepared, reading.quote),
            support=backing,
            outcome=outcome,
            stated=fitting.stated if fitting else None,
            unconfirmed=fitting.unconfirmed if fitting else None,
            detail=detail,
        )

    if again:
        return given("duplicate", f"{prop.name!r} was read before in this text; only its first reading counts.")
    if fitting is None:
        return given("invalid_value", normal.detail if isinstance(normal, Invalid) else None)
    if detail := failed_check(prop, fitting.value, fitting.printed):
        return given("invalid_value", detail)
    if grounding is None or around is None:
        return given("quote_not_found", _NO_PLACE if reading.quote.strip() else _NO_QUOTE)
    if not fitting.in_quote and (detail := number_missing(prop, fitting.value, phrase, rules, evidence)):
        return given("quote_not_found", detail)
    found = features(prop, fitting.value, quote, phrase, grounding, around, prepared, rules, evidence)
    backing = support(found, reading.confidence, calibrated=case.calibrated)
    return given(_decide(case.settings.gate_of(prop.name), backing, fitting.unconfirmed), None, backing)


def _doubt_beside(case: _Case, prop: Property, value: Value, place: Place) -> str | None:
    """What stands beside the place and keeps the value from being sure."""
    prepared, rules, evidence = case.prepared, case.settings.rules, case.evidence
    if prop.value_type == "date":
        return doubted_day(prepared, place, rules, evidence)
    if prop.value_type in ("i64", "f64"):
        return doubted_number(prepared, place, rules, evidence)
    if prop.value_type == "bool":
        return doubted_answer(prepared, place, value)
    if prop.options and isinstance(value, str):
        return doubted_option(prepared, place, prop, value) or doubted_answer(prepared, place, value)
    return None


def _spelled(prop: Property, normal: Normalised) -> Normalised:
    """With the option's own spelling, where the value is one of the options."""
    option = option_meant(prop, normal.value) if prop.options else None
    return normal if option is None else replace(normal, value=option, printed=option)


def _decide(gate: float, support: float, unconfirmed: str | None) -> Outcome:
    if support < DROP_BELOW - EPSILON:
        return "weak_support"
    if unconfirmed or support < gate - EPSILON:
        return "review"
    return "written"
