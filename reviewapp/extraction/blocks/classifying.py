"""What a text is, by the cue words it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from reviewapp.domain.blocks import JSON_OUT, Category, ClassifyBlock, handle_of_category
from reviewapp.extraction.blocks.asking import Asker, CannotAsk, category_of
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output, document_of

HEAD_CHARACTERS: Final = 400
"""Cues this early in a text count twice: a heading says what a text is."""


class Classifier:
    """Counts cues (the category with most of them is taken, of equals the one named first), or asks a model."""

    def __init__(self, block: ClassifyBlock, asker: Asker) -> None:
        self._block = block
        self._asker = asker
        self._cues = [(category.name, _pattern(category)) for category in block.categories]

    def run(self, inputs: Mapping[str, Given]) -> Output:
        text, value = document_of(inputs)
        scores = {name: _score(cues, text) for name, cues in self._cues}
        taken = self._by_model(text) if self._block.by == "model" else self._by_cues(scores)
        values: dict[str, Any] = {JSON_OUT: {"category": taken, "scores": scores}}
        if taken is None:
            return Output(values, warnings=("The text is of no category, and none is set for that case.",))
        handle = handle_of_category(taken)
        return Output({**values, handle: value}, routing=(handle,))

    def _by_cues(self, scores: Mapping[str, int]) -> str | None:
        best = max(scores, key=lambda name: scores[name])
        return best if scores[best] > 0 else self._block.otherwise

    def _by_model(self, text: str) -> str | None:
        try:
            return category_of(self._asker, self._block, text) or self._block.otherwise
        except CannotAsk as fault:
            raise BlockFailed(str(fault), for_good=fault.for_good) from None


def _pattern(category: Category) -> re.Pattern[str] | None:
    words = sorted({" ".join(cue.casefold().split()) for cue in category.cues}, key=len, reverse=True)
    if not words:
        return None
    alternatives = "|".join(r"\s+".join(map(re.escape, cue.split())) for cue in words)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


def _score(cues: re.Pattern[str] | None, text: str) -> int:
    """How often cues stand in the text; those in its head twice."""
    if cues is None:
        return 0
    return sum(2 if found.start() < HEAD_CHARACTERS else 1 for found in cues.finditer(text.casefold()))
