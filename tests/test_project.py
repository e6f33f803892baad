"""The project itself: the wheel, the docs and the folder that a newcomer meets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from reviewapp import resources
from reviewapp.resources import IN_CHECKOUT, folder
from tests.conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", REPOSITORY / "CHANGELOG.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, timeout=120)
    (built,) = out.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_carries_every_file_that_the_program_needs(wheel):
    with zipfile.ZipFile(wheel) as content:
        carried = set(content.namelist())
    for name, place in IN_CHECKOUT.items():
        files = {p.relative_to(REPOSITORY / place) for p in (REPOSITORY / place).rglob("*") if p.is_file()}
        assert files
        assert {f"reviewapp/resources/{name}/{file.as_posix()}" for file in files} <= carried
    for pattern in ("*.py", "*.po"):
        shipped = {p.relative_to(REPOSITORY).as_posix() for p in (REPOSITORY / "reviewapp").rglob(pattern)}
        assert shipped
        assert shipped <= carried
    assert {f.partition("/")[0] for f in carried if ".dist-info/" not in f} == {"reviewapp"}


@pytest.mark.slow
def test_the_demo_runs_from_the_wheel_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as content:
        content.extractall(tmp_path / "installed")
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}

    def program(*words: str) -> str:
        command = [sys.executable, "-c", "from reviewapp.cli import main; main()", *words]
        ended = subprocess.run(
            command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True, timeout=120
        )
        return ended.stdout

    where = "import reviewapp.resources as r; print(*(r.folder(name) for name in r.IN_CHECKOUT), sep='\\n')"
    told = subprocess.run([sys.executable, "-c", where], cwd=tmp_path, env=environment, check=True, capture_output=True)
    places = [Path(line) for line in told.stdout.decode().splitlines()]
    assert places == [tmp_path / "installed" / "reviewapp" / "resources" / name for name in IN_CHECKOUT]
    assert "tender-positions" in program("demo")
    assert '"sound": true' in program("doctor", "--json")


def test_resources_are_found_in_the_checkout():
    for name, place in IN_CHECKOUT.items():
        assert folder(name) == REPOSITORY / place


def test_resources_prefer_the_package_and_tell_a_broken_installation(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "reviewapp")
    with pytest.raises(FileNotFoundError, match="install reviewapp again"):
        folder("static")
    (tmp_path / "static").mkdir()
    assert folder("static") == tmp_path / "static"
    (tmp_path / "reviewapp" / "resources" / "static").mkdir(parents=True)
    assert folder("static") == tmp_path / "reviewapp" / "resources" / "static"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(REPOSITORY).as_posix())
def test_links_between_pages_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8")):
        linked = (page.parent / target) if target else page
        assert linked.exists(), target
        if anchor:
            assert anchor in _anchors(linked), f"{target}#{anchor}"


def _anchors(page: Path) -> set[str]:
    """Heading anchors as the usual viewers of Markdown make them."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_readme_has_a_sentence_for_every_folder():
    told = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    folders = {line.partition("/")[0] for line in tracked.splitlines() if "/" in line}
    assert all(f"`{name}/" in told for name in folders - {".ci"})


def test_the_upgrade_checker_is_of_the_htmx_that_is_served():
    checkers = {p.name.split("-upgrade")[0] for p in (REPOSITORY / ".ci" / "vendor").iterdir()}
    assert {p.stem for p in (REPOSITORY / "static").glob("htmx-*.js")} == checkers


def test_every_dependency_has_a_lower_bound():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(d for ds in project["optional-dependencies"].values() for d in ds)]
    assert [d for d in wanted if ">=" not in d and not d.startswith("types-")] == []


def test_the_check_that_others_run_is_executable():
    for name in ("run", "python", "debian", "chromium"):
        assert os.access(REPOSITORY / ".ci" / name, os.X_OK)
