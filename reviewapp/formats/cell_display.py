"""What a spreadsheet shows for a number or a date: the cell's value under its number format.

Understood: digits, decimals, grouping, per cent, leading zeros, fixed words and currency signs, dates and times.
What is not (fractions, exponents, conditions, colours, a locale's own long dates) is shown plainly: the number with
all its digits, the date as ISO. Marks are those of the file format: decimal point, grouping comma, English months.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_(.)|\*(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]')
_NUMBER = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?,*|\.[#0?]+")
_DATE_TOKEN = re.compile(r"yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|am/pm|a/p|\.0+", re.IGNORECASE)
_LOCALE_DATES = {"mm-dd-yy": "%Y-%m-%d", "m/d/yy h:mm": "%Y-%m-%d %H:%M"}
"""Built-in formats that every machine shows its own way; ISO here."""
_MONTHS = tuple(date(2024, month, 1).strftime("%B") for month in range(1, 13))
_DAYS = tuple(date(2024, 1, day).strftime("%A") for day in range(1, 8))  # a Monday first


def shown(value: object, number_format: str) -> str:
    """The text of a cell; ``""`` for an empty one."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return show_number(value, number_format)
        case datetime() | date() | time():
            return show_date(value, number_format)
        case timedelta():
            seconds = int(value.total_seconds())
            return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        case _:
            return str(value)


def plain_number(value: float) -> str:
    """All digits, no exponent, no ``.0``; spreadsheets keep 15 significant digits."""
    if isinstance(value, int):
        return str(value)
    exact = Decimal(f"{value:.15g}")
    return f"{exact.to_integral():f}" if exact == exact.to_integral() else f"{exact.normalize():f}"


def show_number(value: float, number_format: str) -> str:
    """``show_number(1234.5, '#,##0.00 "kg"')`` → ``1,234.50 kg``."""
    sections = _split_sections(number_format)
    section = sections[0]
    sign = "-" if value < 0 else ""
    if value < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    pieces, pattern = _literals(section)
    slots = _NUMBER.findall(pattern)
    if not slots and not re.search("[a-zA-Z@]", pattern):
        return _with_literals(pattern, pieces)
    if len(slots) != 1 or re.search(r"[eE][+-]|[#0?]\s*/\s*[#0?\d]", pattern) or "general" in pattern.lower():
        return plain_number(value)
    slot = slots[0]
    number = abs(Decimal(f"{value:.15g}"))
    if "%" in pattern:
        number *= 100
    digits = _digits(number, slot)
    filled = pattern.replace(slot, digits, 1)
    if not re.search(r"[1-9]", digits):
        sign = ""  # a spreadsheet shows no minus before a zero
    return sign + _with_literals(filled, pieces)


def show_date(value: datetime | date | time, number_format: str) -> str:
    """``show_date(date(2024, 3, 1), 'dd.mm.yyyy')`` → ``01.03.2024``."""
    strftime = _LOCALE_DATES.get(number_format.lower())
    if strftime and isinstance(value, datetime):
        midnight = value.time() == time() and "H" not in strftime
        return value.strftime("%Y-%m-%d") if midnight else value.strftime(strftime)
    pieces, pattern = _literals(_split_sections(number_format)[0])
    tokens = list(_DATE_TOKEN.finditer(pattern))
    if not tokens:
        return value.isoformat()
    half_day = any(t[0].lower() in ("am/pm", "a/p") for t in tokens)
    out, end = [], 0
    for i, code in enumerate(tokens):
        out.append(pattern[end : code.start()])
        before = tokens[i - 1][0].lower() if i else ""
        after = tokens[i + 1][0].lower() if i + 1 < len(tokens) else ""
        minutes = before in ("h", "hh") or after in ("s", "ss")
        out.append(_date_token(code[0].lower(), value, minutes=minutes, half_day=half_day))
        end = code.end()
    text = "".join(out) + pattern[end:]
    return _with_literals(text, pieces)


def _date_token(code: str, value: datetime | date | time, *, minutes: bool, half_day: bool) -> str:
    day = value if isinstance(value, date) else date(1899, 12, 31)
    clock = value.time() if isinstance(value, datetime) else value if isinstance(value, time) else time()
    hour = (clock.hour % 12 or 12) if half_day else clock.hour
    if minutes and code in ("m", "mm"):
        return f"{clock.minute:0{len(code)}}"
    words = {
        "yyyy": f"{day.year:04}",
        "yy": f"{day.year % 100:02}",
        "mmmm": _MONTHS[day.month - 1],
        "mmm": _MONTHS[day.month - 1][:3],
        "mm": f"{day.month:02}",
        "m": str(day.month),
        "dddd": _DAYS[day.weekday()],
        "ddd": _DAYS[day.weekday()][:3],
        "dd": f"{day.day:02}",
        "d": str(day.day),
        "hh": f"{hour:02}",
        "h": str(hour),
        "ss": f"{clock.second:02}",
        "s": str(clock.second),
        "am/pm": "AM" if clock.hour < 12 else "PM",
        "a/p": "A" if clock.hour < 12 else "P",
    }
    return words.get(code) or "." + f"{clock.microsecond:06}"[: len(code) - 1]


def _split_sections(number_format: str) -> list[str]:
    """The parts for positive, negative and zero, with fixed words kept whole."""
    kept = re.findall(r'"[^"]*"|\\.|[^;"\\]+|;', number_format)
    return "".join("\ue000" if piece == ";" else piece for piece in kept).split("\ue000")


def _literals(section: str) -> tuple[list[str], str]:
    """Fixed words taken out, a private-use character in the place of each."""
    pieces: list[str] = []

    def take(found: re.Match[str]) -> str:
        quoted, escaped, space, _fill, currency = found.groups()
        pieces.append(" " if space else (quoted or escaped or currency or ""))
        return chr(0xE000 + len(pieces) - 1)

    return pieces, _LITERAL.sub(take, section)


def _with_literals(pattern: str, pieces: list[str]) -> str:
    return re.sub("[\ue000-\uf8ff]", lambda found: pieces[ord(found[0]) - 0xE000], pattern).strip()


def _digits(number: Decimal, slot: str) -> str:
    while slot.endswith(","):  # a trailing comma divides by a thousand
        slot, number = slot[:-1], number / 1000
    whole_slot, _, decimal_slot = slot.partition(".")
    rounded = number.quantize(Decimal(1).scaleb(-len(decimal_slot)), ROUND_HALF_UP)
    whole, _, decimals = f"{rounded:f}".partition(".")
    for optional in reversed(decimal_slot):
        if optional == "0" or not decimals.endswith("0"):
            break
        decimals = decimals[:-1]
    required = whole_slot.count("0")
    whole = "" if whole == "0" and required == 0 else whole.zfill(required)
    if "," in whole_slot:
        whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", whole)
    return f"{whole}.{decimals}" if decimals else whole
