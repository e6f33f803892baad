"""``reviewapp block-test``, from the first test to the pipeline."""

from __future__ import annotations

import json

from defusedxml import ElementTree

WORKFLOW = """
name: sinks
collection: sinks
properties:
  - {name: width, value_type: f64, unit: cm}
"""
TEXT = "Sink\nWidth: 600 mm"


def begin(run, tmp_path):
    (tmp_path / "sinks.jsonl").write_text(json.dumps({"name": "S 1", "text": TEXT}) + "\n")
    (tmp_path / "sinks.yaml").write_text(WORKFLOW)
    run("records", "import", "sinks.jsonl", "--collection", "sinks")
    assert run("workflow", "put", "sinks.yaml").code == 0


def test_from_the_first_test_to_the_pipeline(run, tmp_path):
    begin(run, tmp_path)
    added = run("block-test", "add", "sinks", "extract", "--text", TEXT, "--path", "width", "--equals", "60", "--json")
    assert added.document["inputs"]["input-json-0"]["data"] == TEXT
    assert run("block-test", "run", "sinks").code == 0

    condition = '{"kind": "number_compare", "op": "<", "expected": 50}'
    record = ("--record", "record:sinks/S%201", "--path", "width", "--condition", condition, "--name", "narrow <1>")
    assert run("block-test", "add", "sinks", "extract", *record).code == 0
    ran = run("block-test", "run", "sinks", "--junit", "tests.xml", "--json")
    assert ran.code == 3
    assert ran.document["run"]["counts"] == {**ran.document["run"]["counts"], "passed": 1, "failed": 1}
    assert ran.document["run"]["reused"] == 1
    suite = ElementTree.parse(tmp_path / "tests.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failed = suite.find("testcase/failure/..")
    assert failed.get("name") == "narrow <1>"
    assert "60" in failed.find("failure").get("message")

    listed = run("block-test", "list", "sinks")
    assert "width is exactly 60" in listed.out
    assert "failed" in listed.out
    shown = run("block-test", "results", "sinks")
    assert "is not less than 50" in shown.out
    assert "2 block tests, completed: 1 passed, 1 failed (1 as before)." in shown.err


def test_an_input_of_a_test_becomes_a_block_test(run, tmp_path):
    begin(run, tmp_path)
    test = run("test", "start", "sinks", "--wait", "--json").document["test"]["id"]
    step = ("--step", f"{test}/0", "--path", "width", "--equals", "60")
    assert run("block-test", "add", "sinks", "extract", *step).code == 0
    assert run("block-test", "run", "sinks", "--block", "extract").code == 0


def test_a_file_is_kept_with_the_test(run, tmp_path):
    begin(run, tmp_path)
    (tmp_path / "sheet.html").write_text("<p>Width: 600 mm</p>")
    added = run("block-test", "add", "sinks", "extract", "--file", "sheet.html", "--path", "width", "--equals", "60")
    assert added.code == 0
    (tmp_path / "sheet.html").unlink()
    assert run("block-test", "run", "sinks").code == 0


def test_mistakes_are_one_sentence(run, tmp_path):
    begin(run, tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"Breite: 5\xbd")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF")
    wrong = (
        (("--text", "x"), 2, "either --equals or --condition"),
        (("--text", "x", "--equals", "oak"), 2, "a text needs its quotes"),
        (("--text", "x", "--condition", '{"kind": "nope"}'), 2, "The condition does not fit"),
        (("--equals", "1"), 2, "Give the input once"),
        (("--text", "@latin.txt", "--equals", "1"), 2, "latin.txt is not UTF-8 (byte 9)"),
        (("--text", "@nowhere", "--equals", "1"), 1, "nowhere: No such file"),
        (("--file", "nowhere.pdf", "--equals", "1"), 1, "nowhere.pdf: No such file"),
        (("--file", "bad.pdf", "--equals", "1"), 1, "'bad.pdf' cannot be read"),
        (("--step", "wfrun_0", "--equals", "1"), 1, "There is no run 'wfrun_0'"),
    )
    for options, code, said in wrong:
        ended = run("block-test", "add", "sinks", "extract", *options)
        assert (ended.code, said in ended.err) == (code, True), ended.err
    assert run("block-test", "run", "nope").code == 1
    assert run("block-test", "results", "sinks").code == 2
