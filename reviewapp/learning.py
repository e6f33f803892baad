"""Learning from answers: a new revision of a workflow that reads by what people said.

Answered texts are split in two, always the same way: from the larger part the embedded extractor learns, on the
smaller part, which it never sees, both revisions are graded. What it learnt from is kept with the revision, so that
whoever grades it later can leave those texts out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer
from reviewapp.domain.learning import Graded, GradedChange, Learning, LearntCue, ReliabilityBin
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test, TestInput
from reviewapp.domain.values import values_equal
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.evals.gate import Point, study
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.rules.learn import AnsweredExample, learn
from reviewapp.extraction.rules.learnt import explain
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, input_text, list_tests
from reviewapp.workflows import get_workflow, put_workflow

LEAST_TEXTS = 5
"""Answered texts below which there is too little to learn from and to grade on."""
HELD_OUT = 0.3
"""Share of the answered texts that is kept back."""
SHOWN_CHANGES = 200
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


def learn_workflow(workspace: Workspace, workflow: str, *, by: str, held_out: float = HELD_OUT) -> Learning:
    """Learn from the answers to a workflow and put the new revision in use; activating its parent takes it back.

    The same answers always give the same revision. Raises NotFound, InvalidInput where the workflow does not read by
    the embedded rules or has answers on fewer than five texts.
    """
    present = get_workflow(workspace, workflow)
    settings = present.active.settings
    if not isinstance(settings.extractor, RulesExtractor):
        raise InvalidInput(
            f"Workflow {workflow!r} reads by {settings.extractor.kind!r}; only the embedded rules learn from answers."
        )
    found = material(workspace, workflow, held_out=held_out)
    if found.texts < LEAST_TEXTS:
        raise InvalidInput(
            f"There are answers on {found.texts} texts of workflow {workflow!r}; "
            f"answer at least {LEAST_TEXTS}, then learn."
        )
    evidence = workspace.records.evidence(settings.collection)
    examples = [example for text in found.learn_from for example in text.examples]
    extractor = RulesExtractor(
        learnt=learn(settings.model_copy(update={"extractor": RulesExtractor()}), examples, evidence),
        learnt_from=tuple(sorted(text.hash[:16] for text in found.learn_from)),
    )
    learnt = settings.model_copy(update={"extractor": extractor})
    before, after = (_read(found.held_out, s, evidence) for s in (settings, learnt))
    graded = _graded(before), _graded(after)
    changed = put_workflow(workspace, learnt.defined_as(present.name), by=by, note=_note(found, *graded))
    return Learning(
        workflow=workflow,
        parent=present.active.id,
        revision=changed.active.id,
        texts=len(found.learn_from),
        answers=len(examples),
        held_out=len(found.held_out),
        passed_over=found.passed_over,
        before=graded[0],
        after=graded[1],
        changes=tuple(_changes(before, after))[:SHOWN_CHANGES],
        cues=cues(learnt),
    )


def cues(settings: WorkflowSettings) -> tuple[LearntCue, ...]:
    """What a revision learnt, in words; empty for one that learnt nothing."""
    if not isinstance(settings.extractor, RulesExtractor):
        return ()
    return tuple(
        LearntCue(property=row.property, cue=row.cue, weight=row.weight, example=row.example)
        for row in explain(settings.extractor.learnt)
    )


def _note(found: Material, before: Graded, after: Graded) -> str:
    return (
        f"Learnt from the answers on {len(found.learn_from)} texts; on {len(found.held_out)} others "
        f"{after.right} of {after.values} values are right, {before.right} before."
    )


# -- answers as examples ---------------------------------------------------------------------------------------


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


# -- grading ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Graded:
    """One held-out answer and what a revision read for it."""

    name: str
    property: str
    expected: Value | None
    read: ReadValue | None
    right: bool


def _read(texts: Sequence[AnsweredText], settings: WorkflowSettings, evidence: Evidence) -> list[_Graded]:
    graded = []
    for text in texts:
        result = extract(text.text, settings, evidence)
        for example in text.examples:
            prop = settings.property(example.property)
            if prop is None or example.verdict == "wrong":
                continue  # it says what is wrong, not what is right
            read = read_for(example.property, result.values)
            kept = None if read is None or read.outcome not in ("written", "review") else read
            graded.append(
                _Graded(text.name, example.property, example.value, kept, _is_right(example.value, kept, prop))
            )
    return graded


def _is_right(expected: Value | None, read: ReadValue | None, prop: Property) -> bool:
    if expected is None or read is None or read.value is None:
        return expected is None and read is None
    return values_equal(expected, read.value, prop.value_type)


def _graded(rows: Sequence[_Graded]) -> Graded:
    read = [(row, row.read) for row in rows if row.read is not None]
    written = [row for row, value in read if value.outcome == "written"]
    points = [
        Point(support=value.support, right=row.right, property=row.property)
        for row, value in read
        if value.support is not None
    ]
    studied = study(points)
    return Graded(
        right=sum(row.right for row in rows),
        values=len(rows),
        written=len(written),
        written_wrong=sum(not row.right for row in written),
        calibration_error=studied.calibration_error,
        bins=tuple(
            ReliabilityBin(low=b.low, high=b.high, values=b.values, support=b.support, right=b.right)
            for b in studied.bins
            if b.values
        ),
    )


def _changes(before: Sequence[_Graded], after: Sequence[_Graded]) -> Iterator[GradedChange]:
    for old, new in zip(before, after, strict=True):
        if old.right != new.right:
            yield GradedChange(
                name=new.name,
                property=new.property,
                expected=new.expected,
                before=None if old.read is None else old.read.value,
                after=None if new.read is None else new.read.value,
                better=new.right,
            )
