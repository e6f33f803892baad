"""Changing a JSON text where it is meant to change, and nowhere else.

Order of keys, unknown fields, indentation, line ends, the writing of numbers: all that is not changed stays to the
letter. What is new is written in the manner of its surroundings (`manner.Manner`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reviewapp.formats.eval_sets.manner import Manner
from reviewapp.formats.eval_sets.places import Member, Path, find, members

Edit = tuple[int, int, str]
"""(start, end, what stands there instead)."""


def updated(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`; only those parts that differ are written.

    A name that is not there is added at the end of its object, an index one beyond the last at the end of its list.
    Raises KeyError where the way to it is not there.
    """
    patch = _Patch(text)
    found = find(text, path)
    if found is not None:
        return _edited(text, patch.changes(found, value))
    parent, step = find(text, path[:-1]), path[-1]
    there = None if parent is None else parent.content
    if parent is not None and isinstance(there, dict) and isinstance(step, str):
        return _edited(text, patch.changes(parent, {**there, step: value}))
    if parent is not None and isinstance(there, list) and step == len(there):
        return _edited(text, patch.changes(parent, [*there, value]))
    raise KeyError(f"{step!r} cannot be added: what holds it is not there, or ends before it")


def removed(text: str, path: Path) -> str:
    """The text without the member at `path` (and the comma that parted it), as often as its name stands there.

    Unchanged where there is none.
    """
    parent, step = find(text, path[:-1]), path[-1]
    if parent is None or find(text, path) is None:
        return text
    inner = list(members(text, parent.value))
    gone = {n for n, one in enumerate(inner) if step == (n if one.key is None else one.key)}
    return _edited(text, _cuts(parent, inner, gone))


def same(a: Any, b: Any) -> bool:
    """Equal as JSON writes it: true is not 1, 1 and 1.0 are equal."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(inner, b[name]) for name, inner in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def _edited(text: str, edits: Iterable[Edit]) -> str:
    pieces, at = [], 0
    for start, end, instead in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [text[at:start], instead]
        at = end
    return "".join([*pieces, text[at:]])


def _cuts(parent: Member, inner: Sequence[Member], gone: set[int]) -> Iterator[Edit]:
    """Without these members and one comma each."""
    kept = [n for n in range(len(inner)) if n not in gone]
    if not kept:
        yield parent.value + 1, parent.end - 1, ""
        return
    for n in gone:
        if n < kept[-1]:
            yield inner[n].start, inner[n + 1].start, ""
        else:
            yield inner[n - 1].end, inner[n].end, ""


class _Patch:
    """The edits that lead from what stands in a text to other values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._manner = Manner(text)

    def changes(self, found: Member, value: Any) -> Iterator[Edit]:
        old = found.content
        if same(old, value):
            return
        if isinstance(old, dict) and isinstance(value, dict) and old.keys() & value.keys():
            yield from self._object(found, value)
        elif isinstance(old, list) and isinstance(value, list) and old and value:
            yield from self._list(found, value)
        elif value and not old and isinstance(old, dict | list) and isinstance(value, type(old)):
            yield found.value + 1, found.end - 1, self._manner.filling(value, found.start)
        else:
            one_line = bool(old) and isinstance(old, dict | list) and not self._is_spread(found)
            indent = self._manner.indent_at(found.start)
            yield found.value, found.end, self._manner.written(value, indent, one_line=one_line)

    def _object(self, found: Member, value: dict[str, Any]) -> Iterator[Edit]:
        """Some names stay."""
        inner = list(members(self._text, found.value))
        yield from _cuts(found, inner, {n for n, one in enumerate(inner) if one.key not in value})
        last = {one.key: one for one in inner}  # of a name that stands twice the last counts
        for name, one in last.items():
            if name in value:
                yield from self.changes(one, value[name])
        behind = next(n for n in reversed(range(len(inner))) if inner[n].key in value)
        new = [(name, given) for name, given in value.items() if name not in last]
        yield from self._inserted(found, inner, behind, new)

    def _list(self, found: Member, value: list[Any]) -> Iterator[Edit]:
        """Entries that are equal at both ends stay; those between are changed one by one, cut, or put in."""
        old, inner = found.content, list(members(self._text, found.value))
        shorter = min(len(old), len(value))
        head = next((n for n in range(shorter) if not same(old[n], value[n])), shorter)
        tail = next((n for n in range(shorter - head) if not same(old[-1 - n], value[-1 - n])), shorter - head)
        both = shorter - tail
        for n in range(head, both):
            yield from self.changes(inner[n], value[n])
        if gone := set(range(both, len(old) - tail)):
            yield from _cuts(found, inner, gone)
        new: list[tuple[None, Any]] = [(None, given) for given in value[both : len(value) - tail]]
        yield from self._inserted(found, inner, both - 1, new)

    def _inserted(
        self, parent: Member, inner: Sequence[Member], behind: int, new: Sequence[tuple[str | None, Any]]
    ) -> Iterator[Edit]:
        """New members behind the one of this number; -1: before the first."""
        if not new:
            return
        spread = self._is_spread(parent)
        indent = self._manner.indent_at(inner[behind].start) if spread else ""
        if spread:
            parting = f",{self._manner.line_end}{indent}"
        else:
            parting = self._text[inner[0].end : inner[1].start] if len(inner) > 1 else self._manner.comma
        written = [self._manner.member(name, given, indent, one_line=not spread) for name, given in new]
        if behind < 0:
            yield inner[0].start, inner[0].start, "".join(one + parting for one in written)
        else:
            yield inner[behind].end, inner[behind].end, "".join(parting + one for one in written)

    def _is_spread(self, found: Member) -> bool:
        return self._text.find("\n", found.value, found.end) >= 0
