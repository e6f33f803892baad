"""Texts that stand twice: found, and kept together when a dataset is split."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations

from reviewapp.datasets.keeping import checked_name, get_dataset
from reviewapp.datasets.uniting import contradictions
from reviewapp.domain.datasets import Dataset
from reviewapp.domain.ids import new_id
from reviewapp.errors import InvalidInput
from reviewapp.store.datasets import Entry
from reviewapp.store.workspace import Workspace


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
                    contradictions=tuple(
                        sorted({p for a, b in combinations(group, 2) for p in contradictions(a.item, b.item)})
                    ),
                )
            )
    return found


@dataclass(frozen=True)
class Split:
    """How a dataset would be split."""

    first: list[Entry]
    second: list[Entry]
    together: int
    """Texts (or IRIs) that several items have, which stay together."""


def plan_split(
    workspace: Workspace, id: str, *, share: float | None = None, pattern: str | None = None, seed: str = ""
) -> Split:
    """About `share` of the items (0 to 1) in the first part, or those whose name matches `pattern` (``2024-*``), the
    others in the second; writes nothing.

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
    get_dataset(workspace, id)
    entries = workspace.datasets.entries(id)
    groups = _groups(workspace, entries)
    if pattern is not None:
        drawn = [g for g in groups if any(fnmatchcase(e.item.name, pattern) for e in g)]
    else:
        drawn = _drawn(groups, (share or 0) * len(entries), seed)
    chosen = {e.item.name for group in drawn for e in group}
    first, second = [e for e in entries if e.item.name in chosen], [e for e in entries if e.item.name not in chosen]
    if not first or not second:
        empty = "first" if not first else "second"
        raise InvalidInput(
            f"That would leave the {empty} part empty: {len(entries)} items, {len(groups)} different texts; "
            "choose another share or pattern.",
            param="share" if pattern is None else "pattern",
        )
    return Split(first, second, sum(len(group) > 1 for group in groups))


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
    """Two new datasets of these names with the parts of `plan_split`. Raises what it raises."""
    titles = [checked_name(n) for n in names]
    made = []
    with workspace.atomic():
        dataset = get_dataset(workspace, id)
        plan = plan_split(workspace, id, share=share, pattern=pattern, seed=seed)
        for title, part in zip(titles, (plan.first, plan.second), strict=True):
            made.append(new_id("ds"))
            note = f"split from {dataset.name} (version {dataset.version})"
            workspace.datasets.make(
                made[-1], name=title, install=dataset.install, entries=part, about=dataset.about, by=by, note=note
            )
    return get_dataset(workspace, made[0]), get_dataset(workspace, made[1])


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
