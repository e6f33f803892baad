"""JUnit XML, as build servers show it: test cases that passed, failed, could not be run, or were skipped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from xml.sax.saxutils import quoteattr

_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class JUnitCase(NamedTuple):
    """One test case of a suite."""

    group: str
    """The class that it stands under."""
    name: str
    kind: Literal["failure", "error", "skipped"] | None = None
    """None: it passed."""
    message: str = ""
    type: str | None = None
    """What sort of failure."""


def write_junit(suite: str, cases: Callable[[], Iterable[JUnitCase]]) -> Iterator[bytes]:
    """`cases` is called twice: to count, since the totals stand in front, and to write."""
    counts = Counter(case.kind for case in cases())
    numbers = {
        "tests": counts.total(),
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    attributes = " ".join(f'{name}="{number}"' for name, number in numbers.items())
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name={_attribute(suite)} {attributes}>\n'.encode()
    for case in cases():
        yield _element(case).encode()
    yield b"</testsuite>\n"


def graded_cases(
    name: str, failed: str | None, verdicts: Sequence[Mapping[str, Any]], basis: str
) -> Iterator[JUnitCase]:
    """An item of an evaluation, a case per verdict (plain JSON): a fault is a failure, an item that could not be read
    or judged (`failed` says why) an error; what nobody can judge is skipped."""
    if failed is not None:
        yield JUnitCase(name, "reading", "error", failed)
    for verdict in verdicts:
        kind = verdict["kinds"][basis]
        if kind in ("right", "clean"):
            yield JUnitCase(name, verdict["property"])
        elif kind == "unjudged":
            yield JUnitCase(name, verdict["property"], "skipped")
        else:
            yield JUnitCase(name, verdict["property"], "failure", _said(verdict), kind)


def _said(verdict: Mapping[str, Any]) -> str:
    found = verdict["found"]
    given = "nothing" if found is None else repr(found["value"])
    outcome = "" if found is None or found.get("outcome", "written") == "written" else f" ({found['outcome']})"
    wanted = "no value" if verdict["expected"] is None else repr(verdict["expected"])
    return f"expected {wanted}, found {given}{outcome}"


def _element(case: JUnitCase) -> str:
    attributes = f"classname={_attribute(case.group)} name={_attribute(case.name)}"
    if case.kind is None:
        return f"  <testcase {attributes}/>\n"
    said = "".join(
        f" {name}={_attribute(text)}" for name, text in (("type", case.type), ("message", case.message)) if text
    )
    return f"  <testcase {attributes}><{case.kind}{said}/></testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_REFUSED.sub("\ufffd", text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
