"""The real `uipath` package, in a venv of its own: made once, kept in the user's cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

VERSION = "2.14.44"
PROBE = Path(__file__).with_name("package_probe.py")
GIVEN = "REVIEWAPP_UIPATH_PYTHON"
"""Environment variable: a Python that has the package already."""


def package_python() -> str:
    """The interpreter of that venv; skips the test where it cannot be made."""
    if given := os.environ.get(GIVEN):
        return given
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "reviewapp-tests" / f"uipath-{VERSION}"
    python = cache / "bin" / "python"
    ready = cache / "ready"
    if not ready.is_file():
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(cache)], check=False, capture_output=True)
        command = [str(python), "-m", "pip", "install", "-q", f"uipath=={VERSION}"]
        if made.returncode or subprocess.run(command, check=False, capture_output=True, timeout=600).returncode:
            pytest.skip(f"uipath {VERSION} cannot be installed from PyPI here")
        ready.touch()
    return str(python)


def ask(jobs: Iterable[dict[str, Any]], cwd: Path | None = None) -> list[dict[str, Any]]:
    """What the package makes of each job (`package_probe`)."""
    lines = "".join(json.dumps(job) + "\n" for job in jobs)
    done = subprocess.run(
        [package_python(), str(PROBE)], input=lines, capture_output=True, text=True, cwd=cwd, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]
