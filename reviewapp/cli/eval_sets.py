"""``reviewapp score``, ``loop``: eval-set projects on the command line."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reviewapp.cli.eval_reports import as_json, ask, junit_of, print_loop, print_reports, say_iteration
from reviewapp.cli.output import print_json, say
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.eval_sets.function_target import Simulator
    from reviewapp.eval_sets.looping import LoopReport
    from reviewapp.eval_sets.made_inputs import MakeInputs
    from reviewapp.eval_sets.projects import OpenProject
    from reviewapp.eval_sets.reports import ScoreReport
    from reviewapp.eval_sets.target_base import EvalTarget
    from reviewapp.eval_sets.targets import WorkflowTarget
    from reviewapp.evals.eval_sets.judges import JudgeReply, JudgeRequest

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def scoring_options(command: Decorated) -> Decorated:
    """What `score` and `loop` share."""
    for add in (
        click.option("--yes", is_flag=True, help="Run the project's own programs without asking."),
        click.option("--dialect", type=click.Choice(["strict", "package"]), help="Over what the project's files tell."),
        click.option("--pass-at", type=click.FloatRange(0, 1), default=1.0, help="Score from which a row passes (1)."),
        click.option("--seconds", type=click.FloatRange(min=0.1), default=300.0, help="Time limit of one item (300)."),
        click.option("--pattern", help="With {log} in the command: a pattern whose first group is the output."),
        click.option(
            "--target",
            metavar="TARGET",
            required=True,
            help="command:PROGRAM {inputs} · python:module:function · workflow:NAME · outputs:FILE",
        ),
        click.option("--set", "wanted", metavar="NAME", help="One eval set (file name, id or name); without it, all."),
        click.argument("project", type=click.Path(path_type=Path)),
    ):
        command = add(command)
    return command


@click.command()
@scoring_options
@click.option("--whole", is_flag=True, help="Show inputs, actual and expected of rows that pass too.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML too.")
@shared_options
@pass_session
def score(
    session: Session,
    project: Path,
    wanted: str | None,
    target: str,
    pattern: str | None,
    seconds: float,
    pass_at: float,
    dialect: str | None,
    yes: bool,
    whole: bool,
    junit: Path | None,
) -> None:
    """Score the eval sets of a project: a line for each case and evaluator, and what went wrong.

    Ends with 0 only when there is a row and all rows pass. Nothing is written into the project.

    \b
    Example:
      reviewapp score ./invoice-agent --target 'python:main:run'
      reviewapp score ./flow --target 'command:uip api-workflow run . --input {inputs} --log-file {log}'
    """
    opened = _opened(session, project, dialect)
    make = _maker(session, opened, target, pattern, seconds)
    with ended_cleanly(), closing(make()) as made:
        _agree(opened, made, wanted, yes=yes)
        reports = opened.score(made, target_name=target, wanted=wanted, passes_from=pass_at, allowed=True)
    if junit is not None:
        junit.write_bytes(junit_of(reports))
    green = bool(reports) and any(r.rows for r in reports) and all(r.green for r in reports if r.rows)
    if session.as_json:
        print_json(as_json(opened, reports, green))
    else:
        print_reports(opened, reports, whole=whole)
    if not green:
        raise click.exceptions.Exit(1)


@click.command()
@scoring_options
@click.option("--fix", required=True, metavar="COMMAND", help="Gets the failures as JSON on stdin; run by the shell.")
@click.option("--fix-seconds", type=click.FloatRange(min=0.1), default=1800.0, help="Time limit of one fix (1800).")
@click.option("--max", "most", type=click.IntRange(min=1), default=10, help="Most iterations (10).")
@shared_options
@pass_session
def loop(
    session: Session,
    project: Path,
    wanted: str | None,
    target: str,
    pattern: str | None,
    seconds: float,
    pass_at: float,
    dialect: str | None,
    yes: bool,
    fix: str,
    fix_seconds: float,
    most: int,
) -> None:
    """Score, have the failures fixed, score again, until all rows pass.

    Ends with 0 only when green. Stops at the limit, after two fixes that bring nothing, and when the fix command
    changes the expectations. Rows that fail only because the behaviour changed are listed at the end, and at a
    terminal you say which side is right.

    \b
    Example:
      reviewapp loop ./invoice-agent --target 'python:main:run' --fix 'my-coding-agent --stdin' --max 5
    """
    from reviewapp.eval_sets.looping import FixCommand, run_loop

    opened = _opened(session, project, dialect)
    make = _maker(session, opened, target, pattern, seconds)

    def scored() -> list[ScoreReport]:
        # A target of its own each time: what the fix changed must be what runs.
        with closing(make()) as made:
            return opened.score(made, target_name=target, wanted=wanted, passes_from=pass_at, allowed=True)

    with ended_cleanly():
        with closing(make()) as made:
            _agree(opened, made, wanted, yes=yes, always=f"runs the fix command {fix!r} in {opened.root}")
        report = run_loop(
            scored,
            FixCommand(fix, opened.root, seconds=fix_seconds),
            guarded=opened.expectations,
            most=most,
            seen=say_iteration,
        )
    _keep(session, opened, report, target=target, fix=fix, most=most)
    if session.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_loop(opened, report)
    if not report.green:
        raise click.exceptions.Exit(1)


# -- getting ready -------------------------------------------------------------------------------------------------


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """Within, SIGTERM ends the programs that run too, as Ctrl-C does."""

    def end(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _opened(session: Session, project: Path, dialect: str | None) -> OpenProject:
    from reviewapp.eval_sets.projects import OpenProject

    return OpenProject(
        project,
        dialect=dialect,  # type: ignore[arg-type]  # click has checked the word
        judge=lambda request: _judged(session, request),
        make_inputs=_input_maker(session),
    )


def _maker(
    session: Session, opened: OpenProject, target: str, pattern: str | None, seconds: float
) -> Callable[[], EvalTarget]:
    from reviewapp.eval_sets.targets import make_target

    return lambda: make_target(
        target,
        opened.root,
        workflow=lambda name: _workflow(session, name),
        pattern=pattern,
        seconds=seconds,
        simulate=_simulator(session),
        from_here=True,
    )


def _keep(session: Session, opened: OpenProject, report: LoopReport, *, target: str, fix: str, most: int) -> None:
    """For the pages, where the workspace knows the project."""
    if not session.settings.data.is_dir():
        return
    from reviewapp.eval_sets.loops import keep_loop

    workspace = session.workspace()
    kept = keep_loop(workspace, opened.root, report, target=target, fix=fix, most=most, by=session.by)
    if kept is not None:
        say(f"Kept as run {kept.number} of the project; its page asks the same questions.")


def _judged(session: Session, request: JudgeRequest) -> JudgeReply:
    """Through the workspace's models; it is looked for only when a judge is asked."""
    from reviewapp.eval_sets.model_judge import judge_of

    return judge_of(session.workspace())(request)


def _input_maker(session: Session) -> MakeInputs | None:
    """Of the workspace's models, where there is a workspace."""
    if not session.settings.data.is_dir():
        return None
    from reviewapp.eval_sets.model_judge import inputs_of

    return inputs_of(session.workspace())


def _simulator(session: Session) -> Simulator | None:
    """Of the workspace's models, where there is a workspace."""
    if not session.settings.data.is_dir():
        return None
    from reviewapp.eval_sets.model_judge import ModelSimulator

    return ModelSimulator(session.workspace())


def _workflow(session: Session, name: str) -> WorkflowTarget:
    from reviewapp.eval_sets.workflow_targets import workflow_target

    return workflow_target(session.workspace(), name)


def _agree(opened: OpenProject, made: EvalTarget, wanted: str | None, *, yes: bool, always: str | None = None) -> None:
    """Ask before the project's own programs run."""
    from reviewapp.eval_sets.projects import needs_a_yes

    loaded = opened.sets(wanted)
    for one in loaded:
        one.close()
    if always is not None:
        ask(yes, f"This runs the project's programs, as often as needed, and {always}.")
    elif needs_a_yes(loaded, made):
        items = sum(len(one.eval_set.evaluations) for one in loaded)
        ask(yes, f"This runs the project's own programs in {opened.root}, once for each of {items} items.")
