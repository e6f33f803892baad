from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from reviewapp.errors import ImportFaults
from reviewapp.formats.junit import graded_cases, write_junit
from reviewapp.formats.outputs import read_outputs

WIDTH = {"property": "width", "value": 60}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'{"name": "a", "values": {"width": 60, "h": null}}\n{"name": "b", "values": {}}\n', {"a": [WIDTH], "b": []}),
        (b'\xef\xbb\xbf{"name": "a", "values": {"width": 60}}', {"a": [WIDTH]}),
        (b'[{"name": "a", "output": {"width": 60}}]', {"a": [WIDTH]}),
        (b'{"a": {"width": 60}, "b": {"width": [1, 2]}}', {"a": [WIDTH], "b": [{**WIDTH, "value": v} for v in (1, 2)]}),
        (
            b'[{"name": " a ", "values": [{"property": "width", "value": 60, "quote": "60 cm", "outcome": "review"}]}]',
            {"a": [{**WIDTH, "quote": "60 cm", "outcome": "review"}]},
        ),
        (
            b'{"name": "a", "values": {"ok": false, "n": 0, "text": ""}}',
            {"a": [{"property": p, "value": v} for p, v in (("ok", False), ("n", 0), ("text", ""))]},
        ),
    ],
)
def test_outputs_by_item(data: bytes, found: dict[str, list[dict[str, Any]]]) -> None:
    assert read_outputs(data, "theirs.jsonl") == found


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "theirs.jsonl: holds no output"),
        (b'{"name": "a", "values": {}}\n{"name": "a", "values": {}}\n', "line 2: the name 'a' stands twice"),
        (b'[{"values": {}}]', "entry 1: expected `name`"),
        (b'[{"name": "a", "values": 3}]', "entry 1: `values` must be an object or a list, found the number 3"),
        (b'[{"name": "a", "values": [{"value": 3}]}]', "every value needs `property`"),
        (b'[{"name": "a", "values": {"width": {"cm": 3}}}]', "every value needs `property`"),
        (
            b'[{"name": "a", "values": [{"property": "p", "value": 1, "outcome": "ok"}]}]',
            "outcome 'ok' is none of written",
        ),
        (b'{"name": "a", "values": {"width": NaN}}', "NaN"),
        (b"[1]", "entry 1: expected an object, found the number 1"),
    ],
)
def test_faults_have_their_place(data: bytes, said: str) -> None:
    with pytest.raises(ImportFaults) as caught:
        read_outputs(data, "theirs.jsonl")
    assert said in caught.value.message


def test_junit_is_xml_whatever_the_texts_hold() -> None:
    verdicts = [
        {"property": "p", "kinds": {"written": "right"}, "expected": 1, "found": {"value": 1}},
        {"property": "q", "kinds": {"written": "wrong"}, "expected": 'a"<&\x00b', "found": {"value": "c\n]]>"}},
        {"property": "r", "kinds": {"written": "missing"}, "expected": 2, "found": {"value": 2, "outcome": "review"}},
        {"property": "s", "kinds": {"written": "unjudged"}, "expected": None, "found": {"value": 2}},
    ]
    items = [("<item> \ud83d", None, verdicts), ("unread", "The record has no text.", [])]
    cases = [case for item in items for case in graded_cases(*item, "written")]
    root = ET.fromstring(b"".join(write_junit("suite & <more>", lambda: cases)))  # noqa: S314 - our own
    assert root.attrib == {"name": "suite & <more>", "tests": "5", "failures": "2", "errors": "1", "skipped": "1"}
    said = [
        (case.get("name"), case[0].tag if len(case) else "", case[0].get("message") if len(case) else "")
        for case in root
    ]
    assert said == [
        ("p", "", ""),
        ("q", "failure", "expected 'a\"<&\\x00b', found 'c\\n]]>'"),
        ("r", "failure", "expected 2, found 2 (review)"),
        ("s", "skipped", None),
        ("reading", "error", "The record has no text."),
    ]
    assert root[0].get("classname") == "<item> \ufffd"
