"""YAML: what is written can be read; of strangers, what JSON cannot hold is refused with the file's name."""

from __future__ import annotations

import pytest
import yaml

from reviewapp.errors import ImportFaults
from reviewapp.formats.datasets.yamls import quoted, read_document

MERGED = "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n}\n  <<: [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("!!binary aGk=", "a value is a bytes; expected texts, numbers, lists and fields"),
        ("!!set {a, b}", "a value is a set"),
        ("[!!timestamp 2020-01-01]", "a value is a date"),
        ("{y: 0x" + "f" * 5_000 + "}", "Exceeds the limit (4300 digits)"),
        ("1" * 5_000, "Exceeds the limit (4300 digits)"),
        ("&a [*a]", "a value holds itself"),
        ("!!python/name:os.system", "could not determine a constructor"),
    ],
)
def test_what_is_no_json_is_refused(written: str, said: str) -> None:
    with pytest.raises(ImportFaults) as refused:
        read_document(f"x: {written}", "tests.yaml")
    [fault] = refused.value.faults
    assert fault.place == "tests.yaml"
    assert said in fault.message


@pytest.mark.timeout(120)
def test_fields_merged_from_fields_merged_from_fields_come_to_an_end() -> None:
    assert read_document(MERGED, "tests.yaml")["a9"] == {"k": "v"}


@pytest.mark.parametrize(
    "text", ["D 💩", "", 'a "b"', "\n", "\u2028", "\ufeff x", "x" * 3_000, "\x85", "...", "\\", "é\t"]
)
def test_a_quoted_text_is_one_scalar_on_one_line(text: str) -> None:
    written = quoted(text)
    assert "\n" not in written
    assert yaml.safe_load(written) == text
