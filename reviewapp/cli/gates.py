"""``reviewapp gate`` and ``suggest``: what answers say about the gate, and which records to answer next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reviewapp.cli.output import counted, print_json, print_table, printable, say
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.evals.gate import GateStudy, Suggestion
    from reviewapp.workspaces import Workspace

STEPS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0)
"""Gates that the table shows, beside those suggested and the one in use."""


@click.command()
@click.argument("workflow")
@click.option(
    "--wanted",
    type=click.FloatRange(0.5, 1),
    default=0.98,
    show_default=True,
    help="Precision wanted of what is written without a person.",
)
@click.option("--property", metavar="NAME", help="Of this property only.")
@click.option("--test", metavar="TEST", help="From the answers on this test only.")
@click.option(
    "--set",
    "value",
    type=click.FloatRange(0.5, 1),
    metavar="GATE",
    help="Set the gate, with --property that of the property: a new revision.",
)
@click.option("--clear", is_flag=True, help="With --property: it has the workflow's gate again.")
@shared_options
@pass_session
def gate(
    session: Session,
    workflow: str,
    wanted: float,
    property: str | None,
    test: str | None,
    value: float | None,
    clear: bool,
) -> None:
    """Say from answers how right WORKFLOW is from which support on, and which gate a wanted precision needs.

    Answers are those on tests of the revision in use, or those of the dataset that it was graded on last, whichever are
    more.

    \b
    Example:
      reviewapp gate tender-positions --wanted 0.98
      reviewapp gate tender-positions --set 0.86
      reviewapp gate tender-positions --property width --set 0.95
    """
    from reviewapp.cli.tests import find_test
    from reviewapp.evaluations import gate_answers, gate_study, suggest_gate
    from reviewapp.workflows import get_workflow

    if clear and (property is None or value is not None):
        raise click.UsageError("--clear goes with --property and without --set.")
    workspace = session.workspace()
    if value is not None or clear:
        _set(session, workspace, workflow, property, value)
        return
    chosen = None if test is None else find_test(workspace, test).id
    settings = get_workflow(workspace, workflow).active.settings
    answers = gate_answers(workspace, workflow, test=chosen)
    study, suggestion = gate_study(answers.points, property), suggest_gate(answers.points, wanted, property)
    if session.as_json:
        print_json({"study": study.model_dump(mode="json"), "suggestion": suggestion.model_dump(mode="json")})
        return
    if not study.values:
        say("No answers on values of this workflow yet; answer some of a test, or grade it on a dataset.")
        return
    if answers.evaluation is not None:
        graded = answers.evaluation
        say(f"From evaluation {graded.number}, graded on {printable(graded.grading.dataset_name)}.")
    if answers.other is not None:
        say(f"From test {answers.other.number} of another revision, whose support may mean something else.")
    _print(study, suggestion, settings.gate if property is None else settings.gate_of(property))


def _set(session: Session, workspace: Workspace, workflow: str, property: str | None, value: float | None) -> None:
    from reviewapp.evaluations import set_gate

    changed = set_gate(workspace, workflow, value, property=property, by=session.by)
    if session.as_json:
        print_json({"workflow": changed.model_dump(mode="json")})
        return
    now, number = changed.active.settings, changed.active.number
    whose, is_now = (workflow, now.gate) if property is None else (f"{workflow}'s {property}", now.gate_of(property))
    click.echo(f"{whose} has gate {is_now:g} now, revision {number}.")


def _print(study: GateStudy, suggestion: Suggestion, in_use: float) -> None:
    asked = {*STEPS, in_use, *(p.gate for p in (suggestion.likely, suggestion.sure) if p is not None)}
    rows = [
        (
            f"{p.gate:.2f}" + (" in use" if p.gate == round(in_use, 2) else ""),
            p.written,
            f"{100 * p.share:.1f} %",
            "–" if p.precision is None else f"{100 * p.precision:.1f} %",
            "" if p.interval is None else f"{100 * p.interval.low:.1f} to {100 * p.interval.high:.1f}",
        )
        for p in study.curve
        if any(abs(p.gate - a) < 0.001 for a in asked)
    ]
    off = f"support is {100 * study.calibration_error:.1f} points off on average"
    click.echo(f"From answers on {counted(study.values, 'value')}; {off}.")
    print_table(("gate", "written", "without a person", "right", "95 %"), rows)
    if suggestion.too_few:
        click.echo(f"Too few answers to say ({study.values:,}) which gate is right in {100 * suggestion.wanted:g} %.")
        return
    if suggestion.likely is None:
        click.echo(f"No gate reached {100 * suggestion.wanted:g} %.")
        return
    spread = suggestion.spread
    about = "" if spread is None else f" (with other answers of the kind: {spread.low:.2f} to {spread.high:.2f})"
    click.echo(f"For {100 * suggestion.wanted:g} %: gate {suggestion.likely.gate:.2f} likely{about}.")
    if suggestion.sure is None:
        click.echo("To be sure of it, more answers are needed.")
    else:
        click.echo(f"Sure of it from {suggestion.sure.gate:.2f} on.")


@click.command()
@click.argument("workflow")
@click.option(
    "--count", default=20, show_default=True, type=click.IntRange(1, 500), metavar="N", help="How many records."
)
@click.option("--start", is_flag=True, help="Start a test on them.")
@shared_options
@pass_session
def suggest(session: Session, workflow: str, count: int, start: bool) -> None:
    """List the records of WORKFLOW whose answers would say most, and what the answers so far say.

    \b
    Example:
      reviewapp suggest tender-positions --count 30 --start
    """
    from reviewapp.evaluations import suggest_records, what_is_known
    from reviewapp.tests import start_test

    workspace = session.workspace()
    picks = suggest_records(workspace, workflow, count)
    known = what_is_known(workspace, workflow)
    started = None
    if start and picks:
        started = start_test(workspace, workflow=workflow, iris=[p.key for p in picks], by=session.by)
    if session.as_json:
        print_json(
            {
                "records": [p.model_dump(mode="json") for p in picks],
                "known": [k.model_dump(mode="json") for k in known],
                "test": None if started is None else started.id,
            }
        )
        return
    print_table(("record", "why"), [(p.key, ", ".join(p.reasons)) for p in picks])
    click.echo()
    rows = [
        (
            k.property,
            k.answered,
            k.right,
            "" if k.interval is None else f"{100 * k.interval.low:.0f} to {100 * k.interval.high:.0f} %",
            k.more,
        )
        for k in known
    ]
    print_table(("property", "answered", "right", "95 %", "more answers for ± 5 %"), rows)
    if started is not None:
        click.echo(f"\nTest {started.number} ({started.id}) is queued.")
