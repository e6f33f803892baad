"""Several datasets into one, and the answers of several tests into a dataset; what would come of it is seen before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reviewapp.datasets.keeping import answered_entries, checked_name, get_dataset, nothing_to_keep
from reviewapp.datasets.uniting import contradictions, unite
from reviewapp.domain.datasets import Dataset, Install, Item, ItemChange
from reviewapp.domain.ids import new_id
from reviewapp.domain.saving import install_of, unique_name
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.store.datasets import Entry
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_test

SHOWN = 5
"""Most contradictions named in one message."""


@dataclass(frozen=True)
class Clash:
    """Two items with the same text that cannot both be right."""

    first: Item
    second: Item
    properties: tuple[str, ...]
    """Where they contradict each other."""


@dataclass(frozen=True)
class Union:
    """Items put together, one for each text."""

    entries: list[Entry]
    """In the order of the first of each text; of two that contradict each other the later one's word counts."""
    united: int
    """Items that went into an earlier one with the same text."""
    clashes: list[Clash]
    install: Install


@dataclass(frozen=True)
class Addition:
    """What the answers of tests change in a dataset."""

    union: Union
    changes: list[ItemChange]
    """Items that are added or expect something else than before, without their texts."""
    version: int
    """Of the dataset."""


def plan_merge(workspace: Workspace, ids: Sequence[str]) -> Union:
    """What merging these datasets gives; writes nothing.

    Raises NotFound, InvalidInput (fewer than two datasets, a property with two types or units).
    """
    if len(set(ids)) < 2:
        raise InvalidInput("Name at least two different datasets to merge.", param="ids")
    kept = [get_dataset(workspace, id) for id in ids]
    return _united((e for id in ids for e in workspace.datasets.entries(id)), _merged_install(kept))


def merge_datasets(
    workspace: Workspace, ids: Sequence[str], name: str, *, prefer_last: bool = False, by: str
) -> Dataset:
    """A new dataset with the items of all; items with one and the same text become one that expects what all expect.

    Names stay unique (a second ``Item 1`` becomes ``Item 1 (2)``). Where two items with the same text contradict each
    other, Conflict names them, unless `prefer_last`: then the later dataset's word counts. Raises what `plan_merge`
    does.
    """
    title = checked_name(name)
    plan = plan_merge(workspace, ids)
    if plan.clashes and not prefer_last:
        raise _contradiction(plan.clashes)
    kept = [get_dataset(workspace, id) for id in ids]
    id = new_id("ds")
    about = tuple(dict.fromkeys(line for dataset in kept for line in dataset.about))
    note = "merged from " + ", ".join(f"{d.name} (version {d.version})" for d in kept)
    with workspace.atomic():
        workspace.datasets.make(
            id, name=title, install=plan.install, entries=plan.entries, about=about, by=by, note=note
        )
    return get_dataset(workspace, id)


def plan_answers(workspace: Workspace, id: str, test_ids: Sequence[str]) -> Addition:
    """What adding the standing answers of these tests gives; writes nothing. Items with the same text are united, the
    later word counts. Raises NotFound, InvalidInput (no test, one without answers, another type or unit)."""
    dataset = get_dataset(workspace, id)
    if not test_ids:
        raise InvalidInput("Name at least one test whose answers are to be added.", param="tests")
    tests = [get_test(workspace, test_id) for test_id in test_ids]
    installs = [dataset.model_copy(update={"install": install_of(t.settings)}) for t in tests]
    install = _merged_install([dataset, *installs])
    with workspace.snapshot():
        before = workspace.datasets.entries(id)
        added: list[Entry] = []
        for test in tests:
            answered = [replace(entry, by_hand=True) for entry in answered_entries(workspace, test)]
            if not answered:
                raise nothing_to_keep(test)
            added += answered
    union = _united([*before, *added], install)
    there = {entry.item.name: entry.item for entry in before}
    changes = [
        ItemChange(name=entry.item.name, before=there.get(entry.item.name), after=entry.item)
        for entry in union.entries
        if entry.item != there.get(entry.item.name)
    ]
    return Addition(union, changes, dataset.version)


def add_answers(workspace: Workspace, id: str, test_ids: Sequence[str], *, seen: int | None = None, by: str) -> Dataset:
    """Add what the standing answers of these tests give; the later word counts where they contradict what is there.

    They count as added by hand, so that saving the dataset's own test leaves them. Answers that change nothing leave
    the version as it is. `seen` is the version that was looked at. Raises what `plan_answers` does, Conflict where the
    dataset has another version by now.
    """
    addition = plan_answers(workspace, id, test_ids)  # outside the transaction: a large test takes a second
    with workspace.atomic():
        dataset = get_dataset(workspace, id)
        if seen not in (None, dataset.version):
            raise Conflict(
                f"Dataset {dataset.name!r} has changed in the meantime: version {dataset.version} now, version {seen} "
                "when you looked. Look again.",
            )
        if addition.version != dataset.version:
            addition = plan_answers(workspace, id, test_ids)
        if addition.changes:
            numbers = ", ".join(str(get_test(workspace, test_id).number) for test_id in test_ids)
            workspace.datasets.replace(id, addition.union.entries, by=by, note=f"answers of test {numbers}")
            if addition.union.install != dataset.install:
                workspace.datasets.describe(id, addition.union.install)
    return get_dataset(workspace, id)


def _merged_install(datasets: Iterable[Dataset]) -> Install:
    properties: dict[str, str] = {}
    units: dict[str, str] = {}
    contexts: list[str] = []
    for dataset in datasets:
        install = dataset.install
        for name, value_type in install.properties.items():
            if properties.setdefault(name, value_type) != value_type:
                raise InvalidInput(
                    f"Property {name!r} has type {properties[name]} in one and {value_type} in another; only datasets "
                    "that mean the same by a name go together.",
                    param="ids",
                )
            if name in units and units[name] != install.units.get(name):
                raise InvalidInput(
                    f"Property {name!r} is in {units[name]} in one and in {install.units.get(name) or 'no unit'} in "
                    "another; only datasets in the same unit go together.",
                    param="ids",
                )
        units.update(install.units)
        contexts += [install.context] if install.context else []
    context = "\n\n".join(dict.fromkeys(contexts)) or None
    return Install.model_validate({"properties": properties, "units": units, "context": context})


def _united(entries: Iterable[Entry], install: Install) -> Union:
    by_text: dict[str, Entry] = {}
    clashes: list[Clash] = []
    taken: set[str] = set()
    united = 0
    for entry in entries:
        there = by_text.get(entry.text_hash)
        if there is None:
            name = unique_name(entry.item.name, taken)
            taken.add(name)
            by_text[entry.text_hash] = replace(entry, item=entry.item.model_copy(update={"name": name}))
            continue
        odd = contradictions(there.item, entry.item)
        if odd:
            clashes.append(Clash(there.item, entry.item, tuple(odd)))
        together = unite(there.item, entry.item, odd)
        by_text[entry.text_hash] = replace(there, item=together, by_hand=there.by_hand or entry.by_hand)
        united += 1
    return Union(list(by_text.values()), united, clashes, install)


def _contradiction(clashes: Sequence[Clash]) -> Conflict:
    named = [f"{c.first.name!r} and {c.second.name!r} on {', '.join(c.properties)}" for c in clashes[:SHOWN]]
    shown = "; ".join(named) + (f"; and {len(clashes) - SHOWN} more" if len(clashes) > SHOWN else "")
    return Conflict(
        f"Items with the same text expect different things: {shown}. Mend one of them, or let the later one count.",
        code="contradiction",
    )
