"""A dataset as an eval set that the package loads, and an eval set as a dataset."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pydantic import ValidationError

from reviewapp import datasets
from reviewapp.datasets.keeping import import_entries
from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.datasets import Dataset, Expected, Install, Item, ItemSource
from reviewapp.domain.eval_sets import Dialect, EvalItem
from reviewapp.domain.misfits import misfit
from reviewapp.domain.properties import ValueType
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.formats.datasets import Losses
from reviewapp.formats.eval_sets.documents import Document, create_document, read_document
from reviewapp.formats.eval_sets.projects import EVALUATORS, PACKAGE_FOLDER, SETS, find_project
from reviewapp.store.workspace import Workspace

TEXT = "text"
"""The name of the input that holds an item's text."""


def eval_set_of(
    dataset: Dataset, items: Iterable[Item], dialect: Dialect, name: str | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(eval set, evaluator) as JSON; ids are the base names of the files, so that both dialects find them.

    For coded agents the evaluator is JSON similarity: properties that nobody answered are not expected and cost
    nothing. API workflows have exact match only: the set then holds the items that have an answer for each property
    that any item has, compared at these properties. Raises InvalidInput where nothing is left.
    """
    wanted = [(item, expected) for item in items if (expected := _expectations(item))]
    name = name or dataset.name
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "dataset"
    evaluator_id = f"{slug}-values"
    config: dict[str, Any] = {"name": f"{name} values"}
    kind = "uipath-json-similarity"
    if dialect == "strict":
        properties = list(dict.fromkeys(name for _, expected in wanted for name in expected))
        wanted = [(item, expected) for item, expected in wanted if expected.keys() == set(properties)]
        if odd := [name for name in properties if re.search(r"[.\[\]]", name)]:
            raise InvalidInput(
                f"Property {odd[0]!r} cannot be reached by a path; rename it, or export for coded agents."
            )
        kind, config = "uipath-exact-match", {**config, "targetOutputKey": properties, "caseSensitive": True}
    if not wanted:
        raise InvalidInput(f"{dataset.name} has no item with answers that can be expected there.", param="dataset")
    evaluator = {
        "version": "1.0",
        "id": evaluator_id,
        "evaluatorTypeId": kind,
        "evaluatorConfig": {**config, "defaultEvaluationCriteria": None},
    }
    content = {
        "version": "1.0",
        "id": slug,
        "name": name,
        "evaluatorRefs": [evaluator_id],
        "evaluations": [_item(dataset, item, expected, evaluator_id) for item, expected in wanted],
    }
    return content, evaluator


def _item(dataset: Dataset, item: Item, expected: dict[str, Any], evaluator: str) -> dict[str, Any]:
    inputs = {TEXT: item.text} | ({} if item.iri is None else {"iri": item.iri})
    return {
        "id": str(uuid5(NAMESPACE_URL, f"{dataset.id}/{item.name}")),
        "name": item.name,
        "inputs": inputs,
        "evaluationCriterias": {evaluator: {"expectedOutput": expected}},
    }


def _expectations(item: Item) -> dict[str, Any]:
    """What a correct run gives, by property; null where it gives nothing. Wrong values alone expect nothing."""
    found: dict[str, list[Any]] = {}
    for value in item.values:
        found.setdefault(value.property, []).append(value.value)
    nothing = {one.property: [None] for one in item.leave_out if one.value is None}
    return {name: values[0] if len(values) == 1 else values for name, values in (nothing | found).items()}


def _note_losses(item: Item, losses: Losses) -> None:
    """What an item of a dataset says and an eval set cannot."""
    losses.note("wrong values that must be left out", sum(one.value is not None for one in item.leave_out))
    losses.note("further spellings that count", sum(one.accept is not None for one in item.values))
    losses.note("quotes", sum(one.quote is not None for one in (*item.values, *item.leave_out)))
    losses.note(
        "notes", sum(one.reason is not None for one in (*item.values, *item.leave_out)) + (item.case is not None)
    )


def save_as_eval_set(
    workspace: Workspace,
    dataset: str,
    root: Path,
    *,
    dialect: Dialect | None = None,
    name: str | None = None,
    losses: Losses | None = None,
) -> tuple[Document, Document]:
    """(eval set, evaluator) written into the project, as files of their own; nothing there is replaced. `name` of the
    set and its files: the dataset's, if none is given. What an eval set cannot hold is counted in `losses`.

    A coded agent's folder is made where it is not there; an API workflow's never is. Raises NotFound, InvalidInput,
    Conflict.
    """
    found = datasets.get_dataset(workspace, dataset)
    base, spoken = _base(root, dialect)
    content, evaluator = eval_set_of(found, _items(workspace, dataset, losses or Losses()), spoken, name)
    set_path = base / SETS / f"{content['id']}.json"
    evaluator_path = base / EVALUATORS / f"{evaluator['id']}.json"
    if evaluator_path.exists() and not set_path.exists() and read_document(evaluator_path).content == evaluator:
        return create_document(set_path, content), read_document(evaluator_path)
    made = create_document(evaluator_path, evaluator) if not set_path.exists() else None
    return create_document(set_path, content), made or read_document(evaluator_path)


def _base(root: Path, dialect: Dialect | None) -> tuple[Path, Dialect]:
    try:
        layout = find_project(root)
    except InvalidInput:
        if dialect == "strict" or (dialect is None and (root / "Workflow.json").exists()):
            raise
        return root / PACKAGE_FOLDER, "package"
    spoken = dialect or layout.dialect
    if layout.sets:
        return layout.sets[0].parent.parent, spoken
    return next(p.parent for p in (root / PACKAGE_FOLDER / SETS, *root.glob(f"evals/*/{SETS}")) if p.is_dir()), spoken


def _items(workspace: Workspace, dataset: str, losses: Losses) -> Iterable[Item]:
    after = -1
    while piece := datasets.items(workspace, dataset, after=after, limit=200):
        for _, item in piece:
            _note_losses(item, losses)
            yield item
        after = piece[-1][0]


def save_as_dataset(workspace: Workspace, loaded: LoadedSet, *, name: str | None = None, by: str) -> Dataset:
    """A dataset of the items whose expected output is an object of single values, or of lists of them (a property with
    several values); the same set makes no second one.

    An item's text is ``inputs.text``, else its only text input, else its inputs as JSON. Raises InvalidInput where no
    item has such an expectation.
    """
    items: list[Item] = []
    types: dict[str, set[ValueType]] = {}
    names: set[str] = set()
    for one in loaded.eval_set.evaluations:
        expected = _expected_output(one)
        if not expected:
            continue
        title = one.name[:NAME_LIMIT] if one.name.strip() else one.id
        if title in names:
            title = f"{title[: NAME_LIMIT - len(one.id) - 3]} ({one.id})"
        names.add(title)
        for key, values in expected.items():
            types.setdefault(key, set()).update(_type_of(value) for value in values if value is not None)
        try:
            items.append(_dataset_item(title, one, expected))
        except ValidationError as error:
            said = misfit(error).message
            raise InvalidInput(f"Item {title!r} cannot be kept in a dataset: {said}; nothing was made.") from error
    if not items:
        raise InvalidInput(f"No item of {loaded.eval_set.name} expects an object of single values; nothing was made.")
    install = Install(properties={key: _common(kinds) for key, kinds in types.items() if kinds})
    typed = [_typed(item, install) for item in items]
    about = (f"Eval set {loaded.eval_set.id}",)
    return import_entries(workspace, name or loaded.eval_set.name, typed, install, about, by=by)


def _expected_output(item: EvalItem) -> dict[str, list[Any]] | None:
    """The values by key of the first expected output that is an object of them, at an evaluator or at the item."""
    criterias = [given for given in item.evaluation_criterias.values() if given]
    for given in [*(one.get("expectedOutput") for one in criterias), item.expected_output]:
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except ValueError:
                continue
        if isinstance(given, dict) and given:
            values = {key: value if isinstance(value, list) else [value] for key, value in given.items()}
            if all(map(_are_values, values.values())):
                return values
    return None


def _are_values(values: list[Any]) -> bool:
    """Whether a property can have these: single values, or nothing alone."""
    return values == [None] or bool(values and all(isinstance(value, str | int | float) for value in values))


def _dataset_item(title: str, item: EvalItem, expected: dict[str, list[Any]]) -> Item:
    text = item.inputs.get(TEXT)
    if not isinstance(text, str):
        texts = [value for value in item.inputs.values() if isinstance(value, str)]
        text = texts[0] if len(texts) == 1 else json.dumps(item.inputs, ensure_ascii=False, indent=2)
    return Item(
        name=title,
        text=text,
        iri=iri if isinstance(iri := item.inputs.get("iri"), str) else None,
        source=ItemSource(kind="answer_key", id=item.id),
        values=tuple(
            Expected(property=key, value=value)
            for key, values in expected.items()
            for value in values
            if value is not None
        ),
        leave_out=tuple(Expected(property=key, value=None) for key, values in expected.items() if values == [None]),
    )


def _type_of(value: Any) -> ValueType:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "i64" if isinstance(value, int) else "f64"
    return "text"


def _common(kinds: set[ValueType]) -> ValueType:
    if len(kinds) == 1:
        return next(iter(kinds))
    return "f64" if kinds == {"i64", "f64"} else "text"


def _typed(item: Item, install: Install) -> Item:
    """Values of a property that has several kinds, as texts."""

    def typed(one: Expected) -> Expected:
        kind = install.properties.get(one.property)
        if kind == "text" and one.value is not None and not isinstance(one.value, str):
            return one.model_copy(update={"value": json.dumps(one.value)})
        return one

    return item.model_copy(update={"values": tuple(map(typed, item.values))})
