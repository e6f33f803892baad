"""Staying with a test: who reads it, and what a stop leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from reviewapp.tests import counts, list_tests
from reviewapp.workspaces import open_data
from tests.cli.conftest import WORKFLOW

RECORDS = 1_500


@pytest.fixture
def many(tmp_path: Path, run) -> Path:
    lines = (
        f'{{"name": "Item {n}", "text": "Door {n}\\nWidth: {n + 100} mm\\nQuantity: 4"}}\n' for n in range(RECORDS)
    )
    (tmp_path / "many.jsonl").write_text("".join(lines))
    (tmp_path / "workflow.yaml").write_text(WORKFLOW)
    assert run("records", "import", "many.jsonl", "-c", "tenders").code == 0
    assert run("workflow", "put", "workflow.yaml").code == 0
    return tmp_path


@contextmanager
def program(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "reviewapp", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # A shell that runs the tests in its background lets them ignore Ctrl-C, and what they start with them.
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, cwd=folder, preexec_fn=hears, **pipes) as process:  # noqa: PLW1509
        try:
            yield process
        finally:
            process.kill()


def inputs_done(folder: Path) -> int:
    """Read beside the program, at once: a command of its own takes so long that the test is over meanwhile."""
    with open_data(folder / "data") as data:
        workspace = data.workspace("default")
        tests = list_tests(workspace)
        return counts(workspace, tests[0].id).inputs_done if tests else 0


@pytest.mark.slow
@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_stopped_test_goes_on_where_it_was(many, run, stop, code):
    with program(many, "test", "start", "doors", "--all", "--wait", "--json") as first:
        deadline = time.monotonic() + 60
        while not 20 <= inputs_done(many) < RECORDS:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        first.send_signal(stop)
        out, err = first.communicate(timeout=60)
        assert (first.returncode, out) == (code, "")
        assert "Traceback" not in err
    before = inputs_done(many)
    assert 20 <= before < RECORDS
    ended = run("test", "wait", "latest", "--json")
    assert ended.code == 0
    assert (ended.document["test"]["status"], ended.document["counts"]["inputs_done"]) == ("done", RECORDS)
    assert ended.document["counts"]["passed"] == 2 * RECORDS


@pytest.mark.slow
def test_with_a_server_the_command_looks_on(many, run):
    with program(many, "serve", "--port", "0", "--json") as server:
        assert server.stdout is not None
        while server.stdout.readline() != "}\n":
            assert server.poll() is None
        ended = run("test", "start", "doors", "--sample", "30", "--wait", "--json")
        assert (ended.code, ended.document["counts"]["inputs_done"]) == (0, 30)
        assert f"process {server.pid} on" in json.dumps(run("doctor", "--json").document)
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0


def test_a_cancelled_test_is_no_success(many, run):
    assert run("test", "start", "doors", "--sample", "3").code == 0
    assert run("test", "cancel", "latest").code == 0
    ended = run("test", "wait", "latest", "--json")
    assert (ended.code, ended.document["test"]["status"]) == (1, "cancelled")
