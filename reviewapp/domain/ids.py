"""Identifiers: random for things that happen, hashes for things that are."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any
from urllib.parse import quote


def new_id(prefix: str) -> str:
    """``wtest`` → ``wtest_`` + 32 hex digits, random."""
    return f"{prefix}_{secrets.token_hex(16)}"


def text_hash(text: str) -> str:
    """SHA-256 of the text's UTF-8, 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_hash(content: Any) -> str:
    """32 hex digits over canonical JSON (sorted keys, no spaces): equal content, equal hash."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def record_iri(collection: str, name: str) -> str:
    """The IRI of a record that brought none: ``record:tenders/Item%204.1``."""
    return f"record:{collection}/{quote(name, safe='')}"
