"""JSONL: an item a line, as the answer key has it, with text, and with type and unit of every value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Install, Item
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.form import Collected, Head, Imported, Losses, item_fields, json_bytes, properties_lost
from reviewapp.formats.encodings import Undecodable, decode
from reviewapp.formats.strict_json import JsonFault, kind_of, loads

FILE = "items.jsonl"


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    for item in properties_lost(head, items, losses):
        yield json_bytes(item_fields(item, head.install)) + b"\n"


def read(data: bytes) -> Imported:
    """Raises `ImportFaults`."""
    return collect(rows_of(data, FILE), FILE)


Adapt = Callable[[Any, str], dict[str, Any]]
"""From a row of a form, with its place, to an item's fields. May raise what JSON of another shape makes it raise."""


def _as_it_is(row: Any, place: str) -> dict[str, Any]:  # noqa: ARG001
    return dict(row)


def collect(
    rows: Iterable[tuple[str, Any]],
    file: str,
    adapt: Adapt = _as_it_is,
    notes: tuple[str, ...] = (),
    install: Install | None = None,
) -> Imported:
    """What (place, row) rows give, brought into an item's fields by `adapt`; a row that is a `Fault` is one.

    `install`: what the file says of all of them. Raises `ImportFaults` with all faults.
    """
    collected = Collected()
    for place, row in rows:
        if isinstance(row, Fault):
            collected.faults.append(row)
            continue
        try:
            fields = adapt(row, place)
        except KeyError as error:
            collected.faults.append(Fault(place, f"{error.args[0]!r} is missing"))
        except (AttributeError, TypeError, ValueError, OverflowError, RecursionError):
            collected.faults.append(Fault(place, "is not in the shape of this form; export a dataset to see it"))
        else:
            collected.add(fields, place)
    known = install or Install()
    if not known.properties:
        known = collected.install.model_copy(update={"context": known.context})
    collected.check(known.properties)
    if collected.faults:
        raise ImportFaults(collected.faults)
    if not collected.items:
        raise ImportFaults([Fault(file, "holds no item")])
    if collected.moved:
        said = f"Quotes that do not stand where the file says: {collected.moved:,}; those found once were placed anew."
        notes = (*notes, said)
    return Imported(install=known, items=tuple(collected.items), notes=notes)


def rows_of(data: bytes, file: str) -> Iterator[tuple[str, dict[str, Any] | Fault]]:
    """(place, object) of every line; a fault for a line that is no object. Raises `ImportFaults` for no text."""
    for number, line in enumerate(text_of(data, file).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file}, line {number}"
        try:
            value = loads(line, typed=True)
        except JsonFault as fault:
            yield place, Fault(place, str(fault))
            continue
        if isinstance(value, dict):
            yield place, value
        else:
            yield place, Fault(place, f"expected an object with name and text, found {kind_of(value)}")


def text_of(data: bytes, file: str) -> str:
    """UTF-8 with or without a byte order mark. Raises `ImportFaults`."""
    try:
        text, note = decode(data)
    except Undecodable as error:
        places = [Fault(f"{file}, line {line}" if line else file, message) for line, message in error.lines]
        raise ImportFaults(places) from error
    if note is not None:
        line = data[: next(n for n, byte in enumerate(data) if byte > 127)].count(b"\n") + 1
        raise ImportFaults([Fault(f"{file}, line {line}", "is not UTF-8 from here on; save the file as UTF-8")])
    return text.lstrip("\ufeff")


def json_of(data: bytes, file: str) -> Any:
    """One JSON document. Raises `ImportFaults`."""
    try:
        return loads(text_of(data, file), typed=True)
    except JsonFault as fault:
        raise ImportFaults([Fault(file, str(fault))]) from fault
