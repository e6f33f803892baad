"""From answers to dataset items: what a correct run writes and what it must leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reviewapp.domain.answers import Answer, same_value
from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.datasets import Expected, Install, Item, ItemSource
from reviewapp.domain.places import cut_out
from reviewapp.domain.tests import ReadValue, TestInput
from reviewapp.domain.workflows import WorkflowSettings


def read_for(property: str, values: Iterable[ReadValue]) -> ReadValue | None:
    """What was read for a property: the first value of it; answers speak of that one."""
    return next((v for v in values if v.property == property), None)


def expectations(
    property: str, read: ReadValue | None, answer: Answer
) -> tuple[tuple[Expected, ...], tuple[Expected, ...]]:
    """(`values`, `leave_out`) that one standing answer gives.

    =========  =========  ===============================================================
    was read   answer     gives
    =========  =========  ===============================================================
    a value    accept     `values`: the value with its quote, also when a check dropped it
    a value    correct v  `values`: v; `leave_out`: the value read, unless it equals v
    a value    reject     `leave_out`: the value read
    none       accept     `leave_out`: null, no value at all
    none       correct v  `values`: v
    either     cant_tell  nothing
    =========  =========  ===============================================================

    What does not fit its type has no value; as the value read stands then what was found, as text. The note goes with
    every entry as its reason.
    """
    reason = answer.note.strip() or None
    if answer.decision == "accept":
        if read is None:
            return (), (Expected(property=property, value=None, reason=reason),)
        return ((_as_read(read, reason),), ()) if read.value is not None else ((), ())
    if answer.decision == "reject":
        return (), () if read is None else (_as_read(read, reason),)
    if answer.decision == "correct" and answer.value is not None:
        right = Expected(property=property, value=answer.value, quote=answer.quote, spans=answer.spans, reason=reason)
        if read is None:
            return (right,), ()
        wrong = _as_read(read, reason)
        if wrong.value is not None and same_value(wrong.value, answer.value):
            if right.quote is None:
                right = right.model_copy(update={"quote": wrong.quote, "stated": wrong.stated, "spans": wrong.spans})
            return (right,), ()
        return (right,), (wrong,)
    return (), ()


def _as_read(read: ReadValue, reason: str | None) -> Expected:
    found = read.grounding is not None
    return Expected(
        property=read.property,
        value=read.printed if read.value is None else read.value,
        quote=read.quote if found else None,  # an item's quote is in its text
        stated=read.stated,
        spans=read.grounding.place if read.grounding is not None else (),
        reason=reason,
    )


def item_of_input(
    input: TestInput, answers: Mapping[str, Answer], settings: WorkflowSettings, test: str
) -> Item | None:
    """The dataset item of an input with standing answers (by property), its text still empty.

    None where none of the answers gives anything.
    """
    values: list[Expected] = []
    leave_out: list[Expected] = []
    read = input.result.values if input.result is not None else ()
    for prop in settings.properties:
        if prop.name in answers:
            right, wrong = expectations(prop.name, read_for(prop.name, read), answers[prop.name])
            values += right
            leave_out += wrong
    if not values and not leave_out:
        return None
    return Item(
        name=(input.label.strip() or input.iri)[:NAME_LIMIT],
        text="",
        iri=input.iri,
        source=ItemSource(kind="test", id=test),
        values=tuple(values),
        leave_out=tuple(leave_out),
    )


def quoted_from(item: Item, text: str) -> Item:
    """The item with every quote as the text has it at its spans (a reader's quote may differ in case or by a slip)."""

    def quoted(expected: Expected) -> Expected:
        if not expected.spans:
            return expected
        return expected.model_copy(update={"quote": cut_out(text, expected.spans)})

    return item.model_copy(
        update={"values": tuple(map(quoted, item.values)), "leave_out": tuple(map(quoted, item.leave_out))}
    )


def install_of(settings: WorkflowSettings) -> Install:
    """What a workflow needs to be graded on items of these settings."""
    return Install(
        properties={p.name: p.value_type for p in settings.properties},
        units={p.name: p.unit for p in settings.properties if p.unit is not None},
        context=settings.context or None,
    )


def unique_name(name: str, taken: Iterable[str]) -> str:
    """The name, or with `` (2)``, `` (3)`` … behind it where it is taken; never longer than a name may be."""
    used = taken if isinstance(taken, set | frozenset) else set(taken)  # no copy for each of 100,000 names
    if name not in used:
        return name
    number = 2
    while True:
        suffix = f" ({number})"
        candidate = name[: NAME_LIMIT - len(suffix)].rstrip() + suffix
        if candidate not in used:
            return candidate
        number += 1
