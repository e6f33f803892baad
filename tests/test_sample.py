"""The sample workspace: sound texts, and the embedded reader does on them what a first look should show."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from reviewapp.demo import KINDS, load_sample
from reviewapp.domain.properties import Value
from reviewapp.domain.tests import InputResult, ReadValue
from reviewapp.domain.values import values_equal
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.extraction.pipeline import extract
from reviewapp.formats.workflow_file import read_definition
from reviewapp.records import list_collections
from reviewapp.resources import folder
from reviewapp.store.workspace import Workspace
from reviewapp.tests import list_tests


def lines(kind: str, file: str) -> list[dict]:
    return [json.loads(line) for line in (folder("sample") / kind / file).read_text(encoding="utf-8").splitlines()]


def definition(kind: str) -> WorkflowDefinition:
    file: Path = folder("sample") / kind / "workflow.yaml"
    return read_definition(file.read_text(encoding="utf-8"), file.name)


TEXTS = {kind: {r["name"]: r["text"] for r in lines(kind, "records.jsonl")} for kind in KINDS}
GOLD: dict[str, dict[str, dict[str, Value | None]]] = {
    kind: {r["name"]: r["values"] for r in lines(kind, "gold.jsonl")} for kind in KINDS
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_text_has_a_right_answer_for_every_property(kind):
    properties = {p.name for p in definition(kind).properties}
    assert list(TEXTS[kind]) == list(GOLD[kind])
    assert len(TEXTS[kind]) >= 8
    assert all(set(values) == properties for values in GOLD[kind].values())
    assert all("\r" not in text and text == text.strip() for text in TEXTS[kind].values())


@pytest.mark.parametrize("kind", KINDS)
def test_right_values_pass_the_checks_of_their_own_workflow(kind):
    for prop in definition(kind).properties:
        for name, values in GOLD[kind].items():
            value = values[prop.name]
            if value is None:
                continue
            if prop.options:
                assert value in prop.options, name
            if prop.pattern:
                assert re.fullmatch(prop.pattern, str(value)), name
            if prop.minimum is not None:
                assert prop.minimum <= float(value) <= (prop.maximum or float("inf")), name


@pytest.mark.parametrize("kind", KINDS)
def test_right_words_stand_in_their_text(kind):
    for prop in definition(kind).properties:
        if prop.value_type in ("text", "keyword"):
            for name, values in GOLD[kind].items():
                value = values[prop.name]
                assert value is None or str(value).casefold() in TEXTS[kind][name].casefold(), (name, prop.name)


MONEY = re.compile(r"-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d\d\b|-?\d+\.\d\d\b")


@pytest.mark.parametrize("name", TEXTS["receipts"])
def test_receipts_add_up(name):
    """The items before the first sum make that sum; the tax is contained in the total at one of the usual rates."""
    total, vat = GOLD["receipts"][name]["total"], GOLD["receipts"][name]["vat"]
    text = TEXTS["receipts"][name]
    items = text[
        : re.search(r"(?mi)^(summe|netto|gesamt|zu zahlen|zwischensumme|total|subtotal|amount|refund)", text).start()
    ]
    amounts = [amount for line in items.splitlines() if (amount := _last_amount(line)) is not None]
    if "CREDIT NOTE" not in text and "Rabatt" not in text:
        assert sum(amounts) == Decimal(str(total))
    if vat is not None:
        rate = Decimal(str(vat)) / (Decimal(str(total)) - Decimal(str(vat)))
        assert min(abs(rate - Decimal(r)) for r in ("0.07", "0.135", "0.19", "0.23")) < Decimal("0.001")


def _last_amount(line: str) -> Decimal | None:
    found = MONEY.findall(line)
    if not found or re.search(r"(?i)straße|date|datum|\d\d:\d\d", line):
        return None
    amount = found[-1]
    return Decimal(amount.replace(".", "").replace(",", ".") if "," in amount else amount)


@pytest.fixture(scope="module")
def read() -> dict[str, dict[str, InputResult]]:
    """Kind → record → what the embedded reader reads, with the collection's evidence."""
    with Workspace.in_memory() as workspace:
        load_sample(workspace, by="Ann")
        found = {}
        for test in list_tests(workspace):
            kind = test.settings.collection
            found[kind] = {name: extract(text, test.settings, test.evidence) for name, text in TEXTS[kind].items()}
    return found


def judged(read: dict[str, dict[str, InputResult]], kind: str) -> Counter[str]:
    """How many right values were read right, wrong or not; and how many of those to be written are wrong."""
    seen: Counter[str] = Counter()
    types = {p.name: p.value_type for p in definition(kind).properties}
    for name, result in read[kind].items():
        assert result.failed is None
        offered: dict[str, ReadValue] = {v.property: v for v in result.values if v.outcome in ("written", "review")}
        for prop, right in GOLD[kind][name].items():
            value = offered.get(prop)
            equal = value is not None and right is not None and value.value is not None
            right_read = equal and values_equal(value.value, right, types[prop])
            if value is None:
                seen["missing" if right is not None else "rightly none"] += 1
            else:
                seen["right" if right_read else "wrong" if right is not None else "extra"] += 1
                if value.outcome == "written":
                    seen["written right" if right_read else "written wrong"] += 1
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_most_values_are_read_right_and_hardly_one_is_written_wrong(read, kind):
    seen = judged(read, kind)
    stated = seen["right"] + seen["wrong"] + seen["missing"]
    assert seen["right"] >= 0.75 * stated, seen
    assert seen["written wrong"] <= 0.05 * (seen["written right"] + seen["written wrong"]) + 1, seen


def test_there_is_something_to_decide_of_every_kind(read):
    outcomes = Counter(v.outcome for results in read.values() for r in results.values() for v in r.values)
    answered = {(k, n, v.property) for k, results in read.items() for n, r in results.items() for v in r.values}
    everything = {(k, n, p) for k in KINDS for n, values in GOLD[k].items() for p in values}
    assert outcomes["written"] >= 60
    assert outcomes["review"] >= 5
    assert sum(outcomes.values()) - outcomes["written"] - outcomes["review"] >= 2
    assert len(everything - answered) >= 15


def test_every_quote_is_where_it_is_said_to_be(read):
    places = [
        (TEXTS[kind][name], span)
        for kind, results in read.items()
        for name, result in results.items()
        for value in result.values
        if value.grounding
        for span in value.grounding.place
    ]
    assert len(places) > 80
    assert all(0 <= span.start < span.end <= len(text) for text, span in places)


def test_loading_the_sample_again_changes_nothing():
    with Workspace.in_memory() as workspace:
        first = load_sample(workspace, by="Ann")
        for test in first:
            workspace.tests.finish(test.id, "cancelled")
        again = load_sample(workspace, by="Bob")
        assert [t.id for t in again] == [t.id for t in first]
        assert {c.name: c.record_count for c in list_collections(workspace)} == {
            kind: len(TEXTS[kind]) for kind in KINDS
        }
