"""Office files and PDFs for tests, made on the spot."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from docx import Document
from fpdf import FPDF
from openpyxl import Workbook

MILLIMETRES_PER_POINT = 25.4 / 72


def xlsx(
    *sheets: Sequence[Sequence[Any]], titles: Sequence[str] = (), adjust: Callable[[Workbook], None] | None = None
) -> bytes:
    """A workbook of sheets, each a list of rows."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for n, rows in enumerate(sheets):
        sheet = book.create_sheet(titles[n] if n < len(titles) else f"Sheet{n + 1}")
        for row in rows:
            sheet.append(list(row))
    if adjust is not None:
        adjust(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def docx(fill: Callable[[Any], None]) -> bytes:
    """A Word file that `fill` writes into a python-docx document."""
    document = Document()
    fill(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def with_part(archive: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The archive with one part changed (or added, where it is not there)."""
    parts = unzip(archive)
    parts[name] = change(parts.get(name, b""))
    return zipped(parts)


def unzip(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(parts: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pdf(
    *pages: Iterable[tuple[float, float, str]], size: int = 11, adjust: Callable[[FPDF], None] | None = None
) -> bytes:
    """A PDF (A4, Helvetica) with words at millimetres from the top left."""
    sheet = FPDF()
    if adjust is not None:
        adjust(sheet)
    for words in pages:
        sheet.add_page()
        sheet.set_font("Helvetica", size=size)
        for x, y, text in words:
            sheet.text(x, y, text)
    return bytes(sheet.output())


def raw_pdf(content: bytes, *objects: bytes) -> bytes:
    """A PDF of one page that draws `content`; ``/F1`` is Helvetica, ``/X`` the first of `objects`, which are 6, 7, …"""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        pdf_stream(content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *objects,
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(parts) + 1
    return bytes(
        out
    ) + b"xref\n0 %d\n0000000000 65535 f \n%strailer <</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        count,
        table,
        count,
        len(out),
    )


def pdf_stream(content: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream with these entries in its dictionary."""
    packed = zlib.compress(content)
    return b"<<%s/Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (entries, len(packed), packed)
