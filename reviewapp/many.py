"""Many at once, with a brake: a sample is looked at first, then all are accepted as one step that is undone as one."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from reviewapp.answers import append_unseen
from reviewapp.domain.answers import Answer
from reviewapp.domain.base import Model
from reviewapp.domain.ids import new_id
from reviewapp.domain.properties import Property
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import InputFilter, ReadValue, Test, ValueAt
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_input, get_test, input_text, list_values

SAMPLE = 10
"""Values to look at before all are accepted."""
MOST = 20_000
"""Values accepted at once."""
AROUND = 80
"""Characters of the text shown on both sides of a quote."""


class SampleValue(Model):
    """One value to look at, with what stands around its quote."""

    position: int
    label: str
    property: Property
    read: ReadValue
    before: str
    quote: str
    after: str


class Candidates(Model):
    """What would be accepted."""

    count: int
    sample: tuple[SampleValue, ...]


def _wanted(by: str, support: float, filter: InputFilter | None) -> InputFilter:
    low = max(support, (filter.support_from or 0) if filter else 0)
    asked = {"outcome": "written", "support_from": low, "unanswered": True, "by": by}
    return (filter or InputFilter()).model_copy(update=asked)


def _find(workspace: Workspace, test_id: str, wanted: InputFilter) -> list[ValueAt]:
    return list_values(workspace, test_id, wanted, "property", limit=MOST + 1)


def find_candidates(
    workspace: Workspace, test_id: str, *, support: float, by: str, filter: InputFilter | None = None
) -> Candidates:
    """Values whose checks passed with at least this support and that still want this person's answer, and some of
    them, drawn by chance, to look at first. The same ones are drawn while nothing changes. Raises NotFound."""
    test = get_test(workspace, test_id)
    found = _find(workspace, test_id, _wanted(by, support, filter))
    drawn = random.Random(test_id).sample(found, min(SAMPLE, len(found)))  # noqa: S311 - no secret
    return Candidates(count=len(found), sample=tuple(_to_look_at(workspace, test, value) for value in drawn))


def _to_look_at(workspace: Workspace, test: Test, value: ValueAt) -> SampleValue:
    input = get_input(workspace, test.id, value.position)
    read = read_for(value.property, input.result.values if input.result else ())
    prop = test.settings.property(value.property)
    assert read is not None  # noqa: S101 - it was found by its outcome
    assert prop is not None  # noqa: S101 - properties of a test never change
    text = input_text(workspace, input)
    start, end = (read.spans[0].start, read.spans[-1].end) if read.spans else (0, 0)
    return SampleValue(
        position=value.position,
        label=value.label or input.iri,
        property=prop,
        read=read,
        before=text[max(0, start - AROUND) : start],
        quote=text[start:end],
        after=text[end : end + AROUND],
    )


def accept_many(
    workspace: Workspace,
    test_id: str,
    *,
    support: float,
    count: int,
    by: str,
    filter: InputFilter | None = None,
) -> int:
    """Accept them all in one step; gives how many. `count` is how many the person was told of.

    Raises NotFound, InvalidInput (none, or too many), Conflict where there are now more or fewer: nothing is accepted
    that nobody was told of.
    """
    test = get_test(workspace, test_id)
    with workspace.atomic():
        found = _find(workspace, test_id, _wanted(by, support, filter))
        if not found:
            raise InvalidInput("No value has passed its checks with that support and is still unanswered.")
        if len(found) > MOST:
            raise InvalidInput(f"More than {MOST:,} values at once; narrow the filter, or ask for more support.")
        if len(found) != count:
            raise Conflict(f"There were {count:,} values when you looked; now there are {len(found):,}. Look again.")
        batch = new_id("batch")
        for value in found:
            append_unseen(workspace, test, _accept(workspace, test, value, by, batch))
    return len(found)


def _accept(workspace: Workspace, test: Test, value: ValueAt, by: str, batch: str) -> Answer:
    return Answer(
        id=0,
        test=test.id,
        position=value.position,
        property=value.property,
        by=by,
        at=datetime.now(UTC),
        decision="accept",
        text_hash=get_input(workspace, test.id, value.position).text_hash,
        batch=batch,
    )
