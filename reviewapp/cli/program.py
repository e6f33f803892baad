"""The program ``reviewapp``: its commands, found by name and imported only when called, and how it ends.

Exit codes: 0 done; 1 something stood in the way, said in one sentence on stderr; 2 the command line itself is wrong;
130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from reviewapp.cli.output import say
from reviewapp.cli.session import shared_options

COMMANDS = {
    "serve": "serve",
    "worker": "worker",
    "demo": "demo",
    "records": "records",
    "workflow": "workflows",
    "test": "tests",
    "answer": "answers",
    "dataset": "datasets",
    "evaluate": "grading",
    "compare": "evaluations",
    "evaluation": "evaluations",
    "gate": "gates",
    "suggest": "gates",
    "user": "users",
    "key": "keys",
    "backup": "backup",
    "restore": "backup",
    "score": "eval_sets",
    "loop": "eval_sets",
    "evaluator": "eval_files",
    "block-test": "block_tests",
    "mcp": "mcp",
    "eval-set": "eval_files",
    "model": "models",
    "doctor": "doctor",
}
"""Command → the module of this package that has it, under the command's name, in the order of a first sitting."""


INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it (128 + SIGINT)."""


class UserError(click.ClickException):
    """What stood in the way, as one sentence (a list of faults: one a line)."""

    def show(self, file: Any = None) -> None:
        click.echo(f"Error: {self.message}", file=file, err=file is None)


class Program(click.Group):
    """The root: knows its commands by name, and turns what a person can mend into one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"reviewapp.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def invoke(self, ctx: click.Context) -> Any:
        from reviewapp.errors import ReviewappError

        try:
            return super().invoke(ctx)
        except ReviewappError as error:
            raise UserError(error.message) from error
        except BrokenPipeError:
            raise  # the reader of our output has gone; click ends quietly
        except KeyboardInterrupt:
            say("Stopped. What was done is kept; a test under way goes on with `reviewapp test wait` or `serve`.")
            raise click.exceptions.Exit(INTERRUPTED) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise UserError(f"{place}{error.strerror or error}.") from error


def _print_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from reviewapp import __version__

        click.echo(f"reviewapp {__version__}")
        ctx.exit()


@click.group(cls=Program, context_settings={"max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
@shared_options
def program() -> None:
    """Run a workflow that reads values out of texts as a test, answer every value, keep the answers as a dataset.

    \b
    Example:
      reviewapp demo
      reviewapp serve
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program on the process's arguments and exit; output is UTF-8 whatever the terminal says."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    program.main(args=None if argv is None else list(argv), prog_name="reviewapp")
