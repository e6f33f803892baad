"""The patterns of the date grammar, for folded texts; what the pieces mean is decided in `dates`."""

from __future__ import annotations

import re

DIGITS = re.compile(r"\d+")
DIGITS_FIRST = re.compile(
    r"""
    (?P<cjk_y>\d{4})\s?[年년]\s?(?P<cjk_m>\d{1,2})\s?[月월]\s?(?P<cjk_d>\d{1,2})\s?[日일]
  | (?P<y>\d{4})(?P<ysep>\s?[-/.]\s?)(?P<ym>\d{1,2})(?P=ysep)(?P<yd>\d{1,2})(?!\d|[-.,]\d|/\d(?!\d{3}-\d))
  | (?P<week_y>\d{4})-?W(?P<week>\d\d)-?(?P<week_d>[1-7])(?!\w)
  | (?P<roman_d>\d{1,2})(?P<roman_sep>\s?[./]\s?)(?P<roman>I{1,3}|IV|VI{0,3}|IX|XI{0,2})(?P=roman_sep)
    (?P<roman_y>\d{4})(?!\d)
  | (?P<a>\d{1,2})(?P<sep>\s?[-/.–]\s?|\ )(?P<b>\d{1,2})(?P<sep2>\s?[-/.–]\s?|\ )
    (?P<c>\d{4}|'?\d{2})(?!\d|[/.,:]\d|-\d(?!\d?[/.]))
  | (?P<gap>\d{1,2}[-/.](?:--|__|\?\?|[xX]{2}))[-/.](?:\d{4})(?!\d)
  | (?P<dd>\d{1,2})(?:\s?(?i:(?:st|nd|rd|th|er|ère|re|de|ste|e|º|ª)(?![^\W\d_])|°|\.))?(?P<glue>[\s\-/.,–]{0,2})
    (?i:day\s)?(?i:of\sthe\smonth\sof\s|of\s|de\s|d['’]\s?|del\s|den\s)?(?P<mon>[^\W\d_]{3,13})\.?
    (?:[\s,\-/.–]{0,3}(?i:of\s|de\s|del\s|in\sthe\syear\s)?
      (?P<dy>\d{4}|'\d{2}|\d{2}(?=[\s,;.)]|$))(?![\d:]|[.,]\d))?
  | (?P<yy>\d{4})[ \-/.,]{1,2}(?P<ymon>[^\W\d_]{3,13})\.?[ \-/.]{1,2}(?P<ydd>\d{1,2})(?:st|nd|rd|th)?(?!\d)
  | (?P<iso_y>(?:1[5-9]|20)\d\d)-(?P<iso_m>0[1-9]|1[0-2])(?![\w]|-\d)
  | (?P<my_m>0?[1-9](?=/)|0[1-9]|1[0-2])[/-](?P<my_y>(?:19|20)\d\d)(?![\w/-])
    """,
    re.VERBOSE,
)
"""Dates that begin with digits, matched where a run of digits begins; `mon` is a word that may be a month's name."""
NAME_FIRST = re.compile(
    r"""
    (?P<word>[^\W\d_]{3,13})\.?[\s\-/.]{0,2}
    (?:(?i:the\s)?(?P<wd>\d{1,2})(?P<word_ord>\s?(?i:st|nd|rd|th))?(?![\d:])
       (?:[\s,\-/.–]{1,3}(?:of\s)?(?P<wy>\d{4}|'\d{2}|\d{2}(?=[\s,;.)]|$))(?![\d:]|[.,]\d))?
     | (?:of\s|de\s)?(?P<only_y>(?:1[5-9]|20)\d\d)(?!\d|[.,]\d))
    """,
    re.VERBOSE,
)
"""Dates that begin with a word that may be a month's name."""
WORD_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]{3,13})\.?[\s\-/.]{0,2}(?:the\s|of\s|de\s)?$")
"""A word that ends just before digits."""
GAP_BEFORE = re.compile(r"(?:--|__|\?\?|[xX]{2})[-/.](?:--|__|\?\?|[xX]{2}|\d{1,2})[-/.]$")
"""Signs for an unknown day, just before a year."""
MISREAD = re.compile(r"[-/.]\d?[OolI]|[OolI]\d?[-/.]\d|\d[Oo]\d")
"""A quick look: letters that a scan may have put for digits of a date."""
MISREAD_DATE = re.compile(
    r"(?<!\w)(?:[\dOolI]{1,2}([-/.])(?!II?[/.])[\dOolI]{1,2}\1[\dOo]{4}|[\dOo]{4}-[\dOolI]{2}-[\dOolI]{2})(?!\w)"
)
"""A date with such letters."""
DIGIT_FOR_LETTER = str.maketrans("OolI", "0011")
DATE_LABEL = re.compile(r"(?<![^\W_])(?:date|dated|datum|fecha|data|tarikh|tanggal|dt)[^\w\n]{0,4}$", re.IGNORECASE)
"""A label before eight digits."""
DAY_BEFORE = re.compile(
    r"""(?<![^\s(\[])(?P<day>\d{1,2})
    (?:(?:st|nd|rd|th|er|º|ª|\.)?(?:[-–/~]|\ ?–\ ?)
      |(?:st|nd|rd|th|er|º|ª|\.)\ ?[-–/~]\ ?
      |(?:st|nd|rd|th|er|º|ª|\.)?\ (?:to|through|until|and|or|bis|und|oder|au|et|ou|al|y|o|e|a|tot|en|t/m|till|til
        |och|og|do|i|hingga|sampai|dan|до|и)\ (?:the\ |den\ |le\ |el\ |il\ |o\ )?)$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Another day just before a date that begins with its day: ``22-23 February``, ``22.-23.02.``, ``22 to 23 May``."""
DAY_AFTER = re.compile(
    r"""(?:st|nd|rd|th)?(?:\ ?[-–/~]\ ?|\ (?:to|through|and|or|bis|und)\ (?:the\ )?)
    (?P<day>\d{1,2})(?:st|nd|rd|th)?(?=[\s,]+(?:\d{4}|'\d{2})(?!\d))""",
    re.VERBOSE,
)
"""Another day behind month and day: ``February 22-23, 2024``."""
CJK_DAY_AFTER = re.compile(r"\s?[-–~〜至]\s?(?P<day>\d{1,2})\s?[日일]")
ROMAN_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ORDINAL_WORDS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
ORDINALS = {
    **{word: day for day, word in enumerate(_ORDINAL_WORDS, start=1)},
    **{f"twenty {word}": 20 + day for day, word in enumerate(_ORDINAL_WORDS[:9], start=1)},
    "thirtieth": 30,
    "thirty first": 31,
}
"""Days in words, with a space for the hyphen."""
WORDED_DAY = re.compile(
    rf"""(?<![^\W_])(?P<day>(?:(?:twenty|thirty)[\s-])?(?:{"|".join(_ORDINAL_WORDS)}|thirtieth))\s(?:day\s)?of\s
    (?P<month>[^\W\d_]{{3,13}})\.?,?\s(?:of\s|in\sthe\syear\s)?$""",
    re.VERBOSE | re.IGNORECASE,
)
"""``fifth day of March, `` before the digits of a year."""
