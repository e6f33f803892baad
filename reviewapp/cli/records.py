"""``reviewapp records``: bring texts in, look at what is there."""

from __future__ import annotations

from pathlib import Path

import click

from reviewapp.cli.output import counted, print_json, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options


@click.group()
@shared_options
def records() -> None:
    """Bring in records and look at them.

    \b
    Example:
      reviewapp records import positions.csv --collection tenders
      reviewapp records list --collection tenders
    """


@records.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--collection", "-c", required=True, metavar="NAME", help="Where the records go; made when it is new.")
@click.option("--text", "text_columns", multiple=True, metavar="COL", help="Column or field with the text; repeatable.")
@click.option("--name", "name_column", metavar="COL", help="Column or field with the record's name.")
@click.option("--iri", "iri_column", metavar="COL", help="Column or field with the record's IRI.")
@shared_options
@pass_session
def import_(
    session: Session,
    files: tuple[Path, ...],
    collection: str,
    text_columns: tuple[str, ...],
    name_column: str | None,
    iri_column: str | None,
) -> None:
    """Bring in records from files or folders: JSONL, JSON, CSV, XLSX, TXT, MD, HTML, PDF, DOCX.

    All faults of the files are told at once, and then nothing is imported. Importing a file again changes nothing but
    the records whose text has changed.

    \b
    Example:
      reviewapp records import positions.csv --collection tenders --text description --name item
      reviewapp records import contracts/ --collection contracts
    """
    from reviewapp.formats.readers import read_files
    from reviewapp.records import import_records

    workspace = session.workspace(create=True)
    incoming = read_files(files, text_columns=text_columns, name_column=name_column, iri_column=iri_column)
    report = import_records(workspace, collection, incoming.records, by=session.by, notes=incoming.notes)
    if session.as_json:
        print_json(report.model_dump(mode="json"))
        return
    for note in report.notes:
        say(f"Note: {printable(note)}")
    click.echo(
        f"Collection {report.collection}: {report.new:,} new, {report.changed:,} changed, {report.same:,} the same."
    )


@records.command("list")
@click.option("--collection", "-c", metavar="NAME", help="List this one's records; without it, the collections.")
@click.option("--search", default="", metavar="WORDS", help="Only records whose name or text has these words.")
@click.option(
    "--limit", default=100, show_default=True, metavar="N", type=click.IntRange(1, 10_000), help="Most records to list."
)
@click.option("--after", metavar="IRI", help="Go on after this record (`next` of the JSON document).")
@shared_options
@pass_session
def list_(session: Session, collection: str | None, search: str, limit: int, after: str | None) -> None:
    """List the collections, or the records of one.

    \b
    Example:
      reviewapp records list --collection tenders --search Stahltür
    """
    from reviewapp.records import get_collection, list_collections, list_records

    workspace = session.workspace()
    if collection is None:
        collections = list_collections(workspace)
        if session.as_json:
            print_json({"collections": [c.model_dump(mode="json") for c in collections]})
        else:
            print_table(
                ("collection", "records", "properties"),
                [(c.name, c.record_count, ", ".join(p.name for p in c.properties)) for c in collections],
            )
        return
    get_collection(workspace, collection)
    rows = list_records(workspace, collection, search=search, after=after, limit=limit)
    following = rows[-1].iri if len(rows) == limit else None
    if session.as_json:
        print_json({"collection": collection, "records": [r.model_dump(mode="json") for r in rows], "next": following})
        return
    print_table(
        ("iri", "name", "characters", "changed"), [(r.iri, r.name, f"{r.characters:,}", when(r.changed)) for r in rows]
    )
    if following:
        say(f"The first {counted(limit, 'record')}; go on with: --after {following!r}")


@records.command()
@click.argument("iri")
@shared_options
@pass_session
def show(session: Session, iri: str) -> None:
    """Show a record with its text, by its IRI or by its name.

    \b
    Example:
      reviewapp records show "02.05 Roof hatch"
      reviewapp records show "record:tenders/02.05%20Roof%20hatch"
    """
    from reviewapp.records import find_record

    record = find_record(session.workspace(), iri)
    if session.as_json:
        print_json(record.model_dump(mode="json"))
        return
    source = f", from {printable(record.source)}" if record.source else ""
    say(f"{printable(record.name)} ({record.collection}{source}; {counted(len(record.text), 'character')})")
    click.echo(record.text)
