"""What is asked of a model, and the desk that has it asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from reviewapp.domain.choices import ModelName, Use
from reviewapp.domain.ids import content_hash

Read = TypeVar("Read")


@dataclass(frozen=True)
class Question:
    """One call. Equal questions have equal keys, and the log answers the second one."""

    use: Use
    model: ModelName
    system: str
    """What the model is to do."""
    user: str
    """The text, as data."""
    schema: dict[str, Any]
    """JSON Schema of the reply."""
    output_tokens: int
    """Most tokens of the reply."""
    temperature: float | None = None
    tries: int = 2
    """Replies asked for until one can be read; not part of the key."""

    @property
    def key(self) -> str:
        model = self.model.model_dump()
        return content_hash(
            [self.use, model, self.system, self.user, self.schema, self.output_tokens, self.temperature]
        )


class NoReply(Exception):
    """No reply that can be used; `message` is one sentence, `raw` the last reply that came."""

    def __init__(self, message: str, raw: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.raw = raw


class Desk(Protocol):
    """Has questions answered: out of the log, or by the provider, within the budget."""

    def ask(self, question: Question, read: Callable[[str], Read]) -> Read:
        """What `read` makes of the reply; where it raises `Unreadable`, the model is asked again.

        Raises NoReply for this text alone, and ReaderStopped where no text of the test can be read any more.
        """
        ...
