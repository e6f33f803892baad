"""Datasets: answers kept as texts with the values a correct run writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer
from reviewapp.domain.datasets import ITEMS_PER_REQUEST, Dataset, Install, Item
from reviewapp.domain.ids import new_id
from reviewapp.domain.saving import install_of, item_of_input, unique_name
from reviewapp.domain.tests import Test
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.store.datasets import KeptItem
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, get_test, input_text

_PIECE = 200
"""Inputs that are gone through at a time."""


def save_dataset(workspace: Workspace, test_id: str, *, name: str | None = None, by: str) -> Dataset:
    """Make or update the test's one dataset from its standing answers; the id stays the same for ever.

    After a delete the next save makes a new one. Items added or edited by hand stay: one for the same input takes the
    place of what its answers would give. A save that changes no item leaves the version as it is. `name` renames it.
    Raises NotFound, InvalidInput when there is nothing to save yet.
    """
    test = get_test(workspace, test_id)
    if name is not None:
        _check_name(name)
    with workspace.atomic():
        present = workspace.datasets.of_test(test_id)
        before = [] if present is None else [kept for _, kept in workspace.datasets.items(present.id)]
        items = list(_with_hand_made(_answered_items(workspace, test), before))
        if present is None:
            if not items:
                raise InvalidInput(
                    f"Test {test.number} has no answer yet that a dataset can keep (can't tell keeps nothing); "
                    "answer at least one value, then save."
                )
            id = new_id("ds")
            title = name or f"{test.workflow}, test {test.number}"
            workspace.datasets.make(
                id, name=title.strip(), about=(), install=install_of(test.settings), test=test_id, by=by
            )
            workspace.datasets.replace_items(id, items)
        else:
            id = present.id
            changed = items != before
            title = present.name if name is None else name.strip()
            if changed:
                workspace.datasets.replace_items(id, items)
            if changed or title != present.name:
                workspace.datasets.change(id, name=title, items_changed=changed)
        workspace.tests.touch(test_id)
    return get_dataset(workspace, id)


def _answered_items(workspace: Workspace, test: Test) -> Iterator[Item]:
    """An item for every input with a standing answer that gives something, by position."""
    after = -1
    while inputs := get_inputs(workspace, test.id, after=after, limit=_PIECE):
        after = inputs[-1].position
        answers = answers_of_inputs(workspace, test.id, inputs[0].position, after)
        for input in inputs:
            given = answers.get(input.position)
            if not given:
                continue
            standing = standing_answers(test, input, given)
            stand: dict[str, Answer] = {name: s.answer for name, s in standing.items() if s.answer is not None}
            item = item_of_input(input, input_text(workspace, input), stand, test.settings, test.id)
            if item is not None:
                yield item


def _with_hand_made(answered: Iterator[Item], before: Sequence[KeptItem]) -> Iterator[KeptItem]:
    """The answered items with unique names, those made by hand in their stead or behind them."""
    by_hand = [kept for kept in before if kept.by_hand]
    replaced = {(kept.item.name, kept.item.text): kept for kept in by_hand}
    taken = {kept.item.name for kept in by_hand}
    used: set[str] = set()
    for item in answered:
        edited = replaced.get((item.name, item.text))
        if edited is not None and edited.item.name not in used:
            used.add(edited.item.name)
            yield edited
            continue
        name = unique_name(item.name, taken)
        taken.add(name)
        yield KeptItem(item.model_copy(update={"name": name}), by_hand=False)
    yield from (kept for kept in by_hand if kept.item.name not in used)


def create_dataset(
    workspace: Workspace,
    name: str,
    *,
    items: Sequence[Item] = (),
    install: Install | None = None,
    about: Sequence[str] = (),
    by: str,
) -> Dataset:
    """Make a dataset by hand. Raises InvalidInput for twin names or more than 500 items."""
    _check_name(name)
    _check_items(items, 0)
    id = new_id("ds")
    with workspace.atomic():
        workspace.datasets.make(id, name=name.strip(), about=about, install=install or Install(), test=None, by=by)
        workspace.datasets.replace_items(id, [KeptItem(item, by_hand=True) for item in items])
    return get_dataset(workspace, id)


def add_items(workspace: Workspace, id: str, items: Sequence[Item], *, by: str) -> Dataset:
    """Add items at the end; one with the name of an item that is there takes its place.

    Raises NotFound, InvalidInput for twin names among them or more than 500 items made by hand in all.
    """
    with workspace.atomic():
        get_dataset(workspace, id)
        before = [kept for _, kept in workspace.datasets.items(id)]
        names = {item.name for item in items}
        _check_items(items, sum(kept.by_hand and kept.item.name not in names for kept in before))
        merged = {kept.item.name: kept for kept in before}
        merged.update({item.name: KeptItem(item, by_hand=True) for item in items})
        after = list(merged.values())
        if after != before:
            workspace.datasets.replace_items(id, after)
            workspace.datasets.change(id, items_changed=True)
    return get_dataset(workspace, id)


def _check_items(items: Sequence[Item], others: int) -> None:
    names = [item.name for item in items]
    if len(set(names)) < len(names):
        twin = next(n for n in names if names.count(n) > 1)
        raise InvalidInput(f"Two items are named {twin!r}; every item needs a name of its own.", param="items")
    if len(items) + others > ITEMS_PER_REQUEST:
        raise InvalidInput(
            f"That would make {len(items) + others} items; a dataset takes at most {ITEMS_PER_REQUEST} made by hand.",
            param="items",
        )


def _check_name(name: str) -> None:
    if not 1 <= len(name.strip()) <= 200:
        raise InvalidInput(f"A dataset's name has 1 to 200 characters; this one has {len(name.strip())}.", param="name")


def list_datasets(workspace: Workspace, *, after: str | None = None, limit: int = 50) -> list[Dataset]:
    """Newest first by creation, behind the dataset with the id `after`."""
    return workspace.datasets.rows(after=after, limit=limit)


def get_dataset(workspace: Workspace, id: str) -> Dataset:
    """Raises NotFound, also for one that was deleted."""
    found = workspace.datasets.get(id)
    if found is None:
        raise NotFound("dataset", id)
    return found


def dataset_of_test(workspace: Workspace, test_id: str) -> Dataset | None:
    """The dataset that a save of this test updates; None before the first save and after a delete."""
    return workspace.datasets.of_test(test_id)


def items(workspace: Workspace, id: str, *, after: int = -1, limit: int | None = None) -> list[tuple[int, Item]]:
    """(position, item) in order, behind position `after`. Raises NotFound."""
    get_dataset(workspace, id)
    return [(position, kept.item) for position, kept in workspace.datasets.items(id, after=after, limit=limit)]


def delete_dataset(workspace: Workspace, id: str, by: str) -> None:
    """Remove a dataset with its items; the test's answers stay. Doing it again is fine. Raises NotFound for an id
    that never was."""
    with workspace.atomic():
        present = workspace.datasets.get(id)
        if not workspace.datasets.delete(id) and not workspace.datasets.was_deleted(id):
            raise NotFound("dataset", id)
        if present is not None and present.test is not None:
            workspace.tests.touch(present.test)


def export_files(workspace: Workspace, id: str) -> dict[str, bytes]:
    """``records.json`` and ``expected.json``; the same items give the same bytes. Raises NotFound."""
    from reviewapp.formats.answer_key import export_files

    return export_files(get_dataset(workspace, id), [item for _, item in items(workspace, id)])


def export_zip(workspace: Workspace, id: str) -> bytes:
    """Both files in one zip; the same items give the same bytes. Raises NotFound."""
    from reviewapp.formats.answer_key import export_zip

    return export_zip(get_dataset(workspace, id), [item for _, item in items(workspace, id)])
