"""How a JSON text is written: its indentation, line ends, separators and escapes; and writing like it."""

from __future__ import annotations

import json
import re
from typing import Any

_FIRST_INDENT = re.compile(r"[\[{]\r?\n([ \t]+)")


class Manner:
    """Of one text, looked up once."""

    def __init__(self, text: str) -> None:
        self._text = text
        indent = _FIRST_INDENT.search(text[:10_000])
        self.unit = indent[1] if indent else None
        """What one level is indented by; None: the text has no lines."""
        colon = re.search(r'"\s*:( ?)', text[:2_000])
        self.colon = ": " if colon is None or colon[1] else ":"
        self.comma = ", " if self.colon == ": " else ","
        at = text.find("\n")
        self.line_end = "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
        self.escapes = text.isascii() and re.search(r"\\u[0-9a-fA-F]{4}", text) is not None
        """Whether other letters are written as escapes."""

    def indent_at(self, place: int) -> str:
        """The white space that the line at this place begins with."""
        begun = self._text.rfind("\n", 0, place) + 1
        end = begun
        while end < place and self._text[end] in " \t":
            end += 1
        return self._text[begun:end]

    def written(self, value: Any, indent: str, *, one_line: bool) -> str:
        """`value`, its further lines indented by `indent`."""
        if one_line or self.unit is None or not isinstance(value, dict | list):
            return self._dumped(value)
        lines = json.dumps(value, ensure_ascii=self.escapes, indent=self.unit).split("\n")
        return (self.line_end + indent).join(lines)

    def member(self, name: str | None, value: Any, indent: str, *, one_line: bool) -> str:
        """A member of an object, or, without a name, an entry of a list."""
        written = self.written(value, indent, one_line=one_line)
        return written if name is None else self._dumped(name) + self.colon + written

    def filling(self, value: dict[str, Any] | list[Any], place: int) -> str:
        """What stands between the brackets of an object or list at this place: over lines where the text has any."""
        new = value.items() if isinstance(value, dict) else ((None, given) for given in value)
        if self.unit is None:
            return self.comma.join(self.member(name, given, "", one_line=True) for name, given in new)
        outer = self.indent_at(place)
        indent = outer + self.unit
        written = (self.member(name, given, indent, one_line=False) for name, given in new)
        return f"{self.line_end}{indent}" + f",{self.line_end}{indent}".join(written) + f"{self.line_end}{outer}"

    def _dumped(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=self.escapes, separators=(self.comma, self.colon))
