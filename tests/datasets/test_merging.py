from __future__ import annotations

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.store import Workspace
from tests.builders import done, value


def item(name: str, text: str, *, out: dict[str, object] | None = None, **values: object) -> Item:
    return Item(
        name=name,
        text=text,
        values=tuple(Expected(property=p, value=v) for p, v in values.items()),  # type: ignore[arg-type]
        leave_out=tuple(Expected(property=p, value=v) for p, v in (out or {}).items()),  # type: ignore[arg-type]
    )


def kept(workspace: Workspace, name: str, *items: Item, install: Install | None = None) -> str:
    return datasets.create_dataset(workspace, name, items=items, install=install, by="ann").id


def test_merging_unites_what_has_the_same_text(workspace: Workspace) -> None:
    first = kept(workspace, "First", item("a", "one", width=1), item("b", "two", width=2))
    second = kept(workspace, "Second", item("x", "two", width=2.0, height=5), item("a", "three", width=3))
    merged = datasets.merge_datasets(workspace, [first, second], "Both", by="ann")
    found = [(i.name, i.text, {e.property: e.value for e in i.values}) for _, i in datasets.items(workspace, merged.id)]
    assert found == [
        ("a", "one", {"width": 1}),
        ("b", "two", {"width": 2, "height": 5}),
        ("a (2)", "three", {"width": 3}),
    ]
    assert datasets.list_versions(workspace, merged.id)[0].note == "merged from First (version 1), Second (version 1)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (item("a", "t", width=1), item("b", "t", width=2)),
        (item("a", "t", width=1), item("b", "t", out={"width": None})),
        (item("a", "t", out={"width": 1}), item("b", "t", width=1.0)),
    ],
)
def test_contradictions_are_named_or_the_later_one_counts(workspace: Workspace, one: Item, other: Item) -> None:
    ids = [kept(workspace, "First", one), kept(workspace, "Second", other)]
    with pytest.raises(Conflict, match="'a' and 'b' on width"):
        datasets.merge_datasets(workspace, ids, "Both", by="ann")
    merged = datasets.merge_datasets(workspace, ids, "Both", prefer_last=True, by="ann")
    ((_, found),) = datasets.items(workspace, merged.id)
    assert (found.values, found.leave_out) == (other.values, other.leave_out)


def says(name: str, value: str, *accept: str, quote: str | None = None, reason: str | None = None) -> Item:
    expected = Expected(property="shop", value=value, accept=accept or None, quote=quote, reason=reason)
    return Item(name=name, text="Shop: ACME Ltd.", values=(expected,))


@pytest.mark.parametrize(
    ("one", "other", "accept"),
    [
        (says("a", "ACME Ltd."), says("b", "acme ltd."), None),  # the same to a grader
        (says("a", "Acme", "acme", "acme ltd."), says("b", "ACME Ltd."), ("acme", "acme ltd.")),
        (says("a", "ACME Ltd."), says("b", "Acme", "acme ltd.", "acme"), ("acme ltd.", "acme")),
        (says("a", "Acme", "acme ltd."), says("b", "Acme", "acme inc."), ("acme ltd.", "acme inc.")),
    ],
)
def test_spellings_that_either_accepts_are_no_contradiction_and_stay(
    workspace: Workspace, one: Item, other: Item, accept: tuple[str, ...] | None
) -> None:
    ids = [kept(workspace, "First", one), kept(workspace, "Second", other)]
    merged = datasets.merge_datasets(workspace, ids, "Both", by="ann")
    ((_, found),) = datasets.items(workspace, merged.id)
    (expected,) = found.values
    assert (expected.value, expected.accept) == (one.values[0].value, accept)


def test_the_second_one_s_quote_and_note_are_kept_where_the_first_has_none(workspace: Workspace) -> None:
    ids = [
        kept(workspace, "First", says("a", "ACME Ltd.")),
        kept(workspace, "Second", says("b", "ACME Ltd.", quote="ACME Ltd.", reason="on the stamp")),
    ]
    ((_, found),) = datasets.items(workspace, datasets.merge_datasets(workspace, ids, "Both", by="ann").id)
    assert (found.values[0].quote, found.values[0].reason) == ("ACME Ltd.", "on the stamp")


def test_a_name_with_two_meanings_does_not_merge(workspace: Workspace) -> None:
    cm = Install(properties={"width": "f64"}, units={"width": "cm"})
    ids = [
        kept(workspace, "First", item("a", "one", width=1), install=cm),
        kept(workspace, "Second", item("b", "two", width=1), install=Install(properties={"width": "text"})),
        kept(workspace, "Third", item("c", "x", width=1), install=cm.model_copy(update={"units": {"width": "mm"}})),
    ]
    with pytest.raises(InvalidInput, match="'width' has type f64 in one and text in another"):
        datasets.merge_datasets(workspace, ids[:2], "Both", by="ann")
    with pytest.raises(InvalidInput, match="is in cm in one and in mm in another"):
        datasets.merge_datasets(workspace, [ids[0], ids[2]], "Both", by="ann")


@settings(max_examples=30)
@given(
    texts=st.lists(st.sampled_from(["one", "ONE ", "two", "three", "four", "five", "six"]), min_size=4, max_size=20),
    share=st.floats(0.2, 0.8),
    seed=st.text(max_size=3),
)
def test_no_text_is_in_both_parts_of_a_split(texts: list[str], share: float, seed: str) -> None:
    with Workspace.in_memory() as workspace:
        id = kept(workspace, "All", *(item(f"i{n}", text, width=n) for n, text in enumerate(texts)))
        try:
            parts = datasets.split_dataset(workspace, id, ("Learn", "Test"), share=share, seed=seed, by="ann")
        except InvalidInput:
            reject()  # no such parts of these texts
        found = [[i for _, i in datasets.items(workspace, part.id)] for part in parts]
        folded = [{" ".join(i.text.casefold().split()) for i in part} for part in found]
        assert not folded[0] & folded[1]
        assert sorted(i.name for part in found for i in part) == sorted(f"i{n}" for n in range(len(texts)))


def test_the_same_seed_gives_the_same_parts(workspace: Workspace) -> None:
    id = kept(workspace, "All", *(item(f"i{n}", f"text {n}", width=n) for n in range(100)))

    def names(seed: str) -> list[str]:
        first, _ = datasets.split_dataset(workspace, id, ("A", "B"), share=0.7, seed=seed, by="ann")
        return [i.name for _, i in datasets.items(workspace, first.id)]

    assert names("1") == names("1")
    assert names("1") != names("2")
    assert len(names("1")) == 70


def test_a_split_by_name_takes_twins_along(workspace: Workspace) -> None:
    id = kept(
        workspace, "All", item("2023-1", "x", width=1), item("2024-1", "X", width=1), item("2024-2", "y", width=1)
    )
    first, second = datasets.split_dataset(workspace, id, ("Old", "New"), pattern="2023-*", by="ann")
    assert [i.name for _, i in datasets.items(workspace, first.id)] == ["2023-1", "2024-1"]
    assert [i.name for _, i in datasets.items(workspace, second.id)] == ["2024-2"]
    with pytest.raises(InvalidInput, match="first part empty"):
        datasets.split_dataset(workspace, id, ("Old", "New"), pattern="1999-*", by="ann")


def test_items_of_one_iri_stay_together(workspace: Workspace) -> None:
    rows = [Item(name=f"i{n}", text=f"text {n}", iri="record:r/1" if n < 8 else None) for n in range(10)]
    id = kept(workspace, "All", *rows)
    parts = datasets.split_dataset(workspace, id, ("A", "B"), share=0.5, by="ann")
    together = [sum(i.iri is not None for _, i in datasets.items(workspace, p.id)) for p in parts]
    assert sorted(together) == [0, 8]


def test_duplicates_are_found(workspace: Workspace) -> None:
    id = kept(
        workspace,
        "All",
        item("a", "Door 60 cm", width=60),
        item("b", "other", width=1),
        item("c", "door  60\ncm", width=61),
        item("d", "x", width=1),
        item("e", "x", width=1),
    )
    found = datasets.find_duplicates(workspace, id)
    assert [(g.names, g.exact, g.contradictions) for g in found] == [
        (("a", "c"), False, ("width",)),
        (("d", "e"), True, ()),
    ]


def test_answers_of_several_tests_come_together_and_stay(workspace: Workspace) -> None:
    texts = {"a": "Width 60 cm", "b": "Width 70 cm"}
    tests = []
    for collection in ("tenders", "offers"):
        given = texts if collection == "tenders" else {"c": "Width 80 cm", "a2": "Width 60 cm"}
        readings = {n: [value("width", float(t[6:8]), text=t, quote=t[6:])] for n, t in given.items()}
        test = done(workspace, given, readings, collection=collection, workflow=collection)
        for position in (0, 1):
            save_answer(workspace, test.id, position, "width", "accept", by="ann")
        tests.append(test.id)
    made = datasets.save_dataset(workspace, tests[0], by="ann")
    together = datasets.add_answers(workspace, made.id, tests, by="ann")
    assert [i.name for _, i in datasets.items(workspace, together.id)] == ["a", "b", "c"]
    assert datasets.save_dataset(workspace, tests[0], by="ann").item_count == 3
    assert datasets.list_versions(workspace, made.id)[0].note == "answers of test 1, 2"


def test_any_two_of_a_group_of_duplicates_may_contradict_each_other(workspace: Workspace) -> None:
    """Not only with the first, which may be silent on the property."""
    id = kept(workspace, "D", item("a", "t", height=1), item("b", "t", width=1), item("c", "t", width=2))
    (group,) = datasets.find_duplicates(workspace, id)
    assert (group.names, group.contradictions) == (("a", "b", "c"), ("width",))


def test_what_no_text_may_hold_is_refused(workspace: Workspace) -> None:
    bad = Item(name="a", text="t", values=(Expected(property="p", value="x", quote="a\0b"),))
    with pytest.raises(InvalidInput, match=r"Item 'a': values.1.quote holds a NUL character"):
        kept(workspace, "D", bad)


def test_what_would_come_of_it_is_seen_before(workspace: Workspace) -> None:
    first = kept(workspace, "First", item("a", "one", width=1), item("b", "two", width=2))
    second = kept(workspace, "Second", item("x", "two", width=3, height=5), item("y", "three", width=3))
    plan = datasets.plan_merge(workspace, [first, second])
    assert ([e.item.name for e in plan.entries], plan.united) == (["a", "b", "y"], 1)
    assert [(c.first.name, c.second.name, c.properties) for c in plan.clashes] == [("b", "x", ("width",))]
    split = datasets.plan_split(workspace, first, pattern="a")
    assert ([e.item.name for e in split.first], [e.item.name for e in split.second]) == (["a"], ["b"])
    assert len(datasets.list_datasets(workspace)) == 2, "nothing was made"


def test_answers_are_added_to_what_was_looked_at_only(workspace: Workspace) -> None:
    test = done(workspace, {"a": "Width 60 cm", "b": "Width 70 cm"}, {"a": [value("width", 60.0, text="Width 60 cm")]})
    id = kept(workspace, "D", item("old", "Width 60 cm", width=61))
    with pytest.raises(InvalidInput, match="has no answer yet that a dataset can keep"):
        datasets.plan_answers(workspace, id, [test.id])
    with pytest.raises(InvalidInput, match="at least one test"):
        datasets.add_answers(workspace, id, [], by="ann")
    assert datasets.get_dataset(workspace, id).install == Install(), "what is refused changes nothing"
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    save_answer(workspace, test.id, 1, "width", "accept", by="ann")
    plan = datasets.plan_answers(workspace, id, [test.id])
    assert [(c.kind, c.name) for c in plan.changes] == [("changed", "old"), ("added", "b")]
    assert [c.properties for c in plan.union.clashes] == [("width",)]
    datasets.set_case(workspace, id, "old", "a case", by="bob")
    with pytest.raises(Conflict, match="version 2 now, version 1 when you looked"):
        datasets.add_answers(workspace, id, [test.id], seen=1, by="ann")
    changed = datasets.add_answers(workspace, id, [test.id], seen=2, by="ann")
    (old, _) = [i for _, i in datasets.items(workspace, id)]
    assert (changed.version, [e.value for e in old.values], old.case) == (3, [60.0], "a case")
    assert datasets.add_answers(workspace, id, [test.id], by="ann").version == 3, "nothing new, no new version"
