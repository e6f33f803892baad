"""The real program, called as a person or a script calls it."""

from __future__ import annotations

import json
import shutil
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
    return call


def call(*words: str) -> Ended:
    """The program in this process, in the folder that it is in."""
    result = CliRunner().invoke(program, list(words), prog_name="reviewapp")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


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


RECORDS = [
    {"name": "Item 1", "text": "Steel door\nWidth: 600 mm\nQuantity: 4\nFire rating: EI30"},
    {"name": "Item 2", "text": "Holztür\nBreite: 88,5 cm\nMenge: 2"},
    {"name": "Item 3", "text": "Roof hatch, colour grey. See drawing A-204."},
]
WORKFLOW = """\
name: doors
collection: tenders
properties:
  - name: width
    value_type: f64
    unit: cm
    aliases: [Breite]
  - name: quantity
    value_type: i64
    aliases: [Menge]
  - name: offset
    value_type: f64
  - name: fire_class
    value_type: keyword
    aliases: [fire rating]
"""
ITEM_1, ITEM_2, ITEM_3 = (f"record:tenders/Item%20{n}" for n in (1, 2, 3))


def write_files(folder: Path) -> None:
    lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in RECORDS)
    (folder / "records.jsonl").write_text(lines, encoding="utf-8")
    (folder / "workflow.yaml").write_text(WORKFLOW, encoding="utf-8")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The folder with the records and the workflow, not yet brought in."""
    write_files(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def tested_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose workspace has a finished test; made once and only copied from."""
    folder = tmp_path_factory.mktemp("tested")
    write_files(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("REVIEWAPP_PERSON", "Ann")
        assert call("records", "import", "records.jsonl", "--collection", "tenders").code == 0
        assert call("workflow", "put", "workflow.yaml").code == 0
        assert call("test", "start", "doors", "--all", "--wait").code == 0
    return folder


@pytest.fixture
def tested(tested_folder: Path, tmp_path: Path, run: Run) -> Run:
    """The program, in a folder whose workspace has a finished test."""
    shutil.copytree(tested_folder, tmp_path, dirs_exist_ok=True)
    return run
