"""Items of a dataset by hand: added, changed, taken out; what does not fit is said and nothing typed is lost."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp import answers, datasets
from reviewapp.domain.datasets import Dataset, Item
from reviewapp.domain.tests import Test
from reviewapp.workspaces import Workspace

TEXT = "Shelf, oak. Width 80 cm."


@pytest.fixture
def dataset(workspace: Workspace, sinks: Test) -> Dataset:
    answers.save_answer(workspace, sinks.id, 0, "width", "accept", by="Ann", note="as read")
    answers.save_answer(workspace, sinks.id, 0, "bowl width", "reject", by="Ann")
    return datasets.save_dataset(workspace, sinks.id, by="Ann")


def path(dataset: Dataset, rest: str) -> str:
    return f"/w/default/datasets/{dataset.id}/items/{rest}"


def form(**more: Any) -> dict[str, Any]:
    row = {"property": "width", "kind": "value", "value": "80", "quote": "Width 80 cm", "reason": ""}
    return {"name": "shelf", "text": TEXT, **row, **more}


def items(workspace: Workspace, dataset: Dataset) -> dict[str, Item]:
    return {item.name: item for _, item in datasets.items(workspace, dataset.id)}


def test_an_item_is_added(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    assert client.get(path(dataset, "new")).status_code == 200
    assert client.post(path(dataset, ""), data=form()).status_code == 303
    added = items(workspace, dataset)["shelf"]
    (value,) = added.values
    assert (value.property, value.value, value.spans[0].cut(added.text)) == ("width", 80.0, "Width 80 cm")
    assert "shelf" in client.get(f"/w/default/datasets/{dataset.id}/").text


def test_what_is_not_changed_stays_as_it_was(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    before = items(workspace, dataset)["4.1 kitchen"]
    page = LexborHTMLParser(client.get(path(dataset, "change?name=4.1+kitchen")).text)
    sent: dict[str, Any] = {"was": before.name, "name": before.name, "text": before.text}
    for name in ("value", "quote", "reason"):
        sent[name] = [i.attributes.get("value") or "" for i in page.css(f"tbody input[name={name}]")]
    for name in ("property", "kind"):
        chosen = [s.css_first("option[selected]") for s in page.css(f"tbody select[name={name}]")]
        sent[name] = [(o.attributes.get("value") or o.text()) if o else "" for o in chosen]
    assert client.post(path(dataset, ""), data=sent).status_code == 303
    assert items(workspace, dataset)["4.1 kitchen"] == before
    sent["value"][0] = "61"
    assert client.post(path(dataset, ""), data=sent).status_code == 303
    after = items(workspace, dataset)["4.1 kitchen"]
    assert (after.values[0].value, after.values[0].reason) == (61.0, "as read")
    assert (after.iri, after.leave_out) == (before.iri, before.leave_out)


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"value": "wide"}, "width: "),
        ({"value": ""}, "has no value"),
        ({"quote": "Width 90 cm"}, "is not in the text"),
        ({"name": ""}, "needs a name"),
        ({"text": " "}, "needs a text"),
        ({"name": "4.1 kitchen"}, "There is an item"),
        ({"name": "x" * 300}, "has 300"),
    ],
)
def test_what_does_not_fit_is_said(
    client: FlaskClient, workspace: Workspace, dataset: Dataset, more: dict[str, str], fault: str
) -> None:
    response = client.post(path(dataset, ""), data=form(**more))
    assert response.status_code == 422
    assert fault in response.text
    assert "Shelf, oak" in response.text or more.get("text")
    assert set(items(workspace, dataset)) == {"4.1 kitchen"}


def test_no_value_at_all(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    client.post(path(dataset, ""), data=form(kind="none", value="", quote="", reason="not stated"))
    (left_out,) = items(workspace, dataset)["shelf"].leave_out
    assert (left_out.value, left_out.reason) == (None, "not stated")


def test_an_item_is_taken_out(client: FlaskClient, workspace: Workspace, dataset: Dataset) -> None:
    assert client.post(path(dataset, "delete"), data={"name": "4.1 kitchen"}).status_code == 303
    assert items(workspace, dataset) == {}
    assert client.get(path(dataset, "change?name=4.1+kitchen")).status_code == 404
