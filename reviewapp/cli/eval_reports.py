"""What `reviewapp score` and `loop` show: rows, figures, rounds; and the question before programs run."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.output import printable, say

if TYPE_CHECKING:
    from reviewapp.eval_sets.looping import Iteration, LoopReport
    from reviewapp.eval_sets.projects import OpenProject
    from reviewapp.eval_sets.reports import ScoreReport, ScoreRow

SHOWN = 400
"""Characters shown of inputs, outputs and expectations."""


def ask(yes: bool, what: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        from reviewapp.errors import NotAllowed

        raise NotAllowed(f"{what} Say --yes to allow it.")
    click.confirm(f"{what} Go on?", abort=True, err=True)


def print_reports(opened: OpenProject, reports: Sequence[ScoreReport], *, whole: bool = False) -> None:
    """`whole`: with inputs, actual and expected of rows that pass too."""
    from reviewapp.domain.eval_sets import DIALECT_WORDS

    words = DIALECT_WORDS[opened.dialect]
    if opened.layout.sure or opened.told_by == "your choice":
        say(f"Scored as {words}, told by {opened.told_by}.")
    else:
        say(f"Scored as {words}, for {opened.told_by}; say --dialect package or --dialect strict.")
    if not reports:
        say("There is no eval set yet: the folder eval-sets holds no .json file.")
    for report in reports:
        click.echo(f"\n{printable(report.eval_set)} ({printable(report.file)})")
        for row in report.rows:
            print_row(row, whole=whole)
        for name, figure in report.evaluator_scores.items():
            click.echo(f"  {printable(name)}: {figure:.4g}")
        for key, metric in report.metrics.items():
            print_metric(key, metric)
        for note in report.notes:
            click.echo(f"  {note}")
        click.echo(f"{report.summary_line()}; score {report.final_score:.4g}")


def print_metric(key: str, metric: dict[str, Any]) -> None:
    """A figure, or a matrix: a row for each predicted label, a column for each expected one."""
    details = metric.get("details") or {}
    if details.get("metric") != "confusion_matrix":
        click.echo(f"  {printable(key)}: {metric['score']:.4g}")
        return
    labels = [printable(label) for label in details["classes"]]
    click.echo(f"  {printable(key)}: predicted (down) by expected (across), {details['nSkipped']} row(s) left out")
    table = [
        ["", *labels],
        *([label, *map(str, row)] for label, row in zip(labels, details["confusionMatrix"], strict=True)),
    ]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        click.echo("    " + "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))


def print_row(row: ScoreRow, *, whole: bool = False) -> None:
    click.echo(f"[{row.verdict:<5}] {printable(row.item)} · {printable(row.evaluator_name)} · {row.score:.4g}")
    if row.other_dialect is not None:
        click.echo(f"        the other dialect says {row.other_dialect}")
    if row.verdict == "PASS" and not whole:
        return
    if row.why:
        click.echo(f"        {printable(row.why)}")
    click.echo(f"        inputs   {_shown(row.inputs)}")
    click.echo(f"        actual   {_shown(row.actual)}")
    click.echo(f"        expected {_shown(row.expected)}")


def _shown(value: Any) -> str:
    said = printable(json.dumps(value, ensure_ascii=False))
    return said if len(said) <= SHOWN else said[: SHOWN - 1] + "…"


def as_json(opened: OpenProject, reports: Sequence[ScoreReport], green: bool) -> dict[str, Any]:
    return {
        "kind": "score",
        "project": opened.root.name,
        "dialect": opened.dialect,
        "dialect_told_by": opened.told_by,
        "green": green,
        "reports": [report.model_dump(mode="json") for report in reports],
        "rows": [row.model_dump(mode="json") for report in reports for row in report.rows],
    }


def junit_of(reports: Sequence[ScoreReport]) -> bytes:
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


def say_iteration(row: Iteration) -> None:
    say(f"iteration {row.number}: {printable(row.line)}" + (f" ({printable(row.fix)})" if row.fix else ""))


def print_loop(opened: OpenProject, report: LoopReport) -> None:
    click.echo(f"Ended after {len(report.iterations)} iteration(s): {report.words}.")
    for one in report.reports:
        for row in one.failures:
            print_row(row)
    if not report.stale:
        return
    click.echo(f"\n{len(report.stale)} expectation(s) passed before and do not fit the new behaviour:")
    for row in report.stale:
        print_row(row)
    if sys.stdin.isatty():
        settle(opened, report)


def settle(opened: OpenProject, report: LoopReport) -> None:
    """Ask row by row which side is right; only a person changes an expectation."""
    from reviewapp.errors import ReviewappError
    from reviewapp.eval_sets.settling import accept_output, questions_of_loop

    for question in questions_of_loop(report):
        choice = click.prompt(
            f"{printable(question.row.item)}: which side is right?",
            type=click.Choice(["expectation", "output", "later"]),
            default="later",
            err=True,
        )
        if choice != "output":
            continue
        try:
            accept_output(opened.root, opened.dialect, question)
        except ReviewappError as error:  # the other questions are asked all the same
            say(error.message)
        else:
            say("The expectation is now what the target gave.")
