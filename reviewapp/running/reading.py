"""Reading one input: what an executor's worker does."""

from __future__ import annotations

from typing import Any, Self

from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import Extractor, make_extractor
from reviewapp.extraction.pipeline import extract

SAID_LIMIT = 500
"""Most characters kept of what an error says."""


class Reader:
    """Reads the texts of one test, in any thread; pickled, it makes its extractor anew on the other machine."""

    def __init__(self, settings: WorkflowSettings, evidence: Evidence, extractor: Extractor) -> None:
        self._settings = settings
        self._evidence = evidence
        self._extractor = extractor

    @classmethod
    def of(cls, settings: WorkflowSettings, evidence: Evidence) -> Self:
        """With the extractor that the settings name; raises where none can be made of them."""
        return cls(settings, evidence, make_extractor(settings))

    def __call__(self, text: str) -> InputResult:
        """What the workflow reads in a text; `failed` says so where the extractor raised."""
        return extract(text, self._settings, self._evidence, self._extractor)

    def __reduce__(self) -> tuple[Any, ...]:
        return Reader.of, (self._settings, self._evidence)


def in_a_line(error: BaseException) -> str:
    """``ValueError: '12x' is no number``: an error's kind and words, on one line."""
    said = " ".join(str(error).split())[:SAID_LIMIT]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
