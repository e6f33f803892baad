"""Results made elsewhere become a test: four formats, grounded and checked as any reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import ReplayExtractor, WorkflowDefinition
from reviewapp.errors import ImportFaults, InvalidInput
from reviewapp.formats.sources import Upload
from reviewapp.records import import_records
from reviewapp.replays import replay_results
from reviewapp.running.runner import Runner
from reviewapp.tests import get_inputs, get_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace
from tests.builders import records

WIDTH = Property(name="width", value_type="f64", unit="cm")
COLOUR = Property(name="colour", value_type="keyword")
TEXTS = {"Shelf 1": "Oak shelf. Width: 600 mm, colour red.", "Shelf 2": "💩 Width: 90 cm.\nColour: blue"}


@pytest.fixture
def shelves(data_folder: DataFolder) -> Workspace:
    workspace = data_folder.workspace("default", create=True)
    import_records(workspace, "tenders", records(TEXTS), by="eva")
    definition = WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH, COLOUR))
    put_workflow(workspace, definition, by="eva")
    return workspace


def upload(name: str, *lines: Any) -> Upload:
    said = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    return Upload(name, said.encode())


def outcomes(data: DataFolder, workspace: Workspace, test_id: str) -> dict[str, list[tuple[Any, ...]]]:
    Runner(data).run_until_idle()
    assert get_test(workspace, test_id).status == "done"
    return {
        row.label: [(v.property, v.value, v.quote, v.outcome) for v in row.result.values] if row.result else []
        for row in get_inputs(workspace, test_id)
    }


READ = {
    "Shelf 1": [("width", 60.0, "600 mm", "written"), ("colour", "red", "red", "written")],
    "Shelf 2": [("width", 90.0, "90 cm", "written")],
}

OURS = upload(
    "results.jsonl",
    {
        "record": "Shelf 1",
        "readings": [
            {"property": "width", "value": "600 mm", "quote": "600 mm"},
            {"property": "colour", "value": "red", "quote": "red"},
        ],
    },
    {"iri": "record:tenders/Shelf%202", "values": [{"property": "Width", "value": 90, "quote": "90 cm"}]},
)
AS_JSON = upload(
    "results.json",
    [
        {
            "name": "Shelf 1",
            "width": {"value": "600 mm", "quote": "600 mm"},
            "colour": {"value": "red", "quote": "red"},
        },
        {"text": TEXTS["Shelf 2"], "readings": {"width": {"value": "90 cm", "quote": "90 cm"}}},
    ],
)
LONG = upload(
    "results.csv",
    "Record;Property;Value;Quote;Confidence",
    "Shelf 1;width;600 mm;600 mm;0,9",
    "Shelf 1;colour;red;red;0.9",
    'Shelf 2;width;90;"90 cm";',
)
WIDE = upload(
    "results.csv",
    "name,width,width quote,width_confidence,colour,colour quote",
    "Shelf 1,600 mm,600 mm,0.95,red,red",
    "Shelf 2,90,90 cm,,,",
)
LABEL_STUDIO = upload(
    "export.json",
    [
        {
            "id": 1,
            "data": {"text": TEXTS["Shelf 1"]},
            "predictions": [
                {
                    "score": 0.9,
                    "result": [
                        {
                            "from_name": "label",
                            "type": "labels",
                            "value": {"start": 18, "end": 24, "text": "600 mm", "labels": ["width"]},
                        },
                        {"from_name": "colour", "type": "choices", "value": {"choices": ["red"]}},
                    ],
                }
            ],
        },
        {
            "id": 2,
            "data": {"name": "Shelf 2", "text": TEXTS["Shelf 2"]},
            "annotations": [],
            "predictions": [
                {"result": [{"value": {"start": 0, "end": 1, "text": "90 cm", "labels": ["width"]}}]},
            ],
        },
    ],
)


@pytest.mark.parametrize("file", [OURS, AS_JSON, LONG, WIDE, LABEL_STUDIO], ids=["jsonl", "json", "long", "wide", "ls"])
def test_every_format_comes_to_the_same_test(data_folder: DataFolder, shelves: Workspace, file: Upload) -> None:
    made = replay_results(shelves, file, workflow="shelves", by="eva")
    assert (made.records, made.readings, made.added) == (2, 3, 0)
    assert outcomes(data_folder, shelves, made.test.id) == READ
    test = get_test(shelves, made.test.id)
    assert (test.installed, test.workflow, test.settings.extractor.kind) == (False, "shelves", "replay")


def test_langextract_writes_the_file(data_folder: DataFolder, shelves: Workspace, tmp_path: Path) -> None:
    data = pytest.importorskip("langextract.data")
    io = pytest.importorskip("langextract.io")
    text = TEXTS["Shelf 1"]
    at = text.index("600 mm")
    found = data.Extraction(
        "width", "600 mm", char_interval=data.CharInterval(at, at + 6), attributes={"value": "600", "unit": "mm"}
    )
    red = data.Extraction("colour", "red")
    other = data.Extraction("width", "90 cm")
    documents = [
        data.AnnotatedDocument(extractions=[found, red], text=text),
        data.AnnotatedDocument(document_id="Shelf 2", extractions=[other], text=TEXTS["Shelf 2"]),
    ]
    io.save_annotated_documents(iter(documents), tmp_path, "out.jsonl", show_progress=False)
    made = replay_results(shelves, tmp_path / "out.jsonl", workflow="shelves", by="eva")
    assert outcomes(data_folder, shelves, made.test.id) == READ


def test_what_is_not_in_the_text_is_told(data_folder: DataFolder, shelves: Workspace) -> None:
    file = upload(
        "r.jsonl",
        {
            "record": "Shelf 1",
            "readings": [
                {"property": "width", "value": "very wide", "quote": "Width"},
                {"property": "width", "value": "600 mm", "quote": "600 mm"},
                {"property": "price", "value": "3", "quote": "3"},
                {"property": "colour", "value": "blue", "quote": "colour blue", "confidence": 1},
            ],
        },
        {"record": "Shelf 2", "readings": []},
    )
    made = replay_results(shelves, file, workflow="shelves", by="eva")
    read = outcomes(data_folder, shelves, made.test.id)
    assert [(v[0], v[3]) for v in read["Shelf 1"]] == [
        ("width", "invalid_value"),
        ("width", "duplicate"),
        ("price", "unknown_property"),
        ("colour", "quote_not_found"),
    ]
    assert read["Shelf 2"] == []


def test_records_that_are_not_there_are_told_or_added(data_folder: DataFolder, shelves: Workspace) -> None:
    reading = {"property": "width", "value": "70 cm", "quote": "70 cm"}
    file = upload(
        "r.jsonl",
        {"record": "Shelf 3", "text": "Width: 70 cm", "readings": [reading]},
        {"text": "Wide: 70 cm\nmore", "readings": [reading]},
    )
    with pytest.raises(ImportFaults, match="'Shelf 3' is no IRI or name of a record in collection 'tenders'"):
        replay_results(shelves, file, workflow="shelves", by="eva")
    assert not shelves.tests.rows()
    made = replay_results(shelves, file, workflow="shelves", add_records=True, by="eva")
    assert made.added == 2
    read = outcomes(data_folder, shelves, made.test.id)
    assert [v[0][1] for v in read.values()] == [70.0, 70.0]
    again = replay_results(shelves, file, workflow="shelves", by="eva")
    assert (again.added, again.test.fingerprint) == (0, made.test.fingerprint)


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        (upload("r.jsonl", {"readings": []}), "line 1: does not say which record"),
        (upload("r.jsonl", {"record": "Shelf 1"}), "line 1: holds no results"),
        (upload("r.jsonl", {"record": "Shelf 1", "readings": "none"}), "names no property and no value"),
        (upload("r.jsonl", "{"), "line 1: is not valid JSON"),
        (upload("r.json", "[1]"), "record 1: expected an object"),
        (upload("r.csv", "property,value", "width,1"), "no column says which record"),
        (upload("r.csv", "record,property,value", 'Shelf 1,width,"1'), "is not valid CSV"),
        (upload("r.txt", "width 1"), "is no file of results"),
        (upload("r.json", [{"data": {"text": "x"}, "predictions": []}]), "the task has no predictions"),
        (
            upload(
                "r.jsonl", {"record": "Shelf 1", "a": 1, "readings": []}, {"text": TEXTS["Shelf 1"], "readings": []}
            ),
            "call by another name",
        ),
    ],
)
def test_faults_are_told_and_nothing_is_kept(shelves: Workspace, file: Upload, fault: str) -> None:
    with pytest.raises(ImportFaults) as told:
        replay_results(shelves, file, workflow="shelves", by="eva")
    assert fault in str(told.value)
    assert not shelves.tests.rows()


def test_a_workflow_cannot_be_a_replay(shelves: Workspace) -> None:
    extractor = ReplayExtractor(source="x", import_id="rply_1")
    definition = WorkflowDefinition(name="w", collection="tenders", properties=(WIDTH,), extractor=extractor)
    with pytest.raises(InvalidInput, match="test replay"):
        put_workflow(shelves, definition, by="eva")


FAILED = [
    upload("a.jsonl", {"record": "Shelf 1", "failed": "model\ntimed out", "readings": []}),
    upload("a.jsonl", {"record": "Shelf 1", "error": "model timed out", "readings": None}),
    upload("a.csv", "record,property,value,error", "Shelf 1,,,model timed out"),
    upload("a.csv", "record,width,failed", "Shelf 1,,model timed out"),
]


@pytest.mark.parametrize("file", FAILED)
def test_what_the_other_system_could_not_read_is_failed_not_without_value(
    file: Upload, data_folder: DataFolder, shelves: Workspace
) -> None:
    made = replay_results(shelves, file, workflow="shelves", by="eva")
    Runner(data_folder).run_until_idle()
    (row,) = get_inputs(shelves, made.test.id)
    assert row.result is not None
    assert (row.result.failed, row.result.values) == ("model timed out", ())


def test_a_property_may_be_called_error(data_folder: DataFolder, shelves: Workspace) -> None:
    error = Property(name="error", value_type="keyword")
    put_workflow(shelves, WorkflowDefinition(name="shelves", collection="tenders", properties=(error,)), by="eva")
    made = replay_results(shelves, upload("a.jsonl", {"record": "Shelf 1", "error": "red"}), workflow="shelves", by="x")
    assert outcomes(data_folder, shelves, made.test.id) == {"Shelf 1": [("error", "red", "red", "review")]}


def test_what_langextract_did_not_read(data_folder: DataFolder, shelves: Workspace, tmp_path: Path) -> None:
    data = pytest.importorskip("langextract.data")
    io = pytest.importorskip("langextract.io")
    document = data.AnnotatedDocument(document_id="Shelf 1", extractions=None, text=TEXTS["Shelf 1"])
    io.save_annotated_documents(iter([document]), tmp_path, "out.jsonl", show_progress=False)
    made = replay_results(shelves, tmp_path / "out.jsonl", workflow="shelves", by="eva")
    Runner(data_folder).run_until_idle()
    assert get_inputs(shelves, made.test.id)[0].result.failed == "langextract read nothing here."  # type: ignore[union-attr]


def test_a_label_studio_label_is_cut_out_of_the_text(data_folder: DataFolder, shelves: Workspace) -> None:
    def task(**value: Any) -> Upload:
        result = {"from_name": "label", "type": "labels", "value": {"labels": ["width"], **value}}
        return upload("a.json", [{"data": {"text": TEXTS["Shelf 2"]}, "predictions": [{"result": [result]}]}])

    made = replay_results(shelves, task(start=9, end=14), workflow="shelves", by="eva")
    assert outcomes(data_folder, shelves, made.test.id)["Shelf 2"] == [("width", 90.0, "90 cm", "written")]
    with pytest.raises(ImportFaults, match="says neither its words nor where they stand"):
        replay_results(shelves, task(start="x"), workflow="shelves", by="eva")


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        (upload("a.jsonl", {"text": TEXTS["Shelf 1"], "readings": []}), "the row's text is that of several records"),
        (upload("a.csv", "record,foo", "Shelf 1,600 mm"), "no column holds results"),
    ],
)
def test_more_faults_of_a_file(file: Upload, fault: str, shelves: Workspace) -> None:
    import_records(shelves, "tenders", records({"Shelf 3": TEXTS["Shelf 1"]}), by="eva")
    for add_records in (False, True):
        with pytest.raises(ImportFaults, match=fault):
            replay_results(shelves, file, workflow="shelves", add_records=add_records, by="eva")
