"""The layout of a project and its dialect."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewapp.domain.eval_sets import Dialect
from reviewapp.errors import InvalidInput, NotFound, ReviewappError
from reviewapp.formats.eval_sets.documents import Document, read_document

SETS, EVALUATORS = "eval-sets", "evaluators"
PACKAGE_FOLDER, STRICT_FOLDER = "evaluations", "evals"
PACKAGE_NEIGHBOURS = ("uipath.json", "entry-points.json", "pyproject.toml")
STRICT_NEIGHBOURS = ("Workflow.json",)
_PACKAGE_FIELDS = ("caseSensitive", "negated")


@dataclass(frozen=True)
class Layout:
    """What a project's folder holds."""

    root: Path
    sets: tuple[Path, ...]
    """Files of eval sets, by scope and name."""
    dialect: Dialect
    reason: str
    """What told the dialect, in words."""
    sure: bool
    """Whether anything told it; else `dialect` is ``strict`` and both verdicts are shown where they differ."""

    def scope_of(self, path: Path) -> str:
        """``default`` of ``evals/default/eval-sets/…``; empty where there is no scope."""
        above = path.parent.parent
        return "" if above.name in (PACKAGE_FOLDER, STRICT_FOLDER) else above.name


def find_project(folder: Path) -> Layout:
    """Raises NotFound where there is no such folder, InvalidInput where it holds no eval sets; makes nothing."""
    try:
        root = folder.expanduser().resolve()
        is_there = root.is_dir()
    except (OSError, ValueError, RuntimeError):  # a name that no system takes, a person whom this one does not know
        is_there = False
    if not is_there:
        raise NotFound("folder", str(folder))
    scoped = sorted(p for p in root.glob(f"{STRICT_FOLDER}/*/{SETS}") if p.is_dir())
    package = root / PACKAGE_FOLDER / SETS
    plain = root / STRICT_FOLDER / SETS
    folders = [*scoped, *(f for f in (package, plain) if f.is_dir())]
    if not folders:
        raise InvalidInput(
            f"{root.name} holds no eval sets: neither {STRICT_FOLDER}/<scope>/{SETS} nor {PACKAGE_FOLDER}/{SETS} is "
            "there. Open the project's own folder, the one beside Workflow.json or uipath.json."
        )
    sets = tuple(path for place in folders for path in sorted(place.glob("*.json")))
    dialect, reason = _told(root, sets, scoped=bool(scoped), package=package.is_dir(), plain=plain.is_dir())
    return Layout(root, sets, dialect or "strict", reason, sure=dialect is not None)


def _told(root: Path, sets: Iterable[Path], *, scoped: bool, package: bool, plain: bool) -> tuple[Dialect | None, str]:
    """Layout, then neighbours, then references, then content."""
    documents = _readable(sets)
    if scoped and not package:
        return "strict", f"its layout, {STRICT_FOLDER}/<scope>/{SETS}"
    if package and not scoped:
        return "package", f"its layout, {PACKAGE_FOLDER}/{SETS}"
    if plain and not scoped and documents and not any("version" in d.content for d in documents):
        return "old", f"its layout, {STRICT_FOLDER}/{SETS}, and files without a version"
    for name in STRICT_NEIGHBOURS:
        if (root / name).is_file():
            return "strict", f"{name} beside it"
    for name in PACKAGE_NEIGHBOURS:
        if (root / name).is_file():
            return "package", f"{name} beside it"
    return _told_by_references(documents) or _told_by_content(documents) or (None, "nothing told the dialect")


def _told_by_references(documents: Iterable[Document]) -> tuple[Dialect, str] | None:
    references: set[str] = set()
    names: set[str] = set()
    ids: set[str] = set()
    for document in documents:
        given = document.content.get("evaluatorRefs")
        references.update(ref for ref in (given if isinstance(given, list) else ()) if isinstance(ref, str))
        for file in evaluator_files(document.path):
            names.add(file.name)
            if isinstance(file.content.get("id"), str):
                ids.add(file.content["id"])
    if references and references <= names and not references <= ids:
        return "strict", "references that are file names of evaluators"
    if references and references <= ids and not references <= names:
        return "package", "references that are ids of evaluators"
    return None


def _told_by_content(documents: Iterable[Document]) -> tuple[Dialect, str] | None:
    for document in documents:
        items = document.content.get("evaluations")
        if isinstance(items, list) and any(isinstance(item, dict) and item.get("mockingStrategy") for item in items):
            return "package", "a mocking strategy"
        for file in evaluator_files(document.path):
            config = file.content.get("evaluatorConfig")
            if file.content.get("evaluatorTypeId") not in (None, "uipath-exact-match"):
                return "package", f"an evaluator of type {file.content['evaluatorTypeId']}"
            if "evaluatorSchema" in file.content:
                return "package", "a custom evaluator"
            if isinstance(config, dict) and any(name in config for name in _PACKAGE_FIELDS):
                return "package", "an evaluator with caseSensitive or negated"
    return None


def _readable(paths: Iterable[Path], unreadable: list[str] | None = None) -> list[Document]:
    found = []
    for path in paths:
        try:
            document = read_document(path)
        except ReviewappError as error:
            if unreadable is not None:
                unreadable.append(error.message)
            continue
        if isinstance(document.content, dict):
            found.append(document)
    return found


def evaluator_files(eval_set: Path, unreadable: list[str] | None = None) -> list[Document]:
    """The evaluators beside an eval set that can be read, by file name; why others cannot goes into `unreadable`."""
    return _readable(sorted((eval_set.parent.parent / EVALUATORS).glob("*.json")), unreadable)


def evaluators_of(
    eval_set: Path, references: Collection[str], dialect: Dialect, unreadable: list[str] | None = None
) -> list[Document]:
    """Those that an eval set refers to: by file name (strict) or by the id inside (else), all that have it.

    Files that nobody refers to may be broken: what is wrong with those whose id cannot be read goes into `unreadable`.
    Raises InvalidInput where one that is called by its file's name cannot be read.
    """
    folder = eval_set.parent.parent / EVALUATORS
    if dialect == "strict":
        return [read_document(path) for path in sorted(folder.glob("*.json")) if path.stem in references]
    return [file for file in evaluator_files(eval_set, unreadable) if key_of(file, dialect) in references]


def key_of(file: Document, dialect: Dialect) -> Any:
    """What items and sets call an evaluator by."""
    return file.name if dialect == "strict" else file.content.get("id")
