"""Further work on datasets: versions, differences, merge, split, duplicates, spellings."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

import click

from reviewapp.cli.output import counted, print_json, print_json_list, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.datasets import Dataset, Item
    from reviewapp.workspaces import Workspace

SHOWN_CHANGES = 200


def find_dataset(workspace: Workspace, named: str) -> Dataset:
    """The dataset of an id or an exact name (the newest of that name), or ``latest``; raises NotFound."""
    from reviewapp.datasets import get_dataset, list_datasets
    from reviewapp.errors import NotFound

    if named.startswith("ds_"):  # an id; a name may begin like one
        with suppress(NotFound):
            return get_dataset(workspace, named)
    after = None
    while page := list_datasets(workspace, after=after, limit=50):
        for found in page:
            if named in ("latest", found.name):
                return found
        after = page[-1].id
    raise NotFound("dataset", named, way_out="`reviewapp dataset list` shows those there are.")


def _side(workspace: Workspace, named: str) -> tuple[str, int | None]:
    """``NAME`` or ``NAME@3``: a dataset and perhaps its version."""
    name, at, version = named.rpartition("@")
    if at and version.isdecimal():
        return find_dataset(workspace, name).id, int(version)
    return find_dataset(workspace, named).id, None


@click.command()
@click.argument("dataset")
@shared_options
@pass_session
def versions(session: Session, dataset: str) -> None:
    """List the versions of DATASET (id or name), newest first.

    \b
    Example:
      reviewapp dataset versions "Tender positions, May"
    """
    from reviewapp.datasets import list_versions

    workspace = session.workspace()
    found = list_versions(workspace, find_dataset(workspace, dataset).id)
    if session.as_json:
        print_json({"versions": [v.model_dump(mode="json") for v in found]})
    else:
        rows = [(v.version, v.item_count, when(v.at), v.by, v.note) for v in found]
        print_table(("version", "items", "made", "by", "what"), rows)


@click.command()
@click.argument("before")
@click.argument("after")
@shared_options
@pass_session
def diff(session: Session, before: str, after: str) -> None:
    """Say which items differ between BEFORE and AFTER: datasets (id or name), with @N for a version.

    \b
    Example:
      reviewapp dataset diff "Tender positions@1" "Tender positions"
    """
    from reviewapp.datasets import diff as changes

    workspace = session.workspace()
    sides = _side(workspace, before), _side(workspace, after)
    found = changes(workspace, *sides)
    if session.as_json:
        print_json_list(
            {"before": sides[0][0], "after": sides[1][0]},
            "changes",
            ({"kind": c.kind, **c.model_dump(mode="json")} for c in found),
        )
        return
    rows = [(c.kind, c.name, _words(c.before), _words(c.after)) for c in islice(found, SHOWN_CHANGES)]
    if not rows:
        click.echo("No item differs.")
        return
    print_table(("", "item", "before", "after"), rows)
    if next(found, None) is not None:
        say(f"These are the first {SHOWN_CHANGES}; --json gives all.")


def _words(item: Item | None) -> str:
    if item is None:
        return ""
    writes = [f"{e.property} {e.value}" for e in item.values]
    leaves = [f"no {e.property}" if e.value is None else f"not {e.property} {e.value}" for e in item.leave_out]
    return ", ".join(writes + leaves) or "nothing"


@click.command()
@click.argument("datasets", nargs=-1, required=True)
@click.option("--name", required=True, help="Of the new dataset.")
@click.option("--prefer-last", is_flag=True, help="Where two contradict each other, let the later one count.")
@shared_options
@pass_session
def merge(session: Session, datasets: tuple[str, ...], name: str, prefer_last: bool) -> None:
    """Make one dataset of several; items with the same text become one.

    \b
    Example:
      reviewapp dataset merge "May" "June" --name "Spring"
    """
    from reviewapp.datasets import merge_datasets

    workspace = session.workspace()
    ids = [find_dataset(workspace, named).id for named in datasets]
    print_made(session, merge_datasets(workspace, ids, name, prefer_last=prefer_last, by=session.by))


@click.command()
@click.argument("dataset")
@click.option("--into", nargs=2, required=True, metavar="FIRST SECOND", help="Names of the two new datasets.")
@click.option("--share", type=float, metavar="X", help="About this share of the items into the first (0 to 1).")
@click.option("--match", metavar="PATTERN", help="Items whose name matches into the first, such as '2024-*'.")
@click.option("--seed", default="", help="Another seed gives other parts.")
@shared_options
@pass_session
def split(
    session: Session, dataset: str, into: tuple[str, str], share: float | None, match: str | None, seed: str
) -> None:
    """Make two datasets of one, so that no text is in both.

    \b
    Example:
      reviewapp dataset split "Tender positions" --into "To learn" "To test" --share 0.7
    """
    from reviewapp.datasets import split_dataset

    workspace = session.workspace()
    id = find_dataset(workspace, dataset).id
    made = split_dataset(workspace, id, into, share=share, pattern=match, seed=seed, by=session.by)
    print_made(session, *made)


@click.command("add-answers")
@click.argument("dataset")
@click.argument("tests", nargs=-1, required=True)
@shared_options
@pass_session
def add_answers(session: Session, dataset: str, tests: tuple[str, ...]) -> None:
    """Add the answers of TESTS (ids, numbers) to DATASET.

    \b
    Example:
      reviewapp dataset add-answers "Tender positions" 12 13
    """
    from reviewapp.cli.tests import find_test
    from reviewapp.datasets import add_answers as add

    workspace = session.workspace()
    ids = [find_test(workspace, named).id for named in tests]
    print_made(session, add(workspace, find_dataset(workspace, dataset).id, ids, by=session.by))


@click.command()
@click.argument("dataset")
@shared_options
@pass_session
def duplicates(session: Session, dataset: str) -> None:
    """Say which items of DATASET have the same text, and where they contradict each other.

    \b
    Example:
      reviewapp dataset duplicates "Tender positions"
    """
    from reviewapp.datasets import find_duplicates

    workspace = session.workspace()
    found = find_duplicates(workspace, find_dataset(workspace, dataset).id)
    if session.as_json:
        rows = [{"names": g.names, "exact": g.exact, "contradictions": g.contradictions} for g in found]
        print_json({"duplicates": rows})
    elif not found:
        click.echo("No two items have the same text.")
    else:
        table = [
            (", ".join(g.names), "the same" if g.exact else "but for case and spaces", ", ".join(g.contradictions))
            for g in found
        ]
        print_table(("items", "text", "contradict each other on"), table)


@click.command()
@click.argument("dataset")
@click.argument("item")
@click.argument("property")
@click.argument("spellings", nargs=-1)
@shared_options
@pass_session
def accept(session: Session, dataset: str, item: str, property: str, spellings: tuple[str, ...]) -> None:
    """Set the SPELLINGS that count as right for a text value of an ITEM; none: only the value itself.

    \b
    Example:
      reviewapp dataset accept "Receipts" "Receipt 4" shop "acme ltd" "acme limited"
    """
    from reviewapp.datasets import set_accept

    workspace = session.workspace()
    id = find_dataset(workspace, dataset).id
    print_made(session, set_accept(workspace, id, item, property, spellings or None, by=session.by))


@click.command()
@click.argument("dataset")
@click.argument("item")
@click.argument("words", required=False)
@shared_options
@pass_session
def case(session: Session, dataset: str, item: str, words: str | None) -> None:
    """Say in WORDS what an ITEM of DATASET is there to try; none: nothing special.

    \b
    Example:
      reviewapp dataset case "Receipts" "Receipt 4" "two totals, one of them struck through"
    """
    from reviewapp.datasets import set_case

    workspace = session.workspace()
    print_made(session, set_case(workspace, find_dataset(workspace, dataset).id, item, words, by=session.by))


def print_made(session: Session, *made: Dataset) -> None:
    if session.as_json:
        print_json({"datasets": [d.model_dump(mode="json") for d in made]})
        return
    for dataset in made:
        count = counted(dataset.item_count, "item")
        click.echo(f"Dataset {printable(dataset.name)} ({dataset.id}), version {dataset.version}: {count}.")


COMMANDS = (versions, diff, merge, split, add_answers, duplicates, accept, case)
