from __future__ import annotations

import pytest

from reviewapp import datasets
from reviewapp.domain.datasets import Dataset, Expected, Item
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.store import Workspace


def item(name: str, text: str = "", **values: object) -> Item:
    expected = tuple(Expected(property=p, value=v) for p, v in values.items())  # type: ignore[arg-type]
    return Item(name=name, text=text or f"text of {name}", values=expected)


@pytest.fixture
def three(workspace: Workspace) -> Dataset:
    """Version 1: a, b; version 2: a, b changed, c; version 3: b, c."""
    made = datasets.create_dataset(workspace, "Sinks", items=[item("a", width=1), item("b", width=2)], by="ann")
    datasets.add_items(workspace, made.id, [item("b", width=3), item("c", width=4)], by="bob")
    return datasets.remove_items(workspace, made.id, ["a"], by="ann")


def names(workspace: Workspace, id: str, version: int | None = None) -> list[tuple[str, object]]:
    return [(i.name, i.values[0].value) for _, i in datasets.items(workspace, id, version=version)]


def test_every_version_stays_readable(workspace: Workspace, three: Dataset) -> None:
    assert names(workspace, three.id, 1) == [("a", 1), ("b", 2)]
    assert names(workspace, three.id, 2) == [("a", 1), ("b", 3), ("c", 4)]
    assert names(workspace, three.id, 3) == names(workspace, three.id) == [("b", 3), ("c", 4)]
    assert [i.text for _, i in datasets.items(workspace, three.id, version=1)] == ["text of a", "text of b"]


def test_versions_say_who_made_them(workspace: Workspace, three: Dataset) -> None:
    found = datasets.list_versions(workspace, three.id)
    assert [(v.version, v.by, v.note, v.item_count) for v in found] == [
        (3, "ann", "items removed", 2),
        (2, "bob", "items added", 3),
        (1, "ann", "", 2),
    ]


def test_a_version_that_never_was(workspace: Workspace, three: Dataset) -> None:
    with pytest.raises(NotFound, match="Versions that are kept: 1, 2, 3"):
        datasets.items(workspace, three.id, version=4)


def test_only_what_changed_is_kept_twice(workspace: Workspace) -> None:
    made = datasets.create_dataset(workspace, "Many", items=[item(str(n), width=n) for n in range(300)], by="ann")
    datasets.add_items(workspace, made.id, [item("7", width=70)], by="ann")
    with workspace.connections.read() as c:
        assert c.execute("select count(*) from past_items").fetchone() == (1,)
    assert len(names(workspace, made.id, 1)) == 300


def test_a_deleted_dataset_takes_its_versions_and_texts_along(workspace: Workspace, three: Dataset) -> None:
    datasets.delete_dataset(workspace, three.id, "ann")
    with workspace.connections.read() as c:
        for table in ("past_items", "dataset_items", "dataset_versions", "texts"):
            assert c.execute(f"select count(*) from {table}").fetchone() == (0,), table  # noqa: S608


def test_the_diff_of_two_versions(workspace: Workspace, three: Dataset) -> None:
    found = list(datasets.diff(workspace, (three.id, 1), (three.id, 2)))
    assert [(c.kind, c.name) for c in found] == [("changed", "b"), ("added", "c")]
    assert found[0].before is not None
    assert found[0].after is not None
    assert (found[0].before.values[0].value, found[0].after.values[0].value) == (2, 3)
    back = list(datasets.diff(workspace, (three.id, None), (three.id, 1)))
    assert [(c.kind, c.name) for c in back] == [("added", "a"), ("changed", "b"), ("removed", "c")]
    assert back[0].after is not None
    assert back[0].after.text == "text of a"
    assert list(datasets.diff(workspace, (three.id, 2), (three.id, 2))) == []


def test_a_text_alone_is_a_change(workspace: Workspace, three: Dataset) -> None:
    other = datasets.create_dataset(workspace, "Other", items=[item("b", "new text", width=3)], by="ann")
    found = list(datasets.diff(workspace, (three.id, None), (other.id, None)))
    assert [(c.kind, c.name) for c in found] == [("changed", "b"), ("removed", "c")]


def test_accept_spellings(workspace: Workspace) -> None:
    made = datasets.create_dataset(workspace, "Shops", items=[item("a", shop="Acme Ltd", width=2)], by="ann")
    changed = datasets.set_accept(workspace, made.id, "a", "shop", [" ACME ", "acme ltd", "Acme", ""], by="ann")
    ((_, found),) = datasets.items(workspace, made.id)
    assert (changed.version, found.values[0].accept, found.values[1].accept) == (2, ("acme", "acme ltd"), None)
    assert datasets.set_accept(workspace, made.id, "a", "shop", ["acme", "acme ltd"], by="ann").version == 2
    assert datasets.set_accept(workspace, made.id, "a", "shop", None, by="ann").version == 3


@pytest.mark.parametrize(
    ("item_name", "property", "spellings", "said"),
    [
        ("a", "colour", ["x"], "expects no value of 'colour'; it does of: shop, width"),
        ("a", "width", ["2"], "is no text"),
        ("a", "shop", [" "], "1 to 200 spellings"),
        ("b", "shop", ["x"], "There is no item"),
    ],
)
def test_spellings_that_cannot_be(
    workspace: Workspace, item_name: str, property: str, spellings: list[str], said: str
) -> None:
    made = datasets.create_dataset(workspace, "Shops", items=[item("a", shop="Acme Ltd", width=2)], by="ann")
    with pytest.raises((InvalidInput, NotFound), match=said):
        datasets.set_accept(workspace, made.id, item_name, property, spellings, by="ann")


def test_what_an_item_is_there_to_try(workspace: Workspace) -> None:
    made = datasets.create_dataset(workspace, "Shops", items=[item("a", width=2)], by="ann")
    datasets.set_case(workspace, made.id, "a", " two widths in one line ", by="ann")
    assert datasets.items(workspace, made.id)[0][1].case == "two widths in one line"
    datasets.set_case(workspace, made.id, "a", "", by="ann")
    assert datasets.items(workspace, made.id)[0][1].case is None
