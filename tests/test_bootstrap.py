"""What `make` does on a machine that lacks something: it installs it when it may, else says what to do in one line.

The scripts run with a PATH that holds only what the machine of the case has.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SCRIPTS = REPOSITORY / ".ci"
LOG = 'echo "$(basename "$0") $*" >> "$LOG"\n'


class Machine:
    """A folder of programs."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.log = folder / "log"
        for name in ("bash", "dirname", "basename", "env"):
            (self.programs / name).symlink_to(str(shutil.which(name)))

    def has(self, name: str, does: str = LOG) -> None:
        program = self.programs / name
        program.write_text(f"#!/bin/bash\n{does}")
        program.chmod(0o755)

    def run(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(SCRIPTS / script), *words],
            env={"PATH": str(self.programs), "LOG": str(self.log)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    @property
    def done(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


INSTALLED = ["apt-get update -qq", "apt-get install -qq --yes --no-install-recommends chromium"]


def test_root_gets_chromium_from_debian(machine):
    machine.has("apt-get")
    machine.has("id", "echo 0")
    assert machine.run("chromium").returncode == 0
    assert machine.done == INSTALLED


def test_sudo_that_asks_nothing_is_used(machine):
    machine.has("apt-get")
    machine.has("id", "echo 1000")
    machine.has("sudo", 'shift; "$@"')
    machine.has("true", "")
    assert machine.run("chromium").returncode == 0
    assert machine.done == INSTALLED


@pytest.mark.parametrize("sudo", [None, 'echo "a password is required" >&2; exit 1'])
def test_without_the_right_to_install_it_says_what_to_type(machine, sudo):
    machine.has("apt-get")
    machine.has("id", "echo 1000")
    if sudo is not None:
        machine.has("sudo", sudo)
    ended = machine.run("chromium")
    assert ended.returncode == 1
    assert "sudo apt-get install chromium" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert machine.done == []


def test_on_another_system_it_says_what_is_missing(machine):
    machine.has("id", "echo 0")
    ended = machine.run("chromium")
    assert ended.returncode == 1
    assert ended.stderr.startswith("Chromium, for the tests in a browser, is missing")


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_a_browser_that_is_there_is_taken(machine, name):
    machine.has(name)
    assert machine.run("chromium").returncode == 0
    assert machine.done == []


def test_nginx_is_taken_or_got_from_debian(machine):
    machine.has("nginx")
    assert machine.run("nginx").returncode == 0
    assert machine.done == []
    (machine.programs / "nginx").unlink()
    if Path("/usr/sbin/nginx").exists():
        return  # taken from there, outside the PATH
    machine.has("apt-get")
    machine.has("id", "echo 0")
    assert machine.run("nginx").returncode == 0
    assert machine.done == [words.replace("chromium", "nginx-light") for words in INSTALLED]


def test_a_missing_python_is_said(machine, tmp_path):
    ended = machine.run("python", "python3", str(tmp_path / "venv"))
    assert ended.returncode == 1
    assert "There is no 'python3' here" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_old_python_is_said(machine, tmp_path):
    machine.has("python3", 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi')
    ended = machine.run("python", "python3", str(tmp_path / "venv"))
    assert ended.returncode == 1
    assert "is Python 3.9.2; reviewapp needs Python 3.11 or newer" in ended.stderr


@pytest.mark.slow
def test_a_python_that_fits_makes_the_environment(machine, tmp_path):
    (machine.programs / "python3").symlink_to(Path(sys.executable).resolve())
    ended = machine.run("python", "python3", str(tmp_path / "venv"))
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "venv" / "bin" / "pip").exists()
