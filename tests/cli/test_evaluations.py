from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reviewapp.cli.grading import WORSE
from tests.cli.conftest import ITEM_1, ITEM_2, Run


@pytest.fixture
def kept(tested: Run) -> Run:
    """Every value answered: quantity of item 1 corrected, the rest as read."""
    test = tested("test", "show", "latest", "--json").document["test"]["id"]
    for iri, width in ((ITEM_1, "60"), (ITEM_2, "88.5")):
        assert tested("answer", test, iri, "width", "correct", width).code == 0, "answers"
    assert tested("answer", test, ITEM_1, "quantity", "correct", "5").code == 0
    assert tested("dataset", "save", "latest", "--name", "Doors").code == 0
    return tested


def test_grade_compare_and_exit_codes(kept: Run, tmp_path: Path) -> None:
    first = kept("evaluate", "Doors", "--workflow", "doors", "--basis", "read", "--json")
    assert first.code == 0, first.err
    found = first.document["evaluation"]
    assert (found["status"], found["number"], found["summary"]["items"]) == ("done", 1, 2)
    assert found["summary"]["properties"]["width"]["read"]["counts"]["right"] == 2

    outputs = [
        {"name": "Item 1", "values": {"width": 61, "quantity": 5}},
        {"name": "Item 2", "values": {"width": 88.5}},
    ]
    (tmp_path / "theirs.jsonl").write_text("".join(json.dumps(o) + "\n" for o in outputs), encoding="utf-8")
    second = kept("evaluate", "Doors", "--outputs", "theirs.jsonl", "--baseline", "1", "--worse-by", "1")
    assert second.code == 0, second.err
    assert "theirs.jsonl (evaluation 2) against doors, revision 1 (evaluation 1)" in second.out

    compared = kept("compare", "1", "2", "--changes", "--basis", "read", "--json").document
    assert {(c["property"], c["kind"]) for c in compared["changes"]} == {("width", "broken"), ("quantity", "fixed")}
    assert compared["comparison"]["total"]["words"] == "could be chance: as many were fixed as broke"
    table = kept("compare", "1", "latest", "--changes", "--basis", "read")
    rows = [line.split() for line in table.out.splitlines()]
    assert ["Item", "1", "width", "broken", "60", "60", "61"] in rows

    (tmp_path / "worse.jsonl").write_text('{"name": "Item 1", "values": {}}\n', encoding="utf-8")
    worse = kept("evaluate", "Doors", "--outputs", "worse.jsonl", "--baseline", "2", "--worse-by", "0.1")
    assert worse.code == WORSE, worse.out
    assert kept("evaluate", "Doors", "--again", "2", "--at-least", "0.99").code == WORSE
    assert kept("compare", "2", "3", "--worse-by", "0.1").code == WORSE
    listed = kept("evaluation", "list", "--json").document["evaluations"]
    assert [e["number"] for e in listed] == [4, 3, 2, 1]
    assert "Evaluation 2: theirs.jsonl on Doors, version 1" in kept("evaluation", "show", "2").out


def test_a_build_server_can_read_it(kept: Run, tmp_path: Path) -> None:
    ended = kept("evaluate", "Doors", "--workflow", "doors", "--basis", "read", "--junit", "report.xml")
    assert ended.code == 0, ended.err
    suite = ET.parse(tmp_path / "report.xml").getroot()  # noqa: S314 - our own file
    cases = {(c.get("classname"), c.get("name")): c.find("failure") for c in suite}
    assert suite.get("tests") == str(len(cases)) == "3"
    failure = cases["Item 1", "quantity"]
    assert failure is not None
    assert "expected 5, found 4" in str(failure.get("message"))
    assert cases["Item 2", "width"] is None
    assert suite.get("failures") == str(sum(f is not None for f in cases.values()))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("evaluate", "Windows", "--workflow", "doors"), "There is no dataset 'Windows'"),
        (
            ("evaluate", "Doors", "--workflow", "doors", "--revision", "9"),
            "There is no revision of workflow 'doors' '9'",
        ),
        (("evaluate", "Doors", "--workflow", "doors", "--version", "7"), "There is no version of dataset"),
        (
            ("evaluate", "Doors", "--workflow", "doors", "--model", "gpt"),
            "'gpt' is no model; name it as PROVIDER/MODEL",
        ),
        (("compare", "1", "2"), "There is no evaluation '1'"),
        (("dataset", "export", "Doors", "--format", "excel", "--out", "x"), "There is no form 'excel'"),
        (("dataset", "split", "Doors", "--into", "a", "b"), "Split either by a share or by a name pattern"),
        (("gate", "windows"), "There is no workflow 'windows'"),
    ],
)
def test_mistakes_are_one_sentence(kept: Run, words: tuple[str, ...], said: str) -> None:
    ended = kept(*words)
    assert ended.code == 1
    assert said in ended.err


@pytest.mark.parametrize(
    ("outputs", "words", "code"),
    [
        ([{"name": "Item 1", "values": {"width": 60}}], (), 0),
        ([{"name": "Item 1", "values": {"width": 60}}], ("--at-least", "0.5"), WORSE),
        ([{"name": "Item 1", "values": {"width": 60}}], ("--at-least", "0.5", "--unread", "1"), 0),
        ([{"name": "Item 1", "values": {"width": 60}}], ("--baseline", "1"), WORSE),
        ([{"name": "Item 1", "values": {"width": 60}}], ("--baseline", "1", "--unread", "1"), 0),
    ],
)
def test_items_that_nobody_read_pass_no_bar(
    kept: Run, tmp_path: Path, outputs: list[dict[str, object]], words: tuple[str, ...], code: int
) -> None:
    (tmp_path / "theirs.json").write_text(json.dumps(outputs), encoding="utf-8")
    assert kept("evaluate", "Doors", "--outputs", "theirs.json").code == 0
    ended = kept("evaluate", "Doors", "--outputs", "theirs.json", *words)
    assert ended.code == code, ended.err
    assert ("Below the bar: 1 items could not be read" in ended.err) == (code == WORSE)


def test_nothing_read_is_no_grading(kept: Run, tmp_path: Path) -> None:
    """A provider that is down must not make a pipeline green."""
    items = [{"name": "elsewhere", "text": "t", "values": [{"property": "width", "value": 1}]}]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(i) + "\n" for i in items), encoding="utf-8")
    assert kept("dataset", "import", "items.jsonl", "--format", "jsonl", "--name", "Other").code == 0
    assert kept("evaluate", "Doors", "--workflow", "doors").code == 0
    ended = kept("evaluate", "Other", "--again", "1")
    assert ended.code == 1
    assert "Not one item could be read. elsewhere: The earlier evaluation has no output for this text." in ended.err
    assert kept("evaluate", "Other", "--workflow", "doors").code == 0
    apart = kept("compare", "1", "3", "--worse-by", "1")
    assert apart.code == 1
    assert "no item in common" in apart.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name one thing to grade"),
        (("--workflow", "doors", "--test", "1"), "Name one thing to grade"),
        (("--test", "1", "--revision", "2"), "--revision goes with --workflow: --test reads nothing"),
        (("--again", "1", "--fresh"), "--fresh goes with --workflow"),
        (("--workflow", "doors", "--worse-by", "0.1"), "--worse-by needs --baseline"),
    ],
)
def test_words_that_would_say_nothing_are_refused(kept: Run, words: tuple[str, ...], said: str) -> None:
    ended = kept("evaluate", "Doors", *words)
    assert ended.code == 2
    assert said in ended.err


def test_all_answers_as_a_table(kept: Run, tmp_path: Path) -> None:
    assert kept("dataset", "answers", "latest", "--format", "csv-semicolon", "--out", "answers.csv").code == 0
    heading, first, *_ = (tmp_path / "answers.csv").read_text("utf-8-sig").splitlines()
    assert heading.startswith("input;iri;property;type;unit;read;")
    assert ";correct;60,0;60,0;" in first
    assert kept("dataset", "answers", "latest", "--format", "xlsx", "--out", "answers.xlsx").code == 0
    assert (tmp_path / "answers.xlsx").read_bytes()[:2] == b"PK"


def test_datasets_out_and_in(kept: Run, tmp_path: Path) -> None:
    written = kept("dataset", "export", "Doors", "--format", "jsonl", "--out", "items.jsonl")
    assert (written.code, written.out.strip()) == (0, "items.jsonl")
    assert "Not held by this form: properties without any value (2)." in written.err
    streamed = kept("dataset", "export", "Doors", "--format", "jsonl", "--out", "-")
    assert streamed.out == (tmp_path / "items.jsonl").read_text("utf-8")
    made = kept("dataset", "import", "items.jsonl", "--format", "jsonl", "--name", "Again", "--json").document[
        "datasets"
    ][0]
    assert made["item_count"] == 2
    assert kept("dataset", "diff", "Doors", "Again").out.strip() == "No item differs."
    assert "jsonl (.jsonl, out and in): an item a line" in kept("dataset", "formats").out
    (tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
    bad = kept("dataset", "import", "bad.jsonl", "--format", "jsonl", "--name", "Bad")
    assert bad.code == 1
    assert "bad.jsonl, line 1: name is missing" in bad.err


@pytest.mark.parametrize(
    ("form", "files"),
    [
        ("huggingface", ["README.md", "data/items.jsonl", "dataset.json"]),
        ("answer-key", ["expected.json", "records.json"]),
    ],
)
def test_a_folder_goes_out_and_comes_in(kept: Run, tmp_path: Path, form: str, files: list[str]) -> None:
    for _ in range(2):  # what is there is replaced
        assert kept("dataset", "export", "Doors", "--format", form, "--out", "doors").code == 0
    folder = tmp_path / "doors"
    assert sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()) == files
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("none of it", encoding="utf-8")
    assert kept("dataset", "import", "doors", "--format", form, "--name", "Again").code == 0
    assert kept("dataset", "diff", "Doors", "Again").out.strip() == "No item differs."
    assert kept("dataset", "export", "Doors", "--format", form, "--out", "doors.zip").code == 0
    assert kept("dataset", "import", "doors.zip", "--format", form, "--name", "Zip").code == 0
    assert kept("dataset", "diff", "Again", "Zip").out.strip() == "No item differs."
    assert kept("dataset", "import", "doors", "--format", "jsonl", "--name", "No").code == 1


def test_an_item_says_what_it_is_there_to_try(kept: Run) -> None:
    assert kept("dataset", "case", "Doors", "Item 1", "two widths").code == 0
    assert "two widths" in kept("dataset", "export", "Doors", "--format", "jsonl", "--out", "-").out
    assert kept("dataset", "case", "Doors", "Item 1").code == 0
    assert "two widths" not in kept("dataset", "export", "Doors", "--format", "jsonl", "--out", "-").out
    assert kept("dataset", "case", "Doors", "Item 9", "x").code == 1


def test_datasets_are_merged_split_and_compared(kept: Run) -> None:
    parts = kept("dataset", "split", "Doors", "--into", "One", "Two", "--match", "Item 1", "--json").document[
        "datasets"
    ]
    assert [p["item_count"] for p in parts] == [1, 1]
    assert kept("dataset", "merge", "One", "Two", "--name", "Both").code == 0
    assert kept("dataset", "diff", "Both", "Doors").out.strip() == "No item differs."
    changed = kept("dataset", "diff", "One", "Two", "--json").document["changes"]
    assert [(c["kind"], c["name"]) for c in changed] == [("added", "Item 2"), ("removed", "Item 1")]
    assert kept("dataset", "add-answers", "One", "latest").code == 0
    assert "1 " in kept("dataset", "versions", "One@1".removesuffix("@1")).out
    assert kept("dataset", "diff", "One@1", "One", "--json").document["changes"][0]["name"] == "Item 2"
    assert kept("dataset", "duplicates", "Both").out.strip() == "No two items have the same text."


def test_the_gate_from_answers(kept: Run) -> None:
    shown = kept("gate", "doors", "--wanted", "0.5", "--json").document
    assert shown["study"]["values"] == 3
    assert kept("gate", "doors").code == 0
    changed = kept("gate", "doors", "--set", "0.6")
    assert changed.out.strip() == "doors has gate 0.6 now, revision 2."
    own = kept("gate", "doors", "--property", "width", "--set", "0.9")
    assert own.out.strip() == "doors's width has gate 0.9 now, revision 3."
    assert "Written from support 0.6 (width: 0.9) on" in kept("workflow", "show", "doors").out
    assert kept("gate", "doors", "--property", "width", "--clear").out.strip().endswith("gate 0.6 now, revision 2.")
    assert kept("gate", "doors", "--clear").code == 2


def test_what_to_answer_next(kept: Run) -> None:
    found = kept("suggest", "doors", "--count", "5", "--json").document
    assert [r["key"] for r in found["records"]] == ["record:tenders/Item%203"]
    assert {k["property"]: k["answered"] for k in found["known"]}["width"] == 2
    assert "is queued" in kept("suggest", "doors", "--start").out


def test_a_test_as_tasks_of_label_studio(kept: Run, tmp_path: Path) -> None:
    written = kept("dataset", "tasks", "latest", "--out", "tasks.json", "--interface", "interface.xml")
    assert written.out.split() == ["tasks.json", "interface.xml"]
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert [task["data"]["name"] for task in tasks] == ["Item 1", "Item 2", "Item 3"]
    assert all("predictions" in task for task in tasks)
    labels = [label.get("value") for label in ET.parse(tmp_path / "interface.xml").iter("Label")]  # noqa: S314
    assert labels == ["width", "quantity", "offset", "fire_class"]


def test_datasets_go_by_id_or_name_everywhere(kept: Run, tmp_path: Path) -> None:
    assert kept("dataset", "save", "latest", "--name", "ds_of May").code == 0
    assert kept("dataset", "case", "ds_of May", "Item 1", "two widths").code == 0
    id = kept("dataset", "show", "ds_of May", "--json").document["id"]
    assert kept("dataset", "show", id).out.startswith("ds_of May")
    missing = kept("dataset", "show", "ds_none")
    assert (missing.code, "`reviewapp dataset list` shows" in missing.err) == (1, True)
    assert kept("dataset", "export", "ds_of May", "--out", "first", "--version", "1").code == 0
    assert "two widths" not in (tmp_path / "first" / "expected.json").read_text(encoding="utf-8")
    assert kept("dataset", "export", id, "--out", "now").code == 0
    assert "two widths" in (tmp_path / "now" / "expected.json").read_text(encoding="utf-8")
    assert kept("dataset", "export", id, "--out", "-").code == 2
    assert not (tmp_path / "-").exists()
    asked = kept("dataset", "delete", "ds_of May")
    assert (asked.code, kept("dataset", "show", id).code) == (1, 0), "nothing was said, nothing is deleted"
    assert kept("dataset", "delete", "ds_of May", "--yes").out.startswith("Deleted: ds_of May")
    assert kept("dataset", "show", id).code == 1


def test_a_revision_that_does_not_read_what_is_expected_is_told_of(kept: Run, tmp_path: Path) -> None:
    line = {"name": "a", "text": "Colour: red", "values": [{"property": "colour", "value": "red", "type": "text"}]}
    (tmp_path / "more.jsonl").write_text(json.dumps(line), encoding="utf-8")
    assert kept("dataset", "import", "more.jsonl", "--format", "jsonl", "--name", "More").code == 0
    graded = kept("evaluate", "More", "--workflow", "doors")
    assert "This revision does not read colour: all that is expected of it counts as missing." in graded.out
