"""Who reads a text: the seam behind which every reader stands.

A new reader is one module with a class that has `read`, one settings model in `domain.workflows` with its own ``kind``,
and one line in `make_extractor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reviewapp.domain.tests import Reading, ReplayedReply
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.prepared import PreparedText


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reader made of one text."""

    readings: tuple[Reading, ...] = ()
    """In the reader's order; the first reading of a property counts."""
    raw: str | None = None
    """The reply as it came, for people to look at; None where there is none."""
    failed: str | None = None
    """Why the reply could not be used, one sentence; None: it could. Then `readings` is empty."""
    cost_micro_usd: int = 0
    """Millionths of a US dollar."""
    calibrated: bool = True
    """Whether a reading's confidence is a tried probability that it is right; False: the reader's own guess."""


class ExtractorFailed(Exception):
    """A reader that cannot give readings raises this with one sentence; the input fails, the run goes on."""

    def __init__(self, message: str, *, raw: str | None = None, cost_micro_usd: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.raw = raw
        self.cost_micro_usd = cost_micro_usd


class ReaderStopped(Exception):
    """No text of the test can be read any more (budget spent, key refused): the test ends with this sentence, and what
    was read stays."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Extractor(Protocol):
    """Reads a text. Used by several threads at once; keeps nothing of one text for the next."""

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:
        """Readings of the settings' properties, each with the quote that states it; never a value without one."""
        ...


class Replayed:
    """Reads what another system read: its reply is there already."""

    def __init__(self, reply: ReplayedReply) -> None:
        self._reply = reply

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        """Raises ExtractorFailed where that system could not read the text."""
        if self._reply.failed is not None:
            raise ExtractorFailed(self._reply.failed)
        return Reply(readings=self._reply.readings, calibrated=False)


class NothingReplayed:
    """Stands for a replay where no imported readings are at hand."""

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        raise ExtractorFailed("The file that was brought in holds no results for this record.")


def make_extractor(settings: WorkflowSettings) -> Extractor:
    """The reader that the settings ask for, ready to read many texts. One with `close` is closed after the last."""
    choice = settings.extractor
    match choice.kind:
        case "rules":
            from reviewapp.extraction.rules import RulesReader

            return RulesReader(settings)
        case "command":
            from reviewapp.extraction.programs import CommandReader

            return CommandReader(choice)
        case "python":
            from reviewapp.extraction.programs import FunctionReader

            return FunctionReader(choice)
        case "replay":
            return NothingReplayed()
        case "model":
            from reviewapp.extraction.models import ModelReader

            return ModelReader(choice)
