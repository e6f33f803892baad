"""Grading with a model: several texts at once, read again only when asked, and told what went wrong."""

from __future__ import annotations

from reviewapp.datasets import create_dataset
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.domain.workflows import ModelExtractor, WorkflowDefinition
from reviewapp.evaluations import run_grading, start_grading
from reviewapp.records import import_records
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import Workspace
from tests.builders import records
from tests.models.conftest import LOCAL, WIDTH
from tests.models.fake_provider import FakeProvider, Step, width_reading


def shelves(workspace: Workspace, count: int) -> Dataset:
    texts = {f"shelf {n}": f"Shelf {n}\nWidth: {100 + n} mm" for n in range(count)}
    import_records(workspace, "tenders", records(texts), by="eva")
    extractor = ModelExtractor(model=LOCAL)
    definition = WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,), extractor=extractor)
    put_workflow(workspace, definition, by="eva")
    items = [
        Item(name=name, text=text, values=(Expected(property="width", value=10 + n / 10),))
        for n, (name, text) in enumerate(texts.items())
    ]
    install = Install(properties={"width": "f64"}, units={"width": "cm"})
    return create_dataset(workspace, "Shelves", items=items, install=install, by="eva")


def test_a_model_reads_several_texts_at_once(workspace: Workspace, provider: FakeProvider) -> None:
    for n in range(8):
        text = f"Width: {100 + n} mm"
        provider.script(text, Step(text=width_reading(text), delay=0.3))
    dataset = shelves(workspace, 8)
    started = start_grading(workspace, dataset.id, workflow="shelves", by="eva")
    ended = run_grading(workspace, started.id, model_calls=4)
    assert ended.report is not None, ended.error
    assert (ended.report.items, ended.report.failed) == (8, 0)
    assert ended.report.total["read"].counts.right == 8
    assert 2 <= provider.most_in_flight <= 4


def test_a_model_that_is_down_fails_items_and_not_the_evaluation(workspace: Workspace, provider: FakeProvider) -> None:
    provider.script("Width", Step(status=400, body='{"error": {"message": "no such model"}}'))
    dataset = shelves(workspace, 2)
    started = start_grading(workspace, dataset.id, workflow="shelves", by="eva")
    ended = run_grading(workspace, started.id)
    assert (ended.status, ended.cases_failed) == ("done", 2)
    assert ended.report is not None
    assert (ended.report.items, ended.report.failed) == (0, 2)
