"""Reading one input: what an executor's worker does."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

from reviewapp.domain.tests import InputResult, ReplayedReply
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import Replayed
from reviewapp.extraction.models import Desk
from reviewapp.extraction.reading import TextReader, WholeText, make_reader

SAID_LIMIT = 500
"""Most characters kept of what an error says."""


class Reader:
    """Reads the texts of one test, in any thread; pickled, it makes what reads anew on the other machine."""

    def __init__(self, settings: WorkflowSettings, evidence: Evidence, reader: TextReader) -> None:
        self._settings = settings
        self._evidence = evidence
        self._reader = reader
        self._pickled: tuple[str, str] | None = None

    @classmethod
    def of(cls, settings: WorkflowSettings, evidence: Evidence) -> Self:
        """With the blocks or the extractor that the settings name; raises where none can be made of them."""
        return cls(settings, evidence, make_reader(settings, evidence))

    def __call__(self, text: str, replayed: ReplayedReply | None = None, desk: Desk | None = None) -> InputResult:
        """What the workflow reads in a text; `failed` says so where what reads raised.

        `replayed`: what another system read in it, instead. `desk`: where models are asked.
        Raises ReaderStopped where no text of the test can be read any more.
        """
        reader = self._reader
        if replayed is not None:
            reader = WholeText(self._settings, self._evidence, Replayed(replayed))
        return reader.read(text, desk)

    def close(self) -> None:
        """The test has ended: end what reads and keeps running, also in the middle of a text."""
        self._reader.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._pickled is None:
            self._pickled = (self._settings.model_dump_json(), self._evidence.model_dump_json())
        return _again, self._pickled


@lru_cache(maxsize=4)
def _again(settings: str, evidence: str) -> Reader:
    """The reader of a test on another machine; the texts that follow find it there."""
    return Reader.of(WorkflowSettings.model_validate_json(settings), Evidence.model_validate_json(evidence))


def in_a_line(error: BaseException) -> str:
    """``ValueError: '12x' is no number``: an error's kind and words, on one line."""
    said = " ".join(str(error).split())[:SAID_LIMIT]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
