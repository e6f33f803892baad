"""An endpoint is a row: method, path, what it takes, what it answers, who may call it.

Dispatch, documentation and the role check all read the same row, so that none of them can say something else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from reviewapp.api.dialect import OURS, Dialect
from reviewapp.api.shapes.common import Scope
from reviewapp.domain.people import Role
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace

Query = TypeVar("Query", bound=Scope)
Body = TypeVar("Body")


@dataclass(frozen=True)
class Caller:
    """Who asks."""

    name: str
    """What answers and revisions are signed with."""
    role: Role


@dataclass(frozen=True)
class Call(Generic[Query, Body]):
    """One request, read and checked."""

    data: DataFolder
    settings: Settings
    workspace: Workspace
    caller: Caller
    query: Query
    body: Body

    @property
    def by(self) -> str:
        return self.caller.name


Handler = Callable[[Call[Any, Any]], BaseModel]


@dataclass(frozen=True)
class Endpoint:
    """One route of the API."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """Below ``/v1``, without a trailing slash."""
    role: Role
    """The least role that may call it."""
    handler: Handler
    answer: type[BaseModel]
    query: type[Scope] = Scope
    body: type[BaseModel] | None = None
    """None: a body is neither needed nor read."""
    tag: str = ""
    summary: str = ""
    """One line; the handler's docstring is the description."""
    refusals: tuple[tuple[int, str], ...] = ()
    """(status, codes) beyond those that every endpoint has."""
    also: type[BaseModel] | None = None
    """A second shape the answer may have."""
    keyed: bool = False
    """Takes an Idempotency-Key: sent again with the same key and body, it answers the same and does nothing twice."""
    present: Callable[[Call[Any, Any], dict[str, Any]], BaseModel] | None = field(default=None)
    """For a repeated key: the present state instead of the stored answer; gets the stored answer."""

    unchanged: Callable[[Call[Any, Any]], str | None] | None = None
    """The tag of the present state, made without the answer: a request that has it (``If-None-Match``) gets 304."""
    status: int = 200
    """Of success; 204: nothing is sent back, whatever the handler gives."""
    dialect: Dialect = OURS

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    @property
    def operation_id(self) -> str:
        return self.method.lower() + "".join(part.title() for part in self.path.replace("-", "/").split("/") if part)
