"""Several datasets into one, and the answers of several tests into a dataset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reviewapp.datasets.keeping import answered_entries, checked_name, get_dataset
from reviewapp.domain.answers import same_value
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.domain.ids import new_id
from reviewapp.domain.saving import install_of, unique_name
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.store.datasets import Entry
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_test

SHOWN = 5
"""Most contradictions named in one message."""


def merge_datasets(
    workspace: Workspace, ids: Sequence[str], name: str, *, prefer_last: bool = False, by: str
) -> Dataset:
    """A new dataset with the items of all; items with one and the same text become one that expects what all expect.

    Names stay unique (a second ``Item 1`` becomes ``Item 1 (2)``). Where two items with the same text contradict each
    other, Conflict names them, unless `prefer_last`: then the later dataset's word counts. Raises NotFound,
    InvalidInput (fewer than two datasets, a property with two types or units).
    """
    if len(set(ids)) < 2:
        raise InvalidInput("Name at least two different datasets to merge.", param="ids")
    title = checked_name(name)
    kept = [get_dataset(workspace, id) for id in ids]
    install = _merged_install(kept)
    entries = _united([e for id in ids for e in workspace.datasets.entries(id)], prefer_last)
    id = new_id("ds")
    about = tuple(dict.fromkeys(line for dataset in kept for line in dataset.about))
    with workspace.atomic():
        note = "merged from " + ", ".join(f"{d.name} (version {d.version})" for d in kept)
        workspace.datasets.make(id, name=title, install=install, entries=entries, about=about, by=by, note=note)
    return get_dataset(workspace, id)


def add_answers(workspace: Workspace, id: str, test_ids: Sequence[str], *, by: str) -> Dataset:
    """Add the items that the standing answers of these tests give; they stay when the dataset's own test is saved.

    An item with the same text is united with the one that is there: what the answers say counts. Raises NotFound,
    InvalidInput where the tests read a property of another type or unit.
    """
    dataset = get_dataset(workspace, id)
    tests = [get_test(workspace, test_id) for test_id in test_ids]
    installs = [Dataset.model_copy(dataset, update={"install": install_of(t.settings)}) for t in tests]
    install = _merged_install([dataset, *installs])
    with workspace.snapshot():
        added = [replace(entry, by_hand=True) for test in tests for entry in answered_entries(workspace, test)]
    with workspace.atomic():
        before = workspace.datasets.entries(id)
        after = _united([*before, *added], prefer_last=True)
        if after != before:
            note = "answers of test " + ", ".join(str(t.number) for t in tests)
            workspace.datasets.replace(id, after, by=by, note=note)
        if install != dataset.install:
            workspace.datasets.describe(id, install)
    return get_dataset(workspace, id)


def contradictions(a: Item, b: Item) -> list[str]:
    """Properties for which two items cannot both be right: different values, or a value that the other leaves out."""
    found = []
    for name in dict.fromkeys(e.property for e in (*a.values, *a.leave_out)):
        a_right, a_out = _of(a.values, name), _of(a.leave_out, name)
        b_right, b_out = _of(b.values, name), _of(b.leave_out, name)
        differ = a_right and b_right and not _same_values(a_right, b_right)
        if differ or _forbids(a_out, b_right) or _forbids(b_out, a_right):
            found.append(name)
    return found


def _of(expected: Iterable[Expected], name: str) -> list[Expected]:
    return [e for e in expected if e.property == name]


def _same_values(a: Sequence[Expected], b: Sequence[Expected]) -> bool:
    return len(a) == len(b) and all(any(_equal(x, y) for y in b) for x in a)


def _forbids(out: Iterable[Expected], right: Iterable[Expected]) -> bool:
    return any(o.value is None or _equal(o, r) for o in out for r in right)


def _equal(a: Expected, b: Expected) -> bool:
    """Whether both mean the same value: the values are equal, or one is a spelling that the other accepts."""
    if a.value is None or b.value is None:
        return False
    return same_value(a.value, b.value) or not _spellings(a).isdisjoint(_spellings(b))


def _spellings(expected: Expected) -> set[str]:
    """What counts as right for a text, lower-cased; nothing for other values."""
    if not isinstance(expected.value, str):
        return set()
    return {words.strip().lower() for words in (expected.value, *(expected.accept or ()))}


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


def _united(entries: Iterable[Entry], prefer_last: bool) -> list[Entry]:
    """One entry per text, in the order of the first, with unique names."""
    by_text: dict[str, Entry] = {}
    clashes: list[str] = []
    taken: set[str] = set()
    for entry in entries:
        there = by_text.get(entry.text_hash)
        if there is None:
            name = unique_name(entry.item.name, taken)
            taken.add(name)
            by_text[entry.text_hash] = replace(entry, item=entry.item.model_copy(update={"name": name}))
            continue
        odd = contradictions(there.item, entry.item)
        if odd and not prefer_last:
            clashes.append(f"{there.item.name!r} and {entry.item.name!r} on {', '.join(odd)}")
        united = _unite(there.item, entry.item, odd)
        by_text[entry.text_hash] = replace(there, item=united, by_hand=there.by_hand or entry.by_hand)
    if clashes:
        shown = "; ".join(clashes[:SHOWN]) + (f"; and {len(clashes) - SHOWN} more" if len(clashes) > SHOWN else "")
        raise Conflict(
            f"Items with the same text expect different things: {shown}. Mend one of them, or let the later one count.",
            code="contradiction",
        )
    return list(by_text.values())


def _unite(first: Item, second: Item, odd: Sequence[str]) -> Item:
    """What either expects; of the properties in `odd` only what the second says."""

    def side(a: Iterable[Expected], b: Iterable[Expected]) -> tuple[Expected, ...]:
        kept = [e for e in a if e.property not in odd]
        for entry in b:
            at = next((n for n, o in enumerate(kept) if o.property == entry.property and _alike(o, entry)), None)
            if at is None:
                kept.append(entry)
            else:
                kept[at] = _both(kept[at], entry)
        return tuple(kept)

    return first.model_copy(
        update={
            "values": side(first.values, second.values),
            "leave_out": side(first.leave_out, second.leave_out),
            "case": first.case or second.case,
        }
    )


def _both(first: Expected, second: Expected) -> Expected:
    """One entry for what two say alike: the first one's words, what it does not say from the second, and every spelling
    that either accepts."""
    united = first
    if first.quote is None and second.quote is not None:
        united = first.model_copy(update={"quote": second.quote, "spans": second.spans, "stated": second.stated})
    if first.reason is None and second.reason is not None:
        united = united.model_copy(update={"reason": second.reason})
    accepted = [_accepted(first), _accepted(second)]
    if isinstance(first.value, str) and set(accepted[0]) != set(accepted[1]):
        united = united.model_copy(update={"accept": tuple(dict.fromkeys([*accepted[0], *accepted[1]]))})
    return united


def _accepted(expected: Expected) -> Sequence[str]:
    """What counts as right: `accept` in place of the value, where it is there."""
    return expected.accept if expected.accept is not None else (str(expected.value).strip().lower(),)


def _alike(a: Expected, b: Expected) -> bool:
    return a.value is b.value or _equal(a, b)
