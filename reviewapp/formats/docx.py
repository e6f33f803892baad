"""DOCX: the text of a Word file in the order in which it is read.

Headers first (each different one once: letterheads name the sender and the date), then paragraphs and tables in
order, then footnotes, endnotes and footers. Table cells are parted by tabs. A page break that somebody set is a form
feed. Deleted text of tracked changes, hidden text, comments, field codes and automatic list numbers are left out;
inserted text is in. Raised digits stay raised (`raised`), signs of symbol fonts and formulas become characters.

The XML is read here, without python-docx, which leaves out content controls and text boxes and unpacks every picture.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from reviewapp.domain.records import FILE_TEXT_LIMIT
from reviewapp.formats.archives import ArchiveFault, is_want_of_memory, opened_archive
from reviewapp.formats.docx_runs import Look, attribute, look_of, sign_of, tag_of
from reviewapp.formats.findings import Findings
from reviewapp.formats.limits import MEGABYTE, megabytes
from reviewapp.formats.raised import joined
from reviewapp.formats.rows import Columns, Placed, make_record
from reviewapp.formats.sources import SourceFile
from reviewapp.formats.symbol_fonts import readable
from reviewapp.formats.table_text import row_line
from reviewapp.formats.word_math import formula_pieces

KIND = "DOCX"
PART_BYTES = 100 * MEGABYTE
"""The XML of one part."""
_LEFT_OUT = {
    "del",
    "moveFrom",
    "instrText",
    "pPr",
    "rPr",
    "tblPr",
    "trPr",
    "sectPr",
    "sdtPr",
    "Fallback",
    "delText",
    "fldData",
    "rt",
}
_MARKS = {"tab": "\t", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}


def read(source: SourceFile, _columns: Columns, findings: Findings) -> Iterator[Placed]:
    """The one record of the file; faults and notes go to `findings`."""
    try:
        with source.opened() as stream, opened_archive(stream, KIND) as archive:
            text = _document_text(archive)
    except ArchiveFault as fault:
        findings.fault(source.label, str(fault))
        return
    record = make_record(source, findings, place=source.label, name=source.record_name, text=text)
    if record is not None:
        yield Placed(source.label, record)


def _document_text(archive: zipfile.ZipFile) -> str:
    main = next(iter(_targets(archive, "", "officeDocument")), None)
    if main is None or main not in archive.namelist():
        raise ArchiveFault(f"is no {KIND} file: it names no document")
    sections = [
        *_each_once(_part_lines(archive, name) for name in _targets(archive, main, "header")),
        _part_lines(archive, main, depth=3),
        *(_part_lines(archive, name) for kind in ("footnotes", "endnotes") for name in _targets(archive, main, kind)),
        *_each_once(_part_lines(archive, name) for name in _targets(archive, main, "footer")),
    ]
    return "\n".join("\n".join(lines).strip("\n") for lines in sections if any(line.strip() for line in lines))


def _each_once(sections: Iterable[list[str]]) -> Iterator[list[str]]:
    seen = []
    for lines in sections:
        if lines not in seen:
            seen.append(lines)
            yield lines


def _targets(archive: zipfile.ZipFile, part: str, kind: str) -> list[str]:
    """The parts that a part names as this kind of relation, in their order."""
    folder, name = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    if relations not in archive.namelist():
        return []
    found = []
    for element in _elements(archive, relations):
        if element.get("Type", "").endswith(f"/{kind}") and element.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", ""))).lstrip("/")
            found.append(target)
    return found


def _elements(archive: zipfile.ZipFile, part: str, depth: int = 2) -> Iterator[Element]:
    """The elements at one depth of a part (1: the root), each forgotten once it has been used."""
    info = archive.getinfo(part)
    if info.file_size > PART_BYTES:
        raise ArchiveFault(f"holds {megabytes(info.file_size)} in {part}; at most {megabytes(PART_BYTES)}")
    level = 0
    try:
        with archive.open(info) as content:
            for event, element in iterparse(content, events=("start", "end"), forbid_dtd=True):
                level += 1 if event == "start" else -1
                if event == "end" and level == depth - 1:
                    yield element
                    element.clear()
    except (ParseError, DefusedXmlException, RecursionError, UnicodeError, ValueError) as error:
        if isinstance(error, ArchiveFault):
            raise
        if is_want_of_memory(error):
            raise MemoryError from error
        raise ArchiveFault(f"is damaged: {part} is not the XML that was expected ({error})") from error


def _part_lines(archive: zipfile.ZipFile, part: str, depth: int = 2) -> list[str]:
    """`depth`: where its blocks lie (document/body/p: 3; in headers and notes one level higher)."""
    if part not in archive.namelist():
        return []
    lines: list[str] = []
    characters = 0
    for element in _elements(archive, part, depth):
        new = _lines(element)
        lines += new
        characters += sum(map(len, new)) + len(new)
        if characters > 2 * FILE_TEXT_LIMIT:
            break  # too long; the limit is told with the record
    return lines


def _lines(element: Element) -> list[str]:
    """The lines of a paragraph, a table, or whatever holds them."""
    tag = tag_of(element)
    if tag in _LEFT_OUT:
        return []
    if tag == "p":
        return _paragraph_lines(element)
    if tag == "tbl":
        return [line for row in _children(element, "tr") for line in _row_lines(row)]
    if tag in ("footnote", "endnote") and attribute(element, "type") is not None:
        return []  # the line that parts notes from the text
    return [line for child in element for line in _lines(child)]


def _children(element: Element, tag: str) -> Iterator[Element]:
    """Children of one kind, also inside content controls and tracked insertions."""
    for child in element:
        name = tag_of(child)
        if name == tag:
            yield child
        elif name in ("sdt", "sdtContent", "ins", "customXml", "moveTo"):
            yield from _children(child, tag)


def _row_lines(row: Element) -> list[str]:
    cells = list(_children(row, "tc"))
    if any(tag_of(child) == "tbl" for cell in cells for child in cell):  # a table for layout
        return [line for cell in cells for line in _lines(cell)]
    return [row_line((" ".join(line for child in cell for line in _lines(child)), _span(cell)) for cell in cells)]


def _span(cell: Element) -> int:
    for properties in _children(cell, "tcPr"):
        for span in _children(properties, "gridSpan"):
            value = attribute(span, "val") or "1"
            return int(value) if value.isdecimal() else 1
    return 1


def _paragraph_lines(paragraph: Element) -> list[str]:
    """The paragraph's own lines, then those of text boxes anchored in it."""
    pieces: list[str] = []
    boxes: list[str] = []
    _collect(paragraph, pieces, boxes, Look())
    return joined(pieces).split("\n") + boxes


def _collect(element: Element, pieces: list[str], boxes: list[str], look: Look) -> None:
    for child in element:
        tag = tag_of(child)
        if tag in _LEFT_OUT:
            continue
        if tag == "txbxContent":
            boxes += [line for block in child for line in _lines(block)]
        elif tag == "oMath":
            pieces += formula_pieces(child)
        elif tag == "t" and not look.hidden:
            pieces.append(look.piece(readable(child.text or "", look.font)))
        elif tag == "sym" and not look.hidden:
            pieces.append(look.piece(sign_of(child)))
        elif tag in _MARKS:
            pieces.append(_MARKS[tag])
        elif tag == "br":
            pieces.append("\f" if attribute(child, "type") == "page" else "\n")
        else:
            _collect(child, pieces, boxes, look_of(child) if tag == "r" else look)
