"""``reviewapp model``: which models there are and are chosen, what they may cost and did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reviewapp.cli.output import print_json, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.choices import ModelName

USE = click.Choice(["extract", "decide"])


@click.group()
@shared_options
def model() -> None:
    """Choose the models that read and judge, try them, keep to a budget, look at their calls.

    Providers and keys: see docs/models.md. MODEL is written as provider/model.

    \b
    Example:
      reviewapp model list
      reviewapp model choose extract openai/gpt-5-mini --workflow tender-positions
    """


def _name(said: str, effort: str | None = None) -> ModelName:
    from reviewapp.domain.choices import ModelName

    provider, slash, name = said.partition("/")
    if not (slash and provider and name):
        raise click.BadParameter(f"{said!r} names no model; write it as provider/model.", param_hint="MODEL")
    return ModelName(provider=provider, model=name, effort=effort)


@model.command("list")
@shared_options
@pass_session
def list_(session: Session) -> None:
    """List the models there are, and which are chosen for what.

    \b
    Example:
      reviewapp model list
    """
    from reviewapp.choices import list_choices, options

    chosen = [c for c in list_choices(session.workspace()) if c.model is not None]
    there = options("extract")
    if session.as_json:
        print_json(
            {
                "chosen": [c.model_dump(mode="json") for c in chosen],
                "models": [o.model_dump(mode="json") for o in there],
            }
        )
        return
    print_table(
        ("use", "for", "model", "chosen"),
        [(c.use, c.workflow or "every workflow", c.model, f"{when(c.since)} {c.by or ''}") for c in chosen],
    )
    click.echo()
    rows = [
        (o.name, "" if o.available else "no", o.input_usd_per_million, o.output_usd_per_million, o.note) for o in there
    ]
    print_table(("model", "can be asked", "$ per million in", "out", "note"), rows)


@model.command()
@click.argument("use", type=USE)
@click.argument("model", metavar="MODEL")
@click.option("--workflow", metavar="NAME", help="For this workflow; else for all without a choice of their own.")
@click.option("--effort", metavar="WORD", help="How hard it thinks: low, medium, high; where the model takes it.")
@shared_options
@pass_session
def choose(session: Session, use: str, model: str, workflow: str | None, effort: str | None) -> None:
    """Choose the MODEL that reads (extract) or judges support (decide).

    \b
    Example:
      reviewapp model choose decide anthropic/claude-haiku-4-5
    """
    from reviewapp import choices

    chosen = choices.choose(
        session.workspace(),
        "extract" if use == "extract" else "decide",
        _name(model, effort),
        workflow=workflow,
        by=session.by,
    )
    if session.as_json:
        print_json(chosen.model_dump(mode="json"))
    else:
        click.echo(f"{use}: {chosen.model} for {workflow or 'every workflow without a choice of its own'}")


@model.command()
@click.argument("use", type=USE)
@click.option("--workflow", metavar="NAME", help="The workflow's choice; else the workspace's.")
@shared_options
@pass_session
def drop(session: Session, use: str, workflow: str | None) -> None:
    """Take a choice back.

    \b
    Example:
      reviewapp model drop extract --workflow tender-positions
    """
    from reviewapp import choices

    choices.drop_choice(
        session.workspace(), "extract" if use == "extract" else "decide", workflow=workflow, by=session.by
    )
    say("Taken back.")


@model.command("try")
@click.argument("model", metavar="MODEL")
@click.option("--effort", metavar="WORD", help="How hard it thinks.")
@shared_options
@pass_session
def try_(session: Session, model: str, effort: str | None) -> None:
    """Ask MODEL for one word; exits with 1 when no reply comes.

    \b
    Example:
      reviewapp model try ollama/qwen3:8b
    """
    from reviewapp.calls import try_connection
    from reviewapp.domain.calls import in_dollars

    made = try_connection(session.workspace(), _name(model, effort))
    if session.as_json:
        print_json(made.model_dump(mode="json"))
    elif made.status == "failed":
        say(f"Error: {printable(made.error)}")
    else:
        click.echo(f"{model} answered in {made.milliseconds / 1000:.1f} s for {in_dollars(made.cost_micro_usd)}")
    if made.status == "failed":
        raise click.exceptions.Exit(1)


@model.command()
@click.option("--workflow", metavar="NAME", help="Of this workflow; else of the whole workspace.")
@click.option("--set", "dollars", metavar="DOLLARS", help="US dollars a month, or `none`.")
@shared_options
@pass_session
def budget(session: Session, workflow: str | None, dollars: str | None) -> None:
    """Show what was spent this month (UTC) and what may be; --set changes a limit.

    \b
    Example:
      reviewapp model budget --workflow tender-positions --set 25
    """
    from reviewapp import calls
    from reviewapp.domain.calls import in_dollars, micro_usd_of

    workspace = session.workspace()
    if dollars is not None:
        try:
            limit = None if dollars == "none" else micro_usd_of(dollars)
        except ValueError:
            raise click.BadParameter(
                f"{dollars[:40]!r} is no amount; write 25, 2.50 or none.", param_hint="--set"
            ) from None
        calls.set_budget(workspace, limit, workflow=workflow, by=session.by)
    shown = [b for b in calls.budgets(workspace) if workflow is None or b.workflow == workflow]
    if session.as_json:
        print_json({"budgets": [b.model_dump(mode="json") | {"left_micro_usd": b.left_micro_usd} for b in shown]})
        return
    rows = [
        (
            b.workflow or "the workspace",
            in_dollars(b.spent_micro_usd),
            "no limit" if b.micro_usd_per_month is None else in_dollars(b.micro_usd_per_month),
            "" if b.left_micro_usd is None else in_dollars(b.left_micro_usd),
        )
        for b in shown
    ]
    print_table(("of", "spent", "budget", "left"), rows)


@model.command()
@click.option("--test", "test", metavar="TEST", help="Only calls of this test: id, number or `latest`.")
@click.option("--limit", default=50, show_default=True, metavar="N", type=click.IntRange(1), help="Most calls to list.")
@shared_options
@pass_session
def calls(session: Session, test: str | None, limit: int) -> None:
    """List the calls to models, newest first; --json has the replies.

    \b
    Example:
      reviewapp model calls --test latest
    """
    from reviewapp.calls import list_calls
    from reviewapp.cli.tests import find_test
    from reviewapp.domain.calls import in_dollars

    workspace = session.workspace()
    found = list_calls(workspace, test=None if test is None else find_test(workspace, test).id, limit=limit)
    if session.as_json:
        print_json({"calls": [c.model_dump(mode="json") for c in found]})
        return
    rows = [
        (
            c.id, when(c.at), c.route, f"{c.provider}/{c.model}", c.status.replace("_", " "), c.input_tokens,
            c.output_tokens, in_dollars(c.cost_micro_usd), f"{c.milliseconds / 1000:.1f} s", c.error or "",
        )
        for c in found
    ]  # fmt: skip
    print_table(("call", "when", "route", "model", "state", "in", "out", "cost", "time", "error"), rows)
