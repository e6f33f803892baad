"""promptfoo: a YAML list of test cases, for ``tests: file://tests.yaml`` of a ``promptfooconfig.yaml``.

Every test has the text as the variable `text`, and an assertion per expected value (``metric``: the property) over an
output that is a JSON object of property → value, or a list of values. Numbers and texts compare as the answer key has
it. In variables promptfoo fills templates, reads what ``file://`` and ``package:`` name, and drops a line end at the
end; such texts are written as one text literal of its templates, so that prompts get them as they are.
What else is known of an item stands in `metadata`, under `reviewapp`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Expected, Item
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.form import Head, Imported, Losses, item_fields, properties_lost
from reviewapp.formats.datasets.jsonl import collect, text_of
from reviewapp.formats.datasets.yamls import as_list_entry, read_document

FILE = "tests.yaml"
OURS = "reviewapp"
_OPENS, _ENDS = '{{ "', '" }}'
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "{": "\\{", "}": "\\}"}
"""Braces too: promptfoo looks for ``{{ name }}`` in variables by itself, also within a literal."""
_MEANT = {escape: char for char, escape in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\[\\\"ntr{}]")
_TEMPLATED = re.compile(r"\{[{%#]|\A(file://|package:)|\n\Z")
_OUTPUT = '(typeof output === "string" ? JSON.parse(output) : output)'


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    empty = True
    for item in properties_lost(head, items, losses):
        empty = False
        fields = item_fields(item, head.install)
        test: dict[str, Any] = {
            "description": protected(item.name),
            "vars": {name: protected(fields.pop(name)) for name in ("text", "iri") if name in fields},
        }
        if asserts := [*map(_expects, item.values), *map(_refuses, item.leave_out)]:
            test["assert"] = asserts
        yield as_list_entry({**test, "metadata": {OURS: fields}}).encode()
    if empty:
        yield b"[]\n"


def protected(text: str) -> str:
    """The text as promptfoo's templates give it back unchanged."""
    if _TEMPLATED.search(text) is None:
        return text
    return _OPENS + "".join(_ESCAPES.get(char, char) for char in text) + _ENDS


def unprotected(text: str) -> str:
    if text.startswith(_OPENS) and text.endswith(_ENDS):
        return _ESCAPE.sub(lambda found: _MEANT[found[0]], text[len(_OPENS) : -len(_ENDS)])
    return text


def _expects(expected: Expected) -> dict[str, str]:
    return _assertion(expected, _same(expected))


def _refuses(expected: Expected) -> dict[str, str]:
    none = f"{_found(expected)}.length === 0"
    return _assertion(expected, none if expected.value is None else f"!{_same(expected)}")


def _assertion(expected: Expected, code: str) -> dict[str, str]:
    return {"type": "javascript", "metric": protected(expected.property), "value": code}


def _found(expected: Expected) -> str:
    """The values that the output has of the property, as a list."""
    return f"[].concat({_OUTPUT}[{_js(expected.property)}] ?? [])"


def _same(expected: Expected) -> str:
    value = expected.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        wanted = _js(value)
        near = f"Math.abs(Number(v) - {wanted}) <= 1e-9 * Math.max(1e-300, Math.abs({wanted}))"
        return f'{_found(expected)}.some(v => typeof v !== "boolean" && String(v).trim() !== "" && {near})'
    spellings = [str(value).lower() if isinstance(value, bool) else str(value)]
    spellings = list(expected.accept) if expected.accept is not None else spellings
    fold = "trim().toLowerCase()"
    return f"{_found(expected)}.some(v => {_js(spellings)}.some(w => w.{fold} === String(v).{fold}))"


def _js(value: Any) -> str:
    """A JavaScript literal without any mark of promptfoo's templates."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("{", "\\u007b").replace("}", "\\u007d") if isinstance(value, str | list) else text


def read(data: bytes) -> Imported:
    """Tests of ours come back as they were; of others, texts (the variable `text`) without expectations are taken.

    Raises `ImportFaults`.
    """
    document = read_document(text_of(data, FILE), FILE)
    tests = document.get("tests") if isinstance(document, dict) else document
    if not isinstance(tests, list):
        raise ImportFaults([Fault(FILE, "expected a list of tests")])
    foreign = sum(not _ours(test) for test in tests)
    notes = (f"{foreign} tests have no values that reviewapp wrote; their texts were taken alone.",) if foreign else ()
    return collect(((f"test {n}", test) for n, test in enumerate(tests, start=1)), FILE, _test, notes)


def _ours(test: Any) -> dict[str, Any]:
    """What reviewapp keeps of a test in its metadata; nothing of a test of others."""
    metadata = test.get("metadata") if isinstance(test, dict) else None
    found = metadata.get(OURS) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def _test(test: Any, place: str) -> dict[str, Any]:
    variables = {k: unprotected(v) for k, v in (test.get("vars") or {}).items() if isinstance(v, str)}
    fields = {"name": unprotected(str(test.get("description") or place)), **variables, **_ours(test)}
    return {name: fields[name] for name in Item.model_fields if name in fields}
