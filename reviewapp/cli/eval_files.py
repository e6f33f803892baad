"""``reviewapp evaluator``, ``eval-set``: custom evaluators, the sets of a project, eval sets and datasets."""

from __future__ import annotations

from pathlib import Path

import click

from reviewapp.cli.eval_reports import ask
from reviewapp.cli.output import print_json, print_table, printable, say
from reviewapp.cli.session import Session, pass_session, shared_options


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

    ask(yes, f"Registering runs {file} once.")
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
@click.option("--fix", default="", metavar="COMMAND", help="What loops on the pages mend failures with, as for `loop`.")
@click.option("--allow", is_flag=True, help="Let the pages run the project's own programs.")
@shared_options
@pass_session
def open_(session: Session, project: Path, target: str, pattern: str, fix: str, allow: bool) -> None:
    """Let the workspace know a project, so that it is on the pages. Nothing is written into its folder.

    \b
    Example:
      reviewapp eval-set open ./invoice-agent --target 'python:main:run' --allow
    """
    from reviewapp.eval_sets.keeping import allow_project, change_project, open_project

    workspace = session.workspace(create=True)
    kept = open_project(workspace, project, by=session.by)
    if target or fix:
        said = {"target": target or kept.target, "pattern": pattern or kept.pattern, "fix": fix or kept.fix}
        kept = change_project(workspace, kept.id, dialect=kept.dialect, by=session.by, **said)
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
@click.option("--name", help="What the set and its files are called (default: as the dataset).")
@shared_options
@pass_session
def from_dataset(session: Session, dataset: str, project: Path, dialect: str | None, name: str | None) -> None:
    """Write DATASET (id or name), or the answers of a test (test:NUMBER), as an eval set into a project.

    \b
    Example:
      reviewapp eval-set from-dataset "Tender positions" ./invoice-agent
      reviewapp eval-set from-dataset test:3 ./invoice-agent
    """
    from reviewapp.datasets import get_dataset
    from reviewapp.eval_sets.exchange import save_as_eval_set
    from reviewapp.formats.datasets import Losses

    losses = Losses()
    workspace = session.workspace()
    found = _dataset(session, dataset)
    made, judged = save_as_eval_set(
        workspace,
        found,
        _folder(project),
        dialect=dialect,  # type: ignore[arg-type]
        name=name,
        losses=losses,
    )
    for sentence in losses.sentences:
        say(sentence)
    if session.as_json:
        print_json({"eval_set": str(made.path), "evaluator": str(judged.path)})
        return
    items = len(made.content["evaluations"])
    click.echo(f"Wrote {made.path.name} with {items} item(s), judged by {judged.path.name}.")
    if left_out := get_dataset(workspace, found).item_count - items:
        say(f"{left_out} item(s) are left out: they expect nothing, or (for API workflows) not every property.")


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
        if passed_over := len(one.eval_set.evaluations) - made[-1].item_count:
            say(f"{printable(one.eval_set.name)}: {passed_over} item(s) are passed over: they expect no single values.")
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


def _folder(project: Path) -> Path:
    from reviewapp.errors import NotFound

    root = project.expanduser().resolve()
    if not root.is_dir():
        raise NotFound("folder", str(project))
    return root
