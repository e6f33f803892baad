"""A workflow that classifies, then reads: tested, answered, saved, graded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

WORKFLOW = """
name: post
collection: post
properties:
  - {name: total, value_type: f64, unit: EUR, aliases: [total due]}
  - {name: sender}
blocks:
  - id: kind
    type: classify
    otherwise: letter
    categories:
      - {name: invoice, cues: [invoice, total due]}
      - {name: letter}
  - {id: bill, type: extract, inputs: {input-file-0: kind.output-file-invoice}, properties: [total]}
  - {id: who, type: extract, properties: [sender]}
"""
TEXTS = {
    "bill": "INVOICE 12\nSender: Miller\nTotal due: 120.50 EUR",
    "letter": "Dear all,\nSender: Smith\nTotal: 7 EUR",
    "gone": " ",
}
BILL, LETTER = "record:post/bill", "record:post/letter"
WHY = "Block 'bill' was passed over: 'kind' found the category 'letter'."


@pytest.fixture
def tested_post(run: Run, tmp_path: Path) -> Run:
    lines = [json.dumps({"name": name, "text": text}) for name, text in TEXTS.items() if text.strip()]
    (tmp_path / "post.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "post.yaml").write_text(WORKFLOW, encoding="utf-8")
    assert run("records", "import", "post.jsonl", "--collection", "post").code == 0
    assert run("workflow", "put", "post.yaml").code == 0
    assert run("test", "start", "post", "--all", "--wait").code == 0
    return run


def test_a_test_runs_the_line_and_grading_says_the_same(tested_post: Run, tmp_path: Path) -> None:
    shown = tested_post("test", "show", "latest", "--json").document
    read = {one["label"]: one["result"] for one in shown["inputs"]}
    values = {name: {v["property"]: v["value"] for v in result["values"]} for name, result in read.items()}
    assert values == {"bill": {"total": 120.5, "sender": "Miller"}, "letter": {"sender": "Smith"}}
    assert read["letter"]["passed_over"] == {"total": WHY}
    assert shown["counts"]["no_value"] == 1
    for name, result in read.items():
        for value in result["values"]:
            [span] = value["grounding"]["place"]
            assert TEXTS[name][span["start"] : span["end"]] == value["quote"]
    assert f"   total: {WHY}\n" in tested_post("test", "show", "latest").out

    for iri, property in ((BILL, "total"), (BILL, "sender"), (LETTER, "total"), (LETTER, "sender")):
        assert tested_post("answer", "latest", iri, property, "accept").code == 0
    assert tested_post("dataset", "save", "latest", "--name", "Post").code == 0
    graded = tested_post("evaluate", "Post", "--workflow", "post", "--basis", "read", "--json").document["evaluation"]
    of_test = tested_post("evaluate", "Post", "--test", "latest", "--basis", "read", "--json").document["evaluation"]
    assert graded["summary"]["properties"] == of_test["summary"]["properties"]
    counts = graded["summary"]["properties"]["total"]["read"]["counts"]
    assert (counts["right"], counts["clean"], counts["wrong"]) == (1, 1, 0)
    assert tested_post("compare", "1", "2", "--changes", "--basis", "read", "--json").document["changes"] == []


def test_a_block_that_fails_fails_its_input_alone(run: Run, tmp_path: Path) -> None:
    code = "import json, sys; t = json.load(sys.stdin); print(json.dumps(t if 'Miller' in t else 1 / 0))"
    program = json.dumps(["python3", "-c", code])
    (tmp_path / "post.yaml").write_text(WORKFLOW + f"  - {{id: sum, type: function, command: {program}, "
                                        "inputs: {input-json-0: document}}\n", encoding="utf-8")  # fmt: skip
    lines = [json.dumps({"name": name, "text": text}) for name, text in TEXTS.items() if text.strip()]
    (tmp_path / "post.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run("records", "import", "post.jsonl", "--collection", "post")
    assert run("workflow", "put", "post.yaml").code == 0
    assert run("test", "start", "post", "--all", "--wait").code == 0
    read = {one["label"]: one["result"] for one in run("test", "show", "latest", "--json").document["inputs"]}
    assert read["bill"]["failed"] is None
    assert [v["value"] for v in read["bill"]["values"]] == [120.5, "Miller"]
    assert read["letter"]["failed"].startswith("Block 'sum': ")
    assert (read["letter"]["values"], read["letter"]["passed_over"]) == ([], {})


def test_examples_are_read_by_the_line_too(tested_post: Run) -> None:
    assert f"   total: {WHY}\n" in tested_post("test", "examples", "post").out
    found = tested_post("test", "examples", "post", "--json").document["examples"]
    assert [one["writes"] for one in found] == [["total", "sender"], ["sender"]]
