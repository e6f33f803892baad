"""The reference says what the commands are."""

from __future__ import annotations

from click.testing import CliRunner

from reviewapp.cli.reference import main, reference
from tests.conftest import REPOSITORY


def test_the_reference_in_the_docs_is_up_to_date():
    assert (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_the_check_tells_an_old_reference(tmp_path):
    page = tmp_path / "cli.md"
    runner = CliRunner()
    assert runner.invoke(main, [str(page), "--check"]).exit_code == 1
    assert runner.invoke(main, [str(page)]).exit_code == 0
    assert runner.invoke(main, [str(page), "--check"]).exit_code == 0
    page.write_text("# Command line\n")
    ended = runner.invoke(main, [str(page), "--check"])
    assert ended.exit_code == 1
    assert "make docs" in ended.stderr


def test_every_setting_is_in_the_reference_with_its_meaning():
    rows = [line for line in reference().splitlines() if line.startswith("| `REVIEWAPP_")]
    assert "| `REVIEWAPP_PORT` | `8000` |" in "\n".join(rows)
    assert all(row.rstrip(" |").count("|") == 3 and len(row.split("|")[3].strip()) > 20 for row in rows)
