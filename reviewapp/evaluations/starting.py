"""Starting to grade a dataset: with what, on which version; everything that decides the outcome is fixed now."""

from __future__ import annotations

from collections.abc import Mapping

from reviewapp.choices import with_models
from reviewapp.datasets.keeping import check_version, get_dataset
from reviewapp.domain.choices import ModelName, Use
from reviewapp.domain.datasets import Dataset, Install
from reviewapp.domain.evaluations import (
    DatasetGrading,
    Evaluation,
    OutputsSubject,
    RevisionSubject,
    Subject,
    TestSubject,
    learnt_texts,
)
from reviewapp.domain.ids import new_id
from reviewapp.domain.workflows import Evidence
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evaluations.running import get_evaluation
from reviewapp.evaluations.targets import conversions, units_of
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_test
from reviewapp.workflows import get_revision, get_workflow

SCORED_ANEW = ", scored anew"


def start_grading(
    workspace: Workspace,
    dataset_id: str,
    *,
    version: int | None = None,
    workflow: str | None = None,
    revision: str | None = None,
    models: Mapping[Use, ModelName] | None = None,
    test: str | None = None,
    earlier: str | None = None,
    fresh: bool = False,
    by: str,
) -> Evaluation:
    """Queue an evaluation of a dataset (its present version, or `version`) with one of:

    - `workflow`: its revision in use, or `revision`, with its models or those of `models`, per use;
    - `test`: what that test read;
    - `earlier`: what an earlier evaluation gave, scored anew on the dataset as it is now.

    With `fresh` every text is read again, whatever earlier evaluations have read. Settings and the collection's
    evidence are fixed now. Raises NotFound, InvalidInput (nothing or too much to grade with, no items, units that
    cannot be compared), Conflict (an earlier evaluation that has not ended).
    """
    dataset = check_version(workspace, dataset_id, version)
    if sum(given is not None for given in (workflow, test, earlier)) != 1:
        raise InvalidInput("Name one thing to grade: a workflow, a test, or an earlier evaluation.", param="workflow")
    subject: Subject
    if workflow is not None:
        subject = read_by = _revision(workspace, workflow, revision, models)
        conversions(units_of(read_by.settings), dataset.install)
    elif test is not None:
        subject = _test(workspace, test, dataset.install)
    else:
        assert earlier is not None  # noqa: S101 - checked above
        subject = _earlier(workspace, earlier, dataset.install)
    return add_grading(workspace, dataset, version, subject, fresh=fresh, by=by)


def _revision(
    workspace: Workspace, workflow: str, revision: str | None, models: Mapping[Use, ModelName] | None
) -> RevisionSubject:
    found = get_workflow(workspace, workflow).active
    if revision is not None:
        found = get_revision(workspace, workflow, revision)
    settings = with_models(workspace, workflow, found.settings, models)
    there = workspace.records.collection(settings.collection)
    asked = "" if models is None else ", ".join(f"{use}: {name}" for use, name in models.items())
    return RevisionSubject(
        workflow=workflow,
        revision=found.id,
        number=found.number,
        settings=settings,
        evidence=workspace.records.evidence(settings.collection) if there else Evidence(),
        note=asked,
    )


def _test(workspace: Workspace, test_id: str, install: Install) -> TestSubject:
    test = get_test(workspace, test_id)
    conversions(units_of(test.settings), install)
    return TestSubject(
        test=test.id,
        number=test.number,
        workflow=test.workflow,
        revision=test.revision,
        learnt_from=learnt_texts(test.settings),
    )


def _earlier(workspace: Workspace, id: str, install: Install) -> OutputsSubject:
    earlier = get_evaluation(workspace, id)
    if earlier.status != "done" or not isinstance(earlier.header, DatasetGrading):
        said = earlier.status if isinstance(earlier.header, DatasetGrading) else "not of a dataset"
        raise Conflict(f"Evaluation {earlier.number} is {said}; one of a dataset that is done can be scored anew.")
    conversions(get_dataset(workspace, earlier.grading.dataset).install.units, install)
    name = earlier.grading.label.removesuffix(SCORED_ANEW)
    learnt = earlier.grading.learnt_from
    return OutputsSubject(name=name + SCORED_ANEW, evaluation=earlier.id, learnt_from=learnt)


def add_grading(
    workspace: Workspace,
    dataset: Dataset,
    version: int | None,
    subject: Subject,
    *,
    fresh: bool = False,
    by: str,
) -> Evaluation:
    """Queue an evaluation of a dataset's present version, or an earlier one. Raises InvalidInput for an empty one."""
    number = version or dataset.version
    count = dataset.item_count
    if number != dataset.version:
        count = next(v.item_count for v in workspace.datasets.versions(dataset.id) if v.version == number)
    if count == 0:
        raise InvalidInput(f"Dataset {dataset.name!r} has no items to grade on; save answers first.", param="dataset")
    id = new_id("erun")
    header = DatasetGrading(
        dataset=dataset.id, dataset_name=dataset.name, dataset_version=number, subject=subject, fresh=fresh
    )
    with workspace.atomic():
        workspace.evaluations.add(id, header, count, by)
        workspace.changed_tests()  # wakes the runner
    return get_evaluation(workspace, id)
