from __future__ import annotations

import time
from datetime import timedelta

import pytest

from reviewapp import datasets
from reviewapp.domain.blocks import FILE_IN
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.evaluations import Counts, Evaluation, OutputsSubject
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import RulesExtractor, WorkflowDefinition
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.evals.grading import why_ungraded
from reviewapp.evaluations import (
    cancel_evaluation,
    delete_evaluation,
    find_evaluation,
    get_evaluation,
    grade_outputs,
    list_evaluations,
    of_no_item,
    results,
    run_grading,
    start_grading,
)
from reviewapp.evaluations.starting import add_grading
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.store import DataFolder, Workspace, evaluations
from reviewapp.workflows import get_workflow, put_workflow
from tests.builders import done, value
from tests.evaluations.worlds import DOORS, PROPERTIES, doors, workflow


def graded(workspace: Workspace, dataset: str, **what: object) -> Evaluation:
    started = start_grading(workspace, dataset, by="ann", **what)  # type: ignore[arg-type]
    assert started.status == "queued"
    return run_grading(workspace, started.id)


def test_a_revision_is_graded_on_what_it_reads(workspace: Workspace) -> None:
    workflow(workspace)
    ended = graded(workspace, doors(workspace).id, workflow="doors")
    assert (ended.status, ended.cases_done, ended.cases_failed, ended.number) == ("done", 4, 0, 1)
    assert ended.grading.label == "doors, revision 1"
    report = ended.report
    assert report is not None
    assert report.properties["width"]["read"].counts == Counts(right=3, clean=1)
    assert report.properties["quantity"]["read"].counts == Counts(right=2, wrong=1)
    assert (report.items, report.items_right["read"]) == (4, 3)
    total = report.total["read"]
    assert (total.precision, total.recall) == (5 / 6, 5 / 6)
    assert total.f1_interval is not None
    assert total.f1_interval.low <= 5 / 6 <= total.f1_interval.high


def test_each_item_keeps_its_verdicts_values_and_quotes(workspace: Workspace) -> None:
    workflow(workspace)
    ended = graded(workspace, doors(workspace).id, workflow="doors")
    third = results(workspace, ended.id)[2]
    verdicts = {row["property"]: row for row in third.scores["answer-key"].details["verdicts"]}
    assert verdicts["quantity"]["kinds"]["read"] == "wrong"
    assert (verdicts["quantity"]["expected"], verdicts["quantity"]["found"]["value"]) == (11, 12)
    assert "12" in verdicts["quantity"]["found"]["quote"]
    assert verdicts["width"]["found"]["value"] == 100


def test_a_workflow_in_another_unit_is_converted(workspace: Workspace) -> None:
    workflow(workspace, PROPERTIES[0].model_copy(update={"unit": "mm"}), PROPERTIES[1])
    report = graded(workspace, doors(workspace).id, workflow="doors").report
    assert report is not None
    assert report.properties["width"]["read"].counts == Counts(right=3, clean=1)


def test_units_of_another_kind_are_refused(workspace: Workspace) -> None:
    workflow(workspace, Property(name="width", value_type="f64", unit="kg"))
    with pytest.raises(InvalidInput, match="'width' is in cm in the dataset and in kg in what is graded"):
        start_grading(workspace, doors(workspace).id, workflow="doors", by="ann")


def test_an_unchanged_grading_reads_nothing_again(workspace: Workspace) -> None:
    workflow(workspace)
    dataset = doors(workspace)
    first = graded(workspace, dataset.id, workflow="doors")
    again = graded(workspace, dataset.id, workflow="doors")
    assert (again.cases_reused, again.summary) == (4, first.summary)
    datasets.add_items(workspace, dataset.id, [Item(name="d5", text="Width: 10 cm")], by="ann")
    assert graded(workspace, dataset.id, workflow="doors").cases_reused == 4
    assert graded(workspace, dataset.id, workflow="doors", fresh=True).cases_reused == 0


def test_a_report_names_its_version_and_keeps_it(workspace: Workspace) -> None:
    workflow(workspace)
    dataset = doors(workspace)
    first = graded(workspace, dataset.id, workflow="doors")
    mended = DOORS["d3"][0]
    item = Item(name="d3", text=mended, values=(Expected(property="quantity", value=12),))
    datasets.add_items(workspace, dataset.id, [item], by="ann")
    second = graded(workspace, dataset.id, workflow="doors")
    assert (first.grading.dataset_version, second.grading.dataset_version) == (1, 2)
    old = graded(workspace, dataset.id, workflow="doors", version=1)
    assert old.summary == first.summary != second.summary
    datasets.delete_dataset(workspace, dataset.id, "ann")
    assert get_evaluation(workspace, first.id).report == first.report
    with pytest.raises(NotFound):
        start_grading(workspace, dataset.id, workflow="doors", by="ann")


def test_what_a_test_read_is_graded_without_reading(workspace: Workspace) -> None:
    texts = {name: text for name, (text, _) in DOORS.items()}
    readings = {name: [value("width", float(n), text=text)] for n, (name, text) in enumerate(texts.items())}
    test = done(workspace, texts, readings, properties=PROPERTIES)
    report = graded(workspace, doors(workspace).id, test=test.id).report
    assert report is not None
    assert report.properties["width"]["written"].counts == Counts(wrong=3, forbidden=1)
    assert report.properties["quantity"]["written"].counts == Counts(missing=3)


def test_an_earlier_run_is_scored_anew(workspace: Workspace) -> None:
    workflow(workspace)
    dataset = doors(workspace)
    first = graded(workspace, dataset.id, workflow="doors")
    mended = Item(name="d3", text=DOORS["d3"][0], values=(Expected(property="quantity", value=12),))
    datasets.add_items(workspace, dataset.id, [mended], by="ann")
    again = graded(workspace, dataset.id, earlier=first.id)
    assert again.report is not None
    assert again.report.properties["quantity"]["read"].counts == Counts(right=3)
    assert again.grading.label == "doors, revision 1, scored anew"


class Looking(dict[str, list[dict[str, object]]]):
    """Outputs that are being graded while the background runner looks for work."""

    def __init__(self, data: DataFolder, outputs: dict[str, list[dict[str, object]]]) -> None:
        super().__init__(outputs)
        self.data = data

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
        EvaluationRunner(self.data).run_until_idle()
        return super().get(name, default)


def test_outputs_that_are_being_graded_are_left_to_whoever_brought_them(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    outputs = Looking(data_folder, {"d1": [{"property": "width", "value": "60"}]})
    ended = grade_outputs(workspace, doors(workspace).id, outputs, name="theirs.jsonl", by="ann")
    assert (ended.status, ended.error) == ("done", None)
    assert ended.report is not None


def test_outputs_whose_grader_was_killed_end_as_failed(
    data_folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = data_folder.workspace("default", create=True)
    left = add_grading(workspace, doors(workspace), None, OutputsSubject(name="theirs.jsonl"), by="ann")
    EvaluationRunner(data_folder).run_until_idle()
    assert get_evaluation(workspace, left.id).status == "queued"
    monkeypatch.setattr(evaluations, "GRADED_WITHIN", timedelta(0))
    EvaluationRunner(data_folder).run_until_idle()
    assert get_evaluation(workspace, left.id).status == "failed"


def test_outputs_of_another_system(workspace: Workspace) -> None:
    dataset = doors(workspace)
    outputs = {
        "d1": [{"property": "width", "value": "60"}, {"property": "quantity", "value": 4}],
        "d2": [{"property": "width", "value": 88}],
        "d4": [{"property": "width", "value": 204}],
    }
    ended = grade_outputs(workspace, dataset.id, outputs, name="theirs.jsonl", by="ann")
    report = ended.report
    assert report is not None
    assert (ended.status, report.failed, ended.grading.label) == ("done", 1, "theirs.jsonl")
    assert report.properties["width"]["written"].counts == Counts(right=1, wrong=1, forbidden=1)
    with pytest.raises(InvalidInput, match="None of the outputs"):
        grade_outputs(workspace, dataset.id, {"x": []}, name="theirs.jsonl", by="ann")


def test_an_item_that_cannot_be_read_is_failed_not_wrong(workspace: Workspace) -> None:
    workflow(workspace)
    blank = Item(name="blank", text=" \n", values=(Expected(property="width", value=1),))
    dataset = datasets.create_dataset(workspace, "Blank", items=[blank], by="ann")
    ended = graded(workspace, dataset.id, workflow="doors")
    assert ended.report is not None
    assert (ended.cases_failed, ended.report.failed, ended.report.items) == (1, 1, 0)
    assert ended.report.total["written"].counts == Counts()


@pytest.mark.parametrize("what", [{}, {"workflow": "doors", "test": "wtest_1"}])
def test_one_thing_is_graded(workspace: Workspace, what: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="Name one thing to grade"):
        start_grading(workspace, doors(workspace).id, by="ann", **what)  # type: ignore[arg-type]


def test_a_stopped_grading_goes_on_where_it_was(workspace: Workspace) -> None:
    workflow(workspace)
    started = start_grading(workspace, doors(workspace).id, workflow="doors", by="ann")
    asked = iter([True, True, False])
    stopped = run_grading(workspace, started.id, go_on=lambda: next(asked))
    assert (stopped.status, stopped.cases_done) == ("running", 2)
    ended = run_grading(workspace, started.id)
    assert (ended.status, ended.cases_done) == ("done", 4)
    assert [r.position for r in results(workspace, started.id)] == [0, 1, 2, 3]


def test_a_cancelled_grading_keeps_what_there_is(workspace: Workspace) -> None:
    workflow(workspace)
    started = start_grading(workspace, doors(workspace).id, workflow="doors", by="ann")
    run_grading(workspace, started.id, go_on=iter([True, False]).__next__)
    cancelled = cancel_evaluation(workspace, started.id, by="ann")
    assert run_grading(workspace, started.id) == cancelled
    assert (cancelled.status, cancelled.cases_done, cancelled.report) == ("cancelled", 1, None)
    delete_evaluation(workspace, started.id, by="ann")
    with pytest.raises(NotFound):
        get_evaluation(workspace, started.id)


def test_a_dataset_deleted_before_its_turn(workspace: Workspace) -> None:
    workflow(workspace)
    dataset = doors(workspace)
    started = start_grading(workspace, dataset.id, workflow="doors", by="ann")
    datasets.delete_dataset(workspace, dataset.id, "ann")
    ended = run_grading(workspace, started.id)
    assert ended.status == "failed"
    assert "There is no dataset" in (ended.error or "")


def test_outputs_are_told_apart_by_name_where_texts_are_the_same(workspace: Workspace) -> None:
    twins = [
        Item(name=n, text="Width: 600 mm", values=(Expected(property="width", value=v),))
        for n, v in (("a", 60), ("b", 61))
    ]
    dataset = datasets.create_dataset(workspace, "Twins", items=twins, by="ann")
    outputs = {n: [{"property": "width", "value": v}] for n, v in (("a", 60), ("b", 61))}
    first = grade_outputs(workspace, dataset.id, outputs, name="theirs", by="ann")
    again = graded(workspace, dataset.id, earlier=first.id)
    assert again.summary == first.summary
    assert again.report is not None
    assert again.report.items_right["written"] == 2
    twice = graded(workspace, dataset.id, earlier=again.id)
    assert twice.grading.label == "theirs, scored anew"


def test_outputs_are_converted_to_the_unit_of_another_dataset(workspace: Workspace) -> None:
    def one(name: str, value: float, unit: str) -> str:
        item = Item(name="a", text="Width: 600 mm", values=(Expected(property="width", value=value),))
        install = Install(properties={"width": "f64"}, units={"width": unit})
        return datasets.create_dataset(workspace, name, items=[item], install=install, by="ann").id

    first = grade_outputs(
        workspace, one("cm", 60, "cm"), {"a": [{"property": "width", "value": 60}]}, name="x", by="ann"
    )
    in_mm = graded(workspace, one("mm", 600, "mm"), earlier=first.id).report
    assert in_mm is not None
    assert in_mm.total["written"].counts == Counts(right=1)
    with pytest.raises(InvalidInput, match="'width' is in kg in the dataset and in cm in what is graded"):
        start_grading(workspace, one("kg", 1, "kg"), earlier=first.id, by="ann")


def test_what_was_learnt_from_stays_left_out_when_scored_anew(workspace: Workspace) -> None:
    made = workflow(workspace)
    dataset = doors(workspace)
    hashes = [entry.text_hash for _, entry in workspace.datasets.hashed(dataset.id)]
    taught = RulesExtractor(learnt_from=(hashes[0][:16],))
    definition = WorkflowDefinition(name="doors", collection="tenders", properties=PROPERTIES, extractor=taught)
    assert put_workflow(workspace, definition, by="ann").active != made.active
    first = graded(workspace, dataset.id, workflow="doors")
    again = graded(workspace, dataset.id, earlier=first.id)
    assert first.report == again.report
    assert again.report is not None
    assert (again.report.items, again.report.seen) == (3, 1)


def lined(workspace: Workspace, *blocks: dict[str, object]) -> None:
    """The door workflow as a line of these blocks."""
    settings = get_workflow(workspace, "doors").active.settings
    definition = settings.defined_as("doors").model_dump(mode="json") | {"blocks": blocks}
    put_workflow(workspace, WorkflowDefinition.model_validate(definition), by="ann")


OAK = {"type": "classify", "id": "kind", "categories": [{"name": "oak", "cues": ["oak"]}], "otherwise": None}


def test_a_line_of_blocks_is_run_as_it_would_run_live(workspace: Workspace) -> None:
    """Oak doors only, and only their widths: of the others nothing is read, of which nothing is written either."""
    workflow(workspace)
    whole = graded(workspace, doors(workspace).id, workflow="doors")
    oak_only = {"type": "extract", "id": "read", "inputs": {FILE_IN: "kind.output-file-oak"}, "properties": ["width"]}
    lined(workspace, OAK, oak_only)
    ended = graded(workspace, doors(workspace).id, workflow="doors")
    report = ended.report
    assert report is not None, ended.error
    assert report.properties["width"]["read"].counts == Counts(right=1, missing=2, clean=1)
    assert report.properties["quantity"]["read"].counts == Counts(missing=3)
    found = next(r.execution.output["values"] for r in results(workspace, ended.id) if r.name == "d2")
    alone = next(r.execution.output["values"] for r in results(workspace, whole.id) if r.name == "d2")
    assert found == [value for value in alone if value["property"] == "width"]


def test_the_first_block_that_reads_a_property_counts_and_units_are_converted(workspace: Workspace) -> None:
    workflow(workspace, PROPERTIES[0].model_copy(update={"unit": "mm"}), PROPERTIES[1])
    lined(workspace, {"type": "extract", "id": "one"}, {"type": "extract", "id": "two"})
    report = graded(workspace, doors(workspace).id, workflow="doors").report
    assert report is not None
    assert report.properties["width"]["read"].counts == Counts(right=3, clean=1)


def test_a_block_that_fails_makes_its_item_failed(workspace: Workspace) -> None:
    workflow(workspace)
    lined(workspace, {"type": "extract", "id": "read"}, {"type": "function", "id": "odd", "function": "nowhere:at_all"})
    ended = graded(workspace, doors(workspace).id, workflow="doors")
    assert (ended.status, ended.cases_failed) == ("done", 4)
    assert "Block 'odd'" in str(results(workspace, ended.id)[0].execution.failed)


def test_outputs_of_no_item_are_told(workspace: Workspace) -> None:
    assert of_no_item(workspace, doors(workspace).id, {"d1": [], "zzz": [], "d2": [], "y": []}) == ["zzz", "y"]


def test_a_value_beyond_all_numbers_is_wrong_and_ends_nothing(workspace: Workspace) -> None:
    dataset = doors(workspace)
    outputs = {"d2": [{"property": "width", "value": v} for v in (10**400, "9" * 400)]}
    report = grade_outputs(workspace, dataset.id, outputs, name="huge", by="ann").report
    assert report is not None
    assert report.properties["width"]["written"].counts.wrong == 2


def test_an_item_that_cannot_be_judged_is_a_failure_beside_the_others(workspace: Workspace) -> None:
    outputs = {
        "d1": [{"value": 60}],  # names no property
        "d2": [{"property": "width", "value": 88.5}, {"property": "quantity", "value": 2}],
    }
    ended = grade_outputs(workspace, doors(workspace).id, outputs, name="odd", by="ann")
    assert ended.status == "done"
    assert ended.report is not None
    assert (ended.report.items, ended.report.failed, ended.report.items_right["written"]) == (1, 3, 1)
    assert [why_ungraded(r) for r in results(workspace, ended.id)][:2] == ["KeyError: 'property'", None]


def test_the_background_runs_what_waits(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    workflow(workspace)
    dataset = doors(workspace)
    ids = [start_grading(workspace, dataset.id, workflow="doors", by="ann").id for _ in range(2)]
    EvaluationRunner(data_folder).run_until_idle()
    assert [get_evaluation(workspace, id).status for id in ids] == ["done", "done"]
    assert [e.id for e in list_evaluations(workspace, dataset=dataset.id)] == ids[::-1]
    assert find_evaluation(workspace, "latest").id == find_evaluation(workspace, "2").id == ids[1]
    with EvaluationRunner(data_folder):
        third = start_grading(workspace, dataset.id, workflow="doors", by="ann").id
        for _ in range(200):
            if get_evaluation(workspace, third).status == "done":
                break
            time.sleep(0.02)
    assert get_evaluation(workspace, third).status == "done"


def test_a_reader_that_can_read_no_more_ends_it_with_its_sentence(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Spent:
        def read(self, prepared: object, settings: object, evidence: object) -> None:
            raise ReaderStopped("The budget of this month is spent.")

    workflow(workspace)
    monkeypatch.setattr("reviewapp.extraction.reading.make_extractor", lambda _: Spent())
    ended = graded(workspace, doors(workspace).id, workflow="doors")
    assert (ended.status, ended.error, ended.cases_done) == ("failed", "The budget of this month is spent.", 0)
