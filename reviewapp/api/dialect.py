"""Dialects of the API: the same endpoints machinery, with other words for errors and other manners of its client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from reviewapp.api.problems import Problem
from reviewapp.api.shapes.common import ErrorEnvelope, Shape


class DetailBody(Shape):
    """What went wrong."""

    code: str
    """A word that programs can rely on."""
    message: str
    """One sentence for people."""
    details: dict[str, object] | None = None


class DetailEnvelope(Shape):
    """An error."""

    detail: DetailBody


@dataclass(frozen=True)
class Dialect:
    """How a public client wants to be spoken to."""

    envelope: type[BaseModel]
    """The shape of errors."""
    say: Callable[[Problem, str, str], BaseModel]
    """(problem, request id, address of its explanation) → the error as it is sent."""
    statuses: Mapping[int, int] = field(default_factory=dict)
    """Other statuses than ours, by ours."""
    prefixes: tuple[str, ...] = ()
    """Addresses below which an unknown route is answered in this dialect too."""
    reads_leniently: bool = False
    """An empty body is ``{}``, whatever content type is named; the client sends none for what has no fields."""
    key_header: str | None = None
    """Takes the key in this header too. Where the server asks for no key, any will do: its client cannot be without."""
    follows_key: bool = False
    """A key bound to one workspace means that one where no `graph` is named."""

    own_status: frozenset[str] = frozenset()
    """Fields whose refusal keeps our status."""

    def status(self, problem: Problem) -> int:
        if problem.param in self.own_status:
            return problem.status
        return self.statuses.get(problem.status, problem.status)


def _ours(problem: Problem, request_id: str, explained: str) -> BaseModel:
    return problem.envelope(request_id, explained)


def _detail(problem: Problem, request_id: str, explained: str) -> BaseModel:  # noqa: ARG001
    details: dict[str, object] = {**(problem.details or {})}
    if problem.param is not None:
        details["param"] = problem.param
    return DetailEnvelope(detail=DetailBody(code=problem.code, message=problem.message, details=details or None))


OURS = Dialect(envelope=ErrorEnvelope, say=_ours)
RETAB = Dialect(
    envelope=DetailEnvelope,
    say=_detail,
    statuses={400: 422},
    own_status=frozenset({"from_date", "to_date"}),
    prefixes=("/workflows/tests", "/workflows/evals", "/workflows/runs", "/workflows/blocks"),
    reads_leniently=True,
    key_header="Api-Key",
    follows_key=True,
)


def dialect_of(path: str) -> Dialect:
    """In which dialect an address is answered that no endpoint has."""
    return RETAB if any(path == prefix or path.startswith(f"{prefix}/") for prefix in RETAB.prefixes) else OURS
