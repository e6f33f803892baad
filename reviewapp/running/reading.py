"""Reading one input: what an executor's worker does."""

from __future__ import annotations

import time
from typing import Any

from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText

SAID_LIMIT = 500
"""Most characters kept of what an error says."""


class Reader:
    """Reads the texts of one test, in any thread; pickled, it makes its extractor anew on the other machine.

    Raises what `make_extractor` raises: then no text of this test can be read at all.
    """

    def __init__(self, settings: WorkflowSettings, evidence: Evidence) -> None:
        self._settings = settings
        self._evidence = evidence
        self._extractor = make_extractor(settings)

    def __call__(self, text: str) -> InputResult:
        """What the workflow reads in a text; `failed` says so where the extractor raised."""
        begun = time.perf_counter()
        try:
            result = extract(PreparedText(text), self._settings, self._evidence, self._extractor)
        except Exception as error:
            result = InputResult(failed=f"The reader stopped with an error: {in_a_line(error)}")
        return result.model_copy(update={"milliseconds": round((time.perf_counter() - begun) * 1_000, 3)})

    def __reduce__(self) -> tuple[Any, ...]:
        return Reader, (self._settings, self._evidence)


def in_a_line(error: BaseException) -> str:
    """``ValueError: '12x' is no number``: an error's kind and words, on one line."""
    said = " ".join(str(error).split())[:SAID_LIMIT]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
