"""Evaluations and comparisons as a person reads them in a terminal, and as build servers do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.output import counted, print_table, printable

if TYPE_CHECKING:
    from reviewapp.domain.evaluations import Basis, Evaluation, Figures
    from reviewapp.evals.comparison import Compared, Comparison
    from reviewapp.workspaces import Workspace

basis_option = click.option(
    "--basis",
    type=click.Choice(["written", "read"]),
    default="written",
    show_default=True,
    help="Count what is written without a person, or also what is shown to one.",
)


def print_report(evaluation: Evaluation, basis: Basis) -> None:
    from reviewapp.domain.evaluations import BASIS_WORDS

    grading, report = evaluation.grading, evaluation.report
    click.echo(
        f"Evaluation {evaluation.number}: {printable(grading.label)} on {printable(grading.dataset_name)}, "
        f"version {grading.dataset_version}"
    )
    if report is None:
        click.echo(f"{evaluation.status}: {evaluation.cases_done} of {evaluation.case_count} items")
        return
    said = [f"{counted(report.items, 'item')}, {report.items_right[basis]:,} without fault"]
    said += [f"{report.failed:,} could not be read"] if report.failed else []
    said += [f"{report.seen:,} left out, the revision learnt from them"] if report.seen else []
    cost = f", {evaluation.cost_micro_usd / 1e6:.4f} US$" if evaluation.cost_micro_usd else ""
    said.append(f"{evaluation.milliseconds / 1e3:.1f} s{cost}")
    click.echo("; ".join(said) + f". Counted: what is {BASIS_WORDS[basis]}.")
    if evaluation.never_read:
        names = ", ".join(map(printable, evaluation.never_read))
        click.echo(f"This revision does not read {names}: all that is expected of it counts as missing.")
    rows = [(name, *_figures(figures[basis])) for name, figures in report.properties.items()]
    rows.append(("all", *_figures(report.total[basis])))
    heads = ("property", "right", "wrong", "missing", "to be left out", "precision", "recall", "F1", "95 %")
    print_table(heads, rows)


def _figures(figures: Figures) -> tuple[object, ...]:
    counts, interval = figures.counts, figures.f1_interval
    spread = "" if interval is None else f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    shares = (percent(figures.precision), percent(figures.recall), percent(figures.f1))
    return counts.right, counts.wrong, counts.missing, counts.forbidden, *shares, spread


def print_comparison(before: Evaluation, after: Evaluation, found: Comparison) -> None:
    click.echo(
        f"{printable(after.grading.label)} (evaluation {after.number}) against {printable(before.grading.label)} "
        f"(evaluation {before.number}): {found.total.words}."
    )
    for count, words in (
        (found.unread, "could not be read by one of them"),
        (found.seen, f"left out, because {_learner(before, after)} learnt from {'it' if found.seen == 1 else 'them'}"),
        (found.changed, "left out, held against different expectations"),
        (found.only_before + found.only_after, "in one of them only"),
    ):
        if count:
            click.echo(f"{counted(count, 'item')} {words}.")
    rows = [(name, *_compared(compared)) for name, compared in found.properties.items()]
    rows.append(("all", *_compared(found.total)))
    print_table(("property", "fixed", "broken", "F1 before", "F1 after", "difference, 95 %", "p", "says"), rows)


def _learner(before: Evaluation, after: Evaluation) -> str:
    """Which of the two has learnt from texts: ``revision 2``."""
    learnt = [e.grading.subject for e in (before, after) if e.grading.learnt_from]
    names = {f"{s.kind} {s.number}" if s.kind != "outputs" else printable(s.name): None for s in learnt}
    return " and ".join(names) or "one of them"


def _compared(compared: Compared) -> tuple[object, ...]:
    spread = compared.difference
    shown = "" if spread is None else f"{100 * spread.low:+.1f} to {100 * spread.high:+.1f}"
    shares = (percent(compared.f1_before), percent(compared.f1_after))
    return compared.fixed, compared.broken, *shares, shown, f"{compared.p:.3f}", compared.words


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def write_junit_file(workspace: Workspace, evaluation: Evaluation, basis: Basis, path: Path) -> None:
    """The graded items; those that the revision learnt from are skipped, as they are in the figures."""
    from reviewapp.evals.grading import verdicts_of, why_ungraded
    from reviewapp.evaluations import all_results
    from reviewapp.formats.junit import JUnitCase, graded_cases, write_junit

    def cases() -> Iterator[JUnitCase]:
        for result in all_results(workspace, evaluation.id):
            if evaluation.grading.was_learnt(result.inputs_fingerprint):
                yield JUnitCase(result.name, "learnt from", "skipped", "the revision learnt from it")
            else:
                yield from graded_cases(result.name, why_ungraded(result), verdicts_of(result) or (), basis)

    suite = f"{evaluation.grading.dataset_name}: {evaluation.grading.label}"
    with path.open("wb") as file:
        file.writelines(write_junit(suite, cases))


def sides(before: Any, after: Any) -> tuple[str, str, str, str]:
    def values(verdicts: Any) -> str:
        return "; ".join("nothing" if v.found is None else _printed(v.found.value) for v in verdicts)

    expected = "; ".join("no value" if v.expected is None else _printed(v.expected) for v in after)
    quote = next((v.found.quote for v in after if v.found is not None), "")
    return expected, values(before), values(after), quote


def _printed(value: Any) -> str:
    from reviewapp.domain.values import print_value

    return "nothing" if value is None else print_value(value, "f64" if isinstance(value, float) else "text")
