"""What every command has in common."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from reviewapp import __version__
from reviewapp.cli import program
from reviewapp.cli.program import COMMANDS


def every_command() -> Iterator[tuple[str, click.Command]]:
    def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
        yield path, command
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            for name in command.list_commands(ctx):
                child = command.get_command(ctx, name)
                assert child is not None
                yield from walk(child, f"{path} {name}")

    yield from walk(program, "reviewapp")


ALL = dict(every_command())


def test_all_verbs_of_a_first_sitting_are_there():
    assert set(COMMANDS) <= {path.split()[1] for path in ALL if " " in path}
    for path in (
        "serve", "demo", "records import", "records list", "records show", "workflow put", "workflow list",
        "workflow show", "test start", "test show", "test list", "test cancel", "answer", "dataset save",
        "dataset list", "dataset show", "dataset export", "doctor",
    ):  # fmt: skip
        assert f"reviewapp {path}" in ALL


@pytest.mark.parametrize("path", ALL)
def test_every_command_takes_the_shared_options(path):
    names = {option for parameter in ALL[path].params for option in parameter.opts}
    assert {"--data", "--workspace", "--json", "--person"} <= names


@pytest.mark.parametrize("path", ALL)
def test_help_has_an_example_that_the_program_understands(path, run):
    ended = run(*path.split()[1:], "--help")
    assert ended.code == 0
    example = ended.out.partition("Example:")[2].partition("Options:")[0].strip()
    assert example
    for line in example.splitlines():
        _parse(shlex.split(line))


def _parse(words: list[str]) -> None:
    """Walk down to the command and let it read its arguments, without running it."""
    assert words.pop(0) == "reviewapp"
    command: click.Command = program
    ctx = click.Context(program)
    while isinstance(command, click.Group):
        child = command.get_command(ctx, words.pop(0))
        assert child is not None
        command = child
    command.make_context("reviewapp", words, parent=ctx)


def test_version_is_told_without_loading_the_heavy_parts():
    heavy = {"pydantic", "flask", "sqlite_utils", "pint", "rich", "pypdfium2", "openpyxl", "babel"}
    watch = f"""
import sys
from reviewapp.cli import main
try:
    main(["--version"])
finally:
    print(sorted({heavy!r} & set(sys.modules)))
"""
    ended = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == f"reviewapp {__version__}\n[]\n"


def test_an_unknown_command_is_a_usage_error(run):
    ended = run("recrods", "list")
    assert ended.code == 2
    assert "No such command 'recrods'" in ended.err
    assert ended.out == ""


@pytest.mark.parametrize(
    "words",
    [
        ("--data", "elsewhere", "--workspace", "tenders", "doctor", "--json"),
        ("doctor", "--data", "elsewhere", "--workspace", "tenders", "--json"),
        ("--data", "lost", "--json", "doctor", "--data", "elsewhere"),
    ],
)
def test_shared_options_stand_before_or_after_the_command_and_the_last_one_counts(run, words):
    found = {f["check"]: f["found"] for f in run(*words).document["findings"]}
    assert found["data folder"] == "elsewhere is not there"


def test_the_environment_sets_what_no_option_names(run, monkeypatch):
    monkeypatch.setenv("REVIEWAPP_DATA", "from-the-environment")
    assert "from-the-environment is not there" in run("doctor").out
    assert "named is not there" in run("doctor", "--data", "named").out


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("REVIEWAPP_PORT", "http", "REVIEWAPP_PORT is 'http'"),
        ("REVIEWAPP_PORT", "70000", "REVIEWAPP_PORT is '70000'"),
        ("REVIEWAPP_WORKSPACE", "../x", "REVIEWAPP_WORKSPACE is '../x'"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(run, monkeypatch, variable, value, told):
    monkeypatch.setenv(variable, value)
    ended = run("serve")
    assert ended.code == 1
    assert told in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_workspace_name_that_none_can_have_is_refused(run):
    ended = run("records", "list", "--workspace", "../../etc")
    assert ended.code == 1
    assert "'../../etc'" in ended.err
    assert "1 to 63" in ended.err


def test_output_is_utf8_whatever_the_locale_says(shell):
    ended = shell("--help", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PATH": os.environ["PATH"], "HOME": "."})
    assert ended.code == 0
    ended = shell("records", "show", "Stückzahl", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    command = f"{shlex.quote(sys.executable)} -m reviewapp --help | head -n 1"
    ended = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.startswith("Usage: reviewapp")
    assert ended.stderr == ""
