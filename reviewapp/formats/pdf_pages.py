"""What PDFium makes of a file: text and words of its pages, and pictures. For `pdf_child`, a process of its own.

Imports nothing that takes long. Pages count from 0; boxes are parts of the page as it is shown.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reviewapp.formats.limits import PDF_PAGE_CHARACTERS, PDF_PAGES
from reviewapp.formats.pdf_layout import ASSUMED_GAP, NO_GAP, WORD_GAP, Glyph, PlacedWord, page_text
from reviewapp.formats.png import write_png

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

    from reviewapp.formats.page_words import PackedPage

PICTURE_PIXELS = 12_000_000
"""Most pixels of a page's picture; larger pages are drawn at a smaller scale."""
UNREADABLE_SHARE = 0.5
"""Glyphs without a known character from which on a text layer is of no use."""
UPRIGHT_DEGREES = 20
"""A line that leans more than this is no line of the page."""
_HYPHENS = {0x02: "-", 0xFFFE: "-"}
"""How PDFium writes a hyphen at the end of a line."""


class PdfFault(ValueError):
    """The file is no PDF that can be taken; the message is a sentence without its place."""


class NoSuchPage(ValueError):
    """The file has so many `pages`, and not the one asked for."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.pages = pages


def read_pages(data: bytes, most: int) -> dict[str, Any]:
    """``{"text": …, "pages": […]}``: the text, pages parted by a form feed, and each page as `page_words.PackedPage`.

    Ends once the text has more than `most` characters. Raises PdfFault.
    """
    pages: list[PackedPage] = []
    texts: list[str] = []
    start, glyph_count, unreadable = 0, 0, 0
    with _opened(data) as document:
        if len(document) > PDF_PAGES:
            raise PdfFault(f"has {len(document):,} pages; at most {PDF_PAGES:,}. Split it")
        for number in range(len(document)):
            sheet = document[number]
            width, height = sheet.get_size()
            glyphs = list(_glyphs(sheet, number))
            glyph_count += len(glyphs)
            unreadable += sum(glyph.char == "\ufffd" for glyph in glyphs)
            text, words = page_text(glyphs)
            packed: list[float] = []
            for first, last, word in words:
                packed += (start + first, start + last, *_box(word, width, height))
            texts.append(text)
            pages.append((number, start, start + len(text), width, height, packed))
            start += len(text) + 1
            if start > most + PDF_PAGES:
                break  # too long; the limit is told with the record
            sheet.close()
    if not glyph_count:
        raise PdfFault("has no text layer (a scan?); run it through a text recognition (OCR) first")
    if unreadable > UNREADABLE_SHARE * glyph_count:
        raise PdfFault("does not say which letters its text layer holds; print it to PDF again or run OCR over it")
    return {"text": "\f".join(texts), "pages": pages}


def draw_page(data: bytes, page: int, scale: float) -> bytes:
    """A PNG of a page, `scale` pixels per point (1/72 inch). Raises PdfFault, NoSuchPage."""
    with _opened(data) as document:
        if not 0 <= page < len(document):
            raise NoSuchPage(len(document))
        document.init_forms()
        sheet = document[page]
        width, height = sheet.get_size()
        fitting = (PICTURE_PIXELS / max(width * height, 1.0)) ** 0.5
        bitmap = sheet.render(scale=min(scale, fitting), rev_byteorder=True, prefer_bgrx=False)
        return write_png(bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))


@contextmanager
def _opened(data: bytes) -> Iterator[PdfDocument]:
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise PdfFault("is locked with a password; save it without one") from error
        raise PdfFault("is damaged or no PDF file; open it and save it again") from error
    try:
        yield document
    except PdfiumError as error:
        raise PdfFault(f"is damaged: {error}") from error
    finally:
        document.close()


def _glyphs(page: PdfPage, number: int) -> Iterator[Glyph]:
    """The visible characters of a page in the order in which the file has them. Raises PdfFault for too many."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    count = textpage.count_chars()
    if count > PDF_PAGE_CHARACTERS:
        raise PdfFault(f"has {count:,} characters on page {number + 1}; at most {PDF_PAGE_CHARACTERS:,}. Split it")
    to_page = _page_transform(page)
    turned = page.get_rotation()
    box = raw.FS_RECTF()
    widest_gap, high = NO_GAP, 0
    for i in range(count):
        code = raw.FPDFText_GetUnicode(textpage, i)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000 and high:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        char = _character(code)
        if char is None or char.isspace():
            if char is not None:
                assumed = raw.FPDFText_IsGenerated(textpage, i) == 1 and char == " "
                widest_gap = min(widest_gap, ASSUMED_GAP if assumed else NO_GAP)
            continue
        if not raw.FPDFText_GetLooseCharBox(textpage, i, ctypes.byref(box)):
            continue
        x0, y0 = to_page(box.left, box.top)
        x1, y1 = to_page(box.right, box.bottom)
        angle = math.degrees(raw.FPDFText_GetCharAngle(textpage, i)) + turned
        upright = min(angle % 360, -angle % 360) < UPRIGHT_DEGREES
        yield Glyph(char, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), widest_gap, upright)
        widest_gap = WORD_GAP


def _character(code: int) -> str | None:
    """What stands in the text for a code of PDFium; None for marks that stand for nothing."""
    if code in _HYPHENS:
        return _HYPHENS[code]
    if code == 0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return "\ufffd"
    if code == 0xFEFF:
        return None
    return " " if code < 0x20 or 0x7F <= code < 0xA0 else chr(code)


def _page_transform(page: PdfPage) -> Any:
    """From the file's coordinates to points from the top left of the page as it is shown (crop box and turn in)."""
    from pypdfium2 import raw

    width, height = page.get_size()
    fine = 1_000

    def device(x: float, y: float) -> tuple[float, float]:
        dx, dy = ctypes.c_int(), ctypes.c_int()
        size = (round(width * fine), round(height * fine))
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, ctypes.byref(dx), ctypes.byref(dy))
        return dx.value / fine, dy.value / fine

    ox, oy = device(0, 0)
    ax, ay = device(1000, 0)
    bx, by = device(0, 1000)
    xx, xy, yx, yy = (ax - ox) / 1000, (ay - oy) / 1000, (bx - ox) / 1000, (by - oy) / 1000
    return lambda x, y: (ox + xx * x + yx * y, oy + xy * x + yy * y)


def _box(word: PlacedWord, width: float, height: float) -> tuple[float, float, float, float]:
    """The word's box in parts of the page, cut at its edges."""

    def part(value: float, whole: float) -> float:
        return round(min(max(value / (whole or 1.0), 0.0), 1.0), 5)

    return part(word.x0, width), part(word.y0, height), part(word.x1, width), part(word.y1, height)
