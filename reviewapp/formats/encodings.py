"""Which encoding a file is in: told by its bytes, or refused by line. Nothing is ever guessed without a word.

1. A byte order mark settles it (UTF-8, UTF-16, UTF-32).
2. NUL in every second byte: UTF-16 without a mark.
3. Valid UTF-8 throughout: UTF-8.
4. Some valid UTF-8 and some bytes that are not: a damaged file; every such line is a fault.
5. No UTF-8 at all, and the bytes make sense as Western European text: Windows-1252 (which holds Latin-1), with a note;
   ISO-8859-15 where the euro sign stands beside numbers as there.
6. Anything else is refused by line. Other single-byte encodings cannot be told apart safely on short texts:
   charset-normalizer reads ``5 µm`` as Big5 and Swedish as cp852, so its opinion is only a hint in the message.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, TextIO

CHUNK_BYTES = 1 << 20
SAMPLE_BYTES = 1 << 18
LINES_NAMED = 20
"""Lines with foreign bytes that are told one by one."""

_MARKS = (  # the marks of UTF-32 begin like those of UTF-16: longest first
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")

_WESTERN_UPPER = "À-ÖØ-ÞŠŽŒŸ"
_WESTERN_LETTER = f"{_WESTERN_UPPER}ß-öø-ÿšžœ"
_ODD_PLACE = re.compile(  # a symbol inside a word, or a capital inside one: another encoding's letter
    f"(?<=[a-zA-Z{_WESTERN_LETTER}])[¡-¬®-±´¶¸»-¿²³¹‚ƒ„…†‡ˆ‰‹“”•˜™›](?=[a-zA-Z{_WESTERN_LETTER}])"
    f"|(?<=[a-zß-öø-ÿ])[{_WESTERN_UPPER}]|(?<=[{_WESTERN_LETTER}])[×÷](?=[{_WESTERN_LETTER}])"
)
_LONG_FOREIGN_RUN = re.compile(r"(?!(.)\1+(?![^\x00-\x7f\xa0]))[^\x00-\x7f\xa0]{4,}")
"""Four and more characters that are not ASCII, other than a rule of one sign."""
_EURO_OF_LATIN_9 = re.compile(r"¤[ \xa0]?\d|\d[ \xa0]?¤")
_C1_BYTE = re.compile(rb"[\x80-\x9f]")
_ICELANDIC_OR_TURKISH = re.compile("[ðþýÐÞÝ]")
_NEVER_TURKISH = re.compile("[áíóúæÁÍÓÚÆ]")
WESTERN_NOTE = "was not UTF-8 and was read as Windows-1252 (Western European); look at its special letters"
LATIN_9_NOTE = "was not UTF-8 and was read as ISO-8859-15 (Western European with €); look at its special letters"


@dataclass(frozen=True)
class Encoding:
    codec: str
    note: str | None = None
    """What to tell the person, after the file's name; None for Unicode encodings."""


class Undecodable(Exception):
    """The encoding cannot be told; `lines` says where (counted from 1; None: not by line) and what was found."""

    def __init__(self, lines: list[tuple[int | None, str]]) -> None:
        super().__init__(lines)
        self.lines = lines


def detect(stream: BinaryIO, declared: str | None = None) -> Encoding:
    """The encoding of all of a seekable stream, which is left at its start.

    `declared`: what the file itself says (an HTML ``meta``); it counts where the bytes are not Unicode and fit it.
    Raises `Undecodable`.
    """
    start = stream.read(4_096)
    codec = _marked(start) or _unmarked_utf16(start) or "utf-8"
    problem = _first_problem(stream, codec)
    if problem is None:
        found = Encoding(codec)
    elif codec != "utf-8":
        raise Undecodable([(None, f"begins as {codec[:6].upper()} but is not: {problem}; save it as UTF-8")])
    elif declared and _first_problem(stream, declared) is None:
        found = Encoding(declared, f"was read as {declared}, as it says itself")
    else:
        found = _single_byte(stream)
    stream.seek(0)
    return found


def decode(data: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """The text of a whole file, and the note that goes with its encoding. Raises `Undecodable`."""
    encoding = detect(io.BytesIO(data), declared)
    return data.decode(encoding.codec), encoding.note


@contextmanager
def opened_text(stream: BinaryIO, encoding: Encoding, *, newline: str | None = None) -> Iterator[TextIO]:
    """The stream as text, which stays open afterwards."""
    text = io.TextIOWrapper(stream, encoding=encoding.codec, newline=newline)
    try:
        yield text
    finally:
        text.detach()


def _marked(start: bytes) -> str | None:
    return next((codec for mark, codec in _MARKS if start.startswith(mark)), None)


def _unmarked_utf16(start: bytes) -> str | None:
    """Two fifths of one half of the bytes are NUL and almost none of the other: UTF-16 of mostly Western text."""
    even, odd = start[::2], start[1::2]
    if not odd:
        return None
    even_share, odd_share = even.count(0) / len(even), odd.count(0) / len(odd)
    if odd_share > 0.4 and even_share < 0.05:
        return "utf-16-le"
    if even_share > 0.4 and odd_share < 0.05:
        return "utf-16-be"
    return None


def _first_problem(stream: BinaryIO, codec: str) -> str | None:
    """Why the stream is not in this encoding; None: it is."""
    stream.seek(0)
    try:
        decoder = codecs.getincrementaldecoder(codec)()
        while chunk := stream.read(CHUNK_BYTES):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except (UnicodeError, LookupError) as error:
        return error.reason if isinstance(error, UnicodeDecodeError) else str(error)
    return None


@dataclass
class _Census:
    """What the bytes above 127 of a file are."""

    utf8: int = 0
    foreign: int = 0
    bad_lines: int = 0
    named: tuple[tuple[int, int], ...] = ()
    """Line and value of the first foreign byte, of the first lines."""
    sample: bytes = b""


def _take_census(stream: BinaryIO) -> _Census:
    stream.seek(0)
    census = _Census()
    sample = bytearray()
    number, line_is_bad = 1, False
    while piece := stream.readline(CHUNK_BYTES):
        if not piece.isascii():
            rest, found = _UTF8_SEQUENCE.subn(b"", piece)
            census.utf8 += found
            foreign = _HIGH_BYTE.findall(rest)
            census.foreign += len(foreign)
            if foreign and not line_is_bad:
                line_is_bad = True
                census.bad_lines += 1
                if len(census.named) < LINES_NAMED:
                    census.named = (*census.named, (number, foreign[0][0]))
            if len(sample) < SAMPLE_BYTES:
                sample += piece[:SAMPLE_BYTES]
        if piece.endswith(b"\n"):
            number, line_is_bad = number + 1, False
    census.sample = bytes(sample)
    return census


def _single_byte(stream: BinaryIO) -> Encoding:
    census = _take_census(stream)
    damaged_utf8 = census.utf8 * 10 >= census.foreign
    if not damaged_utf8 and _first_problem(stream, "cp1252") is None:
        text = census.sample.decode("cp1252")
        if _reads_as_western(text):
            with_euro = _EURO_OF_LATIN_9.search(text) and not _C1_BYTE.search(census.sample)
            return Encoding("iso8859-15", LATIN_9_NOTE) if with_euro else Encoding("cp1252", WESTERN_NOTE)
    hint = "" if damaged_utf8 else _hint(census.sample)
    faults: list[tuple[int | None, str]] = [
        (line, f"the byte 0x{byte:02X} is not UTF-8{hint}; save the file as UTF-8 and import it again")
        for line, byte in census.named
    ]
    if census.bad_lines > len(census.named):
        faults.append((None, f"{census.bad_lines - len(census.named):,} more lines hold bytes that are not UTF-8"))
    return _refuse(faults)


def _refuse(faults: list[tuple[int | None, str]]) -> Encoding:
    raise Undecodable(faults or [(None, "ends in the middle of a character; save it as UTF-8 and import it again")])


def _reads_as_western(text: str) -> bool:
    """Whether bytes read as Windows-1252 make words that Western European languages could have."""
    high = sum(1 for c in text if c > "\x7f")
    odd = len(_ODD_PLACE.findall(text)) + sum(1 for _ in _LONG_FOREIGN_RUN.finditer(text))
    turkish = _ICELANDIC_OR_TURKISH.search(text) and not _NEVER_TURKISH.search(text)
    return odd * 20 <= high and not turkish


def _hint(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # 20 ms to import, seldom needed

    best = from_bytes(sample[:20_000]).best()
    return f" (perhaps {best.encoding})" if best is not None else ""
