"""Words that turn a statement around: negations, comparisons, hedges.

English, German, French, Spanish, Italian, Portuguese and Dutch, in the normalised form.
"""

from __future__ import annotations

import re
from typing import Final

import regex

_NEGATIONS = """
    not no never none neither nor without cannot except excluding excludes excluded unless non
    nicht kein keine keinen keiner keines keinem nie niemals ohne weder außer ausser ausgenommen
    pas jamais sans aucun aucune sauf hors
    nunca sin ningún ninguna ninguno não nao senza nessun nessuna
    niet geen nooit zonder
"""
_COMPARISONS = """
    least most minimum maximum min max minimal maximal more less fewer greater than only
    over under above below exceed exceeds exceeding within before after until up between
    higher lower larger smaller upper
    mindestens höchstens wenigstens mehr weniger über unter bis ab vor nach zwischen
    moins plus jusqu avant après entre supérieur inférieur
    menos más mínimo máximo hasta antes después mayor menor meno più fino minimo massimo
    minstens hoogstens meer minder boven onder tot voor na
"""
_HEDGES = """
    estimated typically typical usually possibly probably perhaps maybe might could
    expected planned intended proposed optional optionally provisional preliminary tentative if tbc tbd
    previously formerly former
    voraussichtlich geplant geschätzt vielleicht möglicherweise eventuell üblicherweise wenn falls sofern vorläufig
    früher vormals ehemals bisher
    estimé peut prévu précédemment anciennement quizás previsto estimado anteriormente
    misschien geschat indien voorheen wcześniej
"""
_FOR_EXAMPLE = r"""
    e\.?[ ]?g\.? | z\.?[ ]?b\.? | p\.?[ ]?ex\.? | bijv\. | for[ ]example | for[ ]instance | such[ ]as | say
  | zum[ ]beispiel | beispielsweise | par[ ]exemple | por[ ]ejemplo | por[ ]exemplo | ad[ ]esempio | bijvoorbeeld
"""
_TO_BE_SETTLED = r"""
    tb[acd]\b | t\.[ ]?b\.[ ]?[acd]\. | to[ ]be[ ](?:confirmed|defined|agreed|determined|verified|advised)
  | not[ ]yet[ ]confirmed | unconfirmed | provisional | subject[ ]to[ ](?:change|confirmation|approval)
  | wird[ ]noch | noch[ ]zu | zu[ ]bestätigen | vorläufig | unter[ ]vorbehalt | vorbehaltlich
  | à[ ]confirmer | por[ ]confirmar | a[ ]confirmar | da[ ]confermare | nader[ ]te[ ]bepalen
"""

NEGATIONS: Final = frozenset(_NEGATIONS.split())
COMPARISONS: Final = frozenset(_COMPARISONS.split())
"""Words that make a bound out of a number, or turn it around."""
HEDGES: Final = frozenset(_HEDGES.split())
"""Words that say a statement is not firm; those that make a number approximate are read with the number."""


_EXAMPLE_TO_COME: Final = re.compile(rf"(?<![^\W\d_])(?:{_FOR_EXAMPLE})[ ,:]*$", re.VERBOSE)
_LEFT_OPEN: Final = re.compile(rf"^[ ,;(\[–-]*(?:{_TO_BE_SETTLED})", re.VERBOSE)
_REACH: Final = 40
"""Characters beside a statement in which such words begin."""
_NUMBER_SIGN: Final = re.compile(r"\bno\b(?=\s*(?:[.:#/(-]|\w*\d|$))")
"""``No. 5``, ``Invoice no: 7``, ``DOC NO CS0038``: the abbreviation, not the word."""
_WORD: Final = regex.compile(r"[\p{L}\p{M}]+(?:'t)?")


def negates(word: str) -> bool:
    """``not``, ``ohne``, ``isn't``; the word is in the normalised form."""
    return word in NEGATIONS or word.endswith("n't")


def negations(norm: str) -> list[str]:
    """The negating words of a text in its normalised form; ``No.`` for number is none."""
    return [word for word in _WORD.findall(_NUMBER_SIGN.sub(" ", norm)) if negates(word)]


def is_left_open(before: str, after: str) -> bool:
    """Whether the words right beside a statement, in the normalised form, make an example of it or leave it open.

    ``e.g. 8 mm``, ``8 mm (to be confirmed)``
    """
    return bool(_EXAMPLE_TO_COME.search(before[-_REACH:]) or _LEFT_OPEN.search(after[:_REACH]))
