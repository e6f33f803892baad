"""HTML: the text a reader sees, with blocks as lines.

Paragraphs, headings, lists and tables stand apart by an empty line, other blocks by a line end; a table row is a line
with its cells parted by tabs, under the heading it stands under also where a cell above spans rows; white space
collapses as browsers do it, except in ``pre``. Scripts, styles, the head, input fields, deleted text and elements
marked hidden are left out. Links keep their words, pictures nothing; raised digits stay raised (`raised`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reviewapp.formats.encodings import decode
from reviewapp.formats.findings import Findings
from reviewapp.formats.raised import Lowered, Raised, Struck, joined
from reviewapp.formats.rows import Columns, Placed, make_record
from reviewapp.formats.sources import SourceFile
from reviewapp.formats.table_text import WIDEST_SPAN, row_line

_LEFT_OUT = {
    "script", "style", "head", "template", "noscript", "svg", "math", "iframe", "object", "audio", "video", "canvas",
    "datalist", "input", "del", "rt", "rp",
}  # fmt: skip
_APART = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "hr"}
_BLOCKS = _APART | {
    "html", "body", "div", "section", "article", "header", "footer", "main", "nav", "aside", "address", "figure",
    "figcaption", "li", "dt", "dd", "tr", "form", "fieldset", "legend", "details", "summary", "caption", "thead",
    "tbody", "tfoot", "td", "th", "center", "option",
}  # fmt: skip
_ROW_GROUPS = ("thead", "tbody", "tfoot")
_LOOKS: dict[str, type[str]] = {"sup": Raised, "sub": Lowered, "s": Struck, "strike": Struck}
_CHARSET = re.compile(
    rb"<(?:meta[^>]{0,200}charset|\?xml[^>]{0,100}encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\r\n\f]+")


def read(source: SourceFile, _columns: Columns, findings: Findings) -> Iterator[Placed]:
    """The one record of the file; faults and notes go to `findings`. Raises `Undecodable`."""
    with source.opened() as stream:
        data = stream.read()
    stated = _CHARSET.search(data[:4_096])
    markup, note = decode(data, stated[1].decode("ascii") if stated else None)
    if note:
        findings.note(f"{source.label} {note}.")
    record = make_record(source, findings, place=source.label, name=source.record_name, text=visible_text(markup))
    if record is not None:
        yield Placed(source.label, record)


def visible_text(markup: str) -> str:
    """``<p>Net <b>12 kg</b></p><p>red</p>`` → ``Net 12 kg\\n\\nred``."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(markup).root
    if root is None:
        return ""
    writer = _Writer()
    stack: list[tuple[Any, bool]] = [(root, False)]  # no recursion: the markup may be nested without end
    while stack:
        node, leaving = stack.pop()
        if leaving:
            writer.leave(node.tag)
        elif node.is_text_node:
            writer.text(node.text_content or "")
        elif node.is_element_node and not _left_out(node):
            writer.enter(node)
            stack.append((node, True))
            children = []
            child = node.child
            while child is not None:
                children.append(child)
                child = child.next
            stack += [(child, False) for child in reversed(children)]
    return writer.finished()


def _left_out(node: Any) -> bool:
    if node.tag in _LEFT_OUT:
        return True
    attributes = node.attributes
    return "hidden" in attributes or bool(_HIDDEN_STYLE.search(attributes.get("style") or ""))


_Covered = dict[int, int]
"""Column of a table → further rows that a cell above reaches into."""


class _Writer:
    """Builds the text; cells of the innermost row are gathered until the row ends."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._breaks = 0
        """Line ends owed before the next words."""
        self._space = False
        self._pre = 0
        self._looks: list[type[str]] = [str]
        self._rows: list[_Row] = []
        self._tables: list[_Covered] = []

    def enter(self, node: Any) -> None:
        tag = node.tag
        if tag == "br":
            self._flush_breaks()
            self._emit("\n")
            self._space = False
        elif tag == "tr":
            self._block(tag)
            layout = node.css_first("table") is not None
            self._rows.append(_Row(layout=layout))
        elif tag in ("td", "th") and self._in_plain_row:
            covered = self._tables[-1] if self._tables else {}
            self._rows[-1].begin_cell(_span(node, "colspan"), _span(node, "rowspan"), covered)
            self._space = False
        elif tag in _BLOCKS:
            self._block(tag)
        if tag in ("pre", "textarea"):
            self._pre += 1
        if tag in _LOOKS:
            self._looks.append(_LOOKS[tag])
        if tag == "table":
            self._tables.append({})

    def leave(self, tag: str) -> None:
        if tag in ("pre", "textarea"):
            self._pre -= 1
        if tag in _LOOKS:
            self._looks.pop()
        if tag == "table":
            self._tables.pop()
        if tag in _ROW_GROUPS and self._tables:
            self._tables[-1] = {}  # no cell reaches beyond its group of rows
        if tag == "tr" and self._rows:
            self._leave_row()
            self._block(tag)
        elif tag in _BLOCKS and not (tag in ("td", "th") and self._in_plain_row):
            self._block(tag)

    def _leave_row(self) -> None:
        row = self._rows.pop()
        if self._tables:
            self._tables[-1] = row.covered_below(self._tables[-1])
        line = row_line((joined(parts), span) for parts, span in row.cells)
        if line:
            self._words(line)

    def text(self, text: str) -> None:
        if self._pre and not self._in_cell:
            self._words(text)
            return
        words = _WHITE.sub(" ", text)
        if words.startswith(" "):
            self._space = True
        if stripped := words.strip(" "):
            self._words(stripped)
            self._space = words.endswith(" ")

    def finished(self) -> str:
        return re.sub(r"[ ]+\n", "\n", joined(self._out)).lstrip("\n").rstrip()

    @property
    def _in_plain_row(self) -> bool:
        return bool(self._rows) and not self._rows[-1].layout

    @property
    def _in_cell(self) -> bool:
        return self._in_plain_row and bool(self._rows[-1].cells)

    def _block(self, tag: str) -> None:
        if self._in_cell:
            self._space = True
            return
        self._breaks = max(self._breaks, 2 if tag in _APART else 1)
        self._space = False

    def _words(self, words: str) -> None:
        self._flush_breaks()
        if self._space and not self._at_line_start():
            self._emit(" ")
        self._emit(self._looks[-1](words))
        self._space = False

    def _flush_breaks(self) -> None:
        if self._breaks and not self._in_cell:
            if self._out:
                self._emit("\n" * self._breaks)
            self._breaks = 0

    def _emit(self, text: str) -> None:
        (self._rows[-1].cells[-1][0] if self._in_cell else self._out).append(text)

    def _at_line_start(self) -> bool:
        target = self._rows[-1].cells[-1][0] if self._in_cell else self._out
        return not target or target[-1].endswith("\n")


def _span(node: Any, name: str) -> int:
    """Columns or rows that a cell takes; 1 where the attribute makes no sense."""
    span = node.attributes.get(name) or ""
    return min(int(span), WIDEST_SPAN) if span.isdecimal() and len(span) < 5 else 1


class _Row:
    def __init__(self, *, layout: bool) -> None:
        self.layout = layout
        """A row that holds a table in one of its cells: its cells are blocks, not columns."""
        self.cells: list[tuple[list[str], int]] = []
        self._column = 0
        self._begun: _Covered = {}

    def begin_cell(self, columns: int, rows: int, covered: _Covered) -> None:
        """A cell in the next column that no cell of a row above reaches into."""
        while covered.get(self._column):
            self.cells.append(([], 1))
            self._column += 1
        self.cells.append(([], columns))
        self._begun |= {self._column + i: rows - 1 for i in range(columns) if rows > 1}
        self._column += columns

    def covered_below(self, covered: _Covered) -> _Covered:
        return {column: rows - 1 for column, rows in covered.items() if rows > 1} | self._begun
