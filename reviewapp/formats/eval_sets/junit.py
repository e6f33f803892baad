"""JUnit XML of scored rows, as build servers read it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class JunitCase:
    name: str
    verdict: Literal["PASS", "FAIL", "ERROR"]
    message: str = ""
    detail: str = ""


@dataclass(frozen=True)
class JunitSuite:
    name: str
    seconds: float
    cases: Sequence[JunitCase]


def junit(suites: Iterable[JunitSuite]) -> bytes:
    """One ``testsuites`` document, UTF-8."""
    root = ET.Element("testsuites")
    for suite in suites:
        counts = {kind: sum(case.verdict == kind for case in suite.cases) for kind in ("FAIL", "ERROR")}
        node = ET.SubElement(
            root,
            "testsuite",
            name=_clean(suite.name),
            tests=str(len(suite.cases)),
            failures=str(counts["FAIL"]),
            errors=str(counts["ERROR"]),
            time=f"{suite.seconds:.3f}",
        )
        for case in suite.cases:
            place = ET.SubElement(node, "testcase", classname=_clean(suite.name), name=_clean(case.name))
            if case.verdict != "PASS":
                tag = "failure" if case.verdict == "FAIL" else "error"
                said = ET.SubElement(place, tag, message=_clean(case.message))
                said.text = _clean(case.detail)
    ET.indent(root)
    body: bytes = ET.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def _clean(text: str) -> str:
    """Without the signs that XML cannot hold."""
    return _NO_XML.sub("�", text)
