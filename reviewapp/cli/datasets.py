"""``reviewapp dataset``: keep a test's answers, write them to files."""

from __future__ import annotations

from pathlib import Path

import click

from reviewapp.cli import dataset_exchange, dataset_work
from reviewapp.cli.dataset_exchange import export_form, unpack
from reviewapp.cli.dataset_work import find_dataset
from reviewapp.cli.output import counted, print_json, print_table, printable, when
from reviewapp.cli.session import Session, pass_session, shared_options


@click.group()
@shared_options
def dataset() -> None:
    """Save a test's answers as a dataset, and export it.

    \b
    Example:
      reviewapp dataset save latest --name "Tender positions, May"
      reviewapp dataset list
    """


@dataset.command()
@click.argument("test")
@click.option("--name", help="The dataset's name; without it, the name it has, or one made from the workflow's.")
@shared_options
@pass_session
def save(session: Session, test: str, name: str | None) -> None:
    """Save the answers of TEST as its dataset; saving again updates the same one.

    TEST is an id, a number or `latest`.

    \b
    Example:
      reviewapp dataset save latest --name "Tender positions, May"
    """
    from reviewapp.cli.tests import find_test
    from reviewapp.datasets import save_dataset

    workspace = session.workspace()
    kept = save_dataset(workspace, find_test(workspace, test).id, name=name, by=session.by)
    if session.as_json:
        print_json(kept.model_dump(mode="json"))
    else:
        click.echo(f"Dataset {printable(kept.name)} ({kept.id}): {counted(kept.item_count, 'item')}.")


@dataset.command("list")
@click.option(
    "--limit", default=50, show_default=True, metavar="N", type=click.IntRange(1, 1_000), help="Most datasets to list."
)
@shared_options
@pass_session
def list_(session: Session, limit: int) -> None:
    """List the datasets, newest first.

    \b
    Example:
      reviewapp dataset list
    """
    from reviewapp.datasets import list_datasets

    kept = list_datasets(session.workspace(), limit=limit)
    if session.as_json:
        print_json({"datasets": [d.model_dump(mode="json") for d in kept]})
    else:
        print_table(
            ("id", "name", "items", "version", "changed"),
            [(d.id, d.name, d.item_count, d.version, when(d.changed)) for d in kept],
        )


@dataset.command()
@click.argument("named", metavar="DATASET")
@shared_options
@pass_session
def show(session: Session, named: str) -> None:
    """Show DATASET (id or name) and, per item, what a correct run writes and leaves out.

    \b
    Example:
      reviewapp dataset show "positions test 1"
    """
    from reviewapp.datasets import items

    workspace = session.workspace()
    kept = find_dataset(workspace, named)
    found = [item for _, item in items(workspace, kept.id)]
    if session.as_json:
        print_json(kept.model_dump(mode="json") | {"items": [i.model_dump(mode="json") for i in found]})
        return
    click.echo(f"{printable(kept.name)} ({kept.id}), version {kept.version}: {counted(kept.item_count, 'item')}")
    rows: list[tuple[object, ...]] = []
    for item in found:
        rows += [(item.name, e.property, "writes", _value(e.value), e.reason or "") for e in item.values]
        rows += [(item.name, e.property, "leaves out", _value(e.value), e.reason or "") for e in item.leave_out]
    print_table(("item", "property", "a correct run", "value", "reason"), rows)


def _value(value: object) -> object:
    return "any value" if value is None else value


@dataset.command()
@click.argument("dataset_id", metavar="DATASET")
@click.option(
    "--out",
    required=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Folder for the two files; with --format a file (a folder for Hugging Face), or - for stdout.",
)
@click.option("--format", "form", metavar="F", help="Another form; `reviewapp dataset formats` lists them.")
@click.option("--version", type=click.IntRange(1), metavar="N", help="An earlier version.")
@shared_options
@pass_session
def export(session: Session, dataset_id: str, out: Path, form: str | None, version: int | None) -> None:
    """Write DATASET (id or name) as records.json and expected.json into a folder, which is made; files of before are
    replaced. With --format in one of the forms of other programs.

    \b
    Example:
      reviewapp dataset export ds_0123456789abcdef0123456789abcdef --out export/
      reviewapp dataset export "Tender positions" --format pydantic-evals --out dataset.yaml
      reviewapp dataset export "Tender positions" --format huggingface --out tender-positions/
    """
    from reviewapp.datasets import export_file

    if form is not None:
        export_form(session, dataset_id, form, out, version)
        return
    if str(out) == "-":
        raise click.UsageError("Two files do not go to stdout; name a folder, or one file's form with --format.")
    workspace = session.workspace()
    dataset_id = find_dataset(workspace, dataset_id).id
    paths = [str(path) for path in unpack(export_file(workspace, dataset_id, "dataset.zip", version=version), out)]
    if session.as_json:
        print_json({"dataset": dataset_id, "files": paths})
    else:
        click.echo("\n".join(paths))


@dataset.command()
@click.argument("named", metavar="DATASET")
@click.option("--yes", is_flag=True, help="Delete it without asking.")
@shared_options
@pass_session
def delete(session: Session, named: str, yes: bool) -> None:
    """Delete DATASET (id or name) with all its versions; the answers of its test stay.

    \b
    Example:
      reviewapp dataset delete "Tender positions" --yes
    """
    from reviewapp.datasets import delete_dataset

    workspace = session.workspace()
    kept = find_dataset(workspace, named)
    what = f"{printable(kept.name)} ({kept.id}, {counted(kept.item_count, 'item')})"
    if not yes:
        click.confirm(f"Delete {what} with all its versions?", abort=True, err=True)
    delete_dataset(workspace, kept.id, session.by)
    if session.as_json:
        print_json({"deleted": kept.id})
    else:
        click.echo(f"Deleted: {what}.")


for command in (*dataset_work.COMMANDS, *dataset_exchange.COMMANDS):
    dataset.add_command(command)
