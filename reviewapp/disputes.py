"""Where people differ: the values in dispute, the adjudicator's decision, and how far people agree at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from reviewapp.answers import answers_of_input, answers_of_inputs, save_answer, standing_answers
from reviewapp.domain.answers import Answer, Decision, agree, in_force
from reviewapp.domain.base import Model
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test, TestInput
from reviewapp.evals.agreement import Agreement, Kappa, agreement_of, fleiss_kappa
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_input, get_test

PIECE = 200
"""Inputs read at a time."""


class Dispute(Model):
    """One value on which enough people answered and do not agree."""

    position: int
    label: str
    property: Property
    read: ReadValue | None
    answers: tuple[Answer, ...]
    """In force, oldest first."""
    seen: int
    """The latest step on it: what a decision answers to."""


class PairRow(Model):
    """How far two people agree, on one property or on all."""

    property: str | None
    """None: all properties."""
    a: str
    b: str
    agreement: Agreement


class PropertyRow(Model):
    """How far all agree on one property, or on all of them."""

    property: str | None
    values: int
    """Answered by two people or more."""
    agreed: int
    """Of these, on which all of them say the same."""
    kappa: Kappa
    """Fleiss' kappa over the values that have the same number of answers as most of them."""


class AgreementTable(Model):
    properties: tuple[PropertyRow, ...] = ()
    """The first row is about all properties."""
    pairs: tuple[PairRow, ...] = ()


def find_disputes(workspace: Workspace, test_id: str) -> None:
    """Note anew which values are in dispute; after the number of wanted answers was changed."""
    test = get_test(workspace, test_id)
    for position, name in workspace.reviewers.disputed(test_id):
        workspace.reviewers.set_disputed(test_id, position, name, False)
    if test.overlap == 1:
        return
    for position, name in workspace.reviewers.answered_by_several(test_id, test.overlap):
        given = answers_of_input(workspace, test_id, position)
        state = standing_answers(test, get_input(workspace, test_id, position), given)[name].state
        workspace.reviewers.set_disputed(test_id, position, name, state == "disputed")


def count_disputes(workspace: Workspace, test_id: str) -> int:
    return workspace.reviewers.count_disputed(test_id)


def list_disputes(
    workspace: Workspace, test_id: str, *, after: tuple[int, str] | None = None, limit: int = 50
) -> list[Dispute]:
    """Values in dispute, by position and name, behind `after`. Raises NotFound."""
    test = get_test(workspace, test_id)
    rows = workspace.reviewers.disputed(test_id, after=after or (-1, ""), limit=limit)
    return [_dispute(workspace, test, position, name) for position, name in rows]


def _dispute(workspace: Workspace, test: Test, position: int, name: str) -> Dispute:
    input = get_input(workspace, test.id, position)
    prop = test.settings.property(name)
    assert prop is not None  # noqa: S101 - properties of a test never change
    steps = answers_of_input(workspace, test.id, position).get(name, [])
    return Dispute(
        position=position,
        label=input.label or input.iri,
        property=prop,
        read=_read(input, name),
        answers=tuple(sorted(in_force(steps).values(), key=lambda answer: answer.id)),
        seen=steps[-1].id if steps else 0,
    )


def adjudicate(
    workspace: Workspace,
    test_id: str,
    position: int,
    name: str,
    decision: Decision,
    *,
    by: str,
    value: Value | None = None,
    note: str = "",
    seen: int | None = None,
    spans: Sequence[Span] = (),
) -> Answer:
    """Decide what stands, whoever said what. The same refusals as `save_answer`."""
    return save_answer(
        workspace,
        test_id,
        position,
        name,
        decision,
        by=by,
        value=value,
        note=note,
        seen=seen,
        spans=spans,
        role="adjudicator",
    )


def agreement(workspace: Workspace, test_id: str) -> AgreementTable:
    """How far people agree: per property and pair. Answers of adjudicators do not count. Raises NotFound."""
    test = get_test(workspace, test_id)
    said: dict[str, list[dict[str, str]]] = {}
    for property, by_person in _labels(workspace, test):
        said.setdefault(property, []).append(by_person)
    names = [p.name for p in test.settings.properties if p.name in said]
    everything = [row for name in names for row in said[name]]
    if not everything:
        return AgreementTable()
    of: list[tuple[str | None, list[dict[str, str]]]] = [(None, everything), *((name, said[name]) for name in names)]
    people = sorted({person for row in everything for person in row})
    pairs = []
    for name, rows in of:
        for a, b in combinations(people, 2):
            both = [(row[a], row[b]) for row in rows if a in row and b in row]
            if both:
                pairs.append(PairRow(property=name, a=a, b=b, agreement=agreement_of(both)))
    return AgreementTable(properties=tuple(_property_row(name, rows) for name, rows in of), pairs=tuple(pairs))


def _property_row(name: str | None, rows: Sequence[Mapping[str, str]]) -> PropertyRow:
    sizes = [len(row) for row in rows]
    usual = max(sorted(set(sizes)), key=sizes.count)
    return PropertyRow(
        property=name,
        values=len(rows),
        agreed=sum(len(set(row.values())) == 1 for row in rows),
        kappa=fleiss_kappa([list(row.values()) for row in rows if len(row) == usual]),
    )


def _labels(workspace: Workspace, test: Test) -> list[tuple[str, dict[str, str]]]:
    """(property, what each person said as a word that is equal where they agree), of values that several answered."""
    rows: list[tuple[str, dict[str, str]]] = []
    several = workspace.reviewers.answered_by_several(test.id)
    for at in range(0, len(several), PIECE):
        piece = several[at : at + PIECE]
        given = answers_of_inputs(workspace, test.id, piece[0][0], piece[-1][0])
        for position, name in piece:
            read = _read(get_input(workspace, test.id, position), name)
            answers = [a for a in in_force(given[position][name]).values() if a.role == "reviewer"]
            if len(answers) > 1:
                rows.append((name, _as_words(answers, None if read is None else read.value)))
    return rows


def _as_words(answers: Sequence[Answer], read: Value | None) -> dict[str, str]:
    """The decision; and of corrections, since there are endlessly many, which one: accepting 12 is correcting to 12."""
    found: dict[str, str] = {}
    kinds: list[tuple[Answer, str]] = []
    for answer in sorted(answers, key=lambda a: (a.decision != "accept", a.id)):
        word = next((word for other, word in kinds if agree(other, answer, read=read)), None)
        if word is None:
            word = str(answer.decision)
            if answer.decision == "correct":
                word = f"correct {answer.value}".casefold()
            kinds.append((answer, word))
        found[answer.by] = word
    return found


def _read(input: TestInput, name: str) -> ReadValue | None:
    return read_for(name, input.result.values if input.result else ())
