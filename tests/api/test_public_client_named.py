"""The public client on datasets, workflows, their revisions and choices, and on a graph that is not there."""

from __future__ import annotations

import pytest
from lbb import LbbError

from tests.api.conftest import Live
from tests.api.test_public_client import code_of


def test_datasets_of_ones_own(live: Live) -> None:
    item = {"name": "S 1", "text": "60 cm wide", "values": [{"property": "width", "value": 60, "quote": "60 cm"}]}
    with live.lbb(graph="fresh") as client:
        datasets = client.evals.datasets
        made = datasets.create("mine", items=[item], install={"properties": {"width": "f64"}, "units": {"width": "cm"}})
        assert made.item_count == 1
        more = datasets.add_items(made.id, [{**item, "text": "61 cm wide"}, {**item, "name": "S 2"}])
        assert [(i.name, i.text) for i in more.items] == [("S 1", "61 cm wide"), ("S 2", "60 cm wide")]
        assert [d.id for d in datasets.all(limit=1)] == [made.id]
        assert datasets.list().data[0].items is None
        for bad, param in (
            ({"name": "S 3"}, "items"),
            ({"name": "S 3", "text": "x" * 40_001}, "items"),
            ({**item, "values": [{"property": "width"}]}, "items"),
        ):
            with pytest.raises(LbbError) as refused:
                datasets.add_items(made.id, [bad])
            assert code_of(refused)[0] == 400
            assert code_of(refused)[2] == param


def test_workflows_their_revisions_and_choices(sinks: Live) -> None:
    with sinks.lbb() as client:
        named = client.workflows.named
        first = named.get("sinks").active_revision
        changed = client.use_workflow_starter("values.extract", name="sinks", class_="sinks", gate=0.9)
        assert changed["gate"] == {"below": 0.9}
        same = client.use_workflow_starter("values.extract", name="sinks", class_="sinks", gate=0.9)
        assert same["active_revision"] == changed["active_revision"] != first

        rows = list(named.all_revisions("sinks"))
        assert [(row.id, row.bound) for row in rows] == [(changed["active_revision"], True), (first, False)]
        with pytest.raises(LbbError) as refused:
            named.activate_revision("sinks", first, expected_revision=first)
        assert code_of(refused)[:2] == (409, "workflow_revision_conflict")
        assert named.activate_revision("sinks", first).active_revision == first
        assert [row.bound for row in named.all_revisions("sinks")] == [True, False, False]
        assert named.get_revision("sinks", first).request.body["gate"] == {"below": 0.8}

        test = client.workflows.tests.create(name="sinks", revision=changed["active_revision"], sample=1)
        done = client.workflows.tests.wait(test.id, timeout=30, poll_interval=0.05)
        assert (done.revision, done.settings.gate) == (changed["active_revision"], 0.9)
        assert named.get("sinks").active_revision == first  # testing a revision activates nothing

        assert named.pause("sinks", True).paused
        assert named.get("sinks").status.state.value == "paused"
        assert [row.use.value for row in client.models.choices.all()] == ["extract", "decide", "embed"]
        model = {"provider": "embedded", "model": "rules"}
        assert client.models.choices.put(use="extract", model=model, workflow="sinks").scope.value == "workflow"
        assert client.models.choices.delete(use="extract", workflow="sinks").deleted
        with pytest.raises(LbbError) as refused:
            client.models.choices.put(use="embed", model=model)
        assert code_of(refused)[:2] == (400, "model_choice_unsupported")

        assert [row["name"] for row in client.triggered_workflows()["starters"]] == ["sinks"]
        assert client.triggered_workflow("values.extract", "sinks")["name"] == "sinks"
        preview = client.preview_triggered_workflow("values.extract", name="p", class_="sinks", sample=1)
        assert preview["instance_count"] == 3
        assert preview["details"]["samples"][0]["values"]
        with pytest.raises(LbbError) as refused:
            client.triggered_workflow("values.extract", "nobody")
        assert code_of(refused)[:2] == (404, "triggered_workflow_not_found")
        with pytest.raises(LbbError) as refused:
            named.delete("sinks", confirm="other")
        assert code_of(refused)[:2] == (400, "invalid_request")
        assert named.delete("sinks", confirm="sinks").deleted
        with pytest.raises(LbbError) as refused:
            named.get("sinks")
        assert code_of(refused)[:2] == (404, "named_workflow_not_found")


def test_a_graph_that_is_not_there(live: Live) -> None:
    with live.lbb(graph="nowhere") as client:
        with pytest.raises(LbbError) as refused:
            client.workflows.tests.list()
        assert code_of(refused)[:2] == (404, "not_found")
        client.evals.datasets.create("made by a write", items=[])
        assert client.workflows.tests.list().data == []
