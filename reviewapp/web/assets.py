"""Static files: each address carries a hash of the content, so that browsers may keep them for ever."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask


def install(app: Flask) -> None:
    hashes = _hashes(Path(str(app.static_folder)))

    @app.url_defaults
    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and values.get("filename") in hashes:
            values["v"] = hashes[values["filename"]]


def _hashes(static: Path) -> dict[str, str]:
    files = (path for path in static.rglob("*") if path.is_file())
    return {path.relative_to(static).as_posix(): sha256(path.read_bytes()).hexdigest()[:12] for path in files}
