"""The main job from the command line: import, put, start, answer, save, export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ITEM_1, ITEM_2, ITEM_3, RECORDS, WORKFLOW, Run


def read(run: Run) -> dict[str, dict[str, str]]:
    """Input → property → printed value of those to be written, of the latest test."""
    found = {}
    for read in run("test", "show", "latest", "--json").document["inputs"]:
        written = [v for v in read["result"]["values"] if v["outcome"] == "written"]
        found[read["label"]] = {v["property"]: v["printed"] for v in written}
    return found


def test_records_come_in_and_are_known_the_next_time(files, run):
    first = run("records", "import", "records.jsonl", "--collection", "tenders", "--json").document
    assert (first["new"], first["changed"], first["same"]) == (3, 0, 0)
    assert first["iris"] == [ITEM_1, ITEM_2, ITEM_3]
    (files / "records.jsonl").write_text((files / "records.jsonl").read_text().replace("600 mm", "700 mm"))
    assert run("records", "import", "records.jsonl", "-c", "tenders").out == (
        "Collection tenders: 0 new, 1 changed, 2 the same.\n"
    )
    assert run("records", "list", "--json").document["collections"][0]["record_count"] == 3
    listed = run("records", "list", "-c", "tenders", "--limit", "2", "--json").document
    assert [r["iri"] for r in listed["records"]] == [ITEM_1, ITEM_2]
    after = run("records", "list", "-c", "tenders", "--after", listed["next"], "--json").document
    assert [r["iri"] for r in after["records"]] == [ITEM_3]
    assert after["next"] is None
    assert run("records", "show", ITEM_2).out == RECORDS[1]["text"] + "\n"
    assert run("records", "show", ITEM_2, "--json").document["text"] == RECORDS[1]["text"]


def test_a_workflow_changes_only_when_its_file_does(files, run):
    run("records", "import", "records.jsonl", "-c", "tenders")
    first = run("workflow", "put", "workflow.yaml", "--json").document
    again = run("workflow", "put", "workflow.yaml", "--json").document
    assert again["active"]["id"] == first["active"]["id"]
    (files / "workflow.yaml").write_text(WORKFLOW + "gate: 0.9\n")
    changed = run("workflow", "put", "workflow.yaml", "--note", "stricter", "--json").document
    assert (changed["active"]["number"], changed["active"]["note"]) == (2, "stricter")
    shown = run("workflow", "show", "doors", "--revision", first["active"]["id"], "--json").document
    assert shown["revision"]["settings"]["gate"] == 0.8
    assert sorted(r["number"] for r in shown["revisions"]) == [1, 2]
    assert "support 0.9" in run("workflow", "show", "doors").out
    assert [w["name"] for w in run("workflow", "list", "--json").document["workflows"]] == ["doors"]
    assert "doors" in run("workflow", "list").out


def test_a_workflow_may_be_json(files, run):
    definition = {"name": "doors", "collection": "tenders", "properties": [{"name": "width", "value_type": "f64"}]}
    run("records", "import", "records.jsonl", "-c", "tenders")
    (files / "workflow.json").write_text(json.dumps(definition))
    assert run("workflow", "put", "workflow.json", "--json").document["name"] == "doors"


def test_a_test_reads_what_the_texts_state(tested):
    assert read(tested) == {
        "Item 1": {"width": "60", "quantity": "4", "fire_class": "EI30"},
        "Item 2": {"width": "88.5", "quantity": "2"},
        "Item 3": {},
    }
    document = tested("test", "show", "latest", "--json").document
    assert document["test"]["status"] == "done"
    assert document["counts"]["inputs_done"] == 3
    listed = tested("test", "list", "--workflow", "doors", "--json").document["tests"]
    assert [t["test"]["id"] for t in listed] == [document["test"]["id"]]
    for named in ("1", "latest", document["test"]["id"]):
        assert "3 of 3 inputs read" in tested("test", "show", named).out


def test_waiting_says_how_it_goes_on_stderr_and_leaves_stdout_to_the_document(files, run, shell):
    run("records", "import", "records.jsonl", "--collection", "tenders")
    run("workflow", "put", "workflow.yaml")
    ended = shell("test", "start", "doors", "--sample", "2", "--wait", "--json")
    assert ended.code == 0
    assert ended.document["counts"]["inputs_done"] == 2
    assert "2 of 2 inputs read" in ended.err


def test_a_test_that_nobody_runs_waits_and_can_be_cancelled(files, run):
    run("records", "import", "records.jsonl", "--collection", "tenders")
    run("workflow", "put", "workflow.yaml")
    started = run("test", "start", "doors", "--iri", ITEM_2, "--iri", ITEM_1, "--json").document
    assert started["test"]["status"] == "queued"
    second = run("test", "start", "doors")
    assert second.code == 1
    assert started["test"]["id"] in second.err
    assert run("test", "cancel", "latest", "--json").document["test"]["status"] == "cancelled"
    assert run("test", "cancel", "latest").code == 0


@pytest.mark.parametrize(
    ("words", "decision", "value"),
    [
        (("width", "accept"), "accept", None),
        (("width", "reject"), "reject", None),
        (("width", "cant_tell"), "cant_tell", None),
        (("width", "correct", "610 mm"), "correct", 61),
        (("offset", "correct", "-5"), "correct", -5),
        (("offset", "correct", "--", "-5"), "correct", -5),
        (("offset", "correct", "-.5", "--note", "-1 is a slip"), "correct", -0.5),
        (("--note", "left", "offset", "correct", "-5,25"), "correct", -5.25),
        (("quantity", "correct", "9007199254740993"), "correct", 9007199254740993),
        (("fire_class", "correct", "007"), "correct", "007"),
    ],
)
def test_answers_are_kept_with_their_value(tested, words, decision, value):
    options = words[:2] if words[0] == "--note" else ()
    kept = tested("--json", "answer", *options, "latest", ITEM_1, *words[len(options) :]).document
    assert (kept["decision"], kept["value"], kept["by"]) == (decision, value, "Ann")
    assert type(kept["value"]) is type(value) or isinstance(value, int)


def test_an_answer_is_taken_back_and_its_history_stays(tested):
    tested("answer", "latest", ITEM_1, "width", "accept", "--person", "Bob")
    tested("answer", "latest", ITEM_1, "width", "take_back", "--person", "Bob")
    document = tested("test", "show", "latest", "--json").document
    history = document["inputs"][0]["answers"]["width"]
    assert [(a["decision"], a["by"]) for a in history] == [("accept", "Bob"), (None, "Bob")]
    assert document["counts"]["answered"] == 0


def test_answers_become_a_dataset_and_files(tested, tmp_path):
    tested("answer", "latest", ITEM_1, "width", "accept")
    tested("answer", "latest", ITEM_1, "quantity", "correct", "5", "--note", "typo")
    tested("answer", "latest", ITEM_2, "width", "reject")
    tested("answer", "latest", ITEM_3, "width", "accept")
    tested("answer", "latest", ITEM_3, "quantity", "cant_tell")
    saved = tested("dataset", "save", "latest", "--name", "Doors, May", "--json").document
    assert (saved["name"], saved["item_count"]) == ("Doors, May", 3)
    assert tested("dataset", "save", "1", "--json").document["id"] == saved["id"]
    assert [d["id"] for d in tested("dataset", "list", "--json").document["datasets"]] == [saved["id"]]
    shown = tested("dataset", "show", saved["id"], "--json").document
    assert [i["name"] for i in shown["items"]] == ["Item 1", "Item 2", "Item 3"]
    assert "Item 3  width     leaves out     any value" in tested("dataset", "show", saved["name"]).out

    out = tmp_path / "export" / "may"
    paths = tested("dataset", "export", saved["id"], "--out", str(out), "--json").document["files"]
    assert sorted(Path(p).name for p in paths) == ["expected.json", "records.json"]
    expected = json.loads((out / "expected.json").read_text(encoding="utf-8"))
    first, second, third = expected["records"]
    assert {v["property"]: v["value"] for v in first["values"]} == {"width": 60, "quantity": 5}
    assert [(v["property"], v["value"], v["reason"]) for v in first["leave_out"]] == [("quantity", 4, "typo")]
    assert [(v["property"], v["value"]) for v in second["leave_out"]] == [("width", 88.5)]
    assert [(v["property"], v["value"]) for v in third["leave_out"]] == [("width", None)]
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    tested("dataset", "export", saved["id"], "--out", str(out))
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before


def test_workspaces_are_apart(tested):
    assert tested("records", "list", "--workspace", "other").code == 1
    assert tested("workflow", "put", "workflow.yaml", "--workspace", "other").code == 1
    assert tested("records", "import", "records.jsonl", "-c", "tenders", "--workspace", "other").code == 0
    assert tested("workflow", "put", "workflow.yaml", "--workspace", "other").code == 0
    assert tested("test", "list", "--workspace", "other", "--json").document["tests"] == []


def test_the_doctor_finds_a_sound_folder(tested):
    document = tested("doctor", "--json").document
    assert document["sound"] is True
    found = {f["check"]: f for f in document["findings"]}
    assert found["workspace default"]["state"] == "ok"
    assert found["runner"]["found"] == "nobody runs tests; 0 tests are waiting"


def test_learning_from_too_few_answers_is_one_sentence_and_an_older_revision_comes_back(tested: Run) -> None:
    few = tested("workflow", "learn", "doors")
    assert (few.code, few.out) == (1, "")
    assert "answer at least 5, then learn" in few.err
    again = tested("workflow", "activate", "doors", "1", "--json")
    assert again.document["active"]["number"] == 1
    assert tested("workflow", "activate", "doors", "7").code == 1


def test_a_record_may_be_named_by_its_name(tested: Run) -> None:
    assert tested("answer", "latest", "Item 1", "width", "accept").out == f"width of {ITEM_1}: accept, by Ann.\n"
    assert tested("records", "show", "Item 2").out == RECORDS[1]["text"] + "\n"
    unknown = tested("answer", "latest", "Item 9", "width", "accept")
    assert unknown.code == 1
    assert f"Inputs are named by IRI or by name, for example {ITEM_1}." in unknown.err
    assert "shows IRIs and names" in tested("records", "show", "Item 9").err


def test_a_name_of_two_records_is_no_name(tested: Run) -> None:
    tested("records", "import", "records.jsonl", "-c", "others")
    twice = tested("records", "show", "Item 1")
    assert (
        twice.err
        == f"Error: Several records are called 'Item 1'; name one by its IRI: record:others/Item%201, {ITEM_1}.\n"
    )
    assert tested("answer", "latest", "Item 1", "width", "accept").code == 0, "the test has one of that name"


def test_the_table_of_answers_goes_to_stdout(tested: Run) -> None:
    shown = tested("dataset", "answers", "latest")
    assert tested("dataset", "answers", "latest", "--out", "-").out == shown.out
    assert tested("dataset", "answers", "latest", "--out", "a.csv").out == "a.csv\n"
    assert Path("a.csv").read_bytes().decode() == shown.out.replace("\r\n", "\n").replace("\n", "\r\n")
