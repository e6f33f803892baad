"""From the choice's own probability to the support that people's answers would bear out."""

from __future__ import annotations

from reviewapp.extraction.rules.choose import Choice
from reviewapp.extraction.rules.vocabulary import Shape


def calibrated(shape: Shape, choice: Choice) -> float:
    """How likely the chosen value is right, 0..1."""
    return choice.probability
