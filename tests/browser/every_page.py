"""A workspace in which every page has something to show, and where each page is visited."""

from __future__ import annotations

from pathlib import Path

from reviewapp import accounts, answers, datasets, evaluations, reviewers, second_looks
from reviewapp.app import create_app
from reviewapp.domain.tests import InputResult
from reviewapp.keys import create_key
from reviewapp.running.block_testing import BlockTestRunner
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.browser.test_eval_sets import FILE, smoke_loop, smoke_project
from tests.browser.test_models import called
from tests.evaluations.worlds import doors, workflow
from tests.models.fake_provider import FakeProvider
from tests.web import team, world


def fill(data: DataFolder, provider: FakeProvider, folder: Path) -> dict[str, str]:
    """Something for every page, beside Ann, who is an admin; what addresses name, by the words that `VISITS` has."""
    here = data.workspace("default", create=True)
    called(here, data, provider)
    answered, dataset = _answers(here, world.sinks(here).id)
    failed = world.fill(here, [("failed", "Nothing")], workflow="other", collection="other")
    world.run(here, failed, [InputResult(failed="The reply was cut off.", raw="{")])
    reviewers.assign(here, failed.id, ["Mara"], shares=True, by="Eve")
    looked = world.fill(here)
    world.run(here, looked, [world.kitchen_result(), world.laundry_result()])
    answers.save_answer(here, looked.id, 1, "width", "accept", by="Mara")
    unread = world.fill(here, [("waiting", "Width 600 mm")], workflow="waiting", collection="waiting")
    project, project_run = smoke_project(here, data, folder / "invoice-agent")
    project_loop = smoke_loop(here, data, project)
    return {
        "answered": answered,
        "dataset": dataset,
        "failed": failed.id,
        "looked": looked.id,
        "unread": unread.id,
        "offer": world.offer(here).id,
        "project": project,
        "project_run": project_run,
        "project_loop": project_loop,
        "file": FILE,
        "call": str(here.calls.rows()[0].id),
        **_evaluations(here, data),
        **_block_tests(data),
        **_people(data),
    }


def _answers(here: Workspace, test: str) -> tuple[str, str]:
    answers.save_answer(here, test, 0, "material", "accept", by="Ann", note="as printed")
    answers.save_answer(here, test, 0, "depth", "correct", by="Mara", value="51")
    answers.save_answer(here, test, 1, "width", "reject", by="Ann")
    datasets.save_dataset(here, test, by="Ann")
    answers.save_answer(here, test, 1, "depth", "accept", by="Ann")
    dataset = datasets.save_dataset(here, test, by="Ann").id
    reviewers.assign(here, test, ["Ann", "Mara"], shares=False, by="Eve")
    reviewers.set_overlap(here, test, 2, by="Eve")
    answers.save_answer(here, test, 0, "material", "reject", by="Mara", note="it is enamelled")
    answers.save_answer(here, test, 0, "depth", "accept", by="Ann")
    answers.save_answer(here, test, 1, "material", "accept", by="Mara")
    answers.save_answer(here, test, 1, "material", "accept", by="Ann")
    second_looks.look_again(here, test, 1, "material", "send_back", by="Eve", note="look at the drawing")
    return test, dataset


def _evaluations(here: Workspace, data: DataFolder) -> dict[str, str]:
    first = workflow(here).active
    graded = doors(here).id
    runs = [evaluations.start_grading(here, graded, workflow="doors", by="Ann").id]
    changed = [p.model_copy(update={"aliases": ()}) for p in first.settings.properties]
    second = workflow(here, *changed, gate=0.9).active
    runs.append(evaluations.start_grading(here, graded, workflow="doors", by="Ann").id)
    EvaluationRunner(data).run_until_idle()
    return {"graded": graded, "before": runs[0], "after": runs[1], "first": first.id, "second": second.id}


def _block_tests(data: DataFolder) -> dict[str, str]:
    client = create_app(Settings(data=data.path, person="Ann"), data).test_client()
    base = "/w/default/block-tests/of/doors/"
    form = {"block": "extract", "text": "Width: 600 mm", "handle": "output-json-0", "path": "width", "choice": "equals"}
    made = client.post(base, data={**form, "expected": "61"})
    run = client.post(f"{base}run", data={})
    steps = client.post(f"{base}steps", data={"text": "Width: 600 mm"})
    BlockTestRunner(data).run_until_idle()
    found = {"block_test": made, "block_run": run, "steps": steps}
    return {name: str(sent.location).rstrip("/").rpartition("/")[2] for name, sent in found.items()}


def _people(data: DataFolder) -> dict[str, str]:
    team.add(data, "Bo with quite a long name of many words", "reviewer", "default")
    accounts.disable(data, team.add(data, "Cy").name, by="Ann")
    create_key(data, "nightly", by="Ann")
    admin = accounts.get_person(data, "Ann").access
    _, invitation = accounts.invite(data, "default", role="reviewer", access=admin, uses=3)
    return {"invitation": invitation, "password": accounts.make_password_link(data, "Cy", by="Ann")}


VISITS: dict[str, tuple[str, ...]] = {
    "accounts.index": ("/people",),
    "accounts.me": ("/me",),
    "backups.index": ("/backups/",),
    "block_tests.index": ("block-tests/",),
    "block_tests.new": ("block-tests/of/doors/new",),
    "block_tests.run": ("block-tests/runs/{block_run}/",),
    "block_tests.show": ("block-tests/tests/{block_test}/",),
    "block_tests.steps": ("block-tests/steps/{steps}/",),
    "block_tests.workflow": ("block-tests/of/doors/", "block-tests/of/sinks/"),
    "calls.call": ("models/calls/{call}",),
    "calls.index": ("models/",),
    "calls.log": ("models/calls",),
    "dataset_items.change": ("datasets/{dataset}/items/change?name=4.1+kitchen",),
    "dataset_items.new": ("datasets/{dataset}/items/new",),
    "dataset_work.answering": (
        "datasets/{dataset}/add-answers", "datasets/{graded}/add-answers?look=1&test={answered}",
    ),
    "dataset_work.duplicates": ("datasets/{dataset}/duplicates",),
    "dataset_work.merging": (
        "datasets/{dataset}/merge", "datasets/{dataset}/merge?look=1&other={graded}",
    ),
    "dataset_work.splitting": ("datasets/{graded}/split", "datasets/{graded}/split?look=1&share=50"),
    "datasets.diff": ("datasets/{dataset}/diff?before=1", "datasets/{dataset}/diff?other={graded}"),
    "datasets.index": ("datasets/",),
    "datasets.show": ("datasets/{dataset}/", "datasets/{dataset}/?version=1"),
    "eval_sets.index": ("eval-sets/",),
    "eval_items.item": ("eval-sets/{project}/item?file={file}", "eval-sets/{project}/item?file={file}&item=2"),
    "eval_runs.show": ("eval-sets/{project}/runs/{project_run}", "eval-sets/{project}/runs/{project_loop}"),
    "eval_items.set_": ("eval-sets/{project}/set?file={file}",),
    "eval_sets.show": ("eval-sets/{project}/",),
    "evaluations.compare": ("evaluations/compare", "evaluations/compare?before={before}&after={after}"),
    "evaluations.index": ("evaluations/",),
    "evaluations.matrix": ("evaluations/matrix/{graded}",),
    "evaluations.new": ("evaluations/new", "evaluations/new?dataset={graded}"),
    "evaluations.show": ("evaluations/{before}/?basis=read&show=all",),
    "gates.show": ("workflows/sinks/gate/", "workflows/doors/gate/"),
    "help.show": ("/help",),
    "keys.index": ("/keys/",),
    "learning.show": ("workflows/sinks/learning/",),
    "many.show": ("tests/{looked}/many/?support=0.5", "tests/{looked}/many/?support=1"),
    "own_keys.index": ("/my-keys/",),
    "patterns.index": ("/patterns",),
    "people.index": ("people/",),
    "people.name": ("/name",),
    "people.show": ("person",),
    "records.collection": ("records/tenders/", "records/tenders/?q=sink", "records/tenders/?q=nowhere"),
    "records.index": ("records/",),
    "records.new": ("records/new",),
    "records.record": (
        "records/tenders/record?iri=record:tenders/4.1%2520kitchen&q=sink",
        "records/offers/record?iri=record:offers/offer",
    ),
    "replays.new": ("replays/new",),
    "review.show": (
        "tests/{answered}/", "tests/{answered}/?value=depth", "tests/{answered}/?order=weakest",
        "tests/{answered}/?show=disputed", "tests/{answered}/?show=sent_back", "tests/{answered}/?from=0.1",
        "tests/{answered}/?q=nowhere", "tests/{answered}/?show=review&q=sink", "tests/{answered}/?inputs=all&input=1",
        "tests/{looked}/?show=look", "tests/{looked}/?value=material", "tests/{looked}/?order=property",
        "tests/{offer}/?pane=both", "tests/{offer}/?pane=page", "tests/{failed}/?input=0", "tests/{unread}/",
    ),
    "reviewers.agreement": ("tests/{answered}/reviewers/agreement", "tests/{offer}/reviewers/agreement"),
    "reviewers.differ": ("tests/{answered}/reviewers/disputes", "tests/{offer}/reviewers/disputes"),
    "reviewers.show": ("tests/{answered}/reviewers/", "tests/{failed}/reviewers/", "tests/{offer}/reviewers/"),
    "sign_in.link": ("/link/{invitation}", "/link/{password}", "/link/none"),
    "sign_in.show": ("/sign-in",),
    "tests.index": ("tests/",),
    "tests.new": ("tests/new", "tests/new?workflow=doors"),
    "trail.index": ("trail",),
    "trail.of_server": ("/trail",),
    "workflows.change": ("workflows/sinks/change",),
    "workflows.index": ("workflows/",),
    "workflows.new": ("workflows/new", "workflows/new?collection=tenders"),
    "workflows.pasting": ("workflows/paste", "workflows/paste?of=sinks"),
    "workflows.revision": ("workflows/doors/revisions/{first}", "workflows/doors/revisions/{second}"),
    "workflows.show": ("workflows/doors/", "workflows/sinks/"),
    "workspaces.show": ("",),
    "workspaces.start": ("/",),
}  # fmt: skip
"""Where each page is looked at, by endpoint, in the states that look different; without a slash: in the workspace."""

NO_PAGES = {
    "static", "datasets.download", "datasets.export", "calls.export", "evaluations.matrix_picture", "gates.curve",
    "gates.reliability", "records.picture", "review.changes", "review.counts", "review.picture", "review.reading",
    "review.table", "trail.export", "trail.export_server",
}  # fmt: skip
"""Files, pictures and pieces of pages."""
