"""YAML piece by piece: entries of a list are written one at a time, and read without running anything."""

from __future__ import annotations

import json
from typing import Any

import yaml

_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
WIDE = 1 << 20
"""No folding of long lines: texts stay as they are."""


def quoted(text: str) -> str:
    """A text as a YAML scalar, whatever is in it."""
    return json.dumps(text, ensure_ascii=True)


def as_list_entry(content: dict[str, Any]) -> str:
    """``- name: …``: one entry of a list at the left margin."""
    return str(yaml.dump([content], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDE))


def safe_load(text: str) -> Any:
    """Raises `yaml.YAMLError`."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506  # nosec B506 - one of the two safe ones
