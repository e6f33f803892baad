"""The public client, unchanged, against our server: what it does is the contract."""

from __future__ import annotations

import asyncio

import pytest
from lbb import AsyncLbbClient, LbbError

from tests.api.conftest import SINKS, Live


def code_of(refused: pytest.ExceptionInfo[LbbError]) -> tuple[int, str | None, str | None]:
    error = refused.value
    return error.status_code, error.code, error.param


def test_a_test_from_start_to_dataset(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests, datasets = client.workflows.tests, client.evals.datasets
        started = tests.create(name="sinks", sample=3)
        assert started.status.value in ("queued", "running")
        assert [row.iri for row in started.inputs] == [
            "record:sinks/S%204.0",
            "record:sinks/S%204.1",
            "record:sinks/S%204.2",
        ]

        test = tests.wait(started.id, timeout=30, poll_interval=0.05)
        assert test.status.value == "done"
        assert test.counts.inputs_done == 3
        assert test.revision is not None
        assert [row.text for row in test.inputs] == [text for _, text in SINKS]
        read = {value.property: value for value in test.results[0].values}
        assert (read["width"].value, read["width"].stated, read["width"].outcome) == ("60", "600 mm", "written")
        assert read["width"].quote in test.inputs[0].text

        iri = test.inputs[0].iri
        tests.answer(test.id, iri, "width", {"decision": "accept"})
        tests.answer(test.id, iri, "depth", {"decision": "correct", "value": 51, "note": "measured"})
        after = tests.answer(test.id, test.inputs[2].iri, "width", {"decision": "accept"})
        assert after.counts.answered == 3
        assert after.results[0].answers["depth"].value == 51
        assert after.results[0].answers["depth"].by == "Ann"

        dataset = datasets.create("sinks answers", source={"kind": "test", "id": test.id})
        assert (dataset.item_count, [item.name for item in dataset.items]) == (2, ["S 4.0", "S 4.2"])
        first, shelf = dataset.items
        assert [(e.property, e.value, e.stated) for e in first.values] == [("width", 60, "600 mm"), ("depth", 51, None)]
        assert [(e.property, e.value) for e in first.leave_out] == [("depth", 50)]
        assert [(e.property, e.value) for e in shelf.leave_out] == [("width", None)]
        assert tests.get(test.id).dataset == dataset.id

        files = datasets.export(dataset.id)
        assert [row.name for row in files.records] == ["S 4.0", "S 4.2"]
        assert [row.name for row in files.expected.records] == ["S 4.0", "S 4.2"]
        assert files.expected.install.units == {"width": "cm", "depth": "cm"}


def test_a_later_save_rewrites_the_same_dataset_and_a_delete_makes_room_for_a_new_one(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests, datasets = client.workflows.tests, client.evals.datasets
        test = tests.wait(tests.create(name="sinks").id, timeout=30, poll_interval=0.05)
        iri = test.inputs[0].iri
        tests.answer(test.id, iri, "width", {"decision": "accept"})
        source = {"kind": "test", "id": test.id}
        first = datasets.create("first", source=source)
        tests.answer(test.id, iri, "width", {"decision": "reject"})
        second = datasets.create("second", source=source)
        assert (second.id, second.name) == (first.id, "second")
        assert [e.value for e in second.items[0].leave_out] == [60]

        assert datasets.delete(first.id).deleted
        assert datasets.delete(first.id).deleted  # again is fine
        for gone in (lambda: datasets.get(first.id), lambda: datasets.export(first.id)):
            with pytest.raises(LbbError) as refused:
                gone()
            assert code_of(refused)[:2] == (404, "not_found")
        third = datasets.create("third", source=source)
        assert third.id != first.id
        assert tests.get(test.id).dataset == third.id
        assert tests.get(test.id).results[0].answers["width"].decision.value == "reject"


ANSWERS = [
    ({"decision": "correct"}, 400, "invalid_request", "answer"),
    ({"decision": "choose", "option": "a"}, 400, "invalid_request", "answer"),
    ({"decision": "yes"}, 400, "invalid_request", "answer"),
    ({"decision": "correct", "value": "wide"}, 400, "invalid_request", None),
    ({"decision": "accept", "note": "x" * 1001}, 400, "invalid_request", "answer"),
]


@pytest.mark.parametrize(("answer", "status", "code", "param"), ANSWERS)
def test_a_bad_answer_is_refused(
    sinks: Live, answer: dict[str, object], status: int, code: str, param: str | None
) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.wait(tests.create(name="sinks").id, timeout=30, poll_interval=0.05)
        with pytest.raises(LbbError) as refused:
            tests.answer(test.id, test.inputs[0].iri, "width", answer)
        assert code_of(refused)[:2] == (status, code)
        assert param is None or code_of(refused)[2] == param
        assert tests.get(test.id).counts.answered == 0


def test_an_answer_names_an_input_and_a_property_of_the_test(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.wait(tests.create(name="sinks").id, timeout=30, poll_interval=0.05)
        accept = {"decision": "accept"}
        for arguments, expected in (
            ((test.id, "record:sinks/none", "width"), (400, "workflow_param_invalid", "iri")),
            ((test.id, test.inputs[0].iri, "colour"), (400, "workflow_param_invalid", "property")),
            (("wtest_none", test.inputs[0].iri, "width"), (404, "not_found", None)),
        ):
            with pytest.raises(LbbError) as refused:
                tests.answer(*arguments, accept)
            assert code_of(refused) == expected


def test_an_answer_is_replaced_and_taken_back(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.wait(tests.create(name="sinks").id, timeout=30, poll_interval=0.05)
        iri = test.inputs[0].iri
        assert tests.answer(test.id, iri, "width", None).counts.answered == 0  # removing nothing is fine
        tests.answer(test.id, iri, "width", {"decision": "reject"})
        changed = tests.answer(test.id, iri, "width", {"decision": "cant_tell"})
        assert changed.results[0].answers["width"].decision.value == "cant_tell"
        assert changed.counts.answered == 1
        assert tests.answer(test.id, iri, "width", None).counts.answered == 0


CREATES = [
    ({}, 400, "invalid_request", None),
    ({"name": "sinks", "install": {"starter": "values.extract"}}, 400, "invalid_request", None),
    ({"name": "nobody"}, 404, "named_workflow_not_found", None),
    ({"name": "sinks", "revision": "wrev_none"}, 404, "workflow_revision_not_found", None),
    ({"name": "sinks", "sample": 0}, 400, "workflow_param_invalid", "sample"),
    ({"name": "sinks", "sample": 21}, 400, "workflow_param_invalid", "sample"),
    ({"name": "sinks", "iris": [f"record:sinks/{n}" for n in range(21)]}, 400, "workflow_param_invalid", "iris"),
    ({"name": "sinks", "models": {"extract": {"provider": "x", "model": "y"}}}, 400, "model_choice_unsupported", None),
    ({"install": {"starter": "search.embed", "watch": {"class": "sinks"}}}, 400, "workflow_param_invalid", "install"),
    ({"install": {"starter": "values.extract", "watch": {"class": "none"}}}, 400, "workflow_param_invalid", "watch"),
    (
        {"install": {"starter": "values.extract", "watch": {"class": "sinks"}, "params": {"properties": ["hue"]}}},
        400,
        "workflow_param_invalid",
        "params",
    ),
    (
        {"install": {"starter": "values.extract", "watch": {"class": "sinks"}, "params": {"properties": []}}},
        400,
        "workflow_param_invalid",
        "params",
    ),
    (
        {"install": {"starter": "values.extract", "name": "No Name", "watch": {"class": "sinks"}}},
        400,
        "workflow_param_invalid",
        "name",
    ),
]


@pytest.mark.parametrize(("arguments", "status", "code", "param"), CREATES)
def test_a_bad_create_is_refused_and_starts_nothing(
    sinks: Live, arguments: dict[str, object], status: int, code: str, param: str | None
) -> None:
    with sinks.lbb() as client:
        with pytest.raises(LbbError) as refused:
            client.workflows.tests.create(**arguments)
        assert code_of(refused)[:2] == (status, code)
        assert param is None or code_of(refused)[2] == param
        assert client.workflows.tests.list().data == []


def test_settings_are_tested_without_being_saved(sinks: Live) -> None:
    install = {
        "starter": "values.extract@v1",
        "name": "trial",
        "watch": {"class": "sinks", "fields": ["text"]},
        "params": {"properties": ["width"]},
        "gate": {"below": 0.9},
    }
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.wait(tests.create(install=install, sample=1).id, timeout=30, poll_interval=0.05)
        assert (test.installed, test.revision, test.workflow.name) == (False, None, "trial")
        assert (test.settings.gate, [p.name for p in test.settings.properties]) == (0.9, ["width"])
        assert [w.name for w in client.workflows.named.all()] == ["sinks"]


def test_chosen_inputs_and_one_that_is_gone(sinks: Live) -> None:
    iris = ["record:sinks/S%204.2", "record:sinks/gone"]
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.wait(tests.create(name="sinks", iris=iris).id, timeout=30, poll_interval=0.05)
        assert [row.iri for row in test.inputs] == iris
        assert [row.iri for row in test.results] == iris
        assert test.results[1].error
        assert not test.results[1].values
        assert test.counts.inputs_done == 2


def test_same_key_same_test_other_body_conflict_refusal_burns_no_key(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        with pytest.raises(LbbError):
            tests.create(name="nobody", idempotency_key="k-1")
        first = tests.create(name="sinks", sample=1, idempotency_key="k-1")
        again = tests.create(name="sinks", sample=1, idempotency_key="k-1")
        assert again.id == first.id
        with pytest.raises(LbbError) as refused:
            tests.create(name="sinks", sample=2, idempotency_key="k-1")
        assert code_of(refused)[:2] == (409, "idempotency_conflict")
        done = tests.wait(first.id, timeout=30, poll_interval=0.05)
        assert tests.create(name="sinks", sample=1, idempotency_key="k-1").status.value == done.status.value


def test_paging_survives_what_happens_between_pages(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        made = []
        for _ in range(5):
            made.append(tests.create(name="sinks", sample=1).id)
            tests.wait(made[-1], timeout=30, poll_interval=0.05)
        page = tests.list(limit=2)
        assert [row.id for row in page.data] == made[:2:-1]
        assert page.has_more
        newer = tests.create(name="sinks", sample=1).id
        rest = tests.list(limit=2, cursor=page.next_cursor)
        assert [row.id for row in rest.data] == [made[2], made[1]]
        assert [row.id for row in tests.all(limit=1)] == [newer, *reversed(made)]
        assert all(not row.results for row in page.data)
        with pytest.raises(LbbError) as refused:
            tests.list(cursor="nonsense")
        assert code_of(refused) == (400, "invalid_request", "cursor")


def test_cancel_keeps_what_was_read_and_is_idempotent(sinks: Live) -> None:
    with sinks.lbb() as client:
        tests = client.workflows.tests
        test = tests.create(name="sinks")
        ended = tests.cancel(test.id)
        assert ended.status.value in ("cancelled", "done")
        assert tests.cancel(test.id) == ended
        assert tests.wait(test.id, timeout=1).status == ended.status


def test_one_open_test_per_workflow(sinks: Live) -> None:
    from reviewapp.tests import start_test

    start_test(sinks.data.workspace("held", create=True), **held_test(sinks, "held"))
    with sinks.lbb(graph="held") as client, pytest.raises(LbbError) as refused:
        client.workflows.tests.create(name="sinks")
    assert code_of(refused)[:2] in ((409, "conflict"), (400, "invalid_request"))


def held_test(live: Live, graph: str) -> dict[str, object]:
    """A test of many inputs, still under way when the next request comes."""
    from reviewapp.domain.records import IncomingRecord
    from reviewapp.domain.workflows import WorkflowDefinition
    from reviewapp.records import declare_properties, import_records
    from reviewapp.workflows import put_workflow
    from tests.api.conftest import PROPERTIES

    workspace = live.data.workspace(graph, create=True)
    records = [IncomingRecord(name=f"r{n}", text="Width: 60 cm. " * 400) for n in range(300)]
    import_records(workspace, "sinks", records, by="Ann")
    declare_properties(workspace, "sinks", PROPERTIES, by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks"), by="Ann")
    return {"workflow": "sinks", "everything": True, "by": "Ann"}


def test_wait_gives_up_after_its_time_limit(sinks: Live) -> None:
    from reviewapp.tests import start_test

    test = start_test(sinks.data.workspace("held", create=True), **held_test(sinks, "held"))
    with sinks.lbb(graph="held") as client:
        with pytest.raises(TimeoutError, match=test.id):
            client.workflows.tests.wait(test.id, timeout=0, poll_interval=0)
        assert client.workflows.tests.cancel(test.id).status.value == "cancelled"


def test_the_asynchronous_client(sinks: Live) -> None:
    async def story() -> None:
        async with AsyncLbbClient(sinks.url, graph="default") as client:
            tests, datasets = client.workflows.tests, client.evals.datasets
            started = await tests.create(name="sinks", sample=2)
            test = await tests.wait(started.id, timeout=30, poll_interval=0.05)
            await tests.answer(test.id, test.inputs[0].iri, "width", {"decision": "accept"})
            dataset = await datasets.create("async", source={"kind": "test", "id": test.id})
            assert [row.id async for row in datasets.all(limit=1)] == [dataset.id]
            assert [row.id async for row in tests.all(limit=1)] == [test.id]
            assert (await datasets.export(dataset.id)).records[0].name == "S 4.0"
            assert (await datasets.delete(dataset.id)).deleted
            assert (await tests.cancel(test.id)).status.value == "done"

    asyncio.run(story())


def test_keys_are_asked_for_once_there_are_any(sinks: Live) -> None:
    from reviewapp.keys import create_key, revoke_key

    viewer = create_key(sinks.data, "looker", role="viewer", by="Ann")[1]
    author = create_key(sinks.data, "script", by="Ann")[1]
    for key in (None, "rk_wrong"):
        with sinks.lbb(api_key=key) as client, pytest.raises(LbbError) as refused:
            client.workflows.tests.list()
        assert code_of(refused)[:2] == (401, "unauthorized")
        assert refused.value.type == "auth_error"
    with sinks.lbb(api_key=viewer) as client:
        assert client.workflows.tests.list().data == []
        with pytest.raises(LbbError) as refused:
            client.workflows.tests.create(name="sinks")
        assert code_of(refused)[:2] == (403, "forbidden")
    with sinks.lbb(api_key=author) as client:
        test = client.workflows.tests.wait(
            client.workflows.tests.create(name="sinks").id, timeout=30, poll_interval=0.05
        )
        assert (
            client.workflows.tests.answer(test.id, test.inputs[0].iri, "width", {"decision": "accept"})
            .results[0]
            .answers["width"]
            .by
            == "script"
        )
    revoke_key(sinks.data, "script", by="Ann")
    with sinks.lbb(api_key=author) as client, pytest.raises(LbbError) as refused:
        client.workflows.tests.list()
    assert code_of(refused)[:2] == (401, "unauthorized")
