"""YAML piece by piece: entries of a list are written one at a time, and read without running anything."""

from __future__ import annotations

import re
from typing import Any

import yaml

from reviewapp.errors import Fault, ImportFaults

WIDE = 1 << 20
"""No folding of long lines: texts stay as they are."""
UNFOLDED_VALUES = 1_000_000
"""Values that a document may hold once its references are followed, where it has fewer characters (without references
it has fewer values than characters)."""

_TAG = "tag:yaml.org,2002:"
_BASE_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_BASE_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Dumper(_BASE_DUMPER):  # type: ignore[misc, valid-type]
    """Puts texts in quotes that any YAML would take for something else: 1.2 has more numbers than the 1.1 of PyYAML
    (``02138``, ``1e5``, ``0o14``), and some read ``y`` as true."""


_Dumper.add_implicit_resolver(
    _TAG + "float", re.compile(r"[-+]?(\.\d+|\d+\.?\d*)([eE][-+]?\d+)?$|0o[0-7]+$"), list("-+.0123456789")
)
_Dumper.add_implicit_resolver(_TAG + "bool", re.compile("[yYnN]$"), list("yYnN"))


class _Loader(_BASE_LOADER):  # type: ignore[misc, valid-type]
    """Leaves dates as they stand: ``2024-01-02`` is a text, as in JSON."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag != _TAG + "timestamp"]
    for first, known in _BASE_LOADER.yaml_implicit_resolvers.items()
}


def quoted(text: str) -> str:
    """A text as a YAML scalar, whatever is in it."""
    return str(yaml.dump(text, Dumper=_Dumper, default_style='"', allow_unicode=True, width=WIDE)).rstrip("\n")


def as_list_entry(content: dict[str, Any]) -> str:
    """``- name: …``: one entry of a list at the left margin."""
    return str(yaml.dump([content], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDE))


def read_document(text: str, file: str) -> Any:
    """One YAML document of what JSON has. Raises `ImportFaults`, also for one whose references (``*a``) unfold to far
    more than it says, and for values that JSON cannot hold (``!!binary``, ``!!set``, thousands of digits)."""
    try:
        document = yaml.load(text, Loader=_Loader)  # noqa: S506  # nosec B506 - a safe one
        values = _unfolded(document, {})
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ImportFaults([Fault(file, f"is not valid YAML: {' '.join(str(error).split())[:200]}")]) from error
    most = max(UNFOLDED_VALUES, len(text))
    if values > most:
        raise ImportFaults([Fault(file, f"holds references that unfold to {values:,} values; at most {most:,}")])
    return document


def _unfolded(value: Any, counted: dict[int, int]) -> int:
    """How many values there are once all references are followed.

    Raises ValueError where one holds itself or is nothing that JSON can hold.
    """
    if not isinstance(value, dict | list):
        if not isinstance(value, str | int | float | None):
            raise ValueError(f"a value is a {type(value).__name__}; expected texts, numbers, lists and fields")
        str(value)  # a number written in hexadecimal may have more digits than can be written: ValueError
        return 1
    if id(value) not in counted:
        counted[id(value)] = -1  # being counted
        children = value.values() if isinstance(value, dict) else value
        counted[id(value)] = 1 + sum(_unfolded(child, counted) for child in children)
    if counted[id(value)] < 0:
        raise ValueError("a value holds itself")
    return counted[id(value)]
