"""What a file may hold at most. Every limit is told in the message that refuses more."""

from __future__ import annotations

MEGABYTE = 1_000_000

STREAMED_FILE_BYTES = 1_000 * MEGABYTE
"""JSONL and CSV: read line by line, so only the disk is at stake."""
JSON_FILE_BYTES = 100 * MEGABYTE
"""JSON is read whole; the same records as JSONL have no such limit."""
DOCUMENT_BYTES = 100 * MEGABYTE
"""PDF, DOCX, XLSX, HTML, Markdown and plain text: one file."""
LINE_BYTES = 24 * MEGABYTE
"""One line of a JSONL or CSV file: a text of 4,000,000 characters with every one of them escaped."""
RECORDS = 500_000
"""Records of one import."""
FILES = 50_000
"""Files of one import."""
COLUMNS = 2_000
"""Columns of a table."""
PDF_PAGES = 500
PDF_PAGE_CHARACTERS = 250_000
"""Characters on one page: fifty times a dense one."""
DOCUMENT_SECONDS = 60.0
"""For reading a PDF, DOCX, XLSX or HTML; a PDF of 4,000,000 characters takes 20."""
DOCUMENT_MEGABYTES = 1_000
"""Memory for that, and for drawing a page of a PDF."""
PICTURE_SECONDS = 20.0
"""For drawing one page."""
JSON_DEPTH = 100
"""Lists and objects inside each other."""
ARCHIVE_PARTS = 10_000
"""Files inside a DOCX or XLSX."""
ARCHIVE_EXPANDED_BYTES = 300 * MEGABYTE
"""XML inside a DOCX or XLSX, once unpacked."""
FAULTS = 1_000
"""Faults after which an import stops looking for more."""


def megabytes(size: int) -> str:
    """``31457280`` → ``31.5 MB``."""
    return f"{size / MEGABYTE:,.1f} MB"
