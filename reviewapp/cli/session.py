"""What every command accepts (``--data``, ``--workspace``, ``--person``, ``--json``) and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from reviewapp.settings import Settings
    from reviewapp.workspaces import DataFolder, Workspace

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Session:
    """One call of the program: the shared options as given, the settings, and the data folder once it is needed."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        """Shared options that were named; one after the command wins over one before it."""

    @property
    def as_json(self) -> bool:
        return bool(self.given.get("as_json"))

    @cached_property
    def settings(self) -> Settings:
        """The environment's settings under the options of this call; raises InvalidInput."""
        from reviewapp.settings import load_settings

        return load_settings(**self.given_settings())

    def given_settings(self) -> dict[str, Any]:
        """The shared options that are settings, as given; None where they were not."""
        return {name: self.given.get(name) for name in ("data", "workspace", "person")}

    @property
    def by(self) -> str:
        """Whose name goes on what this call changes."""
        return self.settings.person

    @cached_property
    def data(self) -> DataFolder:
        from reviewapp.workspaces import open_data

        folder = open_data(self.settings.data)
        click.get_current_context().find_root().call_on_close(folder.close)
        return folder

    def workspace(self, *, create: bool = False) -> Workspace:
        """The workspace that is meant; raises NotFound when it is not there and not to be made."""
        from reviewapp.errors import NotFound
        from reviewapp.workspaces import open_workspace

        if not create and not self.settings.data.is_dir():
            way_out = "Name another with --data, or make one: `reviewapp demo`, `reviewapp records import`."
            raise NotFound("data folder", str(self.settings.data), way_out=way_out)
        return open_workspace(self.data, self.settings.workspace, create=create)


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and param.name is not None:
        ctx.ensure_object(Session).given[param.name] = value


def _shared(*names: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    return click.option(*names, expose_value=False, callback=_keep, **attributes)


def shared_options(command: Decorated) -> Decorated:
    """Add the options that stand anywhere: before a command, between, or after it."""
    for add in (
        _shared("--json", "as_json", is_flag=True, help="Give one JSON document on stdout."),
        _shared("--person", metavar="NAME", help="Whose name goes on what you do (default: your account's)."),
        _shared("--workspace", metavar="NAME", help="Workspace in the data folder (default: default)."),
        _shared("--data", metavar="DIR", type=click.Path(path_type=Path), help="Data folder (default: ./data)."),
    ):
        command = add(command)
    return command


pass_session = click.make_pass_decorator(Session, ensure=True)
