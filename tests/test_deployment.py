"""The files of the deployment pages: a unit that systemd takes, settings that there are, images without data."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reviewapp.settings import PREFIX, Settings
from tests.conftest import REPOSITORY

PAGES = REPOSITORY / "docs" / "deployment"


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.iterdir()))
def test_every_setting_that_is_named_is_one(page: str) -> None:
    named = set(re.findall(rf"{PREFIX}[A-Z_]*[A-Z]", (PAGES / page).read_text(encoding="utf-8")))
    assert {name.removeprefix(PREFIX).lower() for name in named} <= set(Settings.model_fields)


def test_every_link_leads_to_a_file() -> None:
    for page in PAGES.glob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (PAGES / link).is_file(), (page.name, link)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = (PAGES / "reviewapp.service").read_text(encoding="utf-8")
    assert "ExecStart=/opt/reviewapp/bin/reviewapp serve" in unit
    installed = tmp_path / "reviewapp.service"
    installed.write_text(unit.replace("/opt/reviewapp/bin/reviewapp", sys.executable), encoding="utf-8")
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", installed], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stderr, verified.stdout) == (0, "", "")


def test_data_is_not_sent_to_the_image() -> None:
    left_out = (REPOSITORY / ".containerignore").read_text(encoding="utf-8").splitlines()
    assert {"data/*", ".git", ".venv"} <= set(left_out)
    assert "COPY . ." in (PAGES / "Containerfile").read_text(encoding="utf-8")
