"""Names that look the same to a person though their characters differ: ``Аnn`` with a Cyrillic А, ``BiII``, ``Ann0``.

Two names with one `skeleton` are told apart by nobody who reads them, so the second is not given away. Letters of
other scripts are put as the Latin ones that common typefaces draw alike (a choice out of Unicode's list of
confusables, UTS #39); whole scripts that nothing here is drawn like stay as they are.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_DRAWN_ALIKE: Final = (
    "aаɑα", "bьвВβΒ", "cсϲ", "dԁ", "eеεέΕ", "fƒ", "gɡ", "hһнНηΗ", "iіιΙІıӀ", "jϳ", "kкκΚқ", "lӏ", "mмМΜ", "nΝ",
    "oоοΟσօ", "pрρΡ", "qԛ", "sѕ", "tтτΤ", "vνѵ", "wԝω", "xхχΧ", "yуγΥү", "zᴢΖ",
)  # fmt: skip
"""A Latin letter, then those that look like it."""
_TABLE: Final = {ord(drawn): letters[0] for letters in _DRAWN_ALIKE for drawn in letters[1:]}
_STROKES: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
"""An upright stroke is an I, an l, a 1 or a bar; a ring an O or a 0."""


def skeleton(name: str) -> str:
    """What is left of a name to the eye; equal for names that look alike. Not for showing.

    >>> skeleton("Аnn") == skeleton("ANN") == skeleton("Ann\\u200b")
    True
    """
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) not in ("Cf", "Cc"))
    latin = seen.translate(_TABLE).casefold().translate(_TABLE)
    return " ".join(unicodedata.normalize("NFKC", latin).translate(_STROKES).split())
