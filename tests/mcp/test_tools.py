"""Every tool by the official client: the way an assistant would go, refusals, roles, both transports."""

from __future__ import annotations

import sys

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from reviewapp.keys import create_key
from reviewapp.mcp.tools import TOOLS
from reviewapp.workspaces import open_data
from tests.mcp.conftest import TEXT, caller, until, within

NAMED_BY_THE_PAGE = {
    "workflows_tests_create",
    "workflows_tests_list",
    "workflows_tests_get",
    "workflows_tests_update",
    "workflows_tests_delete",
    "workflows_tests_runs_create",
    "workflows_tests_runs_get",
    "workflows_tests_runs_list",
    "workflows_tests_runs_cancel",
    "workflows_tests_results_list",
}
WIDTH = {"output_handle_id": "output-json-0", "path": "width"}
SOURCE = {"type": "manual", "handle_inputs": {"input-json-0": {"type": "json", "data": TEXT}}}
TEST = {
    "workflow_id": "sinks",
    "target": {"type": "block", "block_id": "extract"},
    "source": SOURCE,
    "assertion": {"target": WIDTH, "condition": {"kind": "equals", "expected": 60}},
}


REFUSALS = [
    ("workflows_tests_create", {**TEST, "block_id": "extract"}, "use 'target.block_id'"),
    ("workflows_tests_create", {**TEST, "run_id": "r"}, "use 'source.run_id'"),
    ("workflows_tests_update", {"test_id": "x", "step_id": "s"}, "use 'source.step_id'"),
    ("workflows_tests_update", {"test_id": "x", "handle_inputs": {}}, "use 'source.handle_inputs'"),
    ("workflows_tests_runs_create", {"workflow_id": "sinks", "test_id": "x"}, "scope"),
    ("workflows_tests_runs_create", {"workflow_id": "sinks", "target": {}}, "scope"),
    ("workflows_tests_runs_get", {}, "run_id"),
    ("workflows_tests_get", {"test_id": "x", "odd": 1}, "takes no argument 'odd'"),
    ("workflows_tests_create", {"workflow_id": "sinks"}, "target"),
    ("workflows_tests_results_list", {"run_id": "wftestrun_0"}, "There is no run"),
    ("workflows_tests_list", {"workflow_id": "sinks", "graph": "nope"}, "nope"),
    ("evaluations_get", {"evaluation_id": "erun_0"}, "There is no evaluation"),
    ("collections_list", {"graph": 5}, "graph is 5"),
    ("nonsense", {}, "There is no tool 'nonsense'"),
]


def has_ended(run):
    return run["lifecycle"]["status"] in ("completed", "error", "cancelled")


async def block_tests_from_end_to_end(call):
    blocks = await call("workflows_blocks_list", workflow_id="sinks")
    assert [block["id"] for block in blocks["data"]] == ["extract"]
    made = await call("workflows_tests_create", **TEST)
    listed = await call("workflows_tests_list", workflow_id="sinks")
    assert [test["id"] for test in listed["data"]] == [made["id"]]
    run = await call("workflows_tests_runs_create", workflow_id="sinks")
    run = await until(call, "workflows_tests_runs_get", has_ended, run_id=run["id"])
    assert run["counts"]["passed"] == 1
    results = await call("workflows_tests_results_list", run_id=run["id"])
    assert results["data"][0]["assertion_result"]["actual_value"] == 60
    assert (await call("workflows_tests_runs_list", workflow_id="sinks"))["data"][0]["id"] == run["id"]
    assert (await call("workflows_tests_update", test_id=made["id"], name="wide"))["name"] == "wide"
    assert (await call("workflows_tests_get", test_id=made["id"]))["latest_run_summary"]["outcome"] == "passed"
    assert "ended" in (await call("workflows_tests_runs_cancel", run_id=run["id"]))["refused"]["message"]
    whole = await call("workflows_runs_create", workflow_id="sinks", text=TEXT)
    assert whole["steps"][0]["outputs"]["output-json-0"]["width"] == 60
    assert await call("workflows_tests_delete", test_id=made["id"]) == {"deleted": True}
    assert (await call("workflows_tests_get", test_id=made["id"]))["refused"]["code"] == "test_not_found"


async def the_main_job(call):
    collections = await call("collections_list")
    assert collections["data"][0]["name"] == "sinks"
    iri = (await call("records_list", collection="sinks"))["data"][0]["iri"]
    assert (await call("records_get", iri=iri))["text"] == TEXT
    assert (await call("workflows_list"))["data"][0]["name"] == "sinks"
    test = await call("tests_start", name="sinks", sample=1)
    test = await until(call, "tests_get", lambda t: t["status"] == "done", test_id=test["id"])
    answer = {"decision": "accept"}
    answered = await call("answers_save", test_id=test["id"], iri=iri, property="width", answer=answer)
    assert "refused" not in answered, answered
    history = await call("answers_history", test_id=test["id"], iri=iri, property="width")
    assert "refused" not in history, history
    dataset = await call("datasets_save", name="sinks", source={"kind": "test", "id": test["id"]})
    assert (await call("datasets_list"))["data"][0]["id"] == dataset["id"]
    assert "refused" not in await call("datasets_get", dataset_id=dataset["id"])
    assert "refused" not in await call("datasets_export", dataset_id=dataset["id"])
    graded = await call("evaluations_start", dataset=dataset["id"], workflow="sinks")
    graded = await until(call, "evaluations_get", lambda e: e["status"] == "done", evaluation_id=graded["id"])
    assert graded["report"]["total"]["written"]["recall"] == 1
    assert (await call("evaluations_faults_list", evaluation_id=graded["id"])) == {"data": []}
    assert (await call("evaluations_list"))["data"][0]["id"] == graded["id"]
    compared = await call("evaluations_compare", first=graded["id"], second=graded["id"])
    assert "refused" not in compared, compared
    assert "refused" not in await call("workflows_revisions_list", name="sinks")
    assert "refused" not in await call("tests_list")
    again = await call(
        "workflows_tests_create", **{**TEST, "source": {"type": "run_step", "run_id": test["id"], "step_id": "0"}}
    )
    assert again["source"]["run_id"] == test["id"]
    assert await call("workflows_tests_delete", test_id=again["id"]) == {"deleted": True}


async def what_is_made_first(call):
    """A collection from nothing: declared, filled, given a workflow that is changed and taken back, tested in vain."""
    width = {"name": "width", "value_type": "f64", "unit": "cm"}
    declared = await call("collections_declare_properties", collection="doors", properties=[width])
    assert "refused" not in declared, declared
    imported = await call("records_import", collection="doors", records=[{"name": "D 1", "text": "Width: 900 mm"}])
    assert "refused" not in imported, imported
    put = {"starter": "values.extract", "name": "doors", "watch": {"class": "doors"}}
    first = await call("workflows_put", **put)
    second = await call("workflows_put", **put, gate={"below": 0.9})
    assert second["active_revision"] != first["active_revision"]
    back = await call("workflows_revisions_activate", name="doors", id=first["active_revision"])
    assert back["active_revision"] == first["active_revision"]
    test = await call("tests_start", name="doors", sample=1)
    cancelled = await call("tests_cancel", test_id=test["id"])
    assert cancelled.get("status") in ("cancelled", "done") or "ended" in cancelled["refused"]["message"], cancelled


async def every_tool(call):
    called = set()

    async def noted(name, /, **arguments):
        called.add(name)
        return await call(name, **arguments)

    await block_tests_from_end_to_end(noted)
    await the_main_job(noted)
    await what_is_made_first(noted)
    assert called == {tool.name for tool in TOOLS}


async def every_refusal(call):
    for tool, arguments, said in REFUSALS:
        assert said in (await call(tool, **arguments))["refused"]["message"], tool


def test_every_tool(data):
    within(data, every_tool)


@pytest.mark.parametrize(("tool", "arguments", "said"), REFUSALS)
def test_a_refusal_is_one_sentence_that_helps(data, tool, arguments, said):
    async def ask(call):
        assert said in (await call(tool, **arguments))["refused"]["message"]

    within(data, ask)


def test_an_answer_too_large_for_an_assistant_is_refused(data, monkeypatch):
    monkeypatch.setattr("reviewapp.mcp.serving.ANSWER_LIMIT", 100)

    async def ask(call):
        refused = (await call("workflows_blocks_list", workflow_id="sinks"))["refused"]
        assert refused["code"] == "answer_too_large"

    within(data, ask)


def test_the_shape_of_blocks_that_a_tool_tells_is_taken(data):
    blocks = [
        {"id": "kind", "type": "classify", "categories": [{"name": "sink", "cues": ["Sink"]}], "otherwise": "sink"},
        {
            "id": "parts",
            "type": "split",
            "sections": [{"name": "head", "pages": "1"}, {"name": "rest", "headings": ["x"]}],
        },
        {"id": "read", "type": "extract", "properties": ["width"], "inputs": {"input-file-0": "kind.output-file-sink"}},
    ]

    async def put(call):
        watch = {"class": "sinks"}
        made = await call(
            "workflows_put", starter="values.extract", name="line", watch=watch, params={"blocks": blocks}
        )
        assert "refused" not in made, made
        found = await call("workflows_blocks_list", workflow_id="line")
        assert [block["id"] for block in found["data"]] == ["kind", "parts", "read"]

    within(data, put)


def test_roles_apply(data):
    _, viewer = create_key(data, "looker", role="viewer", by="Ann")

    async def look(call):
        assert "refused" not in await call("workflows_tests_list", workflow_id="sinks")
        refused = (await call("workflows_tests_create", **TEST))["refused"]
        assert (refused["code"], "needs the role 'author'" in refused["message"]) == ("forbidden", True)

    within(data, look, key=viewer)

    async def stranger(call):
        assert (await call("collections_list"))["refused"]["code"] == "unauthorized"

    within(data, stranger, key="rk_wrong")


def test_every_tool_is_told_with_schema_and_role(data):
    async def look(call):
        told = (await call.client.list_tools()).tools
        assert [tool.name for tool in told] == [tool.name for tool in TOOLS]
        assert {tool.name for tool in told} >= NAMED_BY_THE_PAGE
        for tool in told:
            assert tool.input_schema["type"] == "object"
            assert len(tool.description) > 40
            assert "Needs the role" in tool.description
        assert "block test" in call.client.instructions

    within(data, look)


@pytest.mark.slow
def test_over_stdio(folder):
    command = StdioServerParameters(command=sys.executable, args=["-m", "reviewapp", "mcp", "--data", str(folder)])

    async def talk():
        async with Client(command) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            await every_tool(caller(client))
            await every_refusal(caller(client))

    anyio.run(talk)


@pytest.mark.slow
def test_over_streamable_http(folder, http_server):
    async def talk(conversation, **headers):
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(http_server, http_client=http)) as client,
        ):
            await conversation(caller(client))

    async def refused(call):
        assert (await call("collections_list"))["refused"]["code"] == "unauthorized"

    async def viewer_only(call):
        assert (await call("workflows_tests_create", **TEST))["refused"]["code"] == "forbidden"
        assert "refused" not in await call("collections_list")

    anyio.run(talk, every_tool)
    anyio.run(talk, every_refusal)
    with open_data(folder) as data:
        _, author = create_key(data, "author", role="author", by="Ann")
        _, viewer = create_key(data, "viewer", role="viewer", by="Ann")
    anyio.run(talk, refused)
    anyio.run(lambda: talk(block_tests_from_end_to_end, **{"Api-Key": author}))
    anyio.run(lambda: talk(block_tests_from_end_to_end, **{"Authorization": f"Bearer {author}"}))
    anyio.run(lambda: talk(viewer_only, **{"Api-Key": viewer}))
