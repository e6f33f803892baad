"""The whole story on real receipts: read, answer from the gold, keep, learn, grade, compare, set the gate.

Every figure is computed again here from the stored values, without the code that is tested.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from reviewapp.answers import save_answer
from reviewapp.datasets import items, save_dataset
from reviewapp.domain.datasets import Item
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import ReadValue
from reviewapp.domain.workflows import RulesExtractor, WorkflowDefinition
from reviewapp.evaluations import compare, gate_points, run_grading, set_gate, start_grading, suggest_gate
from reviewapp.evaluations.running import all_results
from reviewapp.extraction.rules.learn import AnsweredExample, learn
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder, Workspace
from reviewapp.tests import get_inputs, input_text, start_test
from reviewapp.workflows import get_workflow, put_workflow

ANSWERED, LEARNT = 90, 40
WANTED = 0.95


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    sroie = request.getfixturevalue("shared_set")("sroie")
    records = sroie.lines("records")[:ANSWERED]
    gold = {row["name"]: row["values"] for row in sroie.lines("gold")}
    with DataFolder(tmp_path_factory.mktemp("story")) as data:
        workspace = data.workspace("default", create=True)
        yield tell(data, workspace, records, gold, tuple(Property(**p) for p in sroie.properties))


def tell(
    data: DataFolder,
    workspace: Workspace,
    records: list[dict[str, Any]],
    gold: dict[str, dict[str, Any]],
    properties: tuple[Property, ...],
) -> dict[str, Any]:
    import_records(workspace, "receipts", [IncomingRecord(**r) for r in records], by="ann")
    definition = WorkflowDefinition(name="receipts", collection="receipts", properties=properties)
    first = put_workflow(workspace, definition, by="ann").active
    test = start_test(workspace, workflow="receipts", everything=True, by="ann")
    Runner(data).run_until_idle()
    answer_all(workspace, test.id, gold, properties)
    dataset = save_dataset(workspace, test.id, by="ann")

    learnt = learn(first.settings, lessons(workspace, test.id, gold, properties), test.evidence)
    seen = tuple(str(input.text_hash)[:16] for input in get_inputs(workspace, test.id, limit=LEARNT))
    taught = definition.model_copy(update={"extractor": RulesExtractor(learnt=learnt, learnt_from=seen)})
    second = put_workflow(workspace, taught, by="ann", note="learnt").active
    runs = {}
    for name, revision in (("first", first.id), ("second", second.id)):
        started = start_grading(workspace, dataset.id, workflow="receipts", revision=revision, by="ann")
        runs[name] = run_grading(workspace, started.id)
    return {
        "workspace": workspace,
        "test": test,
        "seen": seen,
        "dataset": dataset,
        "gold": gold,
        "properties": properties,
        **runs,
    }


def equal(found: object, right: object) -> bool:
    """The rule of the set: numbers as numbers, texts without regard to case and white space at the ends."""
    if isinstance(found, int | float) and isinstance(right, int | float):
        return math.isclose(found, right, rel_tol=1e-9)
    return str(found).strip().lower() == str(right).strip().lower()


def answer_all(
    workspace: Workspace, test: str, gold: dict[str, dict[str, Any]], properties: tuple[Property, ...]
) -> None:
    for input in get_inputs(workspace, test, limit=1_000):
        assert input.result is not None
        read: dict[str, ReadValue] = {}
        for value in input.result.values:
            read.setdefault(value.property, value)
        for prop in properties:
            right = gold[input.label].get(prop.name)
            found = read.get(prop.name)
            if right is None:
                decision, value = ("accept", None) if found is None else ("reject", None)
            elif found is not None and found.value is not None and equal(found.value, right):
                decision, value = "accept", None
            else:
                decision, value = "correct", right
            save_answer(workspace, test, input.position, prop.name, decision, value=value, by="ann")  # type: ignore[arg-type]


def lessons(
    workspace: Workspace, test: str, gold: dict[str, dict[str, Any]], properties: tuple[Property, ...]
) -> list[AnsweredExample]:
    found = []
    for input in get_inputs(workspace, test, limit=LEARNT):
        for prop in properties:
            right = gold[input.label].get(prop.name)
            verdict = "none" if right is None else "right"
            found.append(AnsweredExample(input_text(workspace, input), prop.name, verdict, right))  # type: ignore[arg-type]
    return found


def counted_by_hand(
    workspace: Workspace, run: str, kept: dict[str, Item], outcomes: set[str], seen: tuple[str, ...]
) -> dict[str, list[int]]:
    """Property → [right, wrong, missing, forbidden] from the outputs of a run and the items of the dataset."""
    counts: dict[str, list[int]] = {}
    for result in all_results(workspace, run):
        if str(result.inputs_fingerprint)[:16] in seen:
            continue
        item = kept[result.name]
        given: dict[str, Any] = {}
        for value in result.execution.output["values"]:
            if value["outcome"] in outcomes:
                given[value["property"]] = value["value"]
        right = {e.property: e.value for e in item.values}
        for name in {e.property for e in (*item.values, *item.leave_out)}:
            column = counts.setdefault(name, [0, 0, 0, 0])
            if name in right:
                if name not in given:
                    column[2] += 1
                else:
                    column[0 if equal(given[name], right[name]) else 1] += 1
            elif name in given:
                forbidden = [e.value for e in item.leave_out if e.property == name]
                column[3] += any(f is None or equal(given[name], f) for f in forbidden)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("run", ["first", "second"])
@pytest.mark.parametrize(("basis", "outcomes"), [("written", {"written"}), ("read", {"written", "review"})])
def test_the_figures_are_those_computed_by_hand(
    story: dict[str, Any], run: str, basis: str, outcomes: set[str]
) -> None:
    workspace, evaluation = story["workspace"], story[run]
    kept = {item.name: item for _, item in items(workspace, story["dataset"].id)}
    seen = story["seen"] if run == "second" else ()
    counts = counted_by_hand(workspace, evaluation.id, kept, outcomes, seen)
    report = evaluation.report
    assert (report.items, report.failed, report.seen) == (ANSWERED - len(seen), 0, len(seen))
    for name, (right, wrong, missing, forbidden) in counts.items():
        found = report.properties[name][basis]
        expected = (right, wrong, missing, forbidden)
        assert (found.counts.right, found.counts.wrong, found.counts.missing, found.counts.forbidden) == expected, name
        assert found.precision == (right / (right + wrong + forbidden) if right + wrong + forbidden else None)
        assert found.recall == (right / (right + wrong + missing) if right + wrong + missing else None)
    right, wrong, missing, forbidden = (sum(column) for column in zip(*counts.values(), strict=True))
    precision, recall = right / (right + wrong + forbidden), right / (right + wrong + missing)
    total = report.total[basis]
    assert total.f1 == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-12)
    assert total.f1_interval.low <= total.f1 <= total.f1_interval.high
    assert right > 0


@pytest.mark.slow
def test_the_comparison_is_the_one_counted_by_hand(story: dict[str, Any]) -> None:
    workspace = story["workspace"]
    comparison = compare(workspace, story["first"].id, story["second"].id, "read")
    pairs = {"fixed": 0, "broken": 0}
    for a, b in zip(all_results(workspace, story["first"].id), all_results(workspace, story["second"].id), strict=True):
        if str(a.inputs_fingerprint)[:16] in story["seen"]:
            continue
        good = [
            {row["property"]: row["kinds"]["read"] for row in r.scores["answer-key"].details["verdicts"]}
            for r in (a, b)
        ]
        for name in good[0]:
            before, after = (g[name] in ("right", "clean") for g in good)
            if "unjudged" not in (good[0][name], good[1][name]) and before != after:
                pairs["fixed" if after else "broken"] += 1
    total = comparison.total
    assert (total.fixed, total.broken, comparison.items) == (pairs["fixed"], pairs["broken"], ANSWERED - LEARNT)
    assert comparison.seen == LEARNT
    n, k = total.fixed + total.broken, min(total.fixed, total.broken)
    tail = sum(math.comb(n, i) for i in range(k + 1)) / 2**n
    assert total.p == pytest.approx(min(1.0, 2 * tail), rel=1e-9)
    assert total.f1_after == story["second"].report.total["read"].f1
    assert total.words
    if total.p < 0.05:
        assert total.words.endswith("better" if total.fixed > total.broken else "worse")


@pytest.mark.slow
def test_the_suggested_gate_is_the_lowest_that_is_right_often_enough(story: dict[str, Any]) -> None:
    workspace, first = story["workspace"], story["first"].grading.subject
    points = gate_points(workspace, "receipts", test=story["test"].id)
    by_hand = []
    for input in get_inputs(workspace, story["test"].id, limit=1_000):
        seen = set()
        for value in input.result.values:
            if value.property in seen or value.support is None:
                continue
            seen.add(value.property)
            right = story["gold"][input.label].get(value.property)
            by_hand.append((value, right is not None and equal(value.value, right)))
    assert len(points) == len(by_hand)
    assert sum(p.right for p in points) == sum(right for _, right in by_hand)
    suggestion = suggest_gate(points, WANTED)
    lowest = None
    for step in range(100, 49, -1):
        written = [right for v, right in by_hand if v.unconfirmed is None and v.support + 1e-6 >= step / 100]
        if written and sum(written) >= WANTED * len(written):
            lowest = (step / 100, len(written), sum(written))
    assert lowest is not None
    assert suggestion.likely is not None
    assert (suggestion.likely.gate, suggestion.likely.written, suggestion.likely.right) == lowest
    assert suggestion.spread is not None
    assert suggestion.spread.low <= suggestion.likely.gate <= suggestion.spread.high

    before = get_workflow(workspace, "receipts")
    after = set_gate(workspace, "receipts", suggestion.likely.gate, by="ann", expected=before.active.id)
    assert after.active.settings.gate == suggestion.likely.gate
    assert first.settings.gate == 0.8
    assert after.revision_count == before.revision_count + 1
