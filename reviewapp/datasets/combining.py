"""Several datasets into one, one into two without leaks, answers of several tests, and texts that stand twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

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


@dataclass(frozen=True)
class DuplicateGroup:
    """Items of one dataset with the same text."""

    names: tuple[str, ...]
    exact: bool
    """False: the texts differ in case and white space only."""
    contradictions: tuple[str, ...]
    """Properties for which they expect different things."""


def find_duplicates(workspace: Workspace, id: str) -> list[DuplicateGroup]:
    """Groups of two or more items with the same text, in the order of their first. Raises NotFound."""
    get_dataset(workspace, id)
    found = []
    for group in _groups(workspace, workspace.datasets.entries(id)):
        if len(group) > 1:
            found.append(
                DuplicateGroup(
                    names=tuple(entry.item.name for entry in group),
                    exact=len({entry.text_hash for entry in group}) == 1,
                    contradictions=tuple(sorted({p for e in group[1:] for p in contradictions(group[0].item, e.item)})),
                )
            )
    return found


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


def split_dataset(
    workspace: Workspace,
    id: str,
    names: tuple[str, str],
    *,
    share: float | None = None,
    pattern: str | None = None,
    seed: str = "",
    by: str,
) -> tuple[Dataset, Dataset]:
    """Two new datasets: about `share` of the items (0 to 1) in the first, or those whose name matches `pattern`
    (``2024-*``), and the others in the second.

    Items with the same text (but for case and white space) or the same IRI stay together, so that nothing of one is
    known from the other; with a pattern, an item that shares its text with one that matches goes to the first as well.
    The same share and seed give the same parts. Raises NotFound, InvalidInput.
    """
    if (share is None) == (pattern is None):
        raise InvalidInput(
            "Split either by a share or by a name pattern, not by both and not by neither.", param="share"
        )
    if share is not None and not 0 < share < 1:
        raise InvalidInput(f"The share {share:g} is not between 0 and 1; 0.8 puts 80 % in the first.", param="share")
    titles = [checked_name(n) for n in names]
    dataset = get_dataset(workspace, id)
    entries = workspace.datasets.entries(id)
    groups = _groups(workspace, entries)
    if pattern is not None:
        first = [g for g in groups if any(fnmatchcase(e.item.name, pattern) for e in g)]
    else:
        assert share is not None  # noqa: S101 - checked above
        first = _drawn(groups, share * len(entries), seed)
    chosen = {e.item.name for group in first for e in group}
    parts = ([e for e in entries if e.item.name in chosen], [e for e in entries if e.item.name not in chosen])
    if not parts[0] or not parts[1]:
        empty = "first" if not parts[0] else "second"
        raise InvalidInput(
            f"That would leave the {empty} part empty: {len(entries)} items, {len(groups)} different texts; "
            "choose another share or pattern.",
            param="share" if pattern is None else "pattern",
        )
    made = []
    with workspace.atomic():
        for title, part in zip(titles, parts, strict=True):
            made.append(new_id("ds"))
            note = f"split from {dataset.name} (version {dataset.version})"
            workspace.datasets.make(
                made[-1], name=title, install=dataset.install, entries=part, about=dataset.about, by=by, note=note
            )
    return get_dataset(workspace, made[0]), get_dataset(workspace, made[1])


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
    return a.value is not None and b.value is not None and same_value(a.value, b.value)


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
        news = [e for e in b if not any(o.property == e.property and _alike(o, e) for o in kept)]
        return (*kept, *news)

    return first.model_copy(
        update={
            "values": side(first.values, second.values),
            "leave_out": side(first.leave_out, second.leave_out),
            "case": first.case or second.case,
        }
    )


def _alike(a: Expected, b: Expected) -> bool:
    return a.value is b.value or _equal(a, b)


def _groups(workspace: Workspace, entries: Sequence[Entry]) -> list[list[Entry]]:
    """Entries that belong together by text (but for case and white space) or by IRI, in the order of their first."""
    leader: dict[str, int] = {}
    groups: dict[int, list[int]] = {}
    group_of: list[int] = []
    folded: dict[str, str] = {}
    for number, entry in enumerate(entries):
        if entry.text_hash not in folded:
            folded[entry.text_hash] = _folded(workspace.datasets.text(entry.text_hash) or "")
        keys = [f"text {folded[entry.text_hash]}", *([f"iri {entry.item.iri}"] if entry.item.iri else [])]
        joined = sorted({group_of[leader[k]] for k in keys if k in leader})
        home = joined[0] if joined else number
        group_of.append(home)
        groups.setdefault(home, []).append(number)
        for other in joined[1:]:
            for member in groups.pop(other):
                group_of[member] = home
                groups[home].append(member)
        for key in keys:
            leader.setdefault(key, number)
    return [[entries[n] for n in sorted(groups[home])] for home in sorted(groups)]


def _folded(text: str) -> str:
    return hashlib.sha256(" ".join(text.casefold().split()).encode()).hexdigest()


def _drawn(groups: Sequence[list[Entry]], wanted: float, seed: str) -> list[list[Entry]]:
    """Groups with about that many entries in all, the same ones for the same seed whatever their order."""
    order = sorted(groups, key=lambda g: hashlib.sha256(f"{seed}\0{g[0].text_hash}".encode()).digest())
    drawn: list[list[Entry]] = []
    count = 0
    for group in order:
        if count + len(group) / 2 > wanted:
            continue
        drawn.append(group)
        count += len(group)
    return drawn
