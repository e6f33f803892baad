"""The command-line reference, out of the commands themselves.

``python -m reviewapp.cli.reference docs/cli.md`` writes it; with ``--check`` it only says whether the file is up to
date (exit code 1 when it is not).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from reviewapp.cli.program import program
from reviewapp.settings import PREFIX, Settings

WIDTH = 100
INTRODUCTION = """\
# Command line

<!-- Written by `make docs` out of the commands; changes belong there. -->

Every command is the same act as on the pages, on the same data folder. `--data`, `--workspace`, `--person` and `--json`
may stand before a command or after it. With `--json` a command gives one JSON document on stdout; progress, notes and
errors go to stderr. Exit codes: 0 done; 1 something stood in the way, said in one sentence; 2 the command line is
wrong; 3 done, but below the bar (`evaluate`, `compare`, `block-test run`). A value that begins with a minus can be
given as it is (`correct -5`) or after `--` (`correct -- -5`).
"""
SETTINGS_INTRODUCTION = """\
## Settings

Each setting is an environment variable; a command-line option of the same name wins over it.

| variable | default | meaning |
|---|---|---|
"""


def reference() -> str:
    """The whole page as Markdown."""
    commands = "".join(f"{'#' * level} `{path}`\n\n```text\n{help_}\n```\n\n" for path, level, help_ in _commands())
    return f"{INTRODUCTION}\n{commands}{SETTINGS_INTRODUCTION}{''.join(_settings())}"


def _commands() -> Iterator[tuple[str, int, str]]:
    """Every command with the level of its heading and its help, in the program's order."""

    def walk(command: click.Command, path: str, level: int, parent: click.Context | None) -> Iterator[Any]:
        ctx = click.Context(
            command, info_name=path.rpartition(" ")[2], parent=parent, terminal_width=WIDTH, max_content_width=WIDTH
        )
        yield path, level, command.get_help(ctx)
        if isinstance(command, click.Group):
            for name in command.list_commands(ctx):
                child = command.get_command(ctx, name)
                if child is not None:
                    yield from walk(child, f"{path} {name}", min(level + 1, 3), ctx)

    yield from walk(program, "reviewapp", 2, None)


def _settings() -> Iterator[str]:
    for name, field in Settings.model_fields.items():
        default = "your account's name" if field.default_factory else field.default
        shown = "" if default is None else f"`{default}`" if not field.default_factory else default
        meaning = inspect.cleandoc(field.description or "").replace("\n", " ").replace("|", "\\|")
        yield f"| `{PREFIX}{name.upper()}` | {shown} | {meaning} |\n"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the file is not up to date.")
def main(file: Path, check: bool) -> None:
    """Write the command-line reference into FILE."""
    page = reference()
    if not check:
        file.write_text(page, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != page:
        raise click.ClickException(f"{file} is not up to date; run `make docs` and commit it.")


if __name__ == "__main__":
    main()
