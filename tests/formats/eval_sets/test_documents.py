"""Files are read as they are, refused with a sentence, and never written over another's change."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.formats.eval_sets.documents import create_document, read_document, write_document


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": }', "not valid JSON"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": 1e999}', "beyond the range"),
        (b'{"a": "\\ud83d"}', "half a character"),
        (b"[" * 1000 + b"]" * 1000, "levels deep"),
        (b"[" * 100_000 + b"]" * 100_000, "levels deep"),
        (b'{"a": ' * 250 + b"1" + b"}" * 250, "levels deep"),
    ],
)
def test_what_is_no_json_is_refused_with_a_sentence(tmp_path: Path, raw: bytes, says: str) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(raw)
    with pytest.raises(InvalidInput, match=says):
        read_document(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe.json", "folder.json"):
        with pytest.raises(InvalidInput, match="is no file"):
            read_document(tmp_path / name)


def test_whole_characters_may_be_escaped(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"a": "\\ud83d\\ude00"}')
    assert read_document(path).content == {"a": "\U0001f600"}


def test_a_hundred_levels_and_ten_megabytes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"deep": json.loads("[" * 100 + "]" * 100), "big": ["x" * 100] * 100_000}))
    assert len(read_document(path).content["big"]) == 100_000


def test_a_file_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"a": 1}')
    document = read_document(path)
    path.write_text('{"a": 2}')
    with pytest.raises(Conflict, match="changed by another program"):
        write_document(document, '{"a": 3}')
    assert path.read_text() == '{"a": 2}'


def test_writing_keeps_mode_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"a": 1}')
    path.chmod(0o640)
    written = write_document(read_document(path), '{"a": 3}')
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["s.json"]
    assert written.content == {"a": 3} == read_document(path).content


def test_a_missing_file_and_one_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_document(tmp_path / "s.json")
    create_document(tmp_path / "new" / "s.json", {"a": 1})
    with pytest.raises(Conflict):
        create_document(tmp_path / "new" / "s.json", {})
