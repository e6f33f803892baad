"""Datasets to and from other programs: import, formats, tasks, and the forms of export."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from reviewapp.cli.dataset_work import find_dataset, print_made
from reviewapp.cli.output import print_json, say
from reviewapp.cli.session import Session, pass_session, shared_options


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "form", required=True, metavar="F", help="Its form; `reviewapp dataset formats` lists them.")
@click.option("--name", required=True, help="Of the dataset.")
@shared_options
@pass_session
def import_(session: Session, file: Path, form: str, name: str) -> None:
    """Make a dataset of FILE, or of a folder (Hugging Face, records.json and expected.json); the same file under the
    same name makes no second one.

    \b
    Example:
      reviewapp dataset import items.jsonl --format jsonl --name "Tender positions"
      reviewapp dataset import tender-positions/ --format huggingface --name "Tender positions"
    """
    from reviewapp.datasets import find_form, import_items
    from reviewapp.formats.zips import packed

    data = packed(file) if find_form(form).suffix == ".zip" and file.is_dir() else file.read_bytes()
    workspace = session.workspace(create=True)
    made, imported = import_items(workspace, name, form, data, file=file.name, by=session.by)
    for note in imported.notes:
        say(note)
    print_made(session, made)


@click.command()
@shared_options
@pass_session
def formats(session: Session) -> None:
    """List the forms that a dataset can have outside, and what each cannot hold.

    \b
    Example:
      reviewapp dataset formats
    """
    from reviewapp.datasets import forms

    found = forms()
    if session.as_json:
        rows: list[dict[str, Any]] = [
            {
                "name": f.name,
                "words": f.words,
                "suffix": f.suffix,
                "reads": f.read is not None,
                "cannot_hold": f.cannot_hold,
            }
            for f in found
        ]
        print_json({"formats": rows})
        return
    for form in found:
        ways = "out and in" if form.read else "out"
        lost = f" Cannot hold: {'; '.join(form.cannot_hold)}." if form.cannot_hold else ""
        click.echo(f"{form.name} ({form.suffix}, {ways}): {form.words}.{lost}")


@click.command()
@click.argument("test")
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="For the tasks (JSON).",
)
@click.option(
    "--interface",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the labelling interface (XML).",
)
@shared_options
@pass_session
def tasks(session: Session, test: str, out: Path, interface: Path | None) -> None:
    """Write TEST as tasks of Label Studio: what was read as predictions, answers as annotations.

    \b
    Example:
      reviewapp dataset tasks latest --out tasks.json --interface interface.xml
    """
    from reviewapp.cli.tests import find_test
    from reviewapp.datasets import export_tasks
    from reviewapp.domain.saving import install_of
    from reviewapp.formats.datasets import Losses
    from reviewapp.formats.datasets.label_studio import interface_for

    workspace = session.workspace()
    found = find_test(workspace, test)
    with out.open("wb") as file:
        file.writelines(export_tasks(workspace, found.id, Losses()))
    written = [str(out)]
    if interface is not None:
        interface.write_text(interface_for(install_of(found.settings)), encoding="utf-8")
        written.append(str(interface))
    if session.as_json:
        print_json({"test": found.id, "files": written})
    else:
        click.echo("\n".join(written))


@click.command()
@click.argument("test")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "csv-semicolon", "xlsx"]),
    default="csv",
    show_default=True,
    help="Excel opens `csv` where decimals have a point, `csv-semicolon` where they have a comma.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="The file; without it, or with -, stdout.",
)
@shared_options
@pass_session
def answers(session: Session, test: str, form: str, out: Path | None) -> None:
    """Write TEST as a table: a row per value, with what was read, everybody's answer, note and name apart.

    \b
    Example:
      reviewapp dataset answers latest
      reviewapp dataset answers latest --format xlsx --out answers.xlsx
    """
    from reviewapp.answer_rows import answer_rows
    from reviewapp.cli.tests import find_test
    from reviewapp.formats.answers_table import SHEETS

    workspace = session.workspace()
    found = find_test(workspace, test)
    pieces = SHEETS[form].write(answer_rows(workspace, found.id))
    if out is None or str(out) == "-":
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    with out.open("wb") as file:
        file.writelines(pieces)
    if session.as_json:
        print_json({"test": found.id, "files": [str(out)]})
    else:
        click.echo(str(out))


def export_form(session: Session, dataset: str, form: str, out: Path, version: int | None) -> None:
    """Write a dataset in a form to a file, or of a zip what is in it to a folder, where no ``.zip`` is asked for; what
    the form cannot hold is said on stderr."""
    from reviewapp.datasets import export_dataset, find_form
    from reviewapp.formats.datasets import Losses

    workspace = session.workspace()
    found = find_form(form)
    kept = find_dataset(workspace, dataset)
    losses = Losses()
    pieces = export_dataset(workspace, kept.id, form, losses, version=version)
    if str(out) == "-":
        for piece in pieces:
            click.echo(piece, nl=False)
    elif found.suffix == ".zip" and out.suffix.lower() != ".zip":
        unpack(pieces, out)
    else:
        out = out / f"{kept.id}{found.suffix}" if out.is_dir() else out
        _replace(pieces, out)
    for sentence in losses.sentences:
        say(sentence)
    if str(out) == "-":
        return
    if session.as_json:
        print_json({"dataset": kept.id, "format": form, "file": str(out), "not_held": losses.sentences})
    else:
        click.echo(str(out))


def unpack(pieces: Iterable[bytes], folder: Path) -> list[Path]:
    """Write the files of a zip of ours into a folder, which is made; files of before are replaced, each as a whole."""
    written = []
    with tempfile.TemporaryFile() as file:
        file.writelines(pieces)
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                with archive.open(name) as content:
                    _replace(iter(lambda: content.read(1 << 16), b""), folder / name)
                written.append(folder / name)
    return written


def _replace(pieces: Iterable[bytes], path: Path) -> None:
    """Write the whole file or none of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.writelines(pieces)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


COMMANDS = (import_, formats, tasks, answers)
