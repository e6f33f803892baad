"""The two files of an answer key, read: ``records.json`` (the texts) and ``expected.json`` (the values).

``records.json`` is a list of ``{name, text, iri?}``. ``expected.json`` is ``{about?, install, positions, records}``
whose records are the same items in the same order, without text and iri::

    {"name": "Item 4.1",
     "source": {"kind": "test", "id": "wtest_…"},
     "values": [{"property": "width", "value": 60, "quote": "600 mm", "stated": "600 mm",
                 "spans": [{"start": 14, "end": 20}]}],
     "leave_out": [{"property": "height", "value": null, "reason": "not for this item"}]}

Positions count Unicode code points from the beginning of the item's text, start inclusive, end exclusive, and the
file says so: in Python ``text[start:end]`` is the quote.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import ValidationError

from reviewapp.domain.base import Model
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.misfits import problem, unknown_field
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.encodings import Undecodable, decode
from reviewapp.formats.item_checks import odd_about, with_true_places
from reviewapp.formats.strict_json import JsonFault, kind_of, loads
from reviewapp.formats.zips import opened

RECORDS, EXPECTED = "records.json", "expected.json"
POSITIONS = "code points from the beginning of the text; start inclusive, end exclusive"


class _Head(Model):
    about: tuple[str, ...] = ()
    install: Install = Install()


class AnswerKey(_Head):
    """What the two files hold."""

    items: tuple[Item, ...]


def read_answer_key(records: bytes, expected: bytes) -> AnswerKey:
    """The items of two files. Raises `ImportFaults` with every fault of both."""
    faults: list[Fault] = []
    texts = _texts(_load(records, RECORDS), faults)
    header = _load(expected, EXPECTED)
    if not isinstance(header, dict) or not isinstance(header.get("records"), list):
        faults.append(Fault(EXPECTED, f'expected {{"install": …, "records": [...]}}, found {kind_of(header)}'))
        raise ImportFaults(faults)
    by_name = _by_name(header["records"], faults)
    items: list[Item] = []
    for name, text in texts.items():
        entry = by_name.pop(name, {"name": name})
        if (item := _item({**entry, **text}, name, faults)) is not None:
            items.append(with_true_places(item)[0])
    faults += [
        Fault(f"{EXPECTED}, record {name!r}", f"there is no record of this name in {RECORDS}") for name in by_name
    ]
    try:
        head = _Head.model_validate({name: header[name] for name in ("about", "install") if header.get(name)})
    except ValidationError as error:
        head = _Head()
        faults += [Fault(EXPECTED, f"{'.'.join(map(str, e['loc']))} {problem(e)}") for e in error.errors()]
    for item in items:
        faults += [
            Fault(f"{EXPECTED}, record {item.name!r}", said) for said in odd_about(item, head.install.properties)
        ]
    if faults:
        raise ImportFaults(faults)
    return AnswerKey(about=head.about, install=head.install, items=tuple(items))


def read_zip(data: bytes) -> AnswerKey:
    """The items of a zip with both files. Raises `ImportFaults`."""
    with opened(data, "dataset.zip", kind="zip file", expected=f"{RECORDS} and {EXPECTED}") as archive:
        files = archive.read(RECORDS), archive.read(EXPECTED)
    return read_answer_key(*files)


def _load(data: bytes, name: str) -> Any:
    try:
        text, note = decode(data)
        if note is not None:
            raise JsonFault("is not UTF-8; save it as UTF-8")
        return loads(text.lstrip("\ufeff"), typed=True)
    except JsonFault as fault:
        raise ImportFaults([Fault(name, str(fault))]) from fault
    except Undecodable as error:
        faults = [Fault(f"{name}, line {line}" if line else name, message) for line, message in error.lines]
        raise ImportFaults(faults) from error


def _texts(records: Any, faults: list[Fault]) -> dict[str, dict[str, Any]]:
    """Name → text and iri, in file order."""
    if isinstance(records, dict):
        records = records.get("records", records)
    if not isinstance(records, list):
        raise ImportFaults([Fault(RECORDS, f"expected a list of records, found {kind_of(records)}")])
    texts: dict[str, dict[str, Any]] = {}
    for number, record in enumerate(records, start=1):
        place = f"{RECORDS}, record {number}"
        if not isinstance(record, dict) or not isinstance(record.get("name"), str):
            faults.append(Fault(place, f"expected name and text, found {kind_of(record)}"))
        elif record["name"].strip() in texts:
            faults.append(Fault(place, f"the name {record['name']!r} stands twice; names must differ"))
        else:
            texts[record["name"].strip()] = {k: v for k, v in record.items() if k in ("name", "text", "iri")}
    return texts


def _by_name(entries: list[Any], faults: list[Fault]) -> dict[str, dict[str, Any]]:
    named = [(e["name"].strip(), e) for e in entries if isinstance(e, dict) and isinstance(e.get("name"), str)]
    if len(named) < len(entries):
        faults.append(Fault(EXPECTED, f"{len(entries) - len(named)} records have no name"))
    counts = Counter(name for name, _ in named)
    faults += [Fault(f"{EXPECTED}, record {n!r}", "stands twice; keep one") for n, c in counts.items() if c > 1]
    return dict(named)


def _item(fields: dict[str, Any], name: str, faults: list[Fault]) -> Item | None:
    try:
        return Item.model_validate(fields)
    except ValidationError as error:
        for details in error.errors():
            place = ".".join(str(part + 1) if isinstance(part, int) else part for part in details["loc"])
            message = problem(details)
            if details["type"] == "extra_forbidden":
                known = Expected.model_fields if len(details["loc"]) > 1 else Item.model_fields
                message = unknown_field(str(details["loc"][-1]), list(known))
            faults.append(Fault(f"{EXPECTED}, record {name!r}", f"{place} {message}"))
        return None
