"""What a fuzzy match may never change: numbers, units, signs, comparisons, negations, single letters.

Two wordings that differ in one of these are two statements, however alike they look.
"""

from __future__ import annotations

import re
from typing import Final

import regex

NEGATIONS: Final = frozenset(
    # English, German, French, Spanish, Italian, Portuguese, Dutch
    ["not", "no", "never", "none", "neither", "nor", "without", "cannot", "except", "excluding", "unless", "non"]
    + ["nicht", "kein", "keine", "keinen", "keiner", "keines", "keinem", "nie", "niemals", "ohne", "weder", "außer"]
    + ["ne", "pas", "jamais", "sans", "aucun", "aucune", "ni", "sauf"]
    + ["nunca", "sin", "ningún", "ninguna", "ninguno", "não", "nao", "sem", "senza", "mai", "nessun", "nessuna"]
    + ["niet", "geen", "nooit", "zonder"]
)
COMPARISONS: Final = frozenset(
    ["least", "most", "minimum", "maximum", "min", "max", "minimal", "maximal", "more", "less", "fewer", "greater"]
    + ["over", "under", "above", "below", "exceed", "exceeds", "exceeding", "within", "before", "after", "until", "up"]
    + ["higher", "lower", "larger", "smaller", "upper", "between", "than", "only"]
    + [
        "mindestens",
        "höchstens",
        "wenigstens",
        "mehr",
        "weniger",
        "über",
        "unter",
        "bis",
        "ab",
        "vor",
        "nach",
        "zwischen",
    ]
    + ["moins", "plus", "minimum", "maximum", "jusqu", "avant", "après", "entre", "supérieur", "inférieur"]
    + ["menos", "más", "mínimo", "máximo", "hasta", "antes", "después", "mayor", "menor", "meno", "più", "fino"]
    + ["minstens", "hoogstens", "meer", "minder", "boven", "onder", "tot", "voor", "na"]
)
"""Words that turn a number around."""

_TOKEN: Final = regex.compile(
    r"(?P<number>\d+(?:[.,'/^:]\d+)*)(?:\s?(?P<unit>[\p{L}°%µ]{1,4})(?![\p{L}\p{M}]))?"
    r"|(?P<sign>(?<![\p{L}\p{N}])[-+±](?=\s?\d))|(?P<mark>[<>≤≥=≠±~≈%‰°]|\p{Sc})"
    r"|(?P<word>[\p{L}\p{M}]+(?:'t)?)"
)
_NUMBER: Final = re.compile(r"\d+(?:[.,'/^:]\d+)*")


def guarded(norm: str) -> list[str]:
    """What must not change, in order, out of a text in its normalised form."""
    kept = []
    for match in _TOKEN.finditer(norm):
        if match["word"]:
            word = match["word"]
            if len(word) == 1 or word in NEGATIONS or word in COMPARISONS or word.endswith(("n't", "n‘t")):
                kept.append(word)
        elif match["number"]:
            kept.append(match["number"])
            if match["unit"]:
                kept.append(match["unit"])
        else:
            kept.append(match[0])
    return kept


def numbers(norm: str) -> list[str]:
    """The numbers of a text in its normalised form, as written."""
    return _NUMBER.findall(norm)
