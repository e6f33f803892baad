"""``reviewapp workflow``: make and change workflows from a file, look at them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reviewapp.cli.output import print_json, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.properties import Property
    from reviewapp.domain.workflows import Revision


@click.group()
@shared_options
def workflow() -> None:
    """Make, change and look at workflows.

    \b
    Example:
      reviewapp workflow put workflow.yaml
      reviewapp workflow show tender-positions
    """


@workflow.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--note", default="", help="Why it is changed; kept with the revision.")
@shared_options
@pass_session
def put(session: Session, file: Path, note: str) -> None:
    """Make a workflow from a YAML or JSON file, or change the one of that name.

    Every change is a revision that stays; a file with the settings in use changes nothing.

    \b
    Example:
      reviewapp workflow put workflow.yaml --note "Width is the clear width now"
    """
    from reviewapp.formats.workflow_file import read_definition
    from reviewapp.workflows import put_workflow

    definition = read_definition(_read(file), file.name)
    kept = put_workflow(session.workspace(create=True), definition, by=session.by, note=note)
    if session.as_json:
        print_json(kept.model_dump(mode="json"))
        return
    click.echo(f"Workflow {kept.name}: revision {kept.active.number} ({kept.active.id}) is in use.")


@workflow.command("list")
@shared_options
@pass_session
def list_(session: Session) -> None:
    """List the workflows.

    \b
    Example:
      reviewapp workflow list --json
    """
    from reviewapp.workflows import list_workflows

    workflows = list_workflows(session.workspace())
    if session.as_json:
        print_json({"workflows": [w.model_dump(mode="json") for w in workflows]})
        return
    print_table(
        ("workflow", "collection", "properties", "revision", "since"),
        [
            (w.name, w.collection, len(w.active.settings.properties), w.active.number, when(w.active.created))
            for w in workflows
        ],
    )


@workflow.command()
@click.argument("name")
@click.option("--revision", metavar="ID", help="An earlier revision (wrev_…); without it, the one in use.")
@shared_options
@pass_session
def show(session: Session, name: str, revision: str | None) -> None:
    """Show what a workflow reads, and its revisions.

    \b
    Example:
      reviewapp workflow show tender-positions
    """
    from reviewapp.workflows import get_revision, get_workflow, list_revisions

    workspace = session.workspace()
    kept = get_workflow(workspace, name)
    shown = kept.active if revision is None else get_revision(workspace, name, revision)
    revisions = list_revisions(workspace, name)
    if session.as_json:
        print_json(
            {
                "workflow": kept.model_dump(mode="json"),
                "revision": shown.model_dump(mode="json"),
                "revisions": [r.model_dump(mode="json", exclude={"settings"}) for r in revisions],
            }
        )
        return
    _print_revision(shown)
    click.echo()
    print_table(
        ("revision", "id", "made", "by", "note"),
        [
            (r.number, r.id + (" *" if r.id == kept.active.id else ""), when(r.created), r.created_by, r.note)
            for r in revisions
        ],
    )


@workflow.command()
@click.argument("name")
@click.option(
    "--hold-out",
    default=0.3,
    show_default=True,
    metavar="SHARE",
    type=float,
    help="Share of the answered texts to keep back and grade on.",
)
@shared_options
@pass_session
def learn(session: Session, name: str, hold_out: float) -> None:
    """Learn from the answers to workflow NAME: a new revision, graded against the one in use.

    It learns from one part of the answered texts and is graded on the others, which it never saw. The same answers
    always give the same revision. `reviewapp workflow activate NAME REVISION` takes it back.

    \b
    Example:
      reviewapp workflow learn tender-positions
    """
    from reviewapp.learning import learn_workflow
    from reviewapp.workflows import get_revision

    workspace = session.workspace()
    done = learn_workflow(workspace, name, by=session.by, held_out=hold_out)
    if session.as_json:
        print_json(done.model_dump(mode="json"))
        return
    if done.revision == done.parent:
        click.echo(f"Workflow {name}: the answers give the revision that is in use; nothing changed.")
        return
    parent, learnt = (get_revision(workspace, name, id) for id in (done.parent, done.revision))
    number = f"revision {learnt.number} ({learnt.id})"
    click.echo(f"Workflow {name}: {number} is in use, learnt from the answers on {done.texts} texts.")
    click.echo(f"To go back: reviewapp workflow activate {name} {parent.number}")
    click.echo(f"\nGraded on {done.held_out} answered texts that it did not learn from:")
    rows = [(f"{parent.number}, before", done.before), (f"{learnt.number}, learnt", done.after)]
    print_table(
        ("revision", "right", "written without a person", "of these wrong", "support off by"),
        [
            (state, f"{g.right} of {g.values}", g.written, g.written_wrong, f"{g.calibration_error:.2f}")
            for state, g in rows
        ],
    )
    click.echo("\nWhat it learnt (weight above 0: speaks for a value, below 0: against it):")
    print_table(
        ("property", "what stands with it", "weight", "example"),
        [(c.property, c.cue, f"{c.weight:+.2f}" if c.weight else "–", printable(c.example)) for c in done.cues],
    )
    if done.passed_over:
        say(f"{done.passed_over} answers were passed over: their property has another type or unit now, or is gone.")


@workflow.command()
@click.argument("name")
@click.argument("revision")
@shared_options
@pass_session
def activate(session: Session, name: str, revision: str) -> None:
    """Put REVISION of workflow NAME in use again (its id, or its number).

    \b
    Example:
      reviewapp workflow activate tender-positions 1
    """
    from reviewapp.workflows import activate_revision, list_revisions

    workspace = session.workspace()
    named = next((r.id for r in list_revisions(workspace, name) if str(r.number) == revision), revision)
    kept = activate_revision(workspace, name, named, by=session.by)
    if session.as_json:
        print_json(kept.model_dump(mode="json"))
    else:
        click.echo(f"Workflow {kept.name}: revision {kept.active.number} ({kept.active.id}) is in use.")


def _print_revision(revision: Revision) -> None:
    settings = revision.settings
    click.echo(f"{revision.workflow}, revision {revision.number}: reads collection {settings.collection}")
    own = "".join(f" ({name}: {gate:g})" for name, gate in settings.gates.items())
    rules = settings.rules
    click.echo(f"Written from support {settings.gate:g}{own} on; decimal mark {rules.decimal_mark}, ", nl=False)
    click.echo(f"date order {rules.date_order}; read by {settings.extractor.kind}.")
    if settings.context:
        click.echo(printable(settings.context))
    click.echo()
    print_table(
        ("property", "type", "unit", "checks", "also called"),
        [(p.name, p.value_type, p.unit or "", _checks(p), ", ".join(p.aliases)) for p in settings.properties],
    )


def _checks(prop: Property) -> str:
    """The property's own checks in a few words."""
    found = [", ".join(prop.options)] if prop.options else []
    for word, bound in (("from", prop.minimum), ("to", prop.maximum)):
        if bound is not None:
            found.append(f"{word} {bound:g}")
    if prop.pattern:
        found.append(f"like {prop.pattern}")
    if prop.min_length is not None:
        found.append(f"at least {prop.min_length} characters")
    if prop.max_length is not None:
        found.append(f"at most {prop.max_length} characters")
    return "; ".join(found)


def _read(file: Path) -> str:
    """The file's text; raises InvalidInput where it is no UTF-8 text."""
    from reviewapp.errors import InvalidInput

    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{file.name} is not UTF-8 text (byte {error.start + 1}); save the workflow file as UTF-8."
        ) from None
