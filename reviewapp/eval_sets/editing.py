"""Changing the items of an eval set in its file: only what differs is written, and only over what was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from reviewapp.domain.eval_sets import EvalItem
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.files import is_old, read_eval_set
from reviewapp.formats.eval_sets.documents import Document, read_document, write_document
from reviewapp.formats.eval_sets.patching import removed, same, updated
from reviewapp.formats.eval_sets.projects import find_project

Criteria = dict[str, Any] | None
"""Of one evaluator for one item; None: the evaluator's default."""


def eval_set_file(root: Path, file: str) -> Document:
    """The eval set's file as it stands now; only files that the project lists. Raises NotFound."""
    layout = find_project(root)
    for path in layout.sets:
        if path.relative_to(layout.root).as_posix() == file:
            return read_document(path)
    raise NotFound("eval set", file)


def set_expected(root: Path, file: str, item: str, evaluator: str, value: Any, *, seen: str | None = None) -> Document:
    """Make `value` the item's ``expectedOutput`` for the evaluator; its other criteria stay. `seen`: digest of the file
    as it was looked at. Raises NotFound, InvalidInput, Conflict."""

    def change(document: Document) -> str:
        name = _criterias_name(document, item)
        path = [*_place(document, item), name, evaluator]
        there = _item(document, item).get(name, {}).get(evaluator)
        if isinstance(there, dict):
            return updated(document.text, [*path, "expectedOutput"], value)
        return updated(document.text, path, {"expectedOutput": value})

    return _changed(root, file, change, seen)


def save_item(
    loaded: LoadedSet,
    item: str | None,
    *,
    name: str,
    inputs: dict[str, Any],
    criterias: Mapping[str, Criteria],
    seen: str | None,
) -> Document:
    """An item as a form has it whole; what differs is written. `criterias`: of all evaluators of the set that judge it.

    `item` None: a new one. Raises NotFound, InvalidInput, Conflict.
    """
    root, file = loaded.root, loaded.document.path.relative_to(loaded.root).as_posix()
    if seen != loaded.document.digest:
        raise _changed_meanwhile(loaded.document)
    if item is None:
        return add_item(root, file, name=name, inputs=inputs, criterias=criterias, seen=seen)
    there = find_item(loaded, item).evaluation_criterias
    changed = {key: given for key, given in criterias.items() if key not in there or not same(given, there[key])}
    gone = [one.key for one in loaded.evaluators if one.key in there and one.key not in criterias]
    return set_item(root, file, item, name=name, inputs=inputs, criterias=changed, without=gone, seen=seen)


def find_item(loaded: LoadedSet, id: str) -> EvalItem:
    """Raises NotFound."""
    for one in loaded.eval_set.evaluations:
        if one.id in (id, id.lower()):
            return one
    raise NotFound("item", id)


def set_item(
    root: Path,
    file: str,
    item: str,
    *,
    name: str | None = None,
    inputs: dict[str, Any] | None = None,
    criterias: Mapping[str, Criteria] = {},
    without: Collection[str] = (),
    seen: str | None = None,
) -> Document:
    """Change an item's name, inputs and criteria in one go, or nothing. `without`: evaluators that no longer judge it.

    Raises NotFound, InvalidInput, Conflict.
    """

    def change(document: Document) -> str:
        text, place = document.text, _place(document, item)
        if name is not None:
            text = updated(text, [*place, "name"], _free_name(document, name, item))
        if inputs is not None:
            text = updated(text, [*place, "inputs"], inputs)
        for evaluator, given in criterias.items():
            text = updated(text, [*place, _criterias_name(document, item), evaluator], _filled(given))
        for evaluator in without:
            text = removed(text, [*place, _criterias_name(document, item), evaluator])
        return text

    return _changed(root, file, change, seen)


def _filled(criteria: Criteria) -> Criteria:
    if criteria == {}:
        raise InvalidInput(
            "Empty criteria would be read as none; fill them in, write null for the evaluator's default, or leave the "
            "evaluator off the item."
        )
    return criteria


def add_item(
    root: Path,
    file: str,
    *,
    name: str,
    inputs: dict[str, Any],
    criterias: Mapping[str, Criteria],
    seen: str | None = None,
) -> Document:
    """Add an item at the end, under an id of its own. Raises NotFound, InvalidInput, Conflict."""

    def change(document: Document) -> str:
        items = document.content.get("evaluations")
        made: dict[str, Any] = {"id": str(uuid4()), "name": _free_name(document, name, None), "inputs": inputs}
        made["evaluationCriterias"] = {evaluator: _filled(given) for evaluator, given in criterias.items()}
        if not isinstance(items, list):
            return updated(document.text, ["evaluations"], [made])
        return updated(document.text, ["evaluations", len(items)], made)

    return _changed(root, file, change, seen)


def remove_item(root: Path, file: str, item: str, *, seen: str | None = None) -> Document:
    """Take an item out. Raises NotFound, Conflict."""
    return _changed(root, file, lambda document: removed(document.text, _place(document, item)), seen)


def _changed(root: Path, file: str, change: Callable[[Document], str], seen: str | None) -> Document:
    document = eval_set_file(root, file)
    if seen is not None and seen != document.digest:
        raise _changed_meanwhile(document)
    if is_old(document.content):
        raise InvalidInput(f"{document.path.name} is of the old format, which is read only here.")
    if not document.path.resolve().is_relative_to(root.resolve()):
        raise InvalidInput(f"{document.path.name} is a link to a file outside the project; change it there.")
    text = change(document)
    try:
        read_eval_set(json.loads(text))
    except Fault as fault:
        raise InvalidInput(f"The package would refuse the file: {fault.message}. Nothing was written.") from fault
    return write_document(document, text)


def _changed_meanwhile(document: Document) -> Conflict:
    return Conflict(
        f"{document.path.name} was changed since you opened it; nothing was written. Look at it again, then repeat "
        "your change."
    )


def _items(document: Document) -> list[Any]:
    items = document.content.get("evaluations") if isinstance(document.content, dict) else None
    return items if isinstance(items, list) else []


def _place(document: Document, item: str) -> list[str | int]:
    ids = [str(one.get("id", "")) if isinstance(one, dict) else "" for one in _items(document)]
    # GUIDs are in small letters once they are loaded, whatever the file has.
    found = [n for n, id in enumerate(ids) if id == item] or [n for n, id in enumerate(ids) if id.lower() == item]
    if not found:
        raise NotFound("item", item, way_out=f"{document.path.name} may have been changed; look at it again.")
    if len(found) > 1:
        raise InvalidInput(f"{len(found)} items of {document.path.name} have the id {item!r}; give each its own first.")
    return ["evaluations", found[0]]


def _item(document: Document, item: str) -> dict[str, Any]:
    found: dict[str, Any] = document.content["evaluations"][_place(document, item)[1]]
    return found


def _criterias_name(document: Document, item: str) -> str:
    return "evaluation_criterias" if "evaluation_criterias" in _item(document, item) else "evaluationCriterias"


def _free_name(document: Document, name: str, item: str | None) -> str:
    name = name.strip()
    if not name:
        raise InvalidInput("An item needs a name; it stands in every report.", param="name")
    for one in _items(document):
        if isinstance(one, dict) and one.get("name") == name and str(one.get("id", "")).lower() != (item or "").lower():
            raise InvalidInput(f"Another item is called {name!r}; equal names are merged in figures.", param="name")
    return name
