"""Answers as examples: by text, from the newest test that has it, split in two always the same way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer
from reviewapp.domain.properties import Property
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test, TestInput
from reviewapp.errors import InvalidInput
from reviewapp.extraction.rules.learn import AnsweredExample
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, input_text, list_tests
from reviewapp.workflows import get_workflow

HELD_OUT = 0.3
"""Share of the answered texts that is kept back."""
_PIECE = 200


@dataclass(frozen=True)
class AnsweredText:
    """A text with what its answers say."""

    hash: str
    name: str
    text: str
    examples: tuple[AnsweredExample, ...]


@dataclass(frozen=True)
class Material:
    """What there is to learn from, already split."""

    learn_from: tuple[AnsweredText, ...]
    held_out: tuple[AnsweredText, ...]
    passed_over: int

    @property
    def texts(self) -> int:
        return len(self.learn_from) + len(self.held_out)


def material(workspace: Workspace, workflow: str, *, held_out: float = HELD_OUT) -> Material:
    """The standing answers of all tests of a workflow, by text; the newest test speaks where several have the text.

    Raises NotFound, InvalidInput for a share that is none.
    """
    if not 0 < held_out < 1:
        message = f"The share to keep back is {held_out}; expected more than 0 and less than 1."
        raise InvalidInput(message, param="hold_out")
    settings = get_workflow(workspace, workflow).active.settings
    found: dict[str, AnsweredText] = {}
    passed_over = 0
    for test in _tests(workspace, workflow):
        for input, answers in _answered(workspace, test):
            if input.text_hash is None or input.text_hash in found:
                continue
            text = input_text(workspace, input)
            examples = []
            for name, answer in answers.items():
                if not _same_property(test.settings.property(name), settings.property(name)):
                    passed_over += 1
                elif (example := _example(text, name, answer, read_for(name, _values(input)))) is not None:
                    examples.append(example)
            if examples:
                found[input.text_hash] = AnsweredText(input.text_hash, input.label or input.iri, text, tuple(examples))
    kept_back, rest = _split(found.values(), held_out)
    return Material(rest, kept_back, passed_over)


def _tests(workspace: Workspace, workflow: str) -> Iterator[Test]:
    """Newest first."""
    after: str | None = None
    while rows := list_tests(workspace, workflow=workflow, after=after):
        yield from rows
        after = rows[-1].id


def _answered(workspace: Workspace, test: Test) -> Iterator[tuple[TestInput, dict[str, Answer]]]:
    """Inputs with their standing answers by property."""
    after = -1
    while inputs := get_inputs(workspace, test.id, after=after, limit=_PIECE):
        after = inputs[-1].position
        given = answers_of_inputs(workspace, test.id, inputs[0].position, after)
        for input in inputs:
            if input.position in given:
                standing = standing_answers(test, input, given[input.position])
                yield input, {name: s.answer for name, s in standing.items() if s.answer is not None}


def _values(input: TestInput) -> tuple[ReadValue, ...]:
    return input.result.values if input.result is not None else ()


def _same_property(then: Property | None, now: Property | None) -> bool:
    """An answer counts as long as type and unit are what they were."""
    return then is not None and now is not None and (then.value_type, then.unit) == (now.value_type, now.unit)


def _example(text: str, name: str, answer: Answer, read: ReadValue | None) -> AnsweredExample | None:
    """What an answer teaches; None: nothing (can't tell, or what was rejected fits no type)."""
    if answer.decision == "correct":
        return AnsweredExample(text, name, "right", answer.value, answer.quote)
    if answer.decision == "accept":
        if read is None:
            return AnsweredExample(text, name, "none")
        return AnsweredExample(text, name, "right", read.value, read.quote)
    if answer.decision == "reject" and read is not None and read.value is not None:
        return AnsweredExample(text, name, "wrong", read.value, read.quote)
    return None


def _split(texts: Iterable[AnsweredText], held_out: float) -> tuple[tuple[AnsweredText, ...], tuple[AnsweredText, ...]]:
    """(kept back, the rest): by a hash of the text, so that a text stays on its side as more are answered.

    At least one text is on each side as soon as there are two.
    """
    ordered = sorted(texts, key=lambda text: hashlib.sha256(f"split {text.hash}".encode()).hexdigest())
    count = min(max(round(len(ordered) * held_out), 1), max(len(ordered) - 1, 0))
    return tuple(ordered[:count]), tuple(ordered[count:])
