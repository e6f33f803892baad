"""A workspace with one workflow of several blocks, and short ways to make tests of them."""

from __future__ import annotations

import pytest

from reviewapp.block_tests import execute_run, make_test, results, start_run
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import declare_properties, import_records
from reviewapp.workflows import put_workflow

TEXT = "S 4.0 Sink, an invoice.\nWidth: 600 mm\nMaterial: stainless steel"
SUMS = """
import pathlib
import time

def total(given):
    if given.get("fail"):
        raise ValueError("no lines")
    time.sleep(given.get("wait", 0))
    if "until" in given:
        pathlib.Path(given["begun"]).touch()
        while not pathlib.Path(given["until"]).exists():
            time.sleep(0.02)
    return {"total": sum(given.get("lines", [])), "lines": given.get("lines", [])}
"""
BLOCKS = [
    {
        "id": "kind",
        "type": "classify",
        "categories": [{"name": "invoice", "cues": ["invoice"]}, {"name": "order", "cues": ["order"]}],
    },
    {"id": "read", "type": "extract", "inputs": {"input-file-0": "kind.output-file-invoice"}},
    {"id": "split", "type": "split", "sections": [{"name": "all", "pages": "1-"}]},
    {
        "id": "sum",
        "type": "function",
        "function": "sums_of_tests:total",
        "inputs": {"input-json-0": "read.output-json-0"},
        "outputs": {
            "output-json-0": {
                "type": "object",
                "properties": {
                    "total": {"type": "number"},
                    "lines": {"type": "array", "items": {"type": "number"}},
                },
            }
        },
        "seconds": 20,
    },
]


@pytest.fixture
def sums(tmp_path, monkeypatch):
    """The module that the function block calls."""
    monkeypatch.chdir(tmp_path)
    module = tmp_path / "sums_of_tests.py"
    module.write_text(SUMS)
    return module


@pytest.fixture
def line(workspace, sums):
    """The workspace with the workflow ``intake``: classify, extract, split, function."""
    import_records(workspace, "sinks", [IncomingRecord(name="S 4.0", text=TEXT)], by="Ann")
    declare_properties(
        workspace,
        "sinks",
        [Property(name="width", value_type="f64", unit="cm"), Property(name="material")],
        by="Ann",
    )
    put(workspace)
    return workspace


def put(workspace, blocks=BLOCKS, **fields):
    definition = {"name": "intake", "collection": "sinks", "blocks": blocks, **fields}
    return put_workflow(workspace, WorkflowDefinition.model_validate(definition), by="Ann")


def asserting(path=None, handle="output-json-0", label=None, **condition):
    target = {"output_handle_id": handle, "path": path}
    return Assertion.model_validate({"target": target, "condition": condition, "label": label})


def js(data):
    return {"input-json-0": {"type": "json", "data": data}}


def sum_test(workspace, data, path="total", name=None, **condition):
    return make_test(workspace, "intake", "sum", asserting(path, **condition), inputs=js(data), name=name, by="Ann")


def run(workspace, scope=None):
    """Run at once; the run and its results by test."""
    ended = execute_run(workspace, start_run(workspace, "intake", scope, by="Ann").id)
    return ended, {result.test: result for result in results(workspace, ended.id)}
