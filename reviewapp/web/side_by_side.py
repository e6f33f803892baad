"""Expected and actual beside each other, the lines marked that only one of them has."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from markupsafe import Markup

from reviewapp.web.block_test_form import written

CHARACTERS: Final = 20_000
"""Shown of a value."""
LINES: Final = 200
"""Longer values are shown without marks; finding them would take too long."""
OF_WHOLES: Final = ("equals", "split_iou_gte")
OF_PARTS: Final = ("object_contains",)
"""Kinds of conditions whose expected and actual are compared line by line."""
INSERTED: Final = Markup('<ins class="ok">{}</ins>')
DELETED: Final = Markup('<del class="bad">{}</del>')


def shown(value: Any) -> str:
    """A value as the forms write it, cut where it is long."""
    text = written(value)
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"


def side_by_side(kind: str, expected: Any, actual: Any) -> tuple[str, str]:
    """As text; in objects and lists what only the expected has is inserted, what only the actual has deleted.

    Of a condition (its `kind`) that asks for a part, what else there is stays as it is; others are not compared so.
    """
    texts = shown(expected), shown(actual)
    is_structure = isinstance(expected, dict | list) and isinstance(actual, dict | list)
    if not is_structure or kind not in (*OF_WHOLES, *OF_PARTS):
        return texts
    one, other = (text.split("\n") for text in texts)
    if max(len(one), len(other)) > LINES:
        return texts
    same = SequenceMatcher(None, _without_commas(one), _without_commas(other), autojunk=False).get_matching_blocks()
    return (
        _marked(one, {block.a + n for block in same for n in range(block.size)}, INSERTED),
        texts[1]
        if kind in OF_PARTS
        else _marked(other, {block.b + n for block in same for n in range(block.size)}, DELETED),
    )


def _without_commas(lines: Sequence[str]) -> list[str]:
    """The last of an object has none, wherever it stands on the other side."""
    return [line.removesuffix(",") for line in lines]


def _marked(lines: Sequence[str], same: set[int], mark: Markup) -> Markup:
    return Markup("\n").join(
        line if number in same else line[: len(line) - len(line.lstrip())] + mark.format(line.lstrip())
        for number, line in enumerate(lines)
    )
