"""PDF: the text of every page with the box of every word, and pictures of its pages.

Pages are parted by a form feed. ``record.text[word.start:word.end]`` is what stands in the word's box. Files without
a text layer (scans) are refused: nothing here reads pictures. What people typed into form fields is read as far as
the file stores its look. PDFium runs in processes of its own, with limits on time and memory (`pdf_child`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from reviewapp.domain.records import FILE_TEXT_LIMIT
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.findings import Findings
from reviewapp.formats.limits import DOCUMENT_SECONDS, PICTURE_SECONDS
from reviewapp.formats.page_words import unpack
from reviewapp.formats.pdf_pages import NoSuchPage, PdfFault
from reviewapp.formats.processes import TooCostly, made_by
from reviewapp.formats.rows import Columns, Placed, make_record
from reviewapp.formats.sources import SourceFile


def read(source: SourceFile, _columns: Columns, findings: Findings) -> Iterator[Placed]:
    """The one record of the file, with pages and the file itself; faults and notes go to `findings`."""
    with source.opened() as stream:
        data = stream.read()
    try:
        found = json.loads(_made_of(data, DOCUMENT_SECONDS, do="read", most=FILE_TEXT_LIMIT))
    except PdfFault as fault:
        findings.fault(source.label, str(fault))
        return
    pages = tuple(map(unpack, found["pages"]))
    if empty := sum(not page.words for page in pages):
        findings.note(f"{source.label}: {empty} of {len(pages)} pages have no text (pictures or empty).")
    record = make_record(
        source, findings, place=source.label, name=source.record_name, text=found["text"], pages=pages, file=data
    )
    if record is not None:
        yield Placed(source.label, record)


def render_page(file_bytes: bytes, page: int, scale: float = 2.0) -> bytes:
    """A PNG of a page, `scale` pixels per point (1/72 inch).

    Pages count from 0. Raises `NotFound` for a page that is not there, `InvalidInput` for a file that is no PDF.
    """
    try:
        return _made_of(file_bytes, PICTURE_SECONDS, do="draw", page=page, scale=scale)
    except NoSuchPage as missing:
        raise NotFound("page", str(page), way_out=f"The file has {missing.pages}, counted from 0.") from missing
    except PdfFault as fault:
        raise InvalidInput(f"The file {fault}.") from fault


def _made_of(data: bytes, seconds: float, **what: Any) -> bytes:
    """What a process of PDFium's makes of a file. Raises PdfFault, NoSuchPage."""
    try:
        with made_by("pdf_child.py", io.BytesIO(data), seconds, **what) as (answer, made):
            if "fault" in answer:
                raise PdfFault(answer["fault"])
            if "pages" in answer:
                raise NoSuchPage(answer["pages"])
            return made.read_bytes()
    except TooCostly as fault:
        raise PdfFault(f"{fault}; print it to PDF again") from fault
