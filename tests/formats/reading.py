"""Reading in tests: a file is a name and what is in it."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.records import IncomingRecord
from reviewapp.errors import ImportFaults
from reviewapp.formats.readers import Incoming, read_files
from reviewapp.formats.sources import Upload


def incoming(name: str, content: str | bytes, **options: Any) -> Incoming:
    data = content.encode() if isinstance(content, str) else content
    return read_files([Upload(name, data)], **options)


def records(name: str, content: str | bytes, **options: Any) -> list[IncomingRecord]:
    return list(incoming(name, content, **options).records)


def pairs(name: str, content: str | bytes, **options: Any) -> list[tuple[str, str]]:
    """Names and texts."""
    return [(record.name, record.text) for record in records(name, content, **options)]


def faults(name: str, content: str | bytes, **options: Any) -> list[str]:
    """All faults as ``place: message``; fails where the file is taken."""
    with pytest.raises(ImportFaults) as refused:
        incoming(name, content, **options)
    return [str(fault) for fault in refused.value.faults]
