"""Datasets: answers kept as texts with the values a correct run writes."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from reviewapp.domain.base import Model, Name
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.records import FILE_TEXT_LIMIT
from reviewapp.domain.texts import refused_character

ITEMS_PER_REQUEST = 500
"""Most items of a dataset that a caller makes by hand, in all."""


class Expected(Model):
    """A value that a correct run writes, or one that it must leave out."""

    property: str
    value: Value | None
    """None (in `leave_out` only): no value at all."""
    quote: str | None = None
    stated: str | None = None
    spans: tuple[Span, ...] = ()
    """Where the quote stands in the item's text."""
    accept: tuple[str, ...] | None = None
    """Lower-case spellings that also count, for texts; None: only the value."""
    reason: str | None = None
    """Why it is left out, or the reviewer's note."""

    @builtins.property  # the field above has its plain name here
    def words(self) -> list[tuple[str, str]]:
        """(field, text) of all its texts."""
        fields = ("property", "value", "quote", "stated", "reason")
        own = [(f, text) for f in fields if isinstance(text := getattr(self, f), str)]
        return [*own, *(("accept", spelling) for spelling in self.accept or ())]


class ItemSource(Model):
    kind: Literal["test", "review", "answer_key"]
    id: str | None = None


class Item(Model):
    """One text of a dataset."""

    name: Name
    """Unique in the dataset."""
    text: str = Field(max_length=FILE_TEXT_LIMIT)
    iri: str | None = None
    case: str | None = None
    """What this item is there to try, in words."""
    source: ItemSource | None = None
    values: tuple[Expected, ...] = ()
    leave_out: tuple[Expected, ...] = ()

    @property
    def refused(self) -> str | None:
        """What no text may hold, where one of the item's does: ``text holds a NUL character (U+0000)``."""
        own = [("name", self.name), ("text", self.text), ("iri", self.iri), ("case", self.case)]
        for side in ("values", "leave_out"):
            for number, expected in enumerate(getattr(self, side), start=1):
                own += [(f"{side}.{number}.{field}", words) for field, words in expected.words]
        for place, words in own:
            if words is not None and (found := refused_character(words)) is not None:
                return f"{place} holds {found[1]}"
        return None


class Install(Model):
    """What a workflow needs to be graded on a dataset."""

    properties: dict[str, ValueType] = {}
    units: dict[str, str] = {}
    context: str | None = None


class Dataset(Model):
    """A dataset without its items."""

    id: str
    """``ds_`` + 32 hex digits."""
    name: Name
    kind: Literal["values"] = "values"
    created: datetime
    changed: datetime
    item_count: int = 0
    about: tuple[str, ...] = ()
    install: Install = Install()
    test: str | None = None
    """The test it is saved from; None: made by hand."""
    version: int = 1
    """Grows with every change of its items."""


class DatasetVersion(Model):
    """One state of a dataset's items; every state stays readable until the dataset is deleted."""

    version: int
    at: datetime
    by: str
    note: str = ""
    """What made it, in few words."""
    item_count: int


class ItemChange(Model):
    """How an item differs between two versions or two datasets; items are the same one by their name."""

    name: str
    before: Item | None
    """None: added."""
    after: Item | None
    """None: removed."""

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        return "added" if self.before is None else "removed" if self.after is None else "changed"


class DatasetFiles(Model):
    """The two export files as plain data, in the shapes of an answer key."""

    records: list[dict[str, Any]]
    expected: dict[str, Any]
