"""The real program, called as a person or a script calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reviewapp.cli import program


@dataclass(frozen=True)
class Ended:
    """What a call of the program left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """stdout as strict JSON."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run("records", "list")``: the program in this process, in an empty folder, as Ann."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVIEWAPP_PERSON", "Ann")

    def call(*words: str) -> Ended:
        result = CliRunner().invoke(program, list(words), prog_name="reviewapp")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ended(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def shell(tmp_path: Path) -> Run:
    """The program as a process of its own, in the same empty folder."""

    def call(*words: str, env: dict[str, str] | None = None, python: tuple[str, ...] = ()) -> Ended:
        ended = subprocess.run(
            [sys.executable, *python, "-m", "reviewapp", *words],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout.decode("utf-8"), ended.stderr.decode("utf-8"))

    return call
