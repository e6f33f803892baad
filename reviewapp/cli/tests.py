"""``reviewapp test``: run a workflow on chosen records and see what it read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.output import counted, print_json, print_json_list, print_table, printable, say, when
from reviewapp.cli.reading import again, examples, go_on, print_passed_over, replay
from reviewapp.cli.session import Session, pass_session, shared_options
from reviewapp.cli.waiting import wait_for

if TYPE_CHECKING:
    from reviewapp.domain.answers import Answer
    from reviewapp.domain.tests import Test, TestCounts, TestInput
    from reviewapp.workspaces import Workspace


@click.group()
@shared_options
def test() -> None:
    """Start tests and look at what they read.

    TEST is a test's id (wtest_…), its number, or `latest`.

    \b
    Example:
      reviewapp test start tender-positions --all --wait
      reviewapp test show latest
    """


for command in (replay, again, go_on, examples):
    test.add_command(command)


def find_test(workspace: Workspace, named: str) -> Test:
    """The test of an id, a number or ``latest``; raises NotFound."""
    from reviewapp.errors import NotFound
    from reviewapp.tests import get_test, list_tests

    if named != "latest" and not named.isdecimal():
        return get_test(workspace, named)
    after = None
    while page := list_tests(workspace, after=after, limit=50):
        for found in page:
            if named == "latest" or found.number == int(named):
                return found
        after = page[-1].id
    raise NotFound("test", named, way_out="`reviewapp test list` shows those there are.")


@test.command()
@click.argument("workflow")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Read the first N records (default: 6).")
@click.option("--iri", "iris", multiple=True, metavar="IRI", help="Read this record; repeatable.")
@click.option("--all", "everything", is_flag=True, help="Read all records of the collection.")
@click.option("--wait", is_flag=True, help="Stay until it has ended; reads here when no server does.")
@shared_options
@pass_session
def start(
    session: Session, workflow: str, sample: int | None, iris: tuple[str, ...], everything: bool, wait: bool
) -> None:
    """Start a test of WORKFLOW. Nothing is written anywhere but the test.

    Without --wait the test is queued for the server (`reviewapp serve`); it is read as soon as one runs.

    \b
    Example:
      reviewapp test start tender-positions --sample 20 --wait
      reviewapp test start tender-positions --iri "record:tenders/02.05%20Roof%20hatch" --wait
    """
    from reviewapp.tests import start_test

    if sum((sample is not None, bool(iris), everything)) > 1:
        raise click.UsageError("--sample, --iri and --all exclude each other; name one of them.")
    workspace = session.workspace()
    started = start_test(
        workspace, workflow=workflow, sample=sample, iris=iris or None, everything=everything, by=session.by
    )
    what = f"started on {counted(started.input_count, 'record')}{_likely(started)}"
    tell_start(session, workspace, started, what, wait=wait)


@test.command("wait")
@click.argument("test", metavar="TEST")
@shared_options
@pass_session
def wait_(session: Session, test: str) -> None:
    """Stay with a test until it has ended; reads here when no server does.

    Goes on with a test whose reader was stopped; what has been read is not read again.

    \b
    Example:
      reviewapp test wait latest
    """
    workspace = session.workspace()
    stay(session, workspace, find_test(workspace, test).id)


def tell_start(session: Session, workspace: Workspace, started: Test, what: str, *, wait: bool) -> None:
    """Say what became of the test, and how it stands: now, or with `wait` once it has ended."""
    say(f"Test {started.number} ({started.id}) {what}.")
    if wait:
        stay(session, workspace, started.id)
    else:
        report(session, workspace, started)


def stay(session: Session, workspace: Workspace, test_id: str) -> None:
    """Report the test once it has ended; exits with 1 unless it is done."""
    settings = session.settings
    ended = wait_for(session.data, workspace, test_id, workers=settings.workers, model_calls=settings.model_calls)
    report(session, workspace, ended)
    if ended.status != "done":
        raise click.exceptions.Exit(1)


def report(session: Session, workspace: Workspace, shown: Test) -> None:
    from reviewapp.tests import counts

    counted_now = counts(workspace, shown.id)
    if session.as_json:
        print_json({"test": shown.model_dump(mode="json"), "counts": counted_now.model_dump(mode="json")})
    else:
        click.echo(_summary(shown, counted_now))


def _likely(started: Test) -> str:
    """`` for about $0.12``; nothing where it costs nothing."""
    from reviewapp.domain.calls import about_dollars

    return f" for about {about_dollars(started.estimate_micro_usd)}" if started.estimate_micro_usd else ""


def _summary(shown: Test, numbers: TestCounts) -> str:
    from reviewapp.domain.calls import about_dollars, in_dollars

    lines = [
        f"Test {shown.number} of {shown.workflow}: {shown.state}, "
        f"{numbers.inputs_done:,} of {counted(numbers.inputs, 'input')} read",
        f"Checks passed {numbers.passed:,}, needs review {numbers.review:,}, no value {numbers.no_value:,}, "
        f"failed {numbers.failed:,}; answered {numbers.answered:,} of {numbers.answerable:,}",
    ]
    if shown.cost_micro_usd or shown.estimate_micro_usd:
        about = about_dollars(shown.estimate_micro_usd)
        lines.append(f"Cost {in_dollars(shown.cost_micro_usd)}; about {about} was estimated")
    if shown.error:
        lines.append(printable(shown.error))
    if shown.is_stopped:
        lines.append(f"What was read is kept; go on with the rest: reviewapp test continue {shown.number}")
    return "\n".join(lines)


@test.command()
@click.argument("test", metavar="TEST")
@shared_options
@pass_session
def show(session: Session, test: str) -> None:
    """Show a test: how far it is, and for every input what was read and answered.

    \b
    Example:
      reviewapp test show latest
    """
    from reviewapp.tests import counts

    workspace = session.workspace()
    shown = find_test(workspace, test)
    numbers = counts(workspace, shown.id)
    inputs = _inputs_with_answers(workspace, shown.id)
    if session.as_json:
        document = {"test": shown.model_dump(mode="json"), "counts": numbers.model_dump(mode="json")}
        print_json_list(document, "inputs", (_input_document(read, answers) for read, answers in inputs))
        return
    click.echo(_summary(shown, numbers))
    for read, answers in inputs:
        click.echo(f"\n{read.position + 1}. {printable(read.label)}  <{printable(read.iri)}>")
        _print_values(shown, read, answers)


def _inputs_with_answers(workspace: Workspace, test_id: str) -> Iterator[tuple[TestInput, dict[str, list[Answer]]]]:
    """Every input with each property's answers, oldest first; some at a time are in memory."""
    from reviewapp.answers import answers_of_inputs
    from reviewapp.tests import get_inputs

    after = -1
    while page := get_inputs(workspace, test_id, after=after):
        after = page[-1].position
        answers = answers_of_inputs(workspace, test_id, page[0].position, after)
        yield from ((read, answers.get(read.position, {})) for read in page)


def _input_document(read: TestInput, answers: dict[str, list[Answer]]) -> dict[str, Any]:
    """The input as read, with each property's answers, oldest first."""
    told = {prop: [a.model_dump(mode="json") for a in history] for prop, history in answers.items()}
    return read.model_dump(mode="json") | {"answers": told}


def _print_values(shown: Test, read: TestInput, answers: dict[str, list[Answer]]) -> None:
    from reviewapp.domain.tests import OUTCOME_WORDS

    if read.result is None:
        click.echo("   not read yet")
        return
    if trouble := read.result.error or read.result.failed:
        click.echo(f"   {printable(trouble)}")
        return
    rows: list[tuple[object, ...]] = []
    for prop in shown.settings.properties:
        said = _said(answers.get(prop.name, []))
        values = [v for v in read.result.values if v.property == prop.name]
        for value in values:
            support = "" if value.support is None else f"{value.support:.2f}"
            unit = f" {prop.unit}" if prop.unit and value.value is not None else ""
            rows.append((prop.name, value.printed + unit, OUTCOME_WORDS[value.outcome], support, value.quote, said))
        if not values:
            rows.append((prop.name, "", "No value", "", "", said))
    print_table(("property", "value", "outcome", "support", "quote", "answer"), rows)
    print_passed_over(read.result)


def _said(history: list[Answer]) -> str:
    """The answers that count, in words: one per person."""
    from reviewapp.domain.answers import in_force

    said = []
    for by, kept in in_force(history).items():
        value = "" if kept.value is None else f" {kept.value}"
        said.append(f"{(kept.decision or '').replace('_', ' ')}{value} ({by})")
    return ", ".join(said)


@test.command("list")
@click.option("--workflow", metavar="NAME", help="Only this workflow's tests.")
@click.option(
    "--limit", default=50, show_default=True, metavar="N", type=click.IntRange(1, 1_000), help="Most tests to list."
)
@shared_options
@pass_session
def list_(session: Session, workflow: str | None, limit: int) -> None:
    """List the tests, newest first.

    \b
    Example:
      reviewapp test list --workflow tender-positions
    """
    from reviewapp.tests import counts, list_tests

    workspace = session.workspace()
    listed = [(t, counts(workspace, t.id)) for t in list_tests(workspace, workflow=workflow, limit=limit)]
    if session.as_json:
        rows = [{"test": t.model_dump(mode="json"), "counts": n.model_dump(mode="json")} for t, n in listed]
        print_json({"tests": rows})
        return
    print_table(
        ("test", "id", "workflow", "status", "inputs", "passed", "review", "no value", "failed", "answered", "started"),
        [
            (
                t.number, t.id, t.workflow, t.state, n.inputs, n.passed, n.review, n.no_value, n.failed,
                f"{n.answered} of {n.answerable}", when(t.created),
            )
            for t, n in listed
        ],
    )  # fmt: skip


@test.command()
@click.argument("test", metavar="TEST")
@shared_options
@pass_session
def cancel(session: Session, test: str) -> None:
    """Stop a test that is queued or running; what was read stays.

    \b
    Example:
      reviewapp test cancel latest
    """
    from reviewapp.tests import cancel_test

    workspace = session.workspace()
    report(session, workspace, cancel_test(workspace, find_test(workspace, test).id, by=session.by))
