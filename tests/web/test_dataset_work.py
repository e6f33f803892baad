"""Merging, splitting, adding answers, finding duplicates on the pages: looked at first, then done."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.workspaces import Workspace
from tests.builders import done, value


def kept(workspace: Workspace, name: str, widths: dict[str, float], **more: str) -> Dataset:
    """A dataset of doors; one of 61 cm is a wrong one of 60."""
    texts = {n: more.get(n, f"Width {60 if w == 61 else w:g} cm") for n, w in widths.items()}
    items = [Item(name=n, text=texts[n], values=(Expected(property="width", value=w),)) for n, w in widths.items()]
    install = Install(properties={"width": "f64"}, units={"width": "cm"})
    return datasets.create_dataset(workspace, name, items=items, install=install, by="Ann")


@pytest.fixture
def may_(workspace: Workspace) -> Dataset:
    return kept(workspace, "May", {"a": 60, "b": 70, "c": 80})


@pytest.fixture
def june(workspace: Workspace) -> Dataset:
    return kept(workspace, "June", {"x": 61, "y": 90})


def at(dataset: Dataset, rest: str) -> str:
    return f"/w/default/datasets/{dataset.id}/{rest}"


def names(workspace: Workspace) -> list[str]:
    return [d.name for d in datasets.list_datasets(workspace)]


def test_the_page_of_a_dataset_leads_there(client: FlaskClient, may_: Dataset) -> None:
    page = client.get(at(may_, "")).text
    for rest in ("merge", "split", "add-answers", "duplicates"):
        assert f'href="{at(may_, rest)}"' in page


def test_a_merge_is_looked_at_before_it_is_made(
    client: FlaskClient, workspace: Workspace, may_: Dataset, june: Dataset
) -> None:
    assert "June" in client.get(at(may_, "merge")).text
    looked = client.get(at(may_, f"merge?look=1&other={june.id}"))
    assert looked.status_code == 200
    assert "<strong>4 items</strong> would be in the new dataset" in looked.text
    assert "Where they contradict each other" in looked.text
    assert 'value="May + June"' in looked.text
    assert len(names(workspace)) == 2
    form = {"other": june.id, "name": "Spring"}
    refused = client.post(at(may_, "merge"), data=form)
    assert refused.status_code == 422
    assert "expect different things" in refused.text
    assert 'value="Spring"' in refused.text
    made = client.post(at(may_, "merge"), data=form | {"prefer_last": "1"})
    assert made.status_code == 303
    assert names(workspace)[0] == "Spring"
    found = datasets.items(workspace, datasets.list_datasets(workspace)[0].id)
    assert [(i.name, i.values[0].value) for _, i in found] == [("a", 61), ("b", 70), ("c", 80), ("y", 90)]


def test_a_merge_that_cannot_be(client: FlaskClient, workspace: Workspace, may_: Dataset) -> None:
    assert "There is no other dataset to merge it with" in client.get(at(may_, "merge")).text
    other = datasets.create_dataset(
        workspace, "Inches", items=[Item(name="i", text="t")], by="Ann",
        install=Install(properties={"width": "f64"}, units={"width": "in"}),
    )  # fmt: skip
    nothing = client.get(at(may_, "merge?look=1"))
    assert (nothing.status_code, "at least two different datasets" in nothing.text) == (422, True)
    clash = client.get(at(may_, f"merge?look=1&other={other.id}"))
    assert (clash.status_code, "only datasets in the same unit go together" in clash.text) == (422, True)
    assert client.get(at(may_, "merge?look=1&other=ds_none")).status_code == 404


def test_a_split_is_looked_at_before_it_is_made(client: FlaskClient, workspace: Workspace) -> None:
    all_ = kept(workspace, "All", {"a": 60, "b": 70, "c": 80, "a2": 60}, a2="width  60 CM")
    assert 'value="All, to learn"' in client.get(at(all_, "split")).text
    looked = client.get(at(all_, "split?look=1&pattern=a&first=One&second=Two"))
    assert looked.status_code == 200
    assert "which stay together: 1." in looked.text
    assert "a · a2" in looked.text
    assert names(workspace) == ["All"]
    made = client.post(at(all_, "split"), data={"pattern": "a", "first": "One", "second": "Two"})
    assert made.status_code == 303
    assert [(d.name, d.item_count) for d in datasets.list_datasets(workspace)] == [("Two", 2), ("One", 2), ("All", 4)]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("share=many", "is no share"),
        ("share=0", "is no share"),
        ("share=100", "is no share"),
        ("share=", "either by a share or by a name pattern"),
        ("share=50&pattern=zz*", "part empty"),
        ("share=1", "part empty"),
        ("pattern=zz*", "part empty"),
    ],
)
def test_a_split_that_cannot_be(client: FlaskClient, may_: Dataset, asked: str, said: str) -> None:
    page = client.get(at(may_, f"split?look=1&{asked}"))
    assert (page.status_code, said in page.text) == (422, True)
    assert client.post(at(may_, "split"), data=dict(p.split("=") for p in asked.split("&"))).status_code == 422


def test_a_share_as_people_type_it(client: FlaskClient, may_: Dataset) -> None:
    for typed in ("67", "67 %", "66,7", "0.67"):
        page = client.get(at(may_, "split"), query_string={"look": "1", "share": typed})
        assert "<p>2 items</p>" in page.text, typed


def test_answers_are_looked_at_before_they_are_added(client: FlaskClient, workspace: Workspace, may_: Dataset) -> None:
    assert "No test has answers yet" in client.get(at(may_, "add-answers")).text
    texts = {"k": "Width 60 cm", "l": "Width 75 cm"}
    readings = {n: [value("width", float(t[6:8]), text=t, quote=t[6:])] for n, t in texts.items()}
    test = done(workspace, texts, readings)
    for position in (0, 1):
        save_answer(workspace, test.id, position, "width", "accept", by="Ann")
    save_answer(workspace, test.id, 0, "width", "correct", value=62.0, by="Ann")
    form = client.get(at(may_, "add-answers")).text
    assert f"test {test.number}" in form
    assert client.get(at(may_, "add-answers?look=1")).status_code == 422
    looked = client.get(at(may_, f"add-answers?look=1&test={test.id}")).text
    assert "Items added: 1. Items that expect something else than before: 1." in looked
    assert "The later one counts" in looked
    datasets.set_case(workspace, may_.id, "a", "in between", by="Bo")
    stale = client.post(at(may_, "add-answers"), data={"test": test.id, "seen": "1"})
    assert (stale.status_code, "has changed in the meantime" in stale.text) == (422, True)
    assert client.post(at(may_, "add-answers"), data={"test": test.id, "seen": "2"}).status_code == 303
    assert [i.name for _, i in datasets.items(workspace, may_.id)] == ["a", "b", "c", "l"]
    again = client.get(at(may_, f"add-answers?look=1&test={test.id}")).text
    assert "Nothing would change" in again


def test_duplicates_are_listed(client: FlaskClient, workspace: Workspace, may_: Dataset) -> None:
    assert "No two items have the same text" in client.get(at(may_, "duplicates")).text
    twins = kept(workspace, "Twins", {"a": 60, "b": 61, "<b>": 70, "d": 70})
    page = client.get(at(twins, "duplicates")).text
    assert "Texts that several items have: 2." in page
    assert "</span> width</span>" in page
    assert "&lt;b&gt;" in page
    assert "items/change?name=a" in page
