"""Two items of the same text: where they cannot both be right, and one item that expects what both expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reviewapp.domain.answers import same_value
from reviewapp.domain.datasets import Expected, Item


def contradictions(a: Item, b: Item) -> list[str]:
    """Properties for which two items cannot both be right: different values, or a value that the other leaves out."""
    found = []
    for name in dict.fromkeys(e.property for e in (*a.values, *a.leave_out)):
        a_right, a_out = _of(a.values, name), _of(a.leave_out, name)
        b_right, b_out = _of(b.values, name), _of(b.leave_out, name)
        differ = a_right and b_right and not _same_values(a_right, b_right)
        if differ or _forbids(a_out, b_right) or _forbids(b_out, a_right):
            found.append(name)
    return found


def _of(expected: Iterable[Expected], name: str) -> list[Expected]:
    return [e for e in expected if e.property == name]


def _same_values(a: Sequence[Expected], b: Sequence[Expected]) -> bool:
    return len(a) == len(b) and all(any(_equal(x, y) for y in b) for x in a)


def _forbids(out: Iterable[Expected], right: Iterable[Expected]) -> bool:
    return any(o.value is None or _equal(o, r) for o in out for r in right)


def _equal(a: Expected, b: Expected) -> bool:
    """Whether both mean the same value: the values are equal, or one is a spelling that the other accepts."""
    if a.value is None or b.value is None:
        return False
    return same_value(a.value, b.value) or not _spellings(a).isdisjoint(_spellings(b))


def _spellings(expected: Expected) -> set[str]:
    """What counts as right for a text, lower-cased; nothing for other values."""
    if not isinstance(expected.value, str):
        return set()
    return {words.strip().lower() for words in (expected.value, *(expected.accept or ()))}


def unite(first: Item, second: Item, odd: Sequence[str]) -> Item:
    """What either expects; of the properties in `odd` only what the second says."""

    def side(a: Iterable[Expected], b: Iterable[Expected]) -> tuple[Expected, ...]:
        kept = [e for e in a if e.property not in odd]
        for entry in b:
            at = next((n for n, o in enumerate(kept) if o.property == entry.property and _alike(o, entry)), None)
            if at is None:
                kept.append(entry)
            else:
                kept[at] = _both(kept[at], entry)
        return tuple(kept)

    return first.model_copy(
        update={
            "values": side(first.values, second.values),
            "leave_out": side(first.leave_out, second.leave_out),
            "case": first.case or second.case,
        }
    )


def _both(first: Expected, second: Expected) -> Expected:
    """One entry for what two say alike: the first one's words, what it does not say from the second, and every spelling
    that either accepts."""
    united = first
    if first.quote is None and second.quote is not None:
        united = first.model_copy(update={"quote": second.quote, "spans": second.spans, "stated": second.stated})
    if first.reason is None and second.reason is not None:
        united = united.model_copy(update={"reason": second.reason})
    accepted = [_accepted(first), _accepted(second)]
    if isinstance(first.value, str) and set(accepted[0]) != set(accepted[1]):
        united = united.model_copy(update={"accept": tuple(dict.fromkeys([*accepted[0], *accepted[1]]))})
    return united


def _accepted(expected: Expected) -> Sequence[str]:
    """What counts as right: `accept` in place of the value, where it is there."""
    return expected.accept if expected.accept is not None else (str(expected.value).strip().lower(),)


def _alike(a: Expected, b: Expected) -> bool:
    return a.value is b.value or _equal(a, b)
