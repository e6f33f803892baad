"""A workflow's way to read a text: its line of blocks, or all properties from the whole text where it has none."""

from __future__ import annotations

from typing import Protocol

from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import Evidence, ReplayExtractor, WorkflowSettings
from reviewapp.extraction.extractors import Extractor, make_extractor
from reviewapp.extraction.models import Desk
from reviewapp.extraction.pipeline import extract


class TextReader(Protocol):
    """Reads the texts of one test or grading; used by several threads at once, closed after the last."""

    def read(self, text: str, desk: Desk | None = None) -> InputResult:
        """`desk`: where models are asked. Raises ReaderStopped alone."""
        ...

    def close(self) -> None:
        """End what it keeps running, also in the middle of a text."""
        ...


class WholeText:
    """All properties, from the whole text, by one extractor."""

    def __init__(self, settings: WorkflowSettings, evidence: Evidence, extractor: Extractor) -> None:
        self._settings = settings
        self._evidence = evidence
        self._extractor = extractor

    def read(self, text: str, desk: Desk | None = None) -> InputResult:
        return extract(text, self._settings, self._evidence, self._extractor, desk)

    def close(self) -> None:
        close = getattr(self._extractor, "close", None)
        if close is not None:
            close()


def make_reader(settings: WorkflowSettings, evidence: Evidence) -> TextReader:
    """What was read elsewhere went through no blocks. Raises where nothing that reads can be made of the settings."""
    if not settings.blocks or isinstance(settings.extractor, ReplayExtractor):
        return WholeText(settings, evidence, make_extractor(settings))
    from reviewapp.extraction.blocks.line import Line

    return Line(settings, evidence)
