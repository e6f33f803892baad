"""Numbers written in words: ``two``, ``a dozen``, ``three million, two hundred & forty``, ``two thirds``, ``zwölf``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from decimal import Context, Decimal
from functools import cache

from reviewapp.domain.numbers import NumberReading
from reviewapp.domain.writing import any_of

_UNITS = """
    zero 0  one 1  two 2  three 3  four 4  five 5  six 6  seven 7  eight 8  nine 9  ten 10  eleven 11  twelve 12
    thirteen 13  fourteen 14  fifteen 15  sixteen 16  seventeen 17  eighteen 18  nineteen 19
"""
_TENS = "twenty 20 thirty 30 forty 40 fourty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90"
_SCALES = "hundred 100 thousand 1000 million 1000000 billion 1000000000 trillion 1000000000000 dozen 12"
_PARTS = """
    half 2  halves 2  third 3  thirds 3  quarter 4  quarters 4  fourth 4  fourths 4  fifth 5  fifths 5  sixth 6
    sixths 6  seventh 7  sevenths 7  eighth 8  eighths 8  ninth 9  ninths 9  tenth 10  tenths 10  hundredth 100
    hundredths 100  thousandth 1000  thousandths 1000
"""
_OTHER_LANGUAGES = """
    zwei 2  drei 3  vier 4  fünf 5  sechs 6  sieben 7  acht 8  neun 9  zehn 10  elf 11  zwölf 12  zwanzig 20
    dreißig 30  dreissig 30  vierzig 40  fünfzig 50  sechzig 60  siebzig 70  achtzig 80  neunzig 90  hundert 100
    tausend 1000  deux 2  trois 3  quatre 4  cinq 5  sept 7  huit 8  neuf 9  dix 10  onze 11  douze 12  quinze
    15  vingt 20  trente 30  quarante 40  cinquante 50  soixante 60  cent 100  mille 1000  dos 2  tres 3  cuatro
    4  cinco 5  seis 6  siete 7  ocho 8  nueve 9  diez 10  doce 12  quince 15  veinte 20  treinta 30  cuarenta
    40  cincuenta 50  sesenta 60  due 2  tre 3  quattro 4  cinque 5  sette 7  otto 8  nove 9  dieci 10  dodici
    12  quindici 15  venti 20  trenta 30  twee 2  drie 3  vijf 5  zes 6  zeven 7  negen 9  tien 10  twaalf 12
    twintig 20  dua 2  tiga 3  empat 4  lima 5  enam 6  tujuh 7  lapan 8  delapan 8  sembilan 9  sepuluh 10
"""
"""Read only before a unit, since many are other words elsewhere."""

_COUNTED = re.compile(
    r"(?<![^\W_])an?[ ](?:(?P<gross>gross)(?=[ ]of\b|[.,;]?$)|(?:(?P<bakers>baker's)|square)[ ]dozen(?![^\W_]))",
    re.IGNORECASE,
)
"""Counts that are two words; "gross" alone is no number (gross weight), a square dozen is a gross."""
_COUNTED_WORDS = frozenset(("gross", "dozen"))
_HALVES = re.compile(
    r"""(?<![^\W_])(?:(?P<one>anderthalb|eineinhalb|une?[ ]et[ ]demie?)
    |half(?:[ -]an?)?|(?:ein(?:e[nmrs]?)?[ ])?halbe[nmrs]?|(?:une?[ ])?demie?|medi[oa]|mezz[oa])
    (?=[ \u00a0-][^\W\d_])""",
    re.VERBOSE | re.IGNORECASE,
)
"""``half a litre``, ``ein halber Tag``, ``demi-heure``; one and a half of them."""
_HALF_WORDS = frozenset((
    "half", "halbe", "halben", "halber", "halbes", "halbem", "anderthalb", "eineinhalb", "demi", "demie", "medio",
    "media", "mezzo", "mezza",
))  # fmt: skip
_AND_A_HALF = re.compile(r"(?:and(?: an?)?|und(?: ein(?:e[nmrs]?)?)?|et|y|e)[ -]$", re.IGNORECASE)
_VAGUE = re.compile(r"\b(?:few|several|many|non)[ -]$", re.IGNORECASE)
"""``several hundred`` is no number."""
_DIVIDE = Context(prec=28)
_LETTERS = re.compile(r"[^\W\d_]+")


def _pairs(table: str) -> dict[str, int]:
    cells = table.split()
    return dict(zip(cells[::2], map(int, cells[1::2]), strict=True))


@cache
def _tables() -> tuple[dict[str, int], dict[str, int], dict[str, int], dict[str, int]]:
    simple = _pairs(_UNITS) | _pairs(_TENS)
    return simple, _pairs(_SCALES), _pairs(_PARTS), _pairs(_OTHER_LANGUAGES)


@cache
def _counting() -> tuple[frozenset[str], frozenset[str]]:
    """(English, other) words of which one at least is in every number in words, those of `_COUNTED` aside."""
    simple, scales, _, foreign = _tables()
    return frozenset((*simple, *scales)), frozenset(foreign)


@cache
def _pattern() -> re.Pattern[str]:
    simple, scales, parts, _ = _tables()
    word = any_of([*simple, *scales])
    scale = any_of(scales)
    gap = r"(?:[ \u00a0]|-|,[ ]|[ ]?&[ ]?|[ ]and[ ](?:a[ ](?=half\b))?)"
    article = rf"(?P<article>an?|half[ ]an?)[ ](?={scale}(?![^\W_]))"
    fraction = rf"(?P<partgap>[ -]|[ ]and[ ]a[ ])(?P<part>{any_of(parts)})"
    no_ordinal = r"(?![^\W_]|-(?:first|second|third|[a-z]+(?<!mon)th)\b)"
    return re.compile(
        rf"(?<![^\W_])(?:{article})?(?P<words>{word}(?:{gap}{word}(?![^\W_]))*)(?:{fraction})?{no_ordinal}",
        re.IGNORECASE,
    )


@cache
def _foreign_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){any_of(_tables()[3])}(?=[ \u00a0]+[^\W\d_])", re.IGNORECASE)


def words_of(folded: str) -> frozenset[str]:
    """All words of a text in small letters."""
    return frozenset(_LETTERS.findall(folded.lower()))


def scan_number_words(folded: str, there: Set[str]) -> Iterator[tuple[NumberReading, bool]]:
    """(number, whether it needs a unit behind it to count) for every number in words; `there` are all its words.

    "one" alone, and the words of languages other than English, are numbers only before a unit.
    """
    english, foreign = (not words.isdisjoint(there) for words in _counting())
    for match in _pattern().finditer(folded) if english else ():
        value = None if _VAGUE.search(folded, max(0, match.start() - 8), match.start()) else _value(match)
        if value is None:
            continue
        lone_one = match["words"].casefold() == "one" and not match["part"]
        yield NumberReading(match.start(), match.end(), value, decimals=bool(match["part"])), lone_one
    for match in _HALVES.finditer(folded) if not _HALF_WORDS.isdisjoint(there) else ():
        if _AND_A_HALF.search(folded, max(0, match.start() - 12), match.start()) is None:
            value = Decimal("1.5" if match["one"] else "0.5")
            yield NumberReading(match.start(), match.end(), value, decimals=True), True
    for match in _COUNTED.finditer(folded) if not _COUNTED_WORDS.isdisjoint(there) else ():
        yield NumberReading(match.start(), match.end(), Decimal(13 if match["bakers"] else 144)), False
    for match in _foreign_pattern().finditer(folded) if foreign else ():
        yield NumberReading(match.start(), match.end(), Decimal(_tables()[3][match[0].casefold()])), True


def _value(match: re.Match[str]) -> Decimal | None:
    simple, scales, parts, _ = _tables()
    words = [w for w in re.findall(r"[^\W_]+", match["words"].casefold()) if w not in ("and", "a")]
    article = (match["article"] or "").casefold()
    total = group = 0
    for word in words:
        if word in simple:
            if group % 10 and simple[word] < 10:
                return None
            group += simple[word]
        elif scales[word] in (100, 12):
            group = max(group, 1) * scales[word]
        else:
            total += max(group, 1) * scales[word]
            group = 0
    value = Decimal(total + group)
    if article.startswith("half"):
        value = value / 2
    if not match["part"]:
        return value
    share = _DIVIDE.divide(Decimal(1), Decimal(parts[match["part"].casefold()]))
    if match["partgap"].strip(" -"):
        return value + share
    if match["part"].casefold() not in ("half", "halves", "third", "thirds", "quarter", "quarters") and value >= 100:
        return None
    return _DIVIDE.divide(value, Decimal(parts[match["part"].casefold()]))
