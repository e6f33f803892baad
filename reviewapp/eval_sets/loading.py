"""An eval set with its evaluators, read anew from the project's files."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewapp.domain.eval_sets import Dialect, EvalSet, EvaluatorFile
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.eval_sets.custom import CustomEvaluator, custom_source, is_custom
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.files import read_eval_set
from reviewapp.evals.eval_sets.judges import Judge, no_judge
from reviewapp.evals.eval_sets.old_others import make_old_evaluator
from reviewapp.evals.eval_sets.strict import TYPE_ID
from reviewapp.evals.eval_sets.table import evaluator_head, make_evaluator
from reviewapp.formats.eval_sets.documents import Document, read_document
from reviewapp.formats.eval_sets.projects import Layout, evaluators_of, key_of

AnyRowEvaluator = RowEvaluator[Any, Any]


@dataclass(frozen=True)
class LoadedEvaluator:
    """One evaluator that an eval set refers to; exactly one of `evaluator`, `custom`, `fault` is there."""

    key: str
    """What items call it by: its file's name (strict), its id (else)."""
    name: str
    document: Document | None
    evaluator: AnyRowEvaluator | None = None
    custom: CustomEvaluator | None = None
    default: dict[str, Any] | None = None
    """Criteria for items that have none of their own, as the file has them."""
    fault: str | None = None
    """Why it cannot be used."""

    @property
    def target(self) -> Any:
        """Its ``targetOutputKey`` as the file has it."""
        config = (self.document.content.get("evaluatorConfig") if self.document else None) or {}
        return config.get("targetOutputKey", "*")


@dataclass(frozen=True)
class LoadedSet:
    """An eval set as it stands in the files now."""

    root: Path
    dialect: Dialect
    document: Document
    eval_set: EvalSet
    evaluators: tuple[LoadedEvaluator, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    """By evaluator name."""

    @property
    def has_code(self) -> bool:
        """Whether scoring it runs the project's own Python."""
        return any(one.custom for one in self.evaluators)

    def close(self) -> None:
        for one in self.evaluators:
            if one.custom:
                one.custom.close()


def find_sets(layout: Layout, wanted: str | None = None) -> list[Path]:
    """The files of all sets, or of the one called `wanted`: its place in the project, file name, ``scope/name``, id, or
    name. Raises NotFound."""
    if wanted is None:
        return list(layout.sets)
    exact = [p for p in layout.sets if wanted == p.relative_to(layout.root).as_posix()]
    exact = exact or [p for p in layout.sets if wanted in (p.name, p.stem, f"{layout.scope_of(p)}/{p.stem}")]
    if not exact:
        exact = [path for path in layout.sets if wanted in _names_in(path)]
    if not exact:
        known = ", ".join(p.stem for p in layout.sets) or "none"
        raise NotFound("eval set", wanted, way_out=f"This project has: {known}.")
    return exact


def _names_in(path: Path) -> tuple[Any, ...]:
    """The id and the name that a set's file gives it; none of one that cannot be read."""
    with suppress(InvalidInput):
        content = read_document(path).content
        if isinstance(content, dict):
            return content.get("id"), content.get("name")
    return ()


def load_set(path: Path, root: Path, dialect: Dialect, *, judge: Judge = no_judge) -> LoadedSet:
    """Raises InvalidInput where the set's file is none; faults of evaluators are told in them."""
    document = read_document(path)
    try:
        eval_set = read_eval_set(document.content)
    except Fault as fault:
        raise InvalidInput(f"{path.name} is no eval set: {fault.message}") from fault
    references = eval_set.references
    unreadable: list[str] = []
    found = [_load(file, root, dialect, judge) for file in evaluators_of(path, references, dialect, unreadable)]
    known = {one.key for one in found}
    missing = [
        LoadedEvaluator(
            key, key, None, fault=" ".join([f"There is no evaluator {key!r} in the folder evaluators.", *unreadable])
        )
        for key in references
        if key not in known
    ]
    weights = {one.name: references[one.key] for one in found}
    return LoadedSet(root, dialect, document, eval_set, (*found, *missing), weights)


def _load(file: Document, root: Path, dialect: Dialect, judge: Judge) -> LoadedEvaluator:
    key = str(key_of(file, dialect))
    try:
        if dialect != "strict" and "version" not in file.content:
            _, old = make_old_evaluator(file.content, judge=judge)
            return LoadedEvaluator(key, old.name, file, old)
        head = evaluator_head(file.content)
        default = head.evaluator_config.get("defaultEvaluationCriteria")
        default = default if isinstance(default, dict) else None
        if dialect == "strict" and head.evaluator_type_id != TYPE_ID:
            said = f"API workflows know {TYPE_ID} only; this one is of type {head.evaluator_type_id}."
            return LoadedEvaluator(key, key, file, fault=said)
        if is_custom(head):
            return _custom(file, head, key, root, default)
        _, evaluator = make_evaluator(file.content, judge=judge)
    except Fault as fault:
        return LoadedEvaluator(key, file.name, file, fault=fault.said)
    return LoadedEvaluator(key, evaluator.name, file, evaluator, default=default)


def _custom(
    file: Document, head: EvaluatorFile, key: str, root: Path, default: dict[str, Any] | None
) -> LoadedEvaluator:
    source, name = custom_source(head, file.path.parent, root)
    custom = CustomEvaluator(file.content, source, name, root)
    return LoadedEvaluator(key, custom.name, file, custom=custom, default=default)
