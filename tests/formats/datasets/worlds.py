"""Datasets of any content, for round trips."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from reviewapp.domain.datasets import Expected, Install, Item, ItemSource
from reviewapp.domain.places import Span
from reviewapp.formats.datasets import FORMATS, Head, Imported, Losses

PROPERTIES = {"width": "f64", "quantity": "i64", "colour": "text", "in stock": "bool", "=date": "date"}
HEAD = Head(
    name="Doors, May",
    about=("Two lines", "about it"),
    install=Install.model_validate({"properties": PROPERTIES, "units": {"width": "cm"}, "context": "tender texts"}),
)

letters = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=30)
"""What records hold: no half characters, one kind of line end."""
sheet_letters = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn"], include_characters="\t\n"), min_size=1, max_size=30
)
"""What an XLSX cell holds."""


def values_of(property: str, words: st.SearchStrategy[str]) -> st.SearchStrategy[object]:
    return {
        "f64": st.floats(allow_nan=False, allow_infinity=False),
        "i64": st.integers(-(2**63), 2**63 - 1),
        "text": words | st.sampled_from(["02138", "=1+1", "'-x", "true", "null", "12.0", "{{ x }}", "a\nb"]),
        "bool": st.booleans(),
        "date": st.dates().map(lambda day: day.isoformat()),
    }[PROPERTIES[property]]


@st.composite
def expectations(draw: st.DrawFn, text: str, words: st.SearchStrategy[str], *, nothing: bool) -> Expected:
    name = draw(st.sampled_from(sorted(PROPERTIES)))
    value = None if nothing and draw(st.booleans()) else draw(values_of(name, words))
    quote, spans = None, ()
    if draw(st.booleans()):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        quote, spans = text[start:end], (Span(start=start, end=end),)
    return Expected(
        property=name,
        value=value,  # type: ignore[arg-type]
        quote=quote,
        spans=spans,
        stated=draw(st.none() | words),
        accept=draw(st.none() | st.lists(words, min_size=1, max_size=3).map(tuple)) if isinstance(value, str) else None,
        reason=draw(st.none() | words),
    )


@st.composite
def items(draw: st.DrawFn, name: str, words: st.SearchStrategy[str] = letters) -> Item:
    text = draw(words | st.sampled_from(["file://etc/passwd {{ x }} {% endraw %}{% raw %}", "💩 12 kg\n=1+1"]))
    sides = [
        draw(st.lists(expectations(text, words, nothing=nothing), max_size=3).map(tuple)) for nothing in (False, True)
    ]
    source = st.builds(ItemSource, kind=st.sampled_from(["test", "review"]), id=st.none() | words)
    return Item(
        name=name,
        text=text,
        iri=draw(st.none() | words),
        case=draw(st.none() | words),
        source=draw(st.none() | source),
        values=sides[0],
        leave_out=sides[1],
    )


def datasets(words: st.SearchStrategy[str] = letters) -> st.SearchStrategy[list[Item]]:
    names = st.lists(
        words.map(str.strip).filter(bool) | st.sampled_from(["-1", "@SUM(1)", "{{ x }}"]),
        min_size=1, max_size=4, unique=True,
    )  # fmt: skip
    return names.flatmap(lambda given: st.tuples(*(items(name, words) for name in given)).map(list))


def there(name: str, given: Iterable[Item], head: Head = HEAD, losses: Losses | None = None) -> bytes:
    return b"".join(FORMATS[name].write(head, given, losses or Losses()))


def there_and_back(name: str, given: Iterable[Item], head: Head = HEAD) -> Imported:
    read = FORMATS[name].read
    assert read is not None
    return read(there(name, given, head))
