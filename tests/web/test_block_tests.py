"""The pages of block tests: from a value on a test's page to a run, without script."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from selectolax.lexbor import LexborHTMLParser

from reviewapp.block_tests import execute_run, list_tests
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import declare_properties
from reviewapp.tests import get_input
from reviewapp.web.block_test_form import CHOICES, BlockTestForm
from reviewapp.workflows import delete_workflow, get_workflow, put_workflow
from tests.formats.making import pdf

BASE = "/w/default/block-tests"
TEXT = "Sink\nWidth: 600 mm"


@pytest.fixture
def workflow(workspace, sinks):
    declare_properties(workspace, "sinks", [Property(name="width", value_type="f64", unit="cm")], by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks"), by="Ann")
    return "sinks"


def make(client, **fields):
    sent = {
        "block": "extract",
        "text": TEXT,
        "handle": "output-json-0",
        "path": "width",
        "choice": "equals",
        "expected": "60",
    }
    return client.post(f"{BASE}/of/sinks/", data={**sent, **fields})


def run_all(client, workspace, **fields):
    started = client.post(f"{BASE}/of/sinks/run", data=fields)
    assert started.status_code == 303
    id = re.search(r"wftestrun_\w+", started.location)[0]
    waiting = client.get(started.location)
    assert "Look again" in waiting.text
    execute_run(workspace, id)
    return client.get(started.location)


def test_make_run_and_see_what_failed(client, workspace, workflow):
    empty = client.get(f"{BASE}/of/sinks/")
    assert "No test of this block yet" in empty.text
    made = make(client, name="the width")
    assert made.status_code == 303
    make(client, expected="61")
    make(client, path="height", choice="number_compare gte", expected="1")
    ran = run_all(client, workspace)
    assert "1 of 3 passed, 1 failed, 1 blocked" in ran.text
    assert "Found 60.0, expected 61." in ran.text
    assert '<pre dir="auto">61</pre>' in ran.text
    assert "The path led as far as <code>the top</code>" in ran.text
    listed = client.get(f"{BASE}/of/sinks/").text
    assert "the width" in listed
    assert "width is exactly 61" in listed
    assert "3 block tests" in listed
    assert "1 of 3 passed" in client.get(f"{BASE}/").text
    shown = client.get(made.location).text
    assert "Last result" in shown
    assert "passed" in shown


def test_many_tests_stand_on_pages_those_that_did_not_pass_first(client, workspace, workflow, monkeypatch):
    monkeypatch.setattr("reviewapp.web.block_tests.SHOWN_TESTS", 2)
    monkeypatch.setattr("reviewapp.web.block_tests.PAGE", 3)
    monkeypatch.setattr("reviewapp.web.block_test_runs.PAGE", 3)
    make(client, name="wrong", expected="61")
    for number in range(4):
        make(client, name=f"right {number}")
    make(client, name="blocked", path="height")
    ran = run_all(client, workspace)
    make(client, name="new one")

    def names(page):
        return re.findall(r'/tests/wfnodetest_\w+/">([^<]+)</a>', page)

    assert names(ran.text) == ["wrong", "blocked", "right 0"]
    assert "1 to 3 of 6" in ran.text
    assert names(client.get(f"{run_address(ran)}?skip=3").text) == ["right 1", "right 2", "right 3"]
    overview = client.get(f"{BASE}/of/sinks/").text
    assert names(overview) == ["wrong", "blocked"]
    for words in ("1 failed", "1 blocked", "1 not run", "4 passed", "1 to 2 of 7"):
        assert words in overview
    page = client.get(f"{BASE}/of/sinks/?block=extract").text
    assert names(page) == ["wrong", "blocked", "new one"]
    second = client.get(f"{BASE}/of/sinks/?block=extract&skip=3").text
    assert names(second) == ["right 3", "right 2", "right 1"]
    assert "4 to 6 of 7" in second
    assert names(client.get(f"{BASE}/of/sinks/?block=extract&last=failed").text) == ["wrong"]
    assert names(client.get(f"{BASE}/of/sinks/?last=passed").text) == ["right 3", "right 2"]
    for odd in ("skip=-1", "skip=x", "skip=99999999999", "last=nope"):
        assert client.get(f"{BASE}/of/sinks/?block=extract&{odd}").status_code == 200
    gone = client.get(f"{BASE}/of/sinks/?block=nope")
    assert "This block is gone" in gone.text


def run_address(response):
    return re.search(r"/w/default/block-tests/runs/wftestrun_\w+/", response.request.url)[0]


def test_what_came_is_expected_from_now_on(client, workspace, workflow):
    location = make(client, expected="61").location
    run_all(client, workspace)
    shown = client.get(location).text
    assert "Expect what came" in shown
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', shown))
    assert sent["expected"] == "60.0"
    client.post(location, data=sent)
    assert "Expect what came" not in client.get(location).text
    assert "all passed" in run_all(client, workspace).text


def test_what_is_long_is_cut_and_not_offered_for_change(client, workspace, workflow):
    location = make(client, path="material", expected="x" * 30_000).location
    run_all(client, workspace)
    shown = client.get(location)
    assert len(shown.text) < 60_000
    assert "too long to be changed here" in shown.text


def test_the_output_left_empty_is_the_blocks_first(client, workspace, workflow):
    make(client, handle="")
    assert list_tests(workspace, "sinks")[0].assertion.target.output_handle_id == "output-json-0"
    assert 'value="output-json-0"' in client.get(f"{BASE}/of/sinks/new?block=extract").text


def test_a_change_on_the_page_leaves_the_label(client, workspace, workflow):
    from reviewapp.block_tests import change_test

    location = make(client).location
    test = list_tests(workspace, "sinks")[0]
    change_test(workspace, test.id, assertion=test.assertion.model_copy(update={"label": "the width"}), by="Bo")
    client.post(location, data={"handle": "", "path": "width", "choice": "exists"})
    changed = list_tests(workspace, "sinks")[0].assertion
    assert (changed.label, changed.condition.kind) == ("the width", "exists")
    assert changed.target.output_handle_id == "output-json-0"


def test_one_and_one_block(client, workspace, workflow):
    make(client)
    (test,) = list_tests(workspace, "sinks")
    assert "all passed" in run_all(client, workspace, test_id=test.id).text
    assert "unchanged since an earlier run" in run_all(client, workspace, block="extract").text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"choice": "number_compare gte", "expected": "sixty"}, "expected a number"),
        ({"choice": "number_compare gte", "expected": "Infinity"}, "NaN or too large"),
        ({"choice": "equals", "expected": "NaN"}, "NaN or too large"),
        ({"expected": " "}, "Say what is expected"),
        ({"choice": "other", "expected": "{"}, "This is not JSON"),
        ({"choice": "other", "expected": "[" * 3_000}, "This is not JSON"),
        ({"choice": "other", "expected": '{"kind": "nope"}'}, "does not fit the condition"),
        ({"text": " "}, "Paste the text"),
        ({"text": "{", "as_json": "on"}, "This is not JSON"),
    ],
)
def test_what_does_not_fit_comes_back_with_the_typed_text(client, workflow, fields, said):
    refused = make(client, **fields)
    assert refused.status_code == 422
    assert said in refused.text
    assert 'value="width"' in refused.text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("sheet.pdf", pdf([(20, 20, "Sink"), (20, 30, "Width: 600 mm")]), id="PDF"),
        pytest.param("sheet.html", b"<h1>Sink</h1><p>Width: 600 mm</p>", id="HTML"),
        pytest.param("sheet.txt", "\ufeffSink\r\nWidth: 600 mm ½".encode(), id="text"),
    ],
)
def test_a_file_becomes_what_the_block_gets(client, workspace, workflow, name, content):
    refused = make(client, file=(BytesIO(content), name), text="", choice="other", expected="{")
    assert refused.status_code == 422
    assert "is here already" in refused.text  # and need not be chosen again
    (kept,) = re.findall(r'name="file_id" value="([^"]+)"', refused.text)
    made = make(client, file_id=kept, text="")
    (test,) = list_tests(workspace, "sinks")
    assert (test.inputs["input-file-0"].type, test.name) == ("file", None)
    assert test.inputs["input-file-0"].document.filename == name
    shown = client.get(made.location).text
    assert name in shown
    assert "Width: 600 mm" in shown
    assert "all passed" in run_all(client, workspace).text


@pytest.mark.parametrize(
    ("wires", "fields", "inputs"),
    [
        pytest.param({}, {"text": "x"}, {"input-json-0": "x"}, id="no name of its own"),
        pytest.param({"lines": "document"}, {"text": "[1]", "as_json": "on"}, {"lines": [1]}, id="another name"),
        pytest.param(
            {"lines": "document", "rates": "document"},
            {"text": '{"lines": [1], "rates": null}', "as_json": "on"},
            {"lines": [1], "rates": None},
            id="several",
        ),
        pytest.param({"lines": "document", "rates": "document"}, {"text": "[1]", "as_json": "on"}, None, id="too few"),
        pytest.param({"lines": "document", "rates": "document"}, {"text": '{"x": 1}', "as_json": "on"}, None, id="odd"),
    ],
)
def test_a_function_gets_its_inputs_by_their_names(client, workspace, workflow, wires, fields, inputs):
    block = {
        "id": "sum",
        "type": "function",
        "function": "json:dumps",
        "inputs": wires,
        "outputs": {"output-json-0": {}},
    }
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks", blocks=[block]), by="Ann")
    made = make(client, block="sum", path="", **fields)
    if inputs is None:
        assert made.status_code == 422
        assert "give an object with a value for each of lines, rates" in made.text
        return
    (test,) = list_tests(workspace, "sinks")
    assert {handle: given.data for handle, given in test.inputs.items()} == inputs
    assert "has no input" not in client.get(made.location).text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("bad.pdf", b"%PDF-1.7 nothing", "cannot be read"), ("bad.xlsx", b"PK", "cannot be read")],
)
def test_a_file_that_cannot_be_read_is_told_at_its_field(client, workspace, workflow, name, content, said):
    refused = make(client, file=(BytesIO(content), name), text="")
    assert refused.status_code == 422
    assert said in LexborHTMLParser(refused.text).css_first("#file-help .fault").text()
    assert not list_tests(workspace, "sinks")


def test_a_value_on_a_test_page_becomes_a_check(client, workspace, workflow):
    from reviewapp.tests import list_tests as all_tests

    test = all_tests(workspace)[0]
    step = get_input(workspace, test.id, 0).position
    filled = client.get(f"{BASE}/of/sinks/new?run={test.id}&step={step}&property=width")
    assert filled.status_code == 200
    assert 'value="width"' in filled.text
    form = {"run_id": test.id, "step_id": str(step), "block": "extract", "path": "width", "choice": "exists"}
    made = client.post(f"{BASE}/of/sinks/", data={**form, "handle": "output-json-0", "text": "ignored"})
    assert made.status_code == 303
    assert list_tests(workspace, "sinks")[0].source.run_id == test.id


def test_an_answered_value_offers_to_be_kept(client, workspace, workflow):
    from reviewapp.answers import save_answer
    from reviewapp.tests import list_tests as all_tests

    test = all_tests(workspace)[0]
    iri = get_input(workspace, test.id, 0).iri
    property = test.settings.properties[0].name
    save_answer(workspace, test.id, iri, property, "reject", by="Ann", note="no")
    shown = client.get(f"/w/default/tests/{test.id}/?show=all&input=0").text
    link = re.search(rf'href="([^"]+)" aria-label="Keep {property} as a check"', shown)[1].replace("&amp;", "&")
    assert client.get(link).status_code == 200


def test_a_step_of_a_whole_run_becomes_a_test(client, workspace, workflow):
    ran = client.post(f"{BASE}/of/sinks/steps", data={"text": TEXT}, follow_redirects=True)
    link = re.search(r'href="([^"]+/new\?run=wfrun[^"]+output-json-0)"', ran.text)[1].replace("&amp;", "&")
    filled = client.get(link)
    assert "&#34;width&#34;: 60.0" in filled.text


def test_change_drift_capture_delete(client, workspace, workflow):
    location = make(client).location
    changed = client.post(
        location, data={"handle": "output-json-0", "path": "width", "choice": "number_compare lt", "expected": "50"}
    )
    assert changed.status_code == 303
    assert "width is a number below 50" in client.get(location).text
    assert client.post(location, data={"choice": "other", "expected": "x"}).status_code == 422
    inches = [Property(name="width", value_type="f64", unit="in")]
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks", properties=inches), by="Ann")
    drifted = client.get(location).text
    assert "changed since the test was made" in drifted
    assert "Capture anew" in drifted
    client.post(f"{location}capture")
    assert "Capture anew" not in client.get(location).text
    gone = client.post(f"{location}delete")
    assert gone.status_code == 303
    assert client.get(location).status_code == 404


def test_a_test_whose_workflow_is_gone_can_be_looked_at_and_deleted(client, workspace, workflow):
    location = make(client).location
    delete_workflow(workspace, "sinks", "Ann")
    assert "There is no workflow" in client.get(location).text
    assert client.post(f"{location}delete", follow_redirects=True).status_code == 200


@pytest.mark.parametrize("path", ["of/nope/", "tests/nope/", "runs/nope/", "steps/nope/", "of/nope/new"])
def test_what_is_not_there(client, workspace, path):
    assert client.get(f"{BASE}/{path}").status_code == 404


def test_a_run_that_ended_meanwhile_cannot_be_cancelled(client, workspace, workflow):
    make(client)
    ran = run_all(client, workspace)
    cancelled = client.post(f"{run_address(ran)}cancel", follow_redirects=True)
    assert (cancelled.status_code, "has ended already" in cancelled.text) == (200, True)
    assert client.post(f"{BASE}/runs/wftestrun_0/cancel").status_code == 404


def test_htmx_gets_the_run_alone(client, workspace, workflow):
    make(client)
    started = client.post(f"{BASE}/of/sinks/run").location
    piece = client.get(started, headers={"HX-Request": "true"}).text
    assert piece.strip().startswith('<div id="run"')


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (choice, "3" if "compare" in choice else '{"a": 1}' if "_contains" in choice and "not" not in choice else "oak")
        for choice, _ in CHOICES
        if choice != "other"
    ],
)
def test_a_form_says_the_same_after_it_was_kept(client, workspace, workflow, choice, expected):
    make(client, choice=choice, expected=expected)
    form = BlockTestForm.of_test(list_tests(workspace, "sinks")[0])
    assert form.choice == choice
    again = BlockTestForm.of(
        {"choice": form.choice, "expected": form.expected, "path": form.path, "handle": form.handle}
    )
    assert again.assertion().condition == list_tests(workspace, "sinks")[0].assertion.condition


def test_the_form_of_a_workflow_shows_its_blocks_and_keeps_them(client, workspace, workflow):
    blocks = [
        {"id": "kind", "type": "classify", "categories": [{"name": "sink", "cues": ["Sink"]}, {"name": "other"}]},
        {"id": "read", "type": "extract", "inputs": {"input-file-0": "kind.output-file-sink"}},
    ]
    definition = {"name": "sinks", "collection": "sinks", "blocks": blocks}
    put_workflow(workspace, WorkflowDefinition.model_validate(definition), by="Ann")
    assert ">kind</a> (classify) → " in client.get("/w/default/workflows/sinks/").text
    page = client.get("/w/default/workflows/sinks/change")
    assert "<strong>kind</strong> (classify) → <strong>read</strong> (extract)" in page.text
    saved = client.post("/w/default/workflows/", data={**filled_in(page.text), "gate": "0.9", "op": "put"})
    assert saved.status_code == 303, saved.text
    kept = get_workflow(workspace, "sinks").active
    assert (kept.number, [b.id for b in kept.settings.blocks]) == (4, ["kind", "read"])
    assert kept.settings.gate == 0.9
    assert kept.settings.blocks == WorkflowDefinition.model_validate(definition).blocks


def filled_in(page):
    """What the page's form would send."""
    found = {}
    for field in LexborHTMLParser(page).css("main form [name]"):
        name, kind = field.attributes["name"], field.attributes.get("type")
        value = field.attributes.get("value") or ""
        if field.tag == "select":
            chosen = field.css_first("option[selected]") or field.css_first("option")
            value = chosen.attributes.get("value") or ""
        elif field.tag == "textarea":
            value = field.text()
        elif field.tag != "input" or (kind in ("checkbox", "radio") and "checked" not in field.attributes):
            continue
        found.setdefault(name, []).append(value)
    return found


def test_hostile_words_are_shown_as_words(client, workspace, workflow):
    make(client, name="<script>alert(1)</script>", expected='"<img src=x>"')
    for path in ("of/sinks/", f"tests/{list_tests(workspace, 'sinks')[0].id}/"):
        found = client.get(f"{BASE}/{path}").text
        assert "<script>alert" not in found
        assert "<img src=x>" not in found
