"""Every setting, in one place.

Each is read from the environment as ``REVIEWAPP_`` + its name in capitals (``REVIEWAPP_PORT=9000``);
a command-line option of the same name wins over it.
"""

from __future__ import annotations

import getpass
import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from reviewapp.domain.base import Slug
from reviewapp.domain.misfits import misfit
from reviewapp.errors import InvalidInput

PREFIX = "REVIEWAPP_"


def _account_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no such user on this machine (a container with a bare user id)
        return "someone"


def _web_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        whole = False
    if not whole or "@" in parts.netloc or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise ValueError("the whole address, such as https://review.example/app")
    return url


def _machine_address(address: str) -> str:
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise ValueError("the IP address that the proxy comes from, such as 10.0.0.5") from None
    return address


def _header_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name) or name.lower() in ("authorization", "cookie", "host"):
        raise ValueError("the name of a header of its own, of letters, digits and hyphens, such as X-Forwarded-User")
    return name


_Unset = BeforeValidator(lambda given: None if given == "" else given)
"""A variable that is set to nothing is not set."""


class Settings(BaseSettings):
    """What can be set; frozen once read."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", use_attribute_docstrings=True)

    data: Path = Path("data")
    """The data folder: `reviewapp.db` and `workspaces/NAME.db`. Nothing else is state."""
    workspace: Slug = "default"
    """The workspace that is meant when none is named."""
    person: str = Field(default_factory=_account_name, min_length=1, max_length=200)
    """Whose name goes on what is answered and changed from the command line, and on pages without sign-in."""
    host: str = "127.0.0.1"
    """The address to listen on. Beyond loopback (``0.0.0.0``: every address) people sign in."""
    port: int = Field(default=8000, ge=0, le=65_535)
    """The port to listen on; when it is taken, the next free one of the twenty after it. 0: any free port."""
    threads: int = Field(default=4, ge=1, le=64)
    """Threads that answer requests."""
    workers: int = Field(default=1, ge=1, le=64)
    """Threads that read inputs while a test runs. The embedded extractor computes, and a second thread that computes
    only gets in its way (a fifth slower, and answers wait longer); more are for readers that wait."""
    upload_megabytes: int = Field(default=64, ge=1, le=4_096)
    """Largest upload in a browser, in MB (10⁶ bytes), all its files together. The command line has no such limit."""
    api_test_inputs: int = Field(default=20, ge=1, le=100_000)
    """Most inputs of a test that the HTTP API starts; pages and command line have no such limit."""
    programs: bool = False
    """Whether pages and API take workflows that run programs here (docs/programs.md). The command line always does."""
    models_file: Path = Path("~/.config/reviewapp/models.toml")
    """Providers, models and their keys (docs/models.md); need not be there. Keep it outside the data folder."""
    model_calls: int = Field(default=16, ge=1, le=256)
    """Most calls to language models at once."""
    scheduler: str | None = None
    """Address of a dask scheduler (``tcp://10.0.0.5:8786``) whose workers read the inputs; None: this process."""
    public_url: Annotated[Annotated[str, AfterValidator(_web_address)] | None, _Unset] = None
    """The address people type when a proxy stands in front (`https://review.example/app`); None: the server's own."""
    sso_proxy: Annotated[Annotated[str, AfterValidator(_machine_address)] | None, _Unset] = None
    """The IP address of the proxy whose word says who somebody is (single sign-on); None: nobody's word counts."""
    sso_header: Annotated[str, AfterValidator(_header_name)] = "X-Forwarded-User"
    """The header in which that proxy names the person. It must take away what browsers send under that name."""
    log_format: Literal["text", "json"] = "text"
    """How the log is written to stderr: for people, or one JSON object a line."""


def load_settings(**overrides: Any) -> Settings:
    """The settings of this process; an override of None leaves the environment or the default to speak.

    Raises InvalidInput that names the variable and what it was set to.
    """
    try:
        return Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        told = f"--{name}" if overrides.get(name) is not None else PREFIX + name.upper()
        expected = misfit(error).message.rpartition(", expected ")[2]  # what we raise ourselves says nothing else
        raise InvalidInput(f"{told} is {first['input']!r}; expected: {expected}.", param=name) from None
