"""Small changes of single items: the spellings that count as right, and what an item is there to try."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reviewapp.datasets.keeping import get_dataset
from reviewapp.domain.datasets import Dataset, Item
from reviewapp.domain.texts import refused_character
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.store.workspace import Workspace

SPELLINGS = 200
"""Most spellings of one value."""


def get_item(workspace: Workspace, id: str, name: str) -> Item:
    """One item with its text; the texts of the others are not read. Raises NotFound (dataset, item)."""
    get_dataset(workspace, id)
    entry = next((e for e in workspace.datasets.entries(id) if e.item.name == name), None)
    if entry is None:
        raise NotFound(f"item of dataset {id}", name)
    return entry.item.model_copy(update={"text": workspace.datasets.text(entry.text_hash) or ""})


def set_accept(
    workspace: Workspace, id: str, item: str, property: str, spellings: Sequence[str] | None, *, by: str
) -> Dataset:
    """Set the spellings that count as right for an item's text value, the value itself among them or not; None: only
    the value. They are kept trimmed, in lower case, each once.

    Raises NotFound (dataset, item), InvalidInput (no such value, no text, none left).
    """
    accept = None
    if spellings is not None:
        accept = tuple(dict.fromkeys(s.strip().lower() for s in spellings if s.strip()))
        if not accept or len(accept) > SPELLINGS:
            raise InvalidInput(f"Give 1 to {SPELLINGS} spellings, or none at all.", param="accept")
        if refused := next((r for s in accept if (r := refused_character(s))), None):
            raise InvalidInput(f"A spelling holds {refused[1]}; take it out.", param="accept")

    def change(present: Item) -> Item:
        if not any(e.property == property for e in present.values):
            there = ", ".join(e.property for e in present.values) or "none"
            raise InvalidInput(
                f"Item {item!r} expects no value of {property!r}; it does of: {there}.", param="property"
            )
        values = []
        for expected in present.values:
            if expected.property == property:
                if accept is not None and not isinstance(expected.value, str):
                    raise InvalidInput(
                        f"{property!r} is no text ({expected.value!r}); only texts have spellings.", param="property"
                    )
                expected = expected.model_copy(update={"accept": accept})
            values.append(expected)
        return present.model_copy(update={"values": tuple(values)})

    return _changed(workspace, id, item, change, by=by, note=f"spellings of {property}")


def set_case(workspace: Workspace, id: str, item: str, case: str | None, *, by: str) -> Dataset:
    """Say in words what an item is there to try; None or nothing takes it away. Raises NotFound, InvalidInput."""
    words = (case or "").strip() or None
    if words is not None and (refused := refused_character(words)):
        raise InvalidInput(f"The case holds {refused[1]}; take it out.", param="case")
    return _changed(workspace, id, item, lambda i: i.model_copy(update={"case": words}), by=by, note="case")


def _changed(
    workspace: Workspace, id: str, name: str, change: Callable[[Item], Item], *, by: str, note: str
) -> Dataset:
    """The dataset with one item changed; it counts as edited by hand from then on, so that a save leaves it."""
    with workspace.atomic():
        get_dataset(workspace, id)
        entries = workspace.datasets.entries(id)
        at = next((n for n, entry in enumerate(entries) if entry.item.name == name), None)
        if at is None:
            raise NotFound(f"item of dataset {id}", name)
        changed = change(entries[at].item)
        if changed != entries[at].item:
            entries[at] = replace(entries[at], item=changed, by_hand=True)
            workspace.datasets.replace(id, entries, by=by, note=f"{note} of {name}")
    return get_dataset(workspace, id)
