"""Grading a dataset: started here, run by the background runner or at once, reported when it has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from reviewapp.choices import with_models
from reviewapp.datasets.keeping import check_version
from reviewapp.domain.choices import ModelName, Use
from reviewapp.domain.datasets import Dataset, Install
from reviewapp.domain.evaluations import (
    CaseResult,
    DatasetGrading,
    Evaluation,
    OutputsSubject,
    RevisionSubject,
    Subject,
    TestSubject,
)
from reviewapp.domain.ids import new_id
from reviewapp.domain.workflows import Evidence
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evals.evaluators import EVALUATORS
from reviewapp.evals.grading import ANSWER_KEY, Tally, criteria_of
from reviewapp.evals.kernel import Case, Target
from reviewapp.evals.report import make_report
from reviewapp.evaluations.running import get_evaluation, run_cases
from reviewapp.evaluations.targets import OfEvaluation, OfFile, OfTest, Reads, conversions
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_test
from reviewapp.workflows import get_revision, get_workflow

PIECE = 200
"""Items read at a time."""


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
    by: str,
) -> Evaluation:
    """Queue an evaluation of a dataset (its present version, or `version`) with one of:

    - `workflow`: its revision in use, or `revision`, with its models or those of `models`, per use;
    - `test`: what that test read;
    - `earlier`: what an earlier evaluation gave, scored anew on the dataset as it is now.

    Settings and the collection's evidence are fixed now. Raises NotFound, InvalidInput (nothing or too much to grade
    with, no items, units that cannot be compared), Conflict (an earlier evaluation that has not ended).
    """
    dataset = check_version(workspace, dataset_id, version)
    count = _item_count(workspace, dataset, version)
    if count == 0:
        raise InvalidInput(f"Dataset {dataset.name!r} has no items to grade on; save answers first.", param="dataset")
    if sum(given is not None for given in (workflow, test, earlier)) != 1:
        raise InvalidInput("Name one thing to grade: a workflow, a test, or an earlier evaluation.", param="workflow")
    subject: Subject
    if workflow is not None:
        subject = read_by = _revision(workspace, workflow, revision, models)
        conversions(read_by.settings, dataset.install)
    elif test is not None:
        subject = _test(workspace, test, dataset.install)
    else:
        assert earlier is not None  # noqa: S101 - checked above
        subject = _earlier(workspace, earlier)
    return _add(workspace, dataset, version, subject, count, by)


def grade_outputs(
    workspace: Workspace,
    dataset_id: str,
    outputs: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    name: str,
    version: int | None = None,
    by: str,
) -> Evaluation:
    """Grade another system's outputs (values by item name; `formats.outputs` reads them from files), at once.

    Raises NotFound, InvalidInput where no output is of an item of the dataset.
    """
    dataset = check_version(workspace, dataset_id, version)
    known = {entry.item.name for _, entry in workspace.datasets.hashed(dataset_id, version=version)}
    if not known & outputs.keys():
        first = next(iter(outputs), "none")
        raise InvalidInput(
            f"None of the outputs is of an item of dataset {dataset.name!r} (first: {first!r}); items go by their "
            "name.",
            param="outputs",
        )
    evaluation = _add(workspace, dataset, version, OutputsSubject(name=name), len(known), by)
    return _run(workspace, evaluation, OfFile(outputs, name))


def run_grading(
    workspace: Workspace,
    id: str,
    *,
    fresh: bool = False,
    go_on: Callable[[], bool] = lambda: True,
    executor: Executor | None = None,
    in_flight: int = 4,
) -> Evaluation:
    """Run a queued evaluation to its end, or go on with one that was stopped (see `run_cases`).

    With an `executor` texts are read there, `in_flight` at a time. Raises NotFound.
    """
    evaluation = get_evaluation(workspace, id)
    header, subject = evaluation.grading, evaluation.grading.subject
    if evaluation.status not in ("queued", "running"):
        return evaluation
    try:
        install = check_version(workspace, header.dataset, header.dataset_version).install
        target = _target(workspace, subject, install)
    except Exception as error:  # the dataset is gone, or nothing can be made of the settings any more
        workspace.evaluations.finish(id, "failed", error=f"This could not be run: {error}")
        return get_evaluation(workspace, id)
    at_once = executor if subject.kind == "revision" else None
    try:
        return _run(workspace, evaluation, target, fresh=fresh, go_on=go_on, executor=at_once, in_flight=in_flight)
    finally:
        if isinstance(target, Reads):
            target.close()


def _run(workspace: Workspace, evaluation: Evaluation, target: Target, **more: Any) -> Evaluation:
    header = evaluation.grading
    install = check_version(workspace, header.dataset, header.dataset_version).install
    return run_cases(
        workspace,
        evaluation.id,
        _cases(workspace, header),
        target,
        {ANSWER_KEY: EVALUATORS[ANSWER_KEY]},
        summarise=lambda found: summarise(found, header, install),
        **more,
    )


def summarise(found: Iterator[CaseResult], header: DatasetGrading, install: Install) -> Any:
    """The report, as plain JSON."""
    tally = Tally()
    for result in found:
        if header.was_learnt(result.inputs_fingerprint):
            tally.pass_over()
        elif result.execution.failed is not None:
            tally.fail()
        else:
            tally.add(result.scores[ANSWER_KEY].details["verdicts"])
    return make_report(tally, install.properties).model_dump(mode="json")


def _cases(workspace: Workspace, header: DatasetGrading) -> Iterator[Case]:
    """The items of the version, read in pieces; texts only where something reads them."""
    after, with_text = -1, header.subject.kind == "revision"
    while page := workspace.datasets.hashed(header.dataset, version=header.dataset_version, after=after, limit=PIECE):
        for position, entry in page:
            text = workspace.datasets.text(entry.text_hash) if with_text else None
            yield Case(
                position=position,
                name=entry.item.name,
                inputs={} if text is None else {"text": text},
                criteria={ANSWER_KEY: criteria_of(entry.item)},
                inputs_fingerprint=entry.text_hash,
            )
        after = page[-1][0]


def _target(workspace: Workspace, subject: Subject, install: Install) -> Target:
    match subject:
        case RevisionSubject():
            convert = conversions(subject.settings, install)
            return Reads(workspace, subject.workflow, subject.settings, subject.evidence, convert)
        case TestSubject():
            settings = get_test(workspace, subject.test).settings
            return OfTest(workspace, subject.test, conversions(settings, install))
        case OutputsSubject(evaluation=str() as earlier):
            return OfEvaluation(workspace, earlier)
        case _:
            raise Conflict(f"The outputs of {subject.name!r} were graded at once and are not kept apart.")


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
    conversions(test.settings, install)
    return TestSubject(test=test.id, number=test.number, workflow=test.workflow, revision=test.revision)


def _earlier(workspace: Workspace, id: str) -> OutputsSubject:
    earlier = get_evaluation(workspace, id)
    if earlier.status != "done":
        raise Conflict(f"Evaluation {earlier.number} is {earlier.status}; only one that is done can be scored anew.")
    return OutputsSubject(name=f"{earlier.grading.label}, scored anew", evaluation=earlier.id)


def _item_count(workspace: Workspace, dataset: Dataset, version: int | None) -> int:
    if version is None or version == dataset.version:
        return dataset.item_count
    return next(v.item_count for v in workspace.datasets.versions(dataset.id) if v.version == version)


def _add(
    workspace: Workspace, dataset: Dataset, version: int | None, subject: Subject, count: int, by: str
) -> Evaluation:
    id = new_id("erun")
    header = DatasetGrading(
        dataset=dataset.id, dataset_name=dataset.name, dataset_version=version or dataset.version, subject=subject
    )
    with workspace.atomic():
        workspace.evaluations.add(id, header, count, by)
        workspace.changed_tests()  # wakes the runner
    return get_evaluation(workspace, id)
