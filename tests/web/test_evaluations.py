"""Pages of evaluations, comparisons, gates and of work on datasets."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET

import pytest
from flask.testing import FlaskClient

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.datasets import save_dataset
from reviewapp.domain.datasets import Dataset, Expected, Item
from reviewapp.evaluations import grade_outputs, list_evaluations
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.web.workflow_form import COLUMNS
from reviewapp.workflows import get_workflow
from reviewapp.workspaces import DataFolder, Workspace
from tests.builders import done, value
from tests.evaluations.worlds import doors, workflow

ALL = "/w/default/evaluations/"
EVIL = '"><img src=x onerror=alert(1)>'


@pytest.fixture
def dataset(workspace: Workspace) -> Dataset:
    workflow(workspace)
    return doors(workspace)


def started(data: DataFolder, client: FlaskClient, dataset: str, **more: str) -> str:
    """The address of an evaluation that is done."""
    sent = client.post(ALL, data={"dataset": dataset, "workflow": "doors", **more})
    assert sent.status_code == 303, sent.text
    EvaluationRunner(data).run_until_idle()
    return str(sent.headers["Location"])


def test_nothing_yet(client: FlaskClient, workspace: Workspace) -> None:
    assert "Nothing graded yet" in client.get(ALL).text
    assert "No dataset yet" in client.get(f"{ALL}new").text
    assert "Two evaluations that are done are needed" in client.get(f"{ALL}compare").text


def test_grade_a_revision_and_read_the_report(data: DataFolder, client: FlaskClient, dataset: Dataset) -> None:
    form = client.get(f"{ALL}new?dataset={dataset.id}").text
    assert "Doors (4 items, version 1)" in form
    address = started(data, client, dataset.id)
    page = client.get(f"{address}?basis=read")
    assert page.status_code == 200
    assert "doors, revision 1" in page.text
    row = re.search(r">quantity</a></th>(.*?)</tr>", page.text)
    assert row is not None
    assert re.findall(r'<td class="number">(\d+)</td>', row[1]) == ["2", "1", "0", "0"]
    assert "✕</span> wrong" in page.text
    assert ">d1" not in re.sub(r"<select.*?</select>", "", page.text), "items without faults are not shown"
    everything = client.get(f"{address}?basis=read&show=all").text
    assert all(f">{name}" in everything for name in ("d1", "d2", "d3", "d4"))
    assert "doors, revision 1" in client.get(ALL).text


def test_a_waiting_evaluation_polls_and_can_be_cancelled(client: FlaskClient, dataset: Dataset) -> None:
    address = str(client.post(ALL, data={"dataset": dataset.id, "workflow": "doors"}).headers["Location"])
    page = client.get(address).text
    assert 'hx-trigger="every 1s"' in page
    assert "it waits for its turn" in page
    piece = client.get(address, headers={"HX-Request": "true"}).text
    assert piece.lstrip().startswith('<div id="evaluation"')
    assert client.post(f"{address}cancel").status_code == 303
    ended = client.get(address).text
    assert "hx-trigger" not in ended
    assert "cancelled" in ended
    assert client.post(f"{address}delete").status_code == 303
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"version": "two"}, "is no version"),
        ({"what": "test", "test": ""}, "There is no test"),
        ({"dataset": "ds_0"}, "There is no dataset"),
        ({"version": "9"}, "Versions that are kept: 1."),
        ({"revision": "wrev_0"}, "There is no revision"),
        ({"workflow": "gone"}, "There is no workflow"),
        ({"what": "earlier", "earlier": "erun_0"}, "There is no evaluation"),
    ],
)
def test_mistakes_are_said_in_the_form(client: FlaskClient, dataset: Dataset, form: dict[str, str], said: str) -> None:
    sent = client.post(ALL, data={"dataset": dataset.id, "workflow": "doors", **form})
    assert sent.status_code == 422
    assert said in sent.text.replace("&#39;", "'")
    assert "Grade it" in sent.text


def test_outputs_are_scored_anew_on_the_dataset_as_it_is_now(
    data: DataFolder, client: FlaskClient, workspace: Workspace, dataset: Dataset
) -> None:
    first = started(data, client, dataset.id)
    assert "Score its outputs anew" in client.get(first).text
    (d3,) = (i for _, i in datasets.items(workspace, dataset.id) if i.name == "d3")
    mended = d3.model_copy(update={"values": (d3.values[0], Expected(property="quantity", value=12))})
    datasets.add_items(workspace, dataset.id, [mended], by="Ann")
    again = started(data, client, dataset.id, what="earlier", earlier=first.rstrip("/").rpartition("/")[2])
    page = client.get(again).text
    assert "doors, revision 1, scored anew" in page
    assert "4 items, 4 without fault" in page
    assert "3 without fault" in client.get(first).text, "the earlier report keeps its own"


def test_one_that_has_not_ended_is_not_compared(
    data: DataFolder, client: FlaskClient, workspace: Workspace, dataset: Dataset
) -> None:
    started(data, client, dataset.id)
    client.post(ALL, data={"dataset": dataset.id, "workflow": "doors"})
    waiting, ended = (e.id for e in list_evaluations(workspace))
    page = client.get(f"{ALL}compare?before={ended}&after={waiting}")
    assert page.status_code == 409
    assert "Evaluation 2 is queued" in page.text
    assert "Two evaluations that are done are needed" in page.text


def test_two_side_by_side(data: DataFolder, client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    started(data, client, dataset.id)
    outputs = {
        "d1": [{"property": "width", "value": 61, "quote": EVIL}, {"property": "quantity", "value": 4}],
        "d2": [{"property": "width", "value": 88.5}, {"property": "quantity", "value": 2}],
        "d3": [{"property": "width", "value": 100}, {"property": "quantity", "value": 11}],
        "d4": [],
    }
    grade_outputs(workspace, dataset.id, outputs, name="theirs", by="Ann")
    after, before = (e.id for e in list_evaluations(workspace))
    page = client.get(f"{ALL}compare?before={before}&after={after}&basis=read")
    assert page.status_code == 200
    assert "1 fixed, 1 broke, 5 are as right or wrong as before, on 4 items" in page.text
    assert "Could be chance: as many were fixed as broke." in page.text
    assert EVIL not in page.text
    assert "&#34;&gt;&lt;img" in page.text
    still = client.get(f"{ALL}compare?before={before}&after={after}&basis=read&kind=still+right&property=width").text
    assert "88.5" in still
    chosen = client.get(f"{ALL}compare?after={after}").text
    assert re.search(rf'value="{after}" selected', chosen)
    matrix = client.get(f"{ALL}matrix/{dataset.id}?basis=read").text
    assert "theirs" in matrix
    assert "f1.svg" in matrix
    assert client.get(f"{ALL}compare?before=erun_0&after={after}").status_code == 404


def test_pictures_are_plain_svg(data: DataFolder, client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    started(data, client, dataset.id)
    for address in (
        f"{ALL}matrix/{dataset.id}/f1.svg",
        "/w/default/workflows/doors/gate/curve.svg",
        "/w/default/workflows/doors/gate/reliability.svg",
    ):
        picture = client.get(address)
        assert picture.mimetype == "image/svg+xml", address
        assert ET.fromstring(picture.data).tag.endswith("svg")  # noqa: S314 - our own
        assert b"<script" not in picture.data
        assert b"http" not in re.sub(rb'xmlns(:\w+)?="[^"]*"|<!--.*?-->|<title>.*?</title>', b"", picture.data)
        assert picture.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"


def answered(workspace: Workspace, right: int, wrong: int) -> None:
    """A test of the workflow in use: values with support 0.95 are right, those with 0.6 wrong."""
    names = [f"n{n}" for n in range(right + wrong)]
    texts = {name: f"{name}: width {n + 1} cm" for n, name in enumerate(names)}
    readings = {
        name: [value("width", float(n + 1), text=texts[name], support=0.95 if n < right else 0.6)]
        for n, name in enumerate(names)
    }
    properties = get_workflow(workspace, "doors").active.settings.properties
    test = done(workspace, texts, readings, workflow="doors", properties=properties)
    given = {input.label: input.position for input in workspace.results.inputs(test.id, limit=1_000)}
    for n, name in enumerate(names):
        save_answer(workspace, test.id, given[name], "width", "accept" if n < right else "reject", by="Ann")


GATE = "/w/default/workflows/doors/gate/"


def test_five_answers_suggest_no_gate(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    answered(workspace, 5, 0)
    page = client.get(f"{GATE}?wanted=98").text
    assert "Too few answers to say (5)" in page
    assert "5 of 5 answered values were right" in page
    assert "likely enough" not in page
    assert 'name="gate" inputmode="decimal" value="0.8"' in page, "the gate in use, not one that nothing speaks for"


def test_the_gate_from_answers(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    assert "No answers yet" in client.get(GATE).text
    answered(workspace, 30, 10)
    page = client.get(f"{GATE}?wanted=98")
    assert page.status_code == 200
    assert "Gate 0.61 is likely enough" in page.text
    assert "30 of 30 answered values were right (100.0 %" in page.text
    assert "75.0 % would need no person" in page.text
    assert "To be sure of any gate, more answers are needed." in page.text
    assert "Surely enough" in client.get(f"{GATE}?wanted=85").text
    assert client.get(GATE + "?property=quantity").status_code == 200
    expected = get_workflow(workspace, "doors").active.id
    sent = client.post(GATE, data={"gate": "0.61", "expected": expected})
    assert sent.status_code == 303
    assert get_workflow(workspace, "doors").active.settings.gate == 0.61
    assert "The gate is 0.61 now: revision 2 is in use." in client.get(GATE).text
    late = client.post(GATE, data={"gate": "0.7", "expected": expected})
    assert late.status_code == 409
    assert "30 of 30" in client.get(GATE).text, "answers on the revision with the other gate still count"


def test_the_gate_of_one_property(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    answered(workspace, 30, 10)
    shown = client.get(f"{GATE}?property=width").text
    assert "Gate of width" in shown
    assert "Use the workflow’s gate again" not in shown
    sent = client.post(GATE, data={"gate": "0,93", "property": "width"})
    assert (sent.status_code, sent.location) == (303, f"{GATE}?property=width")
    assert get_workflow(workspace, "doors").active.settings.gates == {"width": 0.93}
    page = client.get(f"{GATE}?property=width").text
    assert "The gate of width is 0.93 now: revision 2 is in use." in page
    assert "width: from 0.93 on." in page
    assert "width: 0.93" in client.get("/w/default/workflows/doors/").text
    assert client.post(GATE, data={"gate": "", "property": "width"}).status_code == 303
    assert get_workflow(workspace, "doors").active.settings.gates == {}
    odd = client.post(GATE, data={"gate": "0.9", "property": "colour"})
    assert odd.status_code == 422


def test_changing_a_workflow_by_its_form_keeps_the_gates_of_its_properties(
    client: FlaskClient, workspace: Workspace, dataset: Dataset
) -> None:
    for name in ("width", "quantity"):
        client.post(GATE, data={"gate": "0.93", "property": name})
    row = {"p-name": "width", "p-value_type": "f64", "p-unit": "cm"}
    rows = {f"p-{column}": row.get(f"p-{column}", "") for column in COLUMNS}
    form = {"name": "doors", "collection": "tenders", "reader": "rules", "gate": "0.7", "changes": "doors", **rows}
    sent = client.post("/w/default/workflows/", data=form)
    assert sent.status_code == 303, sent.text
    settings = get_workflow(workspace, "doors").active.settings
    assert ([p.name for p in settings.properties], settings.gate, settings.gates) == (["width"], 0.7, {"width": 0.93})


@pytest.mark.parametrize("gate", ["", "high", "1.5", "0.2"])
def test_a_gate_that_is_none(client: FlaskClient, workspace: Workspace, dataset: Dataset, gate: str) -> None:
    answered(workspace, 3, 1)
    sent = client.post(GATE, data={"gate": gate})
    assert sent.status_code == 422
    assert 'class="fault"' in sent.text


def test_a_wanted_share_that_is_none_is_said_and_kept(
    client: FlaskClient, workspace: Workspace, dataset: Dataset
) -> None:
    answered(workspace, 3, 1)
    page = client.get(f"{GATE}?wanted=ninety")
    assert page.status_code == 422
    assert "is no share from 50 to 100 %" in page.text


# -- datasets -----------------------------------------------------------------------------------------------------


def test_versions_and_differences(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    changed = Item(name="d1", text="another text", values=(Expected(property="width", value=61.0),))
    datasets.add_items(workspace, dataset.id, [changed, Item(name=EVIL, text="x")], by="Ann")
    page = client.get(f"/w/default/datasets/{dataset.id}/").text
    assert "items added" in page
    older = client.get(f"/w/default/datasets/{dataset.id}/?version=1").text
    assert "an earlier one" in older
    assert "Steel door" in older
    difference = client.get(f"/w/default/datasets/{dataset.id}/diff?before=1&after=2").text
    assert "another text" in difference
    assert EVIL not in difference
    assert client.get(f"/w/default/datasets/{dataset.id}/?version=9").status_code == 404


def test_out_and_in_again(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    out = client.get(f"/w/default/datasets/{dataset.id}/as/jsonl")
    assert out.headers["Content-Disposition"] == "attachment; filename=Doors.jsonl"
    sent = client.post(
        "/w/default/datasets/import", data={"form": "jsonl", "name": "Again", "file": (io.BytesIO(out.data), "x.jsonl")}
    )
    assert sent.status_code == 303
    assert "Brought in: Again, 4 items." in client.get(sent.headers["Location"]).text
    bad = client.post("/w/default/datasets/import", data={"form": "jsonl", "file": (io.BytesIO(b"{}"), "x.jsonl")})
    assert bad.status_code == 422
    assert "line 1: name is missing" in bad.text
    assert client.post("/w/default/datasets/import", data={"form": "jsonl"}).status_code == 422
    assert client.get(f"/w/default/datasets/{dataset.id}/as/excel").status_code in (400, 422)


def test_spellings(client: FlaskClient, workspace: Workspace) -> None:
    shop = Item(name="a", text="t", values=(Expected(property="shop", value="Acme Ltd"),))
    made = datasets.create_dataset(workspace, "Shops", items=[shop], by="Ann")
    form = {"item": "a", "property": "shop", "spellings": "ACME\r\n acme limited \r\n"}
    assert client.post(f"/w/default/datasets/{made.id}/accept", data=form).status_code == 303
    assert "counts as right: acme, acme limited" in client.get(f"/w/default/datasets/{made.id}/").text


def test_a_dataset_of_a_test_is_graded_with_what_the_test_read(
    data: DataFolder, client: FlaskClient, workspace: Workspace, dataset: Dataset
) -> None:
    answered(workspace, 2, 1)
    (test,) = workspace.tests.rows(workflow="doors")
    made = save_dataset(workspace, test.id, by="Ann")
    address = started(data, client, made.id, what="test", test=test.id)
    assert "doors, test 1" in client.get(address).text
