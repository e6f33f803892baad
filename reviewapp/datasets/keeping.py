"""Datasets: answers kept as texts with the values a correct run writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.answers import Answer
from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.datasets import ITEMS_PER_REQUEST, Dataset, Install, Item
from reviewapp.domain.ids import new_id
from reviewapp.domain.saving import install_of, item_of_input, quoted_from, unique_name
from reviewapp.domain.tests import Test, TestInput
from reviewapp.domain.texts import refused_character
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.store.datasets import Entry
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
    title = None if name is None else checked_name(name)
    with workspace.snapshot():  # outside the transaction: a large test takes a second, and nobody should wait for it
        answered = list(answered_entries(workspace, test))
    with workspace.atomic():
        present = workspace.datasets.of_test(test_id)
        if present is None:
            if not answered:
                raise nothing_to_keep(test)
            id = new_id("ds")
            title = title or f"{test.workflow}, test {test.number}"
            entries = list(_with_hand_made(answered, ()))
            install = install_of(test.settings)
            workspace.datasets.make(id, name=title, install=install, entries=entries, test=test_id, by=by)
        else:
            id = present.id
            before = workspace.datasets.entries(id)
            after = list(_with_hand_made(answered, before))
            if after != before:
                workspace.datasets.replace(id, after, by=by, note=f"answers of test {test.number}")
            if title not in (None, present.name):
                workspace.datasets.rename(id, title)
        workspace.tests.touch(test_id)
    return get_dataset(workspace, id)


def nothing_to_keep(test: Test) -> InvalidInput:
    return InvalidInput(
        f"Test {test.number} has no answer yet that a dataset can keep (can't tell keeps nothing); "
        "answer at least one value, then save."
    )


def answered_entries(workspace: Workspace, test: Test) -> Iterator[Entry]:
    """An item for every input with a standing answer that gives something, by position."""
    after = -1
    while inputs := get_inputs(workspace, test.id, after=after, limit=_PIECE):
        after = inputs[-1].position
        answers = answers_of_inputs(workspace, test.id, inputs[0].position, after)
        for input in inputs:
            given = answers.get(input.position)
            if not given or input.text_hash is None:
                continue
            standing = standing_answers(test, input, given)
            stand: dict[str, Answer] = {name: s.answer for name, s in standing.items() if s.answer is not None}
            item = item_of_input(input, stand, test.settings, test.id)
            if item is None:
                continue
            if _has_other_words(input):
                item = quoted_from(item, input_text(workspace, input))
            yield Entry(item, input.text_hash, by_hand=False)


def _has_other_words(input: TestInput) -> bool:
    """Whether a reader's quote differs from the words of the text that it stands for."""
    values = input.result.values if input.result is not None else ()
    return any(v.grounding is not None and v.grounding.method != "exact" for v in values)


def _with_hand_made(answered: Iterable[Entry], before: Iterable[Entry]) -> Iterator[Entry]:
    """The answered items with unique names, those made by hand in their stead or behind them."""
    by_hand = {entry.item.name: entry for entry in before if entry.by_hand}
    taken = set(by_hand)
    placed: set[str] = set()
    for entry in answered:
        edited = by_hand.get(entry.item.name)
        if edited is not None and edited.text_hash == entry.text_hash and edited.item.name not in placed:
            placed.add(edited.item.name)
            yield edited
            continue
        name = unique_name(entry.item.name, taken)
        taken.add(name)
        yield Entry(entry.item.model_copy(update={"name": name}), entry.text_hash, by_hand=False)
    yield from (entry for name, entry in by_hand.items() if name not in placed)


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
    title = checked_name(name)
    _check_items(items, 0)
    id = new_id("ds")
    with workspace.atomic():
        entries = workspace.datasets.keep_texts(items, by_hand=True)
        workspace.datasets.make(id, name=title, install=install or Install(), entries=entries, about=about, by=by)
    return get_dataset(workspace, id)


def import_dataset(workspace: Workspace, name: str, files: bytes | tuple[bytes, bytes], *, by: str) -> Dataset:
    """Make a dataset of an answer key, zip or both files (records, expected); exported again it is the same.

    The same files under the same name make no second one: the dataset that is there comes back.
    Raises ImportFaults with all faults of the files.
    """
    from reviewapp.formats.answer_key import read_answer_key, read_zip

    title = checked_name(name)
    key = read_zip(files) if isinstance(files, bytes) else read_answer_key(*files)
    return import_entries(workspace, title, key.items, key.install, key.about, by=by)


def import_entries(
    workspace: Workspace, title: str, items: Sequence[Item], install: Install, about: Sequence[str], *, by: str
) -> Dataset:
    """A dataset of this name with these items: the one that is there, where it is the same, else a new one."""
    id = new_id("ds")
    with workspace.atomic():
        entries = workspace.datasets.keep_texts(items, by_hand=False)
        for twin in workspace.datasets.named(title):
            same = (twin.install, twin.about, twin.item_count) == (install, tuple(about), len(entries))
            if same and workspace.datasets.entries(twin.id) == entries:
                return twin
        workspace.datasets.make(
            id, name=title, install=install, entries=entries, about=about, by=by, note="brought in from a file"
        )
    return get_dataset(workspace, id)


def add_items(workspace: Workspace, id: str, items: Sequence[Item], *, by: str) -> Dataset:
    """Add items at the end; one with the name of an item that is there takes its place.

    Raises NotFound, InvalidInput for twin names among them or more than 500 items made by hand in all.
    """
    with workspace.atomic():
        get_dataset(workspace, id)
        before = workspace.datasets.entries(id)
        names = {item.name for item in items}
        _check_items(items, sum(entry.by_hand and entry.item.name not in names for entry in before))
        merged = {entry.item.name: entry for entry in before}
        merged.update({entry.item.name: entry for entry in workspace.datasets.keep_texts(items, by_hand=True)})
        after = list(merged.values())
        if after != before:
            workspace.datasets.replace(id, after, by=by, note="items added")
            workspace.trail.note(by, "add items", id)
    return get_dataset(workspace, id)


def remove_items(workspace: Workspace, id: str, names: Sequence[str], *, by: str) -> Dataset:
    """Remove the items of these names; names that are not there are passed over. Raises NotFound.

    An item of a test's answers comes back with the next save, as long as its answers stand.
    """
    gone = set(names)
    with workspace.atomic():
        get_dataset(workspace, id)
        before = workspace.datasets.entries(id)
        after = [entry for entry in before if entry.item.name not in gone]
        if len(after) < len(before):
            workspace.datasets.replace(id, after, by=by, note="items removed")
            workspace.trail.note(by, "remove items", id)
    return get_dataset(workspace, id)


def _check_items(items: Sequence[Item], others: int) -> None:
    names = [item.name for item in items]
    if len(set(names)) < len(names):
        twin = next(n for n in names if names.count(n) > 1)
        raise InvalidInput(f"Two items are named {twin!r}; every item needs a name of its own.", param="items")
    for item in items:
        if item.refused is not None:
            raise InvalidInput(f"Item {item.name!r}: {item.refused}; take it out.", param="items")
    if len(items) + others > ITEMS_PER_REQUEST:
        raise InvalidInput(
            f"That would make {len(items) + others} items; a dataset takes at most {ITEMS_PER_REQUEST} made by hand.",
            param="items",
        )


def checked_name(name: str) -> str:
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= NAME_LIMIT:
        raise InvalidInput(
            f"A dataset's name has 1 to {NAME_LIMIT} characters; this one has {len(trimmed)}.", param="name"
        )
    refused = refused_character(trimmed)
    if refused is not None:
        raise InvalidInput(f"The name holds {refused[1]} at position {refused[0]}; take it out.", param="name")
    return trimmed


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


def items(
    workspace: Workspace, id: str, *, version: int | None = None, after: int = -1, limit: int | None = None
) -> list[tuple[int, Item]]:
    """(position, item) in order, behind position `after`, of the present version or an earlier one. Raises NotFound."""
    check_version(workspace, id, version)
    return workspace.datasets.items(id, version=version, after=after, limit=limit)


def check_version(workspace: Workspace, id: str, version: int | None) -> Dataset:
    """The dataset, where it has that version. Raises NotFound."""
    found = get_dataset(workspace, id)
    if version is not None and version != found.version:
        there = sorted(v.version for v in workspace.datasets.versions(id))
        if version not in there:
            way_out = f"Versions that are kept: {', '.join(map(str, there))}."
            raise NotFound(f"version of dataset {id}", str(version), way_out=way_out)
    return found


def delete_dataset(workspace: Workspace, id: str, by: str) -> None:
    """Remove a dataset with its items; the test's answers stay. Doing it again is fine. Raises NotFound for an id
    that never was."""
    with workspace.atomic():
        present = workspace.datasets.get(id)
        if present is None:
            if not workspace.datasets.was_deleted(id):
                raise NotFound("dataset", id)
            return
        workspace.datasets.delete(id)
        workspace.trail.note(by, "delete dataset", id)
        if present.test is not None:
            workspace.tests.touch(present.test)
