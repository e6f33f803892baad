"""What every form of a dataset has: a way out, perhaps a way in, and what it cannot hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from reviewapp.domain.base import Model
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.misfits import problem, shown, unknown_field
from reviewapp.domain.properties import VALUE_TYPES, ValueType
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.item_checks import odd_about, with_true_places

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class Head(Model):
    """What is said of a dataset as a whole."""

    name: str
    about: tuple[str, ...] = ()
    install: Install = Install()


class Imported(Model):
    """What a file holds."""

    about: tuple[str, ...] = ()
    install: Install = Install()
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    """Sentences for the person: what was passed over, what was assumed."""


class Losses:
    """What an export left out, counted as it goes."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def note(self, what: str, count: int = 1) -> None:
        """``note("texts cut at 32,767 characters")``"""
        if count:
            self._counts[what] += count

    @property
    def sentences(self) -> tuple[str, ...]:
        """``Left out: texts cut at 32,767 characters (2 items).``"""
        return tuple(f"Not held by this form: {what} ({count:,})." for what, count in self._counts.items())


Writer = Callable[[Head, Iterable[Item], Losses], Iterator[bytes]]
Reader = Callable[[bytes], Imported]


@dataclass(frozen=True)
class DatasetForm:
    """One form, as lists and choices show it."""

    name: str
    """``pydantic-evals``: on the command line and in addresses."""
    words: str
    """For whom it is, in few words."""
    suffix: str
    """Of the file's name, with its dot."""
    media_type: str
    write: Writer
    read: Reader | None = None
    """Raises `ImportFaults` with all faults; None: out only."""
    cannot_hold: tuple[str, ...] = ()
    """What is lost whatever the dataset; for people, before they choose."""
    options: dict[str, Any] = field(default_factory=dict)


# -- expected values with their type and unit, as several forms write them ------------------------------------------


def expected_fields(expected: Expected, install: Install) -> dict[str, Any]:
    """An expected value as plain JSON, with type and unit where the dataset says so; nothing empty."""
    fields: dict[str, Any] = {"property": expected.property, "value": expected.value}
    for name, known in (("type", install.properties), ("unit", install.units)):
        if expected.property in known:
            fields[name] = known[expected.property]
    fields.update(expected.model_dump(mode="json", exclude_none=True, exclude={"property", "value", "spans"}))
    if expected.spans:
        fields["spans"] = [span.model_dump() for span in expected.spans]
    return fields


def item_fields(item: Item, install: Install) -> dict[str, Any]:
    """An item as plain JSON, text included; `read_item` is the way back."""
    fields: dict[str, Any] = {"name": item.name, "text": item.text}
    fields.update(item.model_dump(mode="json", exclude_none=True, include={"iri", "case", "source"}))
    for side in ("values", "leave_out"):
        if expected := getattr(item, side):
            fields[side] = [expected_fields(e, install) for e in expected]
    return fields


@dataclass
class Collected:
    """Items as they are read, with the faults met, and types and units as the items tell them."""

    items: list[Item] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    properties: dict[str, ValueType] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    moved: int = 0
    """Quotes that did not stand where they were said to."""
    _places: list[str] = field(default_factory=list)
    """Of the items."""
    _names: set[str] = field(default_factory=set)
    _told_at: dict[tuple[str, str], str] = field(default_factory=dict)
    """Where a type or unit was told first."""

    def add(self, fields: dict[str, Any], place: str) -> None:
        """Take in an item's plain JSON, as `item_fields` writes it; faults are kept with their place."""
        try:
            item = Item.model_validate(
                {**fields, **{side: self._side(fields, side, place) for side in ("values", "leave_out")}}
            )
        except ValidationError as error:
            told = {_where(details["loc"]): Fault(place, _told(details)) for details in error.errors()}
            self.faults += told.values()
            return
        if item.name in self._names:
            self.faults.append(Fault(place, f"the name {item.name!r} stands twice; every item needs its own"))
            return
        item, moved = with_true_places(item)
        self.moved += moved
        self._names.add(item.name)
        self.items.append(item)
        self._places.append(place)

    def check(self, types: Mapping[str, ValueType]) -> None:
        """Note as faults what is odd about the items, whose properties have these types."""
        for item, place in zip(self.items, self._places, strict=True):
            self.faults += [Fault(place, said) for said in odd_about(item, types)]

    def _side(self, fields: dict[str, Any], side: str, place: str) -> Any:
        entries = fields.get(side) or []
        if not isinstance(entries, list):
            return entries
        return [self._expected(entry, place) if isinstance(entry, dict) else entry for entry in entries]

    def _expected(self, entry: dict[str, Any], place: str) -> dict[str, Any]:
        rest = dict(entry)
        name, kind, unit = rest.get("property"), rest.pop("type", None), rest.pop("unit", None)
        if isinstance(name, str):
            if kind is not None and kind not in VALUE_TYPES:
                known = ", ".join(VALUE_TYPES)
                self.faults.append(Fault(place, f"type of {name!r}: found {shown(kind)}, expected one of {known}"))
            elif kind is not None:
                self._tell("type", name, kind, self.properties, place)
            if isinstance(unit, str) and unit:
                self._tell("unit", name, unit, self.units, place)
        return rest

    def _tell(self, what: str, name: str, word: Any, known: dict[str, Any], place: str) -> None:
        """Keep a type or unit; another one than before would make numbers mean something else."""
        first = self._told_at.setdefault((what, name), place)
        if known.setdefault(name, word) != word:
            said = f"{what} of {name!r}: found {word!r}, but {known[name]!r} in {first}; one property has one {what}"
            self.faults.append(Fault(place, said))

    @property
    def install(self) -> Install:
        return Install(properties=self.properties, units=self.units)


def read_head(content: Any, file: str) -> Head:
    """What a form keeps of the dataset as a whole. Raises `ImportFaults`."""
    try:
        return Head.model_validate({"name": "none", **content})
    except (TypeError, ValueError) as error:
        raise ImportFaults([Fault(file, "what it says of the dataset as a whole (`head`) cannot be read")]) from error


def _where(loc: tuple[int | str, ...]) -> str:
    """``values.2.value``: entries counted from 1, without the kinds of value that were tried."""
    if len(loc) > 3 and loc[2] == "value":
        loc = loc[:3]
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in loc)


def _told(details: ErrorDetails) -> str:
    where = _where(details["loc"])
    if where.endswith(".value") and len(details["loc"]) > 3:
        return f"{where} found {shown(details['input'])}, expected a text, a number, true or false"
    if details["type"] == "extra_forbidden":
        known = Expected.model_fields if len(details["loc"]) > 1 else Item.model_fields
        return f"{where.rpartition('.')[0]} {unknown_field(str(details['loc'][-1]), list(known))}".strip()
    return f"{where} {problem(details)}"


def properties_lost(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[Item]:
    """The items as they come; at their end, what of the head no item has told is noted."""
    seen: set[str] = set()
    for item in items:
        seen.update(e.property for e in (*item.values, *item.leave_out))
        yield item
    if unsaid := len(set(head.install.properties) - seen):
        losses.note("properties without any value", unsaid)
    if head.install.context:
        losses.note("the workflow's context")
    if head.about:
        losses.note("lines about the dataset", len(head.about))


def json_bytes(content: Any, *, indent: int | None = None) -> bytes:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent).encode()
