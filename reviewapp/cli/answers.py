"""``reviewapp answer``: a person's decision on one value."""

from __future__ import annotations

import re

import click

from reviewapp.cli.output import print_json, printable
from reviewapp.cli.session import Session, pass_session, shared_options

DECISIONS = ("accept", "reject", "cant_tell", "correct", "take_back")
NEGATIVE = re.compile(r"-[\d.,½¼¾]")
"""How a value begins that looks like an option: ``-5``, ``-.5``."""


class AnswerCommand(click.Command):
    """Takes ``-5`` for the value it is, and still refuses an option that it does not have."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(NEGATIVE.match(word) for word in args)
        return super().parse_args(ctx, args)


@click.command(cls=AnswerCommand)
@click.argument("test")
@click.argument("iri")
@click.argument("property_name", metavar="PROPERTY")
@click.argument("decision", type=click.Choice(DECISIONS))
@click.argument("value", required=False)
@click.option("--note", default="", help="Why; at most 1,000 characters.")
@click.option("--quote", help="Words of the text that state the corrected value.")
@shared_options
@pass_session
def answer(
    session: Session,
    test: str,
    iri: str,
    property_name: str,
    decision: str,
    value: str | None,
    note: str,
    quote: str | None,
) -> None:
    """Answer what TEST read for PROPERTY of the record IRI (or of that name, where the test has one).

    accept: it is right (without a value: the text states none). reject: it is wrong. correct VALUE: the text states
    this one. cant_tell: not to be decided from the text. take_back: your answer goes, its history stays.

    VALUE is in the property's unit, or has one of its own ("600 mm"). TEST is an id, a number or `latest`.

    \b
    Example:
      reviewapp answer latest "record:tenders/02.05%20Roof%20hatch" width accept
      reviewapp answer latest "record:tenders/02.05%20Roof%20hatch" height correct "12 in" --note "the curb's"
    """
    from typing import cast

    from reviewapp.answers import save_answer
    from reviewapp.cli.tests import find_test
    from reviewapp.domain.answers import Decision
    from reviewapp.tests import find_input

    if (decision == "correct") != (value is not None):
        raise click.UsageError("VALUE goes with `correct`, and only with it.")
    workspace = session.workspace()
    chosen = None if decision == "take_back" else cast("Decision", decision)
    found = find_test(workspace, test)
    iri = find_input(workspace, found.id, iri).iri
    kept = save_answer(
        workspace,
        found.id,
        iri,
        property_name,
        chosen,
        by=session.by,
        value=value,
        note=note,
        quote=quote,
    )
    if session.as_json:
        print_json(kept.model_dump(mode="json"))
        return
    said = "taken back" if kept.decision is None else kept.decision.replace("_", " ")
    right = "" if kept.value is None else f" {printable(kept.value)}"
    click.echo(f"{printable(kept.property)} of {printable(iri)}: {said}{right}, by {printable(kept.by)}.")
