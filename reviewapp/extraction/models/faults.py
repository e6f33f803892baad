"""What went wrong with a call, in one sentence, and what follows from it: ask again, stop the test, count its cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from reviewapp.domain.choices import ModelName
from reviewapp.extraction.models.pace import asked_wait

REPLY_BYTES: Final = 20_000_000
"""Longest body of an answer, as it is sent."""
_SAID: Final = 300
_KEYS: Final = re.compile(r"\b(?:sk|pk|key)-[\w*-]{6,}")
_SCHEMA: Final = re.compile(r"response_format|json_schema|output_config")
_LIMIT: Final = re.compile(r"max_(?:completion_)?tokens")
_NOT_KNOWN: Final = re.compile(r"(?i)unsupported|not supported|unrecognized|unknown|unexpected|extra|not permitted")


@dataclass(eq=False)
class CallFailed(Exception):
    """No reply came."""

    message: str
    again: bool = False
    """Whether the same call may succeed later."""
    after: float | None = None
    """Seconds the provider asks to wait before."""
    everywhere: bool = False
    """Whether every call would end so (key refused, no such model, quota spent)."""
    counts: bool = False
    """Whether the provider may have worked on it, and asks for money."""
    no_schema: bool = False
    """The provider takes no JSON Schema."""
    other_limit: bool = False
    """The provider wants the most tokens of a reply under another name."""


class ReplyTooLong(Exception):
    """An answer's body has more than `REPLY_BYTES`."""

    def __init__(self) -> None:
        super().__init__(f"it is longer than {REPLY_BYTES // 1_000_000} MB")


def without_keys(text: str, secret: str | None) -> str:
    """The text without the key that was sent, which a provider may repeat."""
    return text.replace(secret, "…") if secret else text


def fault_of(error: Exception, name: ModelName, *, seconds: float, secret: str | None) -> CallFailed:
    """What an error of the provider's library means."""
    from pydantic_ai import exceptions as theirs

    far = isinstance(error, theirs.ModelConnectionError)
    words = _KEYS.sub("…", without_keys(_words(error, from_its_cause=far), secret))[:_SAID]
    provider = name.provider
    if isinstance(error, theirs.UserError):  # the library knows of a setting that this model does not take
        return CallFailed(f"{provider}/{name.model} cannot be asked so ({words}).", no_schema=True)
    if any(isinstance(cause, ReplyTooLong) for cause in _causes(error)):
        return CallFailed(f"{provider}'s answer cannot be used: {ReplyTooLong()}.", counts=True)
    if isinstance(error, theirs.ModelConnectionError) and error.phase in ("pool", "connect"):  # nothing was sent
        return CallFailed(f"{provider} cannot be reached ({words}).", again=True)
    if isinstance(error, theirs.ModelTimeoutError | TimeoutError):
        return CallFailed(f"{provider} did not answer within {seconds:g} seconds.", again=True, counts=True)
    if isinstance(error, theirs.ModelConnectionError):
        return CallFailed(f"The connection to {provider} broke off ({words}).", again=True, counts=True)
    status = next((s for cause in _causes(error) if isinstance(s := getattr(cause, "status_code", None), int)), None)
    if status is None:
        way_out = "look at its address and kind in the models file"
        return CallFailed(f"{provider}'s answer cannot be understood ({words[:150]}); {way_out}.", counts=True)
    return _refusal(error, status, words, name)


def _refusal(error: Exception, status: int, words: str, name: ModelName) -> CallFailed:
    """The provider answered that it will not."""
    from pydantic_ai import exceptions as theirs

    provider = name.provider
    if status in (401, 403):
        return CallFailed(f"{provider} refused the key ({status}: {words}).", everywhere=True)
    if isinstance(error, theirs.ModelQuotaExceededError) or status == 402:
        return CallFailed(f"{provider} says that its quota is spent ({words}).", everywhere=True)
    if status == 404 and not isinstance(getattr(error, "body", None), dict):
        hint = "look at its url in the models file, for many it ends in /v1"
        return CallFailed(f"Nothing of {provider} is at its address (404: {words}); {hint}.", everywhere=True)
    if isinstance(error, theirs.ModelNotFoundError) or status == 404:
        return CallFailed(f"{provider} has no model {name.model!r} ({words}).", everywhere=True)
    if 300 <= status < 400:
        return CallFailed(f"{provider} sends its callers elsewhere ({status}); name that address.", everywhere=True)
    if status in (408, 409, 425, 429) or status >= 500:
        after = asked_wait(getattr(error, "headers", None))
        return CallFailed(f"{provider} answered {status} ({words}).", again=True, after=after)
    invalid = status in (400, 422)
    return CallFailed(
        f"{provider} refused the call ({status}: {words}).",
        no_schema=invalid and bool(_SCHEMA.search(words)),
        other_limit=invalid and bool(_LIMIT.search(words) and _NOT_KNOWN.search(words)),
    )


def _words(error: Exception, *, from_its_cause: bool) -> str:
    """What the error says, on one line: the provider's own message, else the library's or that of its first cause."""
    body = getattr(error, "body", None)
    said: Any = body
    if isinstance(body, dict):
        inner = body.get("error", body)
        said = inner.get("message", inner) if isinstance(inner, dict) else inner
    if not said:
        told = _causes(error)[::-1] if from_its_cause else _causes(error)
        said = next((str(cause) for cause in told if str(cause)), type(error).__name__)
    return " ".join(str(said).split())


def _causes(error: BaseException | None) -> list[BaseException]:
    """The error and what it came from, the first cause last."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
