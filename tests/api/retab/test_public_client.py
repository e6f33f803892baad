"""The public client, unchanged, in a virtual environment of its own for each version."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

VENVS = Path(os.environ.get("REVIEWAPP_TEST_VENVS", Path(tempfile.gettempdir()) / "reviewapp-test-venvs"))
"""Kept between runs."""
DRIVE = Path(__file__).with_name("drive.py")


def python_with(version: str) -> Path:
    """A Python that has the client; skips where the package index is out of reach."""
    folder = VENVS / f"retab-{version}-py{sys.version_info.major}{sys.version_info.minor}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, capture_output=True)
        installed = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", f"retab=={version}"],
            check=False,
            capture_output=True,
            text=True,
        )
        if installed.returncode:
            pytest.skip(f"retab {version} cannot be installed here: {installed.stderr.strip()[-300:]}")
        (folder / "complete").touch()
    return python


@pytest.mark.slow
@pytest.mark.parametrize(("version", "dialect"), [("0.0.147", "tests"), ("0.0.151", "tests"), ("0.0.160", "evals")])
def test_the_public_client_does_all_it_can(served, version, dialect):
    python = python_with(version)
    done = subprocess.run(
        [python, "-I", DRIVE, served.url, served.key, dialect],
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith("all done")
