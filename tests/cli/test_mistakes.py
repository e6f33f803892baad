"""What people get wrong: one sentence on stderr, nothing on stdout, an honest exit code, nothing changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import ITEM_1, ITEM_3, WORKFLOW


def refused(ended, *told: str, code: int = 1) -> None:
    assert ended.code == code
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("Error: ") or code == 2
    for words in told:
        assert words in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("records", "import", "lost.jsonl", "-c", "tenders"), "lost.jsonl"),
        (("records", "import", "program.exe", "-c", "tenders"), "program.exe"),
        (("records", "import", "empty", "-c", "tenders"), "empty"),
        (("records", "import", "records.jsonl", "-c", "Tenders!"), "'Tenders!'"),
        (("records", "import", "broken.jsonl", "-c", "tenders"), "broken.jsonl, line 2"),
        (("workflow", "put", "lost.yaml"), "lost.yaml"),
        (("workflow", "put", "empty"), "empty"),
        (("workflow", "put", "broken.yaml"), "broken.yaml: line 4"),
        (("workflow", "put", "latin.yaml"), "UTF-8"),
        (("workflow", "put", "list.yaml"), "list.yaml"),
        (("workflow", "put", "odd-type.yaml"), "value_type"),
        (("workflow", "put", "odd-key.yaml"), "propertys"),
    ],
)
def test_files_that_do_not_fit(files, run, words, told):
    (files / "program.exe").write_bytes(b"MZ\x90\x00")
    (files / "empty").mkdir()
    (files / "broken.jsonl").write_text('{"name": "a", "text": "b"}\n{"name": "c", "text": \n')
    (files / "broken.yaml").write_text("name: doors\ncollection: tenders\nproperties: [width\n")
    (files / "latin.yaml").write_bytes("name: türen\n".encode("latin-1"))
    (files / "list.yaml").write_text("- width\n- height\n")
    (files / "odd-type.yaml").write_text(WORKFLOW.replace("f64", "float"))
    (files / "odd-key.yaml").write_text(WORKFLOW.replace("properties", "propertys"))
    refused(run(*words), told)


def test_all_faults_are_told_and_nothing_is_imported(files, run):
    (files / "bad.jsonl").write_text('{"name": "ok", "text": "x"}\n{"name": "a"}\n[1]\n{"name": "b", "text": ""}\n')
    ended = run("records", "import", "bad.jsonl", "-c", "tenders")
    refused(ended, "3 faults", "line 2", "line 3", "line 4")
    assert run("records", "import", "records.jsonl", "-c", "tenders", "--json").document["new"] == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("records", "list", "-c", "invoices"), "'invoices'"),
        (("records", "show", "record:tenders/none"), "'record:tenders/none'"),
        (("records", "list", "--workspace", "other"), "'other'"),
        (("workflow", "show", "windows"), "'windows'"),
        (("workflow", "show", "doors", "--revision", "wrev_1"), "'wrev_1'"),
        (("test", "start", "windows"), "'windows'"),
        (("test", "start", "doors", "--iri", "record:tenders/none"), "record:tenders/none"),
        (("test", "show", "wtest_1"), "'wtest_1'"),
        (("test", "show", "99"), "'99'"),
        (("test", "cancel", "nonsense"), "'nonsense'"),
        (("dataset", "save", "2"), "'2'"),
        (("dataset", "show", "ds_1"), "'ds_1'"),
        (("dataset", "export", "ds_1", "--out", "x"), "'ds_1'"),
        (("answer", "latest", "record:tenders/none", "width", "accept"), "record:tenders/none"),
        (("answer", "latest", ITEM_1, "depth", "accept"), "'depth'"),
        (("answer", "latest", ITEM_1, "width", "correct", "wide"), "wide"),
        (("answer", "latest", ITEM_1, "width", "correct", "5 kg"), "kg"),
        (("answer", "latest", ITEM_1, "width", "correct", "NaN"), "NaN"),
        (("answer", "latest", ITEM_1, "width", "correct", "1e999"), "1e999"),
        (("answer", "latest", ITEM_1, "quantity", "correct", "1.5"), "1.5"),
        (("answer", "latest", ITEM_1, "width", "accept", "--note", "x" * 1_001), "1000"),
        (("answer", "latest", ITEM_3, "width", "reject"), "reject"),
        (("answer", "latest", ITEM_1, "width", "accept", "--person", "x" * 201), "--person"),
    ],
)
def test_names_and_values_that_do_not_fit(tested, words, told):
    refused(tested(*words), told)
    assert tested("test", "show", "latest", "--json").document["counts"]["answered"] == 0
    assert not Path("x").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("test", "start", "doors", "--sample", "0"), "--sample"),
        (("test", "start", "doors", "--sample", "2", "--all"), "exclude each other"),
        (("test", "start"), "WORKFLOW"),
        (("answer", "latest", ITEM_1, "width", "maybe"), "maybe"),
        (("answer", "latest", ITEM_1, "width", "correct"), "VALUE"),
        (("answer", "latest", ITEM_1, "width", "accept", "60"), "VALUE"),
        (("answer", "latest", ITEM_1, "width", "accept", "--nte", "x"), "--nte"),
        (("answer", "latest", ITEM_1, "width", "correct", "--nte"), "--nte"),
        (("answer", "latest", ITEM_1, "width", "correct", "-x"), "-x"),
        (("records", "import", "-c", "tenders"), "FILE"),
        (("records", "import", "records.jsonl"), "--collection"),
        (("dataset", "export", "ds_1"), "--out"),
    ],
)
def test_command_lines_that_do_not_fit(run, words, told):
    refused(run(*words), told, code=2)


def test_reading_commands_make_no_data_folder(run, tmp_path):
    refused(run("records", "list"), "There is no data folder 'data'.", "reviewapp demo")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("records", "list"), ("demo",), ("records", "import", "records.jsonl", "-c", "t")])
def test_a_data_folder_that_is_a_file(files, run, words):
    (files / "data").write_text("not a folder")
    refused(run(*words), "data")


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"SQLite format 3\x00" + b"\xff" * 5_000, "damaged"), (b"hello " * 1_000, "damaged")],
)
def test_a_damaged_file_is_said_and_left_as_it_is(tested, tmp_path, content, told):
    file = tmp_path / "data" / "workspaces" / "default.db"
    for beside in file.parent.glob("default.db-*"):
        beside.unlink()
    file.write_bytes(content)
    refused(tested("records", "list"), "default.db", told)
    ended = tested("doctor")
    assert ended.code == 1
    assert "FAULT    workspace default: damaged" in ended.out
    assert "backup" in ended.out
    assert file.read_bytes() == content


def test_the_doctor_tells_a_foreign_a_newer_and_a_tampered_file(tested, tmp_path):
    folder = tmp_path / "data" / "workspaces"
    with sqlite3.connect(folder / "foreign.db") as db:
        db.execute("create table notes (text)")
    db.close()
    for name in ("newer", "tampered"):
        assert tested("records", "import", "records.jsonl", "-c", "tenders", "--workspace", name).code == 0
    with sqlite3.connect(folder / "newer.db") as db:
        db.execute("insert into _sqlite_migrations (migration_set, name) values ('workspace', 'of_next_year')")
    db.close()
    with sqlite3.connect(folder / "tampered.db") as db:
        db.execute("update texts set text = text || '!'")
    db.close()
    ended = tested("doctor", "--json")
    found = {f["check"]: f for f in ended.document["findings"]}
    assert ended.code == 1
    assert "did not write" in found["workspace foreign"]["found"]
    assert "of_next_year" in found["workspace newer"]["found"]
    assert "does not match its hash" in found["workspace tampered"]["found"]
    assert found["workspace default"]["state"] == "ok"
    refused(tested("records", "list", "--workspace", "newer"), "newer")
    refused(tested("records", "list", "--workspace", "foreign"), "foreign")


@pytest.mark.slow
def test_a_workspace_that_another_program_holds_is_said(tested, tmp_path):
    holder = sqlite3.connect(tmp_path / "data" / "workspaces" / "default.db", isolation_level=None)
    holder.execute("begin immediate")
    try:
        refused(tested("answer", "latest", ITEM_1, "width", "accept"), "try again")
    finally:
        holder.execute("rollback")
        holder.close()
    assert tested("answer", "latest", ITEM_1, "width", "accept").code == 0


def test_results_of_another_system_that_are_not_there(tested):
    refused(tested("test", "replay", "lost.jsonl", "--workflow", "doors"), "lost.jsonl")
