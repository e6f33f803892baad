"""Programs of one's own: the contract of docs/programs.md, the limits, and what is kept where they fail."""

from __future__ import annotations

import re
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import CommandExtractor, Evidence, PythonExtractor, WorkflowSettings
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.running.lease import process_begun
from tests.conftest import REPOSITORY

WIDTH = Property(name="width", value_type="f64", unit="cm")
TEXT = "Shelf, oak.\nWidth: 600 mm\n"
READS = '{"readings":[{"property":"width","value":"600 mm","quote":"Width: 600 mm"}]}'


def settings(extractor: CommandExtractor | PythonExtractor) -> WorkflowSettings:
    return WorkflowSettings(collection="tenders", properties=(WIDTH,), extractor=extractor)


def run(*command: str, **more: object) -> InputResult:
    return extract(TEXT, settings(CommandExtractor(command=command, **more)), Evidence())


def python(code: str, **more: object) -> InputResult:
    return run(sys.executable, "-c", code, **more)


def values(result: InputResult) -> list[tuple[object, ...]]:
    return [(v.property, v.value, v.stated, v.quote, v.outcome) for v in result.values]


def code_block(language: str, number: int = 0) -> str:
    page = (REPOSITORY / "docs" / "programs.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)[number]


def test_the_documented_node_program_works(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = tmp_path / "read_widths.mjs"
    program.write_text(code_block("js"), encoding="utf-8")
    result = run("node", str(program))
    assert result.failed is None
    assert values(result) == [("width", 60.0, "600 mm", "Width: 600 mm", "written")]


def test_a_shell_script_reads_unicode_and_tells_its_cost(tmp_path: Path) -> None:
    script = tmp_path / "read.sh"
    script.write_text(f"#!/bin/sh\ncat > {tmp_path}/request.json\nprintf '%s' '{READS[:-1]},\"cost_micro_usd\":7}}'\n")
    script.chmod(0o755)
    result = run(str(script))
    assert (values(result)[0][1], result.cost_micro_usd) == (60.0, 7)
    asked = (tmp_path / "request.json").read_text(encoding="ascii")
    assert '"text": "Shelf, oak.\\nWidth: 600 mm\\n"' in asked
    assert '{"name": "width", "value_type": "f64", "unit": "cm"}' in asked


def test_the_documented_python_function_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_readers.py").write_text(code_block("python"), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    result = extract(TEXT, settings(PythonExtractor(function="my_readers:read_widths")), Evidence())
    assert values(result) == [("width", 60.0, "600 mm", "Width: 600 mm", "written")]


@pytest.mark.parametrize(
    ("code", "failed", "raw"),
    [
        ("import sys; print('x', file=sys.stderr); sys.exit(3)", "The program ended with exit code 3: x", "x"),
        ("print('no json')", "The program's output is not JSON", "no json"),
        ("pass", "The program printed nothing", ""),
        ("print(5)", "The reply is 5; expected readings.", "5"),
        ('print(\'[{"value": 1, "a"\')', "The program's output is not JSON", '"a"'),
        ('print(\'{"failed": "no licence"}\')', "The program gave up: no licence", ""),
        ('print(\'{"failed": true, "readings": []}\')', "The program gave up and did not say why.", ""),
        ('print(\'{"readings": [], "cost_micro_usd": -1}\')', "The reply's cost_micro_usd is -1", "-1"),
        ("import os; os.kill(os.getpid(), 9)", "The program was ended by SIGKILL", ""),
        ("x = bytearray(300_000_000); print('{}')", "exit code 1: MemoryError", "MemoryError"),
        ("while True: print('x' * 100_000)", "printed more than 10 MB", ""),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "The program's output is not JSON", "\ufffd"),
    ],
)
def test_what_a_program_does_wrong_is_its_records_failure(code: str, failed: str, raw: str) -> None:
    result = python(code, megabytes=200)
    assert result.failed is not None
    assert failed in result.failed
    assert raw in (result.raw or "")
    assert result.values == ()


def wait_for_end(told: Path) -> None:
    """Until the process whose id is in the file is gone; fails after a while."""
    pid = int(told.read_text())
    end = time.monotonic() + 20
    while process_begun(pid) is not None:
        assert time.monotonic() < end, f"process {pid} still runs"
        time.sleep(0.02)


def test_what_a_program_starts_and_leaves_behind_is_ended(tmp_path: Path) -> None:
    """One in a session of its own, one that holds the output open; the reply counts all the same."""
    left = tmp_path / "left"
    stays = f"(setsid sh -c 'echo $$ > {left}; exec sleep 600'{{}}) & while [ ! -s {left} ]; do sleep 0.01; done"
    result = run("/bin/sh", "-c", f"{stays.format('')}; printf '%s' '{READS}'", seconds=60)
    assert values(result)[0][1] == 60.0
    wait_for_end(left)
    left.unlink()
    result = run("/bin/sh", "-c", f"{stays.format(' >/dev/null 2>&1')}; sleep 600", seconds=2)
    assert "took longer" in (result.failed or "")
    wait_for_end(left)


def test_a_key_in_what_a_program_prints_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_API_KEY", "a-key-of-mine-123")
    printing = "import os, sys; print(os.environ['OWN_API_KEY'], file=sys.stderr); print(os.environ['OWN_API_KEY'])"
    result = python(f"{printing}; sys.exit(2)")
    assert result.failed == "The program ended with exit code 2: …"
    assert "a-key-of-mine-123" not in result.model_dump_json()


def test_a_program_that_may_not_be_run_is_told_from_one_that_is_not_there(tmp_path: Path) -> None:
    script = tmp_path / "read.py"
    script.write_text("print('[]')")
    assert "make it executable (chmod +x)" in (run(str(script)).failed or "")
    assert "embedded null byte" in (run("echo", "a\0b").failed or "")


@pytest.mark.parametrize("printed", ['{"readings": []}', "\ufeff[]", "[]", "{}", '{"width": null}'])
def test_no_readings_is_a_reply(printed: str) -> None:
    result = python(f"print({printed!r})")
    assert (result.failed, result.values) == (None, ())


def test_a_missing_program_is_named() -> None:
    assert "There is no program 'no-such-program'" in (run("no-such-program").failed or "")


def test_one_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    left = tmp_path / "left"
    result = run("/bin/sh", "-c", f"sleep 600 & echo $! > {left}; printf half; sleep 600", seconds=2)
    assert result.failed == "The program took longer than 2 seconds and was ended."
    assert result.raw == "half"
    wait_for_end(left)


def test_a_large_text_and_a_program_that_reads_late_do_not_block() -> None:
    text = TEXT + "filler " * 100_000
    code = f"import sys, time; time.sleep(0.2); sys.stdin.read(); print('{READS}')"
    result = extract(text, settings(CommandExtractor(command=(sys.executable, "-c", code))), Evidence())
    assert values(result)[0][1] == 60.0


COUNTER = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "stop" in request["text"]: sys.exit(4)
    quote = request["text"].split("\\n")[-2]
    print(json.dumps([{"property": "width", "value": quote.split(": ")[1], "quote": quote}]), flush=True)
    print("seen", file=sys.stderr, flush=True)
"""


def test_a_program_that_keeps_running_reads_many_texts_and_is_replaced_when_it_ends() -> None:
    choice = settings(CommandExtractor(command=(sys.executable, "-c", COUNTER), keep_running=True))
    reader = make_extractor(choice)
    read = [extract(f"Width: {n}0 mm\n", choice, Evidence(), reader) for n in range(1, 6)]
    assert [values(r)[0][1] for r in read] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert "exit code 4" in (extract("stop", choice, Evidence(), reader).failed or "")
    assert values(extract("Width: 90 mm\n", choice, Evidence(), reader))[0][1] == 9.0
    reader.close()  # type: ignore[attr-defined]


def test_a_line_that_nobody_asked_for_is_no_answer_to_the_next_text() -> None:
    code = """
import json, sys, time
for line in sys.stdin:
    quote = json.loads(line)["text"].split("\\n")[-2]
    said = json.dumps([{"property": "width", "value": quote.split(": ")[1], "quote": quote}])
    print(said, flush=True)
    time.sleep(0.05)
    print(said, flush=True)
"""
    choice = settings(CommandExtractor(command=(sys.executable, "-c", code), keep_running=True, seconds=5))
    reader = make_extractor(choice)
    for n in range(1, 4):
        assert values(extract(f"Width: {n}0 mm\n", choice, Evidence(), reader))[0][1] == n
        time.sleep(0.6)
    reader.close()  # type: ignore[attr-defined]


def test_a_closed_reader_ends_the_program_at_work() -> None:
    choice = settings(CommandExtractor(command=("sleep", "30")))
    reader = make_extractor(choice)
    results: list[InputResult] = []
    reading = threading.Thread(target=lambda: results.append(extract(TEXT, choice, Evidence(), reader)))
    reading.start()
    time.sleep(0.3)
    reader.close()  # type: ignore[attr-defined]
    reading.join(5)
    assert "was ended by SIGKILL" in (results[0].failed or "")


FUNCTIONS = """
import dataclasses, sys, time

def raises(request):
    raise ValueError("no such shelf")

def prints(request):
    print("a word between the lines")
    return [{"property": "width", "value": "600 mm", "quote": "600 mm"}]

def hangs(request):
    time.sleep(30)

def strange(request):
    return object()

@dataclasses.dataclass
class Read:
    property: str
    value: str
    quote: str

def decimal(request):
    from decimal import Decimal
    return [{"property": "width", "value": Decimal("60.0"), "quote": "Width: 600 mm"}]

def typed(request):
    return [Read("Width", "600 mm", "Width: 600 mm")]
"""


@pytest.mark.parametrize(
    ("function", "failed", "value"),
    [
        ("raises", "own_readers:raises raised ValueError: no such shelf", None),
        ("prints", None, 60.0),
        ("typed", None, 60.0),
        ("decimal", None, 60.0),
        ("hangs", "took longer than 2 seconds", None),
        ("strange", "a reply cannot hold object", None),
        ("missing", "own_readers:missing raised AttributeError", None),
    ],
)
def test_functions(
    function: str, failed: str | None, value: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_readers.py").write_text(FUNCTIONS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    choice = settings(PythonExtractor(function=f"own_readers:{function}", seconds=2))
    reader = make_extractor(choice)
    for _ in range(2):  # the process is there for the second text too, or anew
        result = extract(TEXT, choice, Evidence(), reader)
        assert (failed in (result.failed or "")) if failed else result.failed is None
        assert [v.value for v in result.values] == ([] if value is None else [value])
    if function == "raises":
        assert "Traceback" in (result.raw or "")
    reader.close()  # type: ignore[attr-defined]
