"""``reviewapp block-test``: freeze what a block gets, assert one thing about what it gives, run it again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.output import counted, print_json, print_table, printable, say
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.block_tests import BlockTest, BlockTestRun, Scope, TestResult
    from reviewapp.domain.conditions import Assertion
    from reviewapp.workspaces import Workspace

NOT_PASSED = 3
"""Exit code when a test did not pass."""
LOOK_SECONDS = 0.2
HANDLE = "output-json-0"


@click.group("block-test")
@shared_options
def block_test() -> None:
    """Test single blocks of a workflow: a frozen input, one assertion about the output.

    \b
    Example:
      reviewapp block-test add sinks extract --text "Width: 600 mm" --path width --equals 60
      reviewapp block-test run sinks --junit block-tests.xml
    """


@block_test.command("list")
@click.argument("workflow")
@click.option("--block", metavar="ID", help="Of this block only.")
@shared_options
@pass_session
def list_(session: Session, workflow: str, block: str | None) -> None:
    """List the block tests of WORKFLOW, newest first, with their last result and whether they drifted.

    \b
    Example:
      reviewapp block-test list sinks
    """
    from reviewapp.block_tests import latest_results, list_tests, states_of
    from reviewapp.workflows import get_workflow

    workspace = session.workspace()
    get_workflow(workspace, workflow)
    tests = list_tests(workspace, workflow, block=block)
    states = states_of(workspace, tests)
    last = [latest_results(workspace, test.id)[0] for test in tests]
    if session.as_json:
        rows = [
            {**test.model_dump(mode="json", by_alias=True), "state": state.model_dump(), "last": found and found.status}
            for test, state, found in zip(tests, states, last, strict=True)
        ]
        print_json({"block_tests": rows})
        return
    print_table(
        ("id", "block", "name", "asserts", "last", "drift"),
        [
            (t.id, t.block, t.name or "", _words(t), found.status if found else "", state.drift or state.validation)
            for t, state, found in zip(tests, states, last, strict=True)
        ],
    )


def _words(test: BlockTest) -> str:
    """``width is exactly 60``"""
    from reviewapp.block_tests.wording import in_words

    return in_words(test.assertion)


@block_test.command()
@click.argument("workflow")
@click.argument("block")
@click.option("--text", metavar="TEXT", help="The input: this text (@FILE: the text in a file).")
@click.option("--value", "content", metavar="JSON", help="The input: this JSON (@FILE: the JSON in a file).")
@click.option("--input", "inputs", multiple=True, metavar="HANDLE=JSON", help="An input by its handle; repeatable.")
@click.option("--file", metavar="PATH", help="The input: this file (TXT, MD, HTML, PDF, DOCX …), kept with the test.")
@click.option("--record", metavar="IRI", help="The input: the text of this record.")
@click.option("--step", metavar="RUN[/STEP]", help="The inputs of a step of a run (wfrun_… or wtest_…/POSITION).")
@click.option("--handle", default=HANDLE, show_default=True, help="Which output is looked at.")
@click.option("--path", metavar="PATH", help="Where in the output, such as lines.0.sku (default: all of it).")
@click.option("--equals", metavar="JSON", help="Assert that the value is this.")
@click.option(
    "--condition", metavar="JSON", help='Assert any condition: \'{"kind": "between", "lower": 1, "upper": 2}\'.'
)
@click.option("--name", help="What the test is called.")
@click.option("--label", help="What the assertion is called.")
@shared_options
@pass_session
def add(session: Session, /, workflow: str, block: str, **given: Any) -> None:
    """Make a test of BLOCK of WORKFLOW. Conditions: docs/block-tests.md.

    \b
    Example:
      reviewapp block-test add sinks extract --text "Width: 600 mm" --path width --equals 60
      reviewapp block-test add sinks extract --file sheet.pdf --path width --equals 60
      reviewapp block-test add sinks extract --step wtest_0123/0 --condition '{"kind": "exists"}'
    """
    from reviewapp.block_tests import make_test

    assertion = _assertion(given)
    made = make_test(
        session.workspace(),
        workflow,
        block,
        assertion,
        **_source(session, given),
        name=given["name"],
        by=session.by,
    )
    if session.as_json:
        print_json(made.model_dump(mode="json", by_alias=True))
    else:
        click.echo(f"Block test {made.id}: {printable(_words(made))}.")


def _assertion(given: dict[str, Any]) -> Assertion:
    from pydantic import ValidationError

    from reviewapp.domain.conditions import Assertion
    from reviewapp.domain.misfits import misfits

    if (given["equals"] is None) == (given["condition"] is None):
        raise click.UsageError("Say what is asserted: either --equals or --condition.")
    condition = (
        _json(given["condition"], "--condition")
        if given["condition"] is not None
        else {"kind": "equals", "expected": _json(given["equals"], "--equals")}
    )
    target = {"output_handle_id": given["handle"], "path": given["path"]}
    whole = {"target": target, "condition": condition, "label": given["label"]}
    try:
        return Assertion.model_validate(whole)
    except ValidationError as error:
        said = misfits(error, whole, Assertion.model_validate)[0].sentence
        raise click.UsageError(f"The condition does not fit: {said}.") from None


def _source(session: Session, given: dict[str, Any]) -> dict[str, Any]:
    from reviewapp.block_tests import keep_file
    from reviewapp.domain.block_tests import RunStepSource
    from reviewapp.domain.blocks import FILE_IN, JSON_IN

    named = [n for n in ("text", "content", "file", "record", "step") if given[n] is not None]
    if len(named) + bool(given["inputs"]) != 1:
        raise click.UsageError("Give the input once: --text, --value, --input, --file, --record or --step.")
    if given["step"] is not None:
        run, _, step = given["step"].partition("/")
        return {"step": RunStepSource(run_id=run, step_id=step or None)}
    if given["file"] is not None:
        path = Path(given["file"])
        kept = keep_file(session.workspace(), path.name, path.read_bytes())
        return {"inputs": {FILE_IN: {"type": "file", "document": kept.model_dump(mode="json")}}}
    if given["record"] is not None:
        return {"inputs": {FILE_IN: {"type": "file", "file_id": given["record"]}}}
    if given["text"] is not None:
        return {"inputs": {JSON_IN: {"type": "json", "data": _read(given["text"])}}}
    if given["content"] is not None:
        return {"inputs": {JSON_IN: {"type": "json", "data": _json(given["content"], "--value")}}}
    pairs = [pair.partition("=") for pair in given["inputs"]]
    return {"inputs": {handle: {"type": "json", "data": _json(value, "--input")} for handle, _, value in pairs}}


def _read(text: str) -> str:
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{text[1:]} is not UTF-8 (byte {error.start}); save it as UTF-8.") from None


def _json(text: str, option: str) -> Any:
    try:
        return json.loads(_read(text))
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{option} is not JSON ({error}); a text needs its quotes: '\"oak\"'.") from None


@block_test.command()
@click.argument("workflow")
@click.option("--block", metavar="ID", help="Only the tests of this block.")
@click.option("--test", "test_id", metavar="ID", help="Only this test.")
@click.option("--junit", metavar="FILE", type=click.Path(path_type=Path), help="Write the results as JUnit XML.")
@shared_options
@pass_session
def run(session: Session, workflow: str, block: str | None, test_id: str | None, junit: Path | None) -> None:
    """Run the block tests of WORKFLOW and wait for their end. Exit code 3 when one did not pass.

    \b
    Example:
      reviewapp block-test run sinks
      reviewapp block-test run sinks --block extract --junit block-tests.xml
    """
    from reviewapp.block_tests import results, start_run

    workspace = session.workspace()
    started = start_run(workspace, workflow, _scope(block, test_id), by=session.by)
    ended = _wait(session, workspace, started.id)
    found = results(workspace, ended.id)
    if junit is not None:
        _write_junit(workspace, ended, found, junit)
    _print(session, ended, found)
    if not ended.succeeded:
        raise click.exceptions.Exit(NOT_PASSED)


def _scope(block: str | None, test_id: str | None) -> Scope | None:
    from reviewapp.domain.block_tests import BlockScope, SingleScope

    if block is not None and test_id is not None:
        raise click.UsageError("Name a block or a test, not both.")
    if test_id is not None:
        return SingleScope(type="single", test_id=test_id)
    return None if block is None else BlockScope(type="block", block_id=block)


def _wait(session: Session, workspace: Workspace, id: str) -> BlockTestRun:
    """The run once it has ended, here or where a server runs block tests."""
    from reviewapp.block_tests import get_run
    from reviewapp.cli.waiting import Bar, run_or_wait
    from reviewapp.domain.block_tests import ENDED
    from reviewapp.running.block_testing import BlockTestRunner

    def look(show: Bar) -> bool:
        run = get_run(workspace, id)
        open_ones = run.counts["queued"] + run.counts["running"]
        show(f"block tests of {printable(run.workflow)}", run.total - open_ones, run.total, "")
        return run.status in ENDED

    run_or_wait(BlockTestRunner(session.data), look)
    return get_run(workspace, id)


@block_test.command()
@click.argument("run_id", metavar="RUN")
@shared_options
@pass_session
def results(session: Session, run_id: str) -> None:
    """Show the results of RUN (an id, or a workflow's name: its last run).

    \b
    Example:
      reviewapp block-test results sinks
    """
    from reviewapp.block_tests import get_run, list_runs
    from reviewapp.block_tests import results as results_of

    workspace = session.workspace()
    if not run_id.startswith("wftestrun_"):
        newest = list_runs(workspace, run_id, limit=1)
        if not newest:
            raise click.UsageError(f"Workflow {run_id!r} has no run of block tests yet.")
        run_id = newest[0].id
    run = get_run(workspace, run_id)
    _print(session, run, results_of(workspace, run.id))


def _print(session: Session, run: BlockTestRun, found: list[TestResult]) -> None:
    if session.as_json:
        print_json({"run": run.model_dump(mode="json"), "results": [r.model_dump(mode="json") for r in found]})
        return
    rows = [(r.status, r.block, r.test, _why(r)) for r in found if r.status != "passed"]
    if rows:
        print_table(("result", "block", "test", "why"), rows)
    tally = Counter(r.status for r in found)
    said = ", ".join(f"{count} {status}" for status, count in tally.items()) or "nothing to run"
    say(f"{counted(run.total, 'block test')}, {run.status}: {said} ({run.reused} as before). {run.id}")


def _why(result: TestResult) -> str:
    verdict = result.assertion_result
    if result.error is not None:
        return result.error.message
    return verdict.failure.message if verdict and verdict.failure else ""


def _write_junit(workspace: Workspace, run: BlockTestRun, found: list[TestResult], file: Path) -> None:
    from reviewapp.block_tests import list_tests
    from reviewapp.formats.junit import JUnitCase, write_junit

    names = {test.id: test.name or _words(test) for test in list_tests(workspace, run.workflow)}
    kinds: dict[str, Any] = {"passed": None, "failed": "failure", "cancelled": "skipped"}
    cases = [
        JUnitCase(f"{r.workflow}.{r.block}", names.get(r.test, r.test), kinds.get(r.status, "error"), _why(r))
        for r in found
    ]
    file.write_bytes(b"".join(write_junit(f"block tests of {run.workflow}", lambda: cases)))
