"""What conditions need beside the value: embeddings and a judging model. Seams; who has neither gives `Judges()`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Similarity = Callable[[str, str], float]
"""How alike two texts are in meaning, 0..1."""

Judge = Callable[[Any, str, str | None], tuple[bool, str]]
"""(value, rubric, label or None) → whether a model gives the value that label, or finds the rubric met; and why."""


class NotAvailable(Exception):
    """What a condition needs cannot be reached now; one sentence with the way out."""


def _no_similarity(_one: str, _other: str) -> float:
    raise NotAvailable("Embeddings are not installed; install reviewapp with the extra 'embeddings'.")


def _no_judge(_value: Any, _rubric: str, _label: str | None) -> tuple[bool, str]:
    raise NotAvailable("No model is chosen to judge with; choose one for the use 'decide'.")


@dataclass(frozen=True, slots=True)
class Judges:
    similarity: Similarity = _no_similarity
    judge: Judge = _no_judge
