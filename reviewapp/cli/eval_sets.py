"""``reviewapp score``, ``loop``, ``evaluator``: eval-set projects on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reviewapp.cli.output import print_json, print_table, printable, say
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.eval_sets.looping import Iteration, LoopReport
    from reviewapp.eval_sets.projects import OpenProject
    from reviewapp.eval_sets.reports import ScoreReport, ScoreRow
    from reviewapp.eval_sets.targets import EvalTarget, Simulator, WorkflowTarget
    from reviewapp.evals.eval_sets.judges import JudgeReply, JudgeRequest

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
SHOWN = 400
"""Characters shown of inputs, outputs and expectations."""


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
    junit: Path | None,
) -> None:
    """Score the eval sets of a project: a line for each case and evaluator, and what went wrong.

    Ends with 0 only when there is a row and all rows pass. Nothing is written into the project.

    \b
    Example:
      reviewapp score ./invoice-agent --target 'python:main:run'
      reviewapp score ./flow --target 'command:uip api-workflow run . --input {inputs} --log-file {log}'
    """
    opened, made = _opened(session, project, dialect, target, pattern, seconds)
    try:
        _agree(opened, made, wanted, yes=yes)
        reports = opened.score(made, target_name=target, wanted=wanted, passes_from=pass_at, allowed=True)
    finally:
        made.close()
    if junit is not None:
        junit.write_bytes(_junit(reports))
    green = bool(reports) and any(r.rows for r in reports) and all(r.green for r in reports if r.rows)
    if session.as_json:
        print_json(_as_json(opened, reports, green))
    else:
        _print_reports(opened, reports)
    if not green:
        raise click.exceptions.Exit(1)


@click.command()
@scoring_options
@click.option("--fix", required=True, metavar="COMMAND", help="Gets the failures as JSON on stdin; run by the shell.")
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

    opened, made = _opened(session, project, dialect, target, pattern, seconds)
    try:
        _agree(opened, made, wanted, yes=yes, always=f"runs the fix command {fix!r} in {opened.root}")
        report = run_loop(
            lambda: opened.score(made, target_name=target, wanted=wanted, passes_from=pass_at, allowed=True),
            FixCommand(fix, opened.root),
            guarded=opened.expectations,
            most=most,
            seen=_say_iteration,
        )
    finally:
        made.close()
    if session.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_loop(opened, report)
    if not report.green:
        raise click.exceptions.Exit(1)


@click.group()
@shared_options
def evaluator() -> None:
    """Write and register custom evaluators of a project.

    \b
    Example:
      reviewapp evaluator add ./invoice-agent polite-tone
      reviewapp evaluator register ./invoice-agent polite_tone.py --yes
    """


@evaluator.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("name")
@shared_options
@pass_session
def add(session: Session, project: Path, name: str) -> None:
    """Write a file to begin a custom evaluator with.

    \b
    Example:
      reviewapp evaluator add ./invoice-agent polite-tone
    """
    from reviewapp.eval_sets.scaffolds import add_evaluator

    path = add_evaluator(_folder(project), name)
    if session.as_json:
        print_json({"file": str(path)})
        return
    click.echo(f"Wrote {path}. Change it, then: reviewapp evaluator register {project} {path.name}")


@evaluator.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("file")
@click.option("--yes", is_flag=True, help="Run the file without asking.")
@shared_options
@pass_session
def register(session: Session, project: Path, file: str, yes: bool) -> None:
    """Write the JSON files of a custom evaluator; its Python file is run once for it.

    \b
    Example:
      reviewapp evaluator register ./invoice-agent polite_tone.py
    """
    from reviewapp.eval_sets.scaffolds import register_evaluator

    _ask(yes, f"Registering runs {file} once.")
    made, types = register_evaluator(_folder(project), file)
    if session.as_json:
        print_json({"evaluator": str(made.path), "types": str(types.path), "id": made.content["id"]})
        return
    click.echo(f"Registered as {made.content['id']}: {made.path.name} and {types.path.name}.")


@click.group("eval-set")
@shared_options
def eval_set() -> None:
    """Look at the eval sets of a project; make datasets of them and the other way round.

    \b
    Example:
      reviewapp eval-set list ./invoice-agent
      reviewapp eval-set from-dataset "Tender positions" ./invoice-agent
    """


@eval_set.command("list")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--dialect", type=click.Choice(["strict", "package"]), help="Over what the project's files tell.")
@shared_options
@pass_session
def list_(session: Session, project: Path, dialect: str | None) -> None:
    """List the sets of a project, its dialect, and evaluators that cannot be used.

    \b
    Example:
      reviewapp eval-set list ./invoice-agent
    """
    from reviewapp.domain.eval_sets import DIALECT_WORDS
    from reviewapp.eval_sets.projects import OpenProject

    opened = OpenProject(project, dialect=dialect)  # type: ignore[arg-type]  # click has checked the word
    loaded = opened.sets()
    for one in loaded:
        one.close()
    if session.as_json:
        print_json(
            {
                "dialect": opened.dialect,
                "dialect_told_by": opened.told_by,
                "sets": [
                    {
                        "file": one.document.path.relative_to(opened.root).as_posix(),
                        "id": one.eval_set.id,
                        "name": one.eval_set.name,
                        "items": len(one.eval_set.evaluations),
                        "evaluators": [{"key": e.key, "name": e.name, "fault": e.fault} for e in one.evaluators],
                    }
                    for one in loaded
                ],
            }
        )
        return
    click.echo(f"{DIALECT_WORDS[opened.dialect]}, told by {opened.told_by}")
    print_table(
        ("file", "name", "items", "evaluators"),
        [
            (
                one.document.path.relative_to(opened.root).as_posix(),
                one.eval_set.name,
                len(one.eval_set.evaluations),
                ", ".join(e.name for e in one.evaluators),
            )
            for one in loaded
        ],
    )
    for one in loaded:
        for each in one.evaluators:
            if each.fault:
                say(f"{printable(each.key)}: {printable(each.fault)}")


@eval_set.command("open")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--target", default="", metavar="TARGET", help="What its sets are run on, as for `score`.")
@click.option("--pattern", default="", help="With {log} in the command: a pattern whose first group is the output.")
@click.option("--allow", is_flag=True, help="Let the pages run the project's own programs.")
@shared_options
@pass_session
def open_(session: Session, project: Path, target: str, pattern: str, allow: bool) -> None:
    """Let the workspace know a project, so that it is on the pages. Nothing is written into its folder.

    \b
    Example:
      reviewapp eval-set open ./invoice-agent --target 'python:main:run' --allow
    """
    from reviewapp.eval_sets.keeping import allow_project, change_project, open_project

    workspace = session.workspace(create=True)
    kept = open_project(workspace, project, by=session.by)
    if target:
        kept = change_project(workspace, kept.id, dialect=kept.dialect, target=target, pattern=pattern, by=session.by)
    if allow:
        kept = allow_project(workspace, kept.id, allowed=True, by=session.by)
    if session.as_json:
        print_json(kept.model_dump(mode="json"))
        return
    click.echo(f"{printable(kept.name)} is on the page Eval sets of workspace {workspace.name} ({kept.id}).")


@eval_set.command("from-dataset")
@click.argument("dataset")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--dialect", type=click.Choice(["strict", "package"]), help="Over what the project's files tell.")
@shared_options
@pass_session
def from_dataset(session: Session, dataset: str, project: Path, dialect: str | None) -> None:
    """Write DATASET (id or name), or the answers of a test (test:NUMBER), as an eval set into a project.

    \b
    Example:
      reviewapp eval-set from-dataset "Tender positions" ./invoice-agent
      reviewapp eval-set from-dataset test:3 ./invoice-agent
    """
    from reviewapp.eval_sets.exchange import save_as_eval_set

    workspace = session.workspace()
    found = _dataset(session, dataset)
    made, judged = save_as_eval_set(workspace, found, _folder(project), dialect=dialect)  # type: ignore[arg-type]
    if session.as_json:
        print_json({"eval_set": str(made.path), "evaluator": str(judged.path)})
        return
    items = len(made.content["evaluations"])
    click.echo(f"Wrote {made.path.name} with {items} item(s), judged by {judged.path.name}.")


@eval_set.command("to-dataset")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--set", "wanted", metavar="NAME", help="One eval set (file name, id or name); without it, all.")
@click.option("--name", help="Of the dataset; without it, the set's.")
@shared_options
@pass_session
def to_dataset(session: Session, project: Path, wanted: str | None, name: str | None) -> None:
    """Keep an eval set's items as a dataset of the workspace.

    \b
    Example:
      reviewapp eval-set to-dataset ./invoice-agent --set smoke
    """
    from reviewapp.eval_sets.exchange import save_as_dataset
    from reviewapp.eval_sets.projects import OpenProject

    made = []
    for one in OpenProject(project).sets(wanted):
        one.close()
        made.append(save_as_dataset(session.workspace(create=True), one, name=name, by=session.by))
    if session.as_json:
        print_json({"datasets": [one.model_dump(mode="json") for one in made]})
        return
    for each in made:
        click.echo(f"Dataset {printable(each.name)} ({each.id}): {each.item_count} item(s).")


def _dataset(session: Session, named: str) -> str:
    from reviewapp.cli.dataset_work import find_dataset
    from reviewapp.cli.tests import find_test
    from reviewapp.datasets import save_dataset

    kind, colon, test = named.partition(":")
    workspace = session.workspace()
    if kind == "test" and colon:
        return save_dataset(workspace, find_test(workspace, test).id, by=session.by).id
    return find_dataset(workspace, named).id


# -- getting ready -------------------------------------------------------------------------------------------------


def _opened(
    session: Session, project: Path, dialect: str | None, target: str, pattern: str | None, seconds: float
) -> tuple[OpenProject, EvalTarget]:
    from reviewapp.eval_sets.projects import OpenProject
    from reviewapp.eval_sets.targets import make_target

    opened = OpenProject(
        project,
        dialect=dialect,  # type: ignore[arg-type]  # click has checked the word
        judge=lambda request: _judged(session, request),
    )
    made = make_target(
        target,
        opened.root,
        workflow=lambda name: _workflow(session, name),
        pattern=pattern,
        seconds=seconds,
        simulate=_simulator(session),
    )
    return opened, made


def _judged(session: Session, request: JudgeRequest) -> JudgeReply:
    """Through the workspace's models; it is looked for only when a judge is asked."""
    from reviewapp.eval_sets.model_judge import judge_of

    return judge_of(session.workspace())(request)


def _simulator(session: Session) -> Simulator | None:
    """Of the workspace's models, where there is a workspace."""
    if not session.settings.data.is_dir():
        return None
    from reviewapp.eval_sets.model_judge import simulator_of

    return simulator_of(session.workspace())


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
        _ask(yes, f"This runs the project's programs, as often as needed, and {always}.")
    elif needs_a_yes(loaded, made):
        items = sum(len(one.eval_set.evaluations) for one in loaded)
        _ask(yes, f"This runs the project's own programs in {opened.root}, once for each of {items} items.")


def _ask(yes: bool, what: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        from reviewapp.errors import NotAllowed

        raise NotAllowed(f"{what} Say --yes to allow it.")
    click.confirm(f"{what} Go on?", abort=True, err=True)


def _folder(project: Path) -> Path:
    from reviewapp.errors import NotFound

    root = project.expanduser().resolve()
    if not root.is_dir():
        raise NotFound("folder", str(project))
    return root


# -- showing -------------------------------------------------------------------------------------------------------


def _print_reports(opened: OpenProject, reports: Sequence[ScoreReport]) -> None:
    from reviewapp.domain.eval_sets import DIALECT_WORDS

    say(f"Scored as {DIALECT_WORDS[opened.dialect]}, told by {opened.told_by}.")
    if not opened.layout.sure and opened.told_by != "your choice":
        say("The files do not tell the dialect for sure; say --dialect package to score as coded agents do.")
    for report in reports:
        click.echo(f"\n{printable(report.eval_set)} ({printable(report.file)})")
        for row in report.rows:
            _print_row(row)
        for name, figure in report.evaluator_scores.items():
            click.echo(f"  {printable(name)}: {figure:.4g}")
        for key, metric in report.metrics.items():
            click.echo(f"  {printable(key)}: {metric['score']:.4g}")
        for note in report.notes:
            click.echo(f"  {note}")
        click.echo(f"{report.summary_line()}; score {report.final_score:.4g}")


def _print_row(row: ScoreRow) -> None:
    click.echo(f"[{row.verdict:<5}] {printable(row.item)} · {printable(row.evaluator_name)} · {row.score:.4g}")
    if row.other_dialect is not None:
        click.echo(f"        the other dialect says {row.other_dialect}")
    if row.verdict == "PASS":
        return
    click.echo(f"        {printable(row.why or '')}")
    click.echo(f"        inputs   {_shown(row.inputs)}")
    click.echo(f"        actual   {_shown(row.actual)}")
    click.echo(f"        expected {_shown(row.expected)}")


def _shown(value: Any) -> str:
    said = printable(json.dumps(value, ensure_ascii=False))
    return said if len(said) <= SHOWN else said[: SHOWN - 1] + "…"


def _as_json(opened: OpenProject, reports: Sequence[ScoreReport], green: bool) -> dict[str, Any]:
    return {
        "kind": "score",
        "project": opened.root.name,
        "dialect": opened.dialect,
        "dialect_told_by": opened.told_by,
        "green": green,
        "reports": [report.model_dump(mode="json") for report in reports],
        "rows": [row.model_dump(mode="json") for report in reports for row in report.rows],
    }


def _junit(reports: Sequence[ScoreReport]) -> bytes:
    from reviewapp.formats.eval_sets.junit import JunitCase, JunitSuite, junit

    return junit(
        JunitSuite(
            report.eval_set,
            report.milliseconds / 1e3,
            [
                JunitCase(
                    f"{row.item} · {row.evaluator_name}",
                    row.verdict,
                    row.why or "",
                    json.dumps(
                        {"inputs": row.inputs, "actual": row.actual, "expected": row.expected},
                        ensure_ascii=False,
                        indent=2,
                    ),
                )
                for row in report.rows
            ],
        )
        for report in reports
    )


def _say_iteration(row: Iteration) -> None:
    say(f"iteration {row.number}: {printable(row.line)}" + (f" ({printable(row.fix)})" if row.fix else ""))


def _print_loop(opened: OpenProject, report: LoopReport) -> None:
    click.echo(f"Ended after {len(report.iterations)} iteration(s): {report.words}.")
    for one in report.reports:
        for row in one.failures:
            _print_row(row)
    if not report.stale:
        return
    click.echo(f"\n{len(report.stale)} expectation(s) passed before and do not fit the new behaviour:")
    for row in report.stale:
        _print_row(row)
    if sys.stdin.isatty():
        _settle(opened, report)


def _settle(opened: OpenProject, report: LoopReport) -> None:
    """Ask row by row which side is right; only a person changes an expectation."""
    from reviewapp.eval_sets.editing import set_expected

    for row in report.stale:
        file = next(one.file for one in report.reports if row in one.rows)
        choice = click.prompt(
            f"{printable(row.item)}: which side is right?",
            type=click.Choice(["expectation", "output", "later"]),
            default="later",
            err=True,
        )
        if choice == "output":
            set_expected(opened.root, file, row.id, row.evaluator, row.actual)
            say("The expectation is now what the target gave.")
