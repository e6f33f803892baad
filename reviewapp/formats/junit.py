"""An evaluation as JUnit XML, as build servers show it: a test case per item and property."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_junit(
    suite: str,
    items: Iterable[tuple[str, str | None, Iterable[Mapping[str, Any]]]],
    basis: str,
    *,
    tests: int,
    faults: int,
) -> Iterator[bytes]:
    """`items`: (name, why it could not be read or None, verdicts as plain JSON). `tests` and `faults` are the totals.

    A fault is a failure, an item that could not be read an error, what nobody can judge is skipped.
    """
    head = f'<testsuite name={_attribute(suite)} tests="{tests}" failures="{faults}">\n'
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{head}'.encode()
    for name, failed, verdicts in items:
        if failed is not None:
            yield _case(name, "reading", f"<error message={_attribute(failed)}/>").encode()
        for verdict in verdicts:
            yield _case(name, verdict["property"], _result(verdict, basis)).encode()
    yield b"</testsuite>\n"


def _result(verdict: Mapping[str, Any], basis: str) -> str:
    kind = verdict["kinds"][basis]
    if kind == "unjudged":
        return "<skipped/>"
    if kind in ("right", "clean"):
        return ""
    found = verdict["found"]
    given = "nothing" if found is None else repr(found["value"])
    outcome = "" if found is None or found.get("outcome", "written") == "written" else f" ({found['outcome']})"
    wanted = "no value" if verdict["expected"] is None else repr(verdict["expected"])
    return f"<failure type={_attribute(kind)} message={_attribute(f'expected {wanted}, found {given}{outcome}')}/>"


def _case(name: str, property: str, inner: str) -> str:
    attributes = f"classname={_attribute(name)} name={_attribute(property)}"
    return f"  <testcase {attributes}>{inner}</testcase>\n" if inner else f"  <testcase {attributes}/>\n"


def _attribute(text: str) -> str:
    return quoteattr(_REFUSED.sub("\ufffd", text), {"\n": "&#10;", "\t": "&#9;"})


def write_cases(suite: str, cases: Sequence[tuple[str, str, str | None, str]]) -> Iterator[bytes]:
    """Cases as (class, name, kind, message); kind is ``failure``, ``error``, ``skipped``, or None: it passed."""
    kinds = [kind for _, _, kind, _ in cases]
    numbers = {
        "tests": len(cases),
        "failures": kinds.count("failure"),
        "errors": kinds.count("error"),
        "skipped": kinds.count("skipped"),
    }
    attributes = " ".join(f'{name}="{number}"' for name, number in numbers.items())
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name={_attribute(suite)} {attributes}>\n'.encode()
    for group, name, kind, message in cases:
        inner = "" if kind is None else f"<{kind} message={_attribute(message)}/>"
        yield _case(group, name, inner).encode()
    yield b"</testsuite>\n"
