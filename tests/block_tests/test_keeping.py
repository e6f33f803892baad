"""Making, changing and drifting of block tests; snapshots of steps, records and files."""

from __future__ import annotations

import base64
import threading
import time

import pytest

from reviewapp.block_tests import (
    change_test,
    delete_test,
    get_test,
    list_tests,
    make_test,
    recapture,
    run_workflow,
    state_of,
)
from reviewapp.block_tests.drift import dep_of, node_at
from reviewapp.block_tests.whole_runs import AT_ONCE
from reviewapp.domain.block_tests import RunStepSource
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.records import delete_record
from tests.block_tests.conftest import BLOCKS, TEXT, asserting, js, put, run, sum_test

EXISTS = {"kind": "exists"}


def test_make_get_list_delete(line):
    made = sum_test(line, {"lines": [1]}, name="  one line ", kind="equals", expected=1)
    assert made.name == "one line"
    assert made.assertion.id.startswith("assert_")
    assert made.schema_dep.schema_path == "properties.total"
    assert get_test(line, made.id) == made
    other = make_test(line, "intake", "kind", asserting("category", **EXISTS), inputs=js("x"), by="Bo")
    assert [t.id for t in list_tests(line, "intake")] == [other.id, made.id]
    assert [t.id for t in list_tests(line, "intake", block="sum")] == [made.id]
    delete_test(line, made.id, by="Ann")
    with pytest.raises(NotFound):
        get_test(line, made.id)
    with pytest.raises(NotFound):
        delete_test(line, made.id, by="Ann")


def test_what_does_not_fit_is_refused(line):
    with pytest.raises(NotFound):
        make_test(line, "nope", "sum", asserting(**EXISTS), by="Ann")
    with pytest.raises(NotFound, match="Workflow 'intake' has kind, read, split, sum"):
        make_test(line, "intake", "nope", asserting(**EXISTS), by="Ann")
    for inputs, said in [
        ({"a": 5}, "source.handle_inputs.a is 5"),
        ({"a": {"data": 5}}, 'expected {"type": "json"'),
        ({"a": {"type": "json", "data": 1, "more": 2}}, "unknown field 'more'"),
        ({"a": {"type": "file", "document": {"filename": "x"}}}, "document.original_id"),
        ({"a": "file_unknown"}, "neither a record's IRI nor a file"),
        ({"a": "data:text/plain;base64,%%%"}, "not base64"),
    ]:
        with pytest.raises(InvalidInput, match=said.replace("{", r"\{")):
            make_test(line, "intake", "sum", asserting(**EXISTS), inputs=inputs, by="Ann")
    with pytest.raises(InvalidInput, match="0 characters"):
        sum_test(line, {}, name="  ", **EXISTS)


def test_change_leaves_the_rest(line):
    made = sum_test(line, {"lines": [1]}, kind="equals", expected=1)
    changed = change_test(line, made.id, name="new", by="Ann")
    assert changed.model_copy(update={"name": None, "updated": made.updated}) == made
    assert change_test(line, made.id, inputs=js({"lines": [2]}), by="Ann").inputs_fingerprint != made.inputs_fingerprint
    assert change_test(line, made.id, by="Ann").name == "new"


def test_a_test_from_a_step_keeps_the_steps_inputs(line):
    whole = run_workflow(line, "intake", iri="record:sinks/S%204.0", by="Ann")
    assert [s.id for s in whole.steps if s.skipped] == []
    assert whole.step("read").outputs["output-json-0"] == {"width": 60.0, "material": "stainless steel"}
    delete_record(line, "record:sinks/S%204.0", "Ann")
    made = make_test(
        line,
        "intake",
        "read",
        asserting("width", kind="equals", expected=60),
        step=RunStepSource(run_id=whole.id),
        by="Ann",
    )
    assert made.source == RunStepSource(run_id=whole.id)
    assert next(iter(run(line)[1].values())).status == "passed"


def test_whole_runs_leave_threads_to_others(line, tmp_path):
    put(line, [{**BLOCKS[3], "inputs": {"input-json-0": "document"}}])
    begun, done = [tmp_path / f"begun-{number}" for number in range(AT_ONCE)], tmp_path / "done"
    under_way = [
        threading.Thread(
            target=run_workflow,
            args=(line, "intake"),
            kwargs={"data": {"begun": str(mark), "until": str(done)}, "by": "Ann"},
        )
        for mark in begun
    ]
    for thread in under_way:
        thread.start()
    while not all(mark.exists() for mark in begun) and all(thread.is_alive() for thread in under_way):
        time.sleep(0.02)
    with pytest.raises(Conflict, match="try again"):
        run_workflow(line, "intake", text="an invoice", by="Ann")
    done.touch()
    for thread in under_way:
        thread.join()
    assert run_workflow(line, "intake", data={"lines": [1]}, by="Ann").steps[0].outputs["output-json-0"]["total"] == 1


def test_a_step_that_is_not_there_is_refused(line):
    whole = run_workflow(line, "intake", text="an order", by="Ann")
    assert whole.step("read").skipped
    for step, error in [
        (RunStepSource(run_id="wfrun_0"), NotFound),
        (RunStepSource(run_id=whole.id, step_id="nope"), InvalidInput),
        (RunStepSource(run_id=whole.id), InvalidInput),
    ]:
        with pytest.raises(error):
            make_test(line, "intake", "read", asserting(**EXISTS), step=step, by="Ann")


def test_an_input_of_a_test_is_a_step_too(line):
    from reviewapp.tests import start_test

    test = start_test(line, workflow="intake", everything=True, by="Ann")
    for step in ("0", "record:sinks/S%204.0"):
        source = RunStepSource(run_id=test.id, step_id=step)
        made = make_test(line, "intake", "read", asserting("width", **EXISTS), step=source, by="Ann")
        assert made.inputs["input-json-0"].data == TEXT


def test_files_are_kept_with_what_they_say(line):
    address = "data:text/plain;base64," + base64.b64encode(TEXT.encode()).decode()
    document = {"original_id": "f1", "filename": "sink.txt", "mime_type": "text/plain", "gcs_uri": address}
    made = make_test(
        line,
        "intake",
        "read",
        asserting("width", kind="equals", expected=60),
        inputs={"input-file-0": {"type": "file", "document": document}},
        by="Ann",
    )
    kept = made.inputs["input-file-0"].document
    assert (kept.original_id, kept.filename, kept.size_bytes) == ("f1", "sink.txt", len(TEXT))
    assert kept.gcs_uri == f"reviewapp:file/{kept.content_fingerprint}"
    assert next(iter(run(line)[1].values())).status == "passed"
    again = make_test(line, "intake", "read", asserting(**EXISTS), inputs={"input-file-0": kept.gcs_uri}, by="Ann")
    assert again.inputs_fingerprint == made.inputs_fingerprint


def test_a_large_file_may_stand_in_its_address(line):
    text = TEXT + "\n" + "Nothing of note. " * 100_000
    address = "data:text/plain;base64," + base64.b64encode(text.encode()).decode()
    document = {"original_id": "f1", "filename": "sink.txt", "mime_type": "text/plain", "gcs_uri": address}
    inputs = {"input-file-0": {"type": "file", "document": document}}
    made = make_test(line, "intake", "kind", asserting("category", **EXISTS), inputs=inputs, by="Ann")
    assert made.inputs["input-file-0"].document.size_bytes == len(text)
    inputs["input-file-0"]["document"] = {**document, "gcs_uri": "gs://" + "x" * 2_000}
    with pytest.raises(InvalidInput, match=r"document\.gcs_uri: the address has 2,005 characters"):
        make_test(line, "intake", "kind", asserting("category", **EXISTS), inputs=inputs, by="Ann")


def test_a_file_of_elsewhere_is_told_of(line):
    document = {"original_id": "f1", "filename": "a.pdf", "mime_type": "application/pdf", "gcs_uri": "gs://b/a.pdf"}
    made = make_test(
        line,
        "intake",
        "read",
        asserting("width", **EXISTS),
        inputs={"input-file-0": {"type": "file", "document": document}},
        by="Ann",
    )
    assert made.inputs["input-file-0"].document.gcs_uri == "gs://b/a.pdf"
    assert [i.code for i in state_of(line, made).issues] == ["file_not_here"]
    assert "is not here" in next(iter(run(line)[1].values())).error.message


def schema_of(total, **fields):
    properties = {"total": total, **fields}
    return [*BLOCKS[:3], {**BLOCKS[3], "outputs": {"output-json-0": {"type": "object", "properties": properties}}}]


@pytest.mark.parametrize(
    ("blocks", "drift", "schema_drift", "validation"),
    [
        (BLOCKS, "valid", "none", "valid"),
        (schema_of({"type": "number"}, more={"type": "string"}), "valid", "none", "valid"),
        (schema_of({"type": "integer"}), "drifted", "drifted", "warning"),
        ([*BLOCKS[:3], {**BLOCKS[3], "outputs": {"output-json-0": {}}}], "drifted", "drifted", "warning"),
        (
            [*BLOCKS[:3], {**BLOCKS[3], "outputs": {"output-json-0": {"type": "object", "properties": {"sum": {}}}}}],
            "broken",
            "partial",
            "warning",
        ),
        ([*BLOCKS[:3], {**BLOCKS[3], "outputs": {"output-json-1": {}}}], "broken", "drifted", "invalid"),
        (BLOCKS[:3], None, "unknown", "invalid"),
    ],
)
def test_drift(line, blocks, drift, schema_drift, validation):
    made = sum_test(line, {}, kind="equals", expected=1)
    put(line, blocks)
    found = state_of(line, made)
    assert (found.drift, found.schema_drift, found.validation) == (drift, schema_drift, validation)
    assert (found.detail is None) == (validation == "valid")
    put(line)
    assert state_of(line, made).drift == "valid"


def test_capturing_anew_ends_the_drift(line):
    made = sum_test(line, {}, kind="equals", expected=1)
    put(line, schema_of({"type": "integer"}))
    assert state_of(line, made).drift == "drifted"
    assert state_of(line, recapture(line, made.id, by="Ann")).drift == "valid"


def test_an_unknown_input_makes_a_test_invalid(line):
    made = make_test(
        line, "intake", "sum", asserting("total", **EXISTS), inputs={"input-x": {"type": "json"}}, by="Ann"
    )
    found = state_of(line, made)
    assert (found.validation, [i.code for i in found.issues]) == ("invalid", ["input_handle_not_found"])


SCHEMA = {
    "type": "object",
    "properties": {
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
        "either": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {"type": "string"}}}]},
        "free": {},
        "map": {"type": "object", "additionalProperties": {"type": "number"}},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}},
    },
    "$defs": {"line": {"type": "object", "properties": {"sku": {"type": "string"}}, "additionalProperties": False}},
}


@pytest.mark.parametrize(
    ("path", "place", "node"),
    [
        ("", "", SCHEMA),
        ("lines.4.sku", "properties.lines.items.properties.sku", {"type": "string"}),
        ("lines[0].sku", "properties.lines.items.properties.sku", {"type": "string"}),
        ("either.a", "properties.either.anyOf.1.properties.a", {"type": "string"}),
        ("free.x.0", "properties.free.x.0", {}),
        ("map.any", "properties.map.additionalProperties", {"type": "number"}),
        ("pair.0", "properties.pair.prefixItems.0", {"type": "string"}),
        ("pair.1", "properties.pair.items", {"type": "number"}),
    ],
)
def test_node_of_a_path(path, place, node):
    assert node_at(SCHEMA, path) == (place, node)


@pytest.mark.parametrize("path", ["nope", "lines.0.price", "lines.first", "either.b", "lines..0", "pair.x"])
def test_a_path_that_leads_nowhere(path):
    assert node_at(SCHEMA, path) is None


def test_a_dependence_on_the_root():
    dep = dep_of(asserting("", **EXISTS), {"output-json-0": SCHEMA})
    assert (dep.depends_on_root, dep.schema_path, len(dep.subtree_hash)) == (True, "", 16)
    assert dep_of(asserting("", **EXISTS), {"output-json-0": {}}) is None
