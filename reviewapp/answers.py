"""Answers: what people decide on the values of a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from reviewapp.corrections import corrected_value, marked_words
from reviewapp.domain.answers import (
    DECISIONS,
    NOTE_LIMIT,
    Answer,
    AnswerRole,
    Decision,
    Standing,
    in_force,
    standing,
    visible,
)
from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.ids import new_id
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test, TestInput
from reviewapp.domain.texts import refused_character
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_input, get_test, input_text


def save_answer(
    workspace: Workspace,
    test_id: str,
    iri: str | int,
    property: str,
    decision: Decision | None,
    *,
    by: str,
    value: Value | None = None,
    note: str = "",
    seen: int | None = None,
    quote: str | None = None,
    spans: Sequence[Span] = (),
    role: AnswerRole = "reviewer",
) -> Answer:
    """Save one person's answer on one property of one input (by IRI or position); it comes back as read from the file.

    1. The answer is checked: `correct` needs a value that fits the property's type and checks (``600 mm`` becomes 60
       for a property in cm); nothing can be rejected where nothing was read; None takes the person's answer back.
    2. The same answer sent twice with the same `seen` is answered with the first; nothing is stored twice.
    3. `seen` is the id of the latest answer on this value that the person knew of (0: none; None: do not look). If
       there is a later one (with an overlap above 1: of their own), StaleAnswer says so and nothing is stored.

    Raises NotFound, InvalidInput (`param` names the field), StaleAnswer, Busy.
    """
    test = get_test(workspace, test_id)
    prop = _property(test, property)
    input = get_input(workspace, test_id, iri)
    _check_answerable(input)
    by = by.strip()
    _check_words("by", by, NAME_LIMIT)
    _check_words("note", note, NOTE_LIMIT)
    read = read_for(property, input.result.values if input.result else ())
    _check_decision(decision, prop, read)
    if value is not None and value != "" and decision != "correct":
        raise InvalidInput(f"A value goes with `correct`, not with `{decision or 'null'}`.", param="value")
    corrected = {}
    if decision == "correct":
        corrected = marked_words(input_text(workspace, input), quote, spans) if quote or spans else {}
        corrected["value"] = _right_value(test, prop, read, value, corrected.get("quote"))
    draft = Answer(
        id=0,
        test=test.id,
        position=input.position,
        property=property,
        by=by,
        at=datetime.now(UTC),
        decision=decision,
        note=note,
        text_hash=input.text_hash,
        role=role,
        **corrected,
    )
    return _append(workspace, test, draft, seen, read)


def _right_value(test: Test, prop: Property, read: ReadValue | None, value: Value | None, words: str | None) -> Value:
    """What a correction is saved as; the value that was read, sent back as printed, is itself."""
    if read is not None and read.value is not None and value == read.printed:
        return read.value
    return corrected_value(test, prop, value, marked=words)


def _append(workspace: Workspace, test: Test, draft: Answer, seen: int | None, read: ReadValue | None) -> Answer:
    """Store an answer that was checked, unless it is there already or comes too late."""
    with workspace.atomic():
        steps = workspace.answers.history(test.id, draft.position, draft.property)
        own = [s for s in steps if s.by == draft.by]
        if seen is not None:
            for step in own:
                if step.seen == seen and step.undoes is None and _same(step, draft):
                    return step
        watched = steps if test.overlap == 1 or draft.role == "adjudicator" else own
        if seen is not None and watched and watched[-1].id > seen:
            raise StaleAnswer(watched[-1])
        present = in_force(steps).get(draft.by)
        if own and watched[-1].by == draft.by:
            if present is not None and _same(present, draft):
                return present
            if present is None and draft.decision is None:
                return own[-1]
        latest = steps[-1].id if steps else 0
        stored = draft.model_copy(update={"seen": latest if seen is None else seen})
        id = workspace.answers.append(stored, in_force=None if draft.decision is None else 0)
        _note_dispute(workspace, test, [*steps, stored.model_copy(update={"id": id})], read)
    return workspace.answers.get(id)


def append_unseen(workspace: Workspace, test: Test, draft: Answer) -> None:
    """Append an answer of many: nothing is compared, since the caller found in this transaction that it is wanted."""
    steps = workspace.answers.history(test.id, draft.position, draft.property)
    stored = draft.model_copy(update={"seen": steps[-1].id if steps else 0})
    id = workspace.answers.append(stored, in_force=0)
    if test.overlap > 1:
        result = get_input(workspace, test.id, draft.position).result
        read = read_for(draft.property, result.values if result else ())
        _note_dispute(workspace, test, [*steps, stored.model_copy(update={"id": id})], read)


def _note_dispute(workspace: Workspace, test: Test, steps: Sequence[Answer], read: ReadValue | None) -> None:
    """Keep the list of values in dispute; inside the transaction that answered."""
    if test.overlap > 1:
        state = standing(steps, test.overlap, read=None if read is None else read.value).state
        last = steps[-1]
        workspace.reviewers.set_disputed(test.id, last.position, last.property, state == "disputed")


def _same(a: Answer, b: Answer) -> bool:
    """Whether two steps say the very same (1 is not true)."""
    said = [(s.decision, type(s.value), s.value, s.note, s.role, s.spans) for s in (a, b)]
    return said[0] == said[1]


def _property(test: Test, name: str) -> Property:
    found = test.settings.property(name)
    if found is None:
        there = ", ".join(p.name for p in test.settings.properties)
        raise InvalidInput(
            f"{name!r} is not a property of this test, so it cannot be answered; its properties are: {there}.",
            code="workflow_param_invalid",
            param="property",
        )
    return found


def _check_answerable(input: TestInput) -> None:
    why = None
    if input.result is None:
        why = "has not been read yet; wait for its result"
    elif input.result.error or input.result.failed:
        why = (
            f"could not be read ({(input.result.error or input.result.failed or '').rstrip('.')}); run a new test on it"
        )
    if why is not None:
        raise InvalidInput(f"Input {input.label or input.iri!r} {why}.", code="workflow_param_invalid", param="iri")


def _check_words(field: str, words: str, limit: int) -> None:
    if len(words) > limit:
        raise InvalidInput(f"The {field} has {len(words)} characters; at most {limit} fit. Shorten it.", param=field)
    refused = refused_character(words)
    if refused is not None:
        raise InvalidInput(f"The {field} holds {refused[1]} at position {refused[0]}; take it out.", param=field)
    if field == "by" and not words:
        raise InvalidInput("An answer needs the name of who gives it.", param=field)


def _check_decision(decision: str | None, prop: Property, read: ReadValue | None) -> None:
    if decision is not None and decision not in DECISIONS:
        raise InvalidInput(f"{decision!r} is no decision; use {', '.join(DECISIONS)}.", param="decision")
    if decision == "reject" and read is None:
        raise InvalidInput(
            f"Nothing was read for {prop.name!r}, so there is nothing to reject: accept says that the text states "
            "none, correct gives the value it states.",
            param="decision",
        )
    if decision == "accept" and read is not None and read.value is None:
        raise InvalidInput(
            f"{read.printed!r} does not fit {prop.name!r} and cannot be accepted: correct it, or reject it.",
            param="decision",
        )


def undo(workspace: Workspace, test_id: str, by: str) -> Answer | None:
    """Take back the person's latest step in a test that is not taken back yet; None where there is none.

    What the person had answered before it is in force again. The step stays in the history and an undo step is added;
    its decision is what is in force after it. Walks back step by step, across pages and sessions; what was answered
    many at once is one step. Raises NotFound.
    """
    return _walk(workspace, test_id, by, _latest_step)


def redo(workspace: Workspace, test_id: str, by: str) -> Answer | None:
    """Take back the person's latest undo, unless they answered something since; None where there is none."""
    return _walk(workspace, test_id, by, _latest_undo)


def _walk(
    workspace: Workspace, test_id: str, by: str, find: Callable[[Workspace, str, str], int | None]
) -> Answer | None:
    """Take back the step that `find` gives, with all that was done at once with it; gives the step to be shown."""
    test = get_test(workspace, test_id)
    with workspace.atomic():
        found = find(workspace, test_id, by.strip())
        if found is None:
            return None
        step = workspace.answers.get(found)
        together = [step] if step.batch is None else map(workspace.answers.get, workspace.answers.of_batch(step.batch))
        batch = None if step.batch is None else new_id("batch")
        ids = [_take_back(workspace, test, each, batch) for each in together]
    return workspace.answers.get(ids[-1])


def _latest_step(workspace: Workspace, test_id: str, by: str) -> int | None:
    """Id of the person's latest answer that is not undone."""
    undone: set[int] = set()
    for id, undoes in workspace.answers.steps_back(test_id, by):
        if id in undone:
            continue
        if undoes is None:
            return id
        undone.add(undoes)
    return None


def _latest_undo(workspace: Workspace, test_id: str, by: str) -> int | None:
    """Id of the person's latest undo that is not undone, unless they answered something after it."""
    undone: set[int] = set()
    for id, undoes in workspace.answers.steps_back(test_id, by):
        if undoes is None:
            return None
        if id in undone:
            continue
        if workspace.answers.get(undoes).undoes is None:
            return id
        undone.add(undoes)
    return None


def _take_back(workspace: Workspace, test: Test, step: Answer, batch: str | None) -> int:
    """Append the step that undoes `step`; gives its id."""
    steps = workspace.answers.history(step.test, step.position, step.property)
    mark = step.model_copy(update={"id": steps[-1].id + 1, "undoes": step.id})
    after = in_force([*steps, mark]).get(step.by)
    fields = {"decision": None, "value": None, "quote": None, "spans": (), "note": ""}
    if after is not None:
        fields = {name: getattr(after, name) for name in fields}
    appended = step.model_copy(update={**fields, "undoes": step.id, "seen": steps[-1].id, "batch": batch})
    id = workspace.answers.append(appended, in_force=None if after is None else after.id)
    if test.overlap > 1:
        result = get_input(workspace, test.id, step.position).result
        read = read_for(step.property, result.values if result else ())
        _note_dispute(workspace, test, [*steps, appended.model_copy(update={"id": id})], read)
    return id


def history(workspace: Workspace, test_id: str, iri: str | int, property: str) -> list[Answer]:
    """Every step of everybody on one value, oldest first, undone ones too. Raises NotFound, InvalidInput."""
    _property(get_test(workspace, test_id), property)
    return workspace.answers.history(test_id, get_input(workspace, test_id, iri).position, property)


def answers_of_input(workspace: Workspace, test_id: str, position: int) -> dict[str, list[Answer]]:
    """By property, every step of everybody on an input, oldest first; `in_force` and `standing` say what counts."""
    return workspace.answers.of_inputs(test_id, position, position).get(position, {})


def answers_of_inputs(workspace: Workspace, test_id: str, first: int, last: int) -> dict[int, dict[str, list[Answer]]]:
    """The same for all inputs from position `first` to `last` (inclusive), by position."""
    return workspace.answers.of_inputs(test_id, first, last)


def in_sight(test: Test, answers: dict[str, list[Answer]], by: str) -> dict[str, list[Answer]]:
    """Of the steps on an input (by property) those that this person may see: blind review hides others'."""
    if test.overlap == 1:
        return answers
    return {name: visible(steps, by, test.overlap) for name, steps in answers.items()}


def standing_answers(test: Test, input: TestInput, answers: dict[str, list[Answer]]) -> dict[str, Standing]:
    """What counts for every property of an input, answered or not."""
    read = input.result.values if input.result else ()
    result: dict[str, Standing] = {}
    for prop in test.settings.properties:
        value = read_for(prop.name, read)
        steps = answers.get(prop.name, [])
        result[prop.name] = standing(steps, test.overlap, read=None if value is None else value.value)
    return result


def progress(workspace: Workspace, test_id: str) -> dict[str, dict[str, int]]:
    """Answers in force by person and property."""
    found: dict[str, dict[str, int]] = {}
    for person, property, count in workspace.answers.progress(test_id):
        found.setdefault(person, {})[property] = count
    return found


def answered_by_anybody(workspace: Workspace, test_id: str) -> dict[str, int]:
    """Values that somebody has an answer on, by property."""
    return workspace.answers.answered_values(test_id)
