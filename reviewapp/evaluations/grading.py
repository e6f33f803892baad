"""Grading a dataset: run by the background runner or at once, reported when it has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from reviewapp.datasets.keeping import check_version, get_dataset
from reviewapp.domain.datasets import Install
from reviewapp.domain.evaluations import (
    CaseResult,
    DatasetGrading,
    Evaluation,
    OutputsSubject,
    RevisionSubject,
    Subject,
    TestSubject,
)
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evals.evaluators import EVALUATORS
from reviewapp.evals.grading import ANSWER_KEY, Tally, criteria_of, verdicts_of
from reviewapp.evals.kernel import Case, Target
from reviewapp.evals.report import make_report
from reviewapp.evaluations.running import get_evaluation, run_cases
from reviewapp.evaluations.starting import add_grading
from reviewapp.evaluations.targets import OfEvaluation, OfFile, OfTest, Reads, conversions, units_of
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_test

PIECE = 200
"""Items read at a time."""
DEFAULT_MODEL_CALLS = 16
"""Texts read by models at once: they wait, so more of them cost next to nothing."""


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
    if workspace.datasets.names(dataset_id, version=version).isdisjoint(outputs):
        first = next(iter(outputs), "none")
        raise InvalidInput(
            f"None of the outputs is of an item of dataset {dataset.name!r} (first: {first!r}); items go by their "
            "name.",
            param="outputs",
        )
    evaluation = add_grading(workspace, dataset, version, OutputsSubject(name=name), by=by)
    return _run(workspace, evaluation, OfFile(outputs, name))


def of_no_item(
    workspace: Workspace, dataset_id: str, outputs: Mapping[str, Any], *, version: int | None = None
) -> list[str]:
    """Names of outputs that are of no item of the dataset: grading passes them over. Raises NotFound."""
    check_version(workspace, dataset_id, version)
    known = workspace.datasets.names(dataset_id, version=version)
    return [name for name in outputs if name not in known]


def run_grading(
    workspace: Workspace,
    id: str,
    *,
    go_on: Callable[[], bool] = lambda: True,
    model_calls: int = DEFAULT_MODEL_CALLS,
) -> Evaluation:
    """Run a queued evaluation to its end, or go on with one that was stopped (see `run_cases`).

    Texts that models read are read `model_calls` at a time, others one after the other. Raises NotFound.
    """
    evaluation = get_evaluation(workspace, id)
    header = evaluation.grading
    if evaluation.status not in ("queued", "running"):
        return evaluation
    try:
        install = check_version(workspace, header.dataset, header.dataset_version).install
        target = _target(workspace, header.subject, install)
    except Exception as error:  # the dataset is gone, or nothing can be made of the settings any more
        workspace.evaluations.finish(id, "failed", error=f"This could not be run: {error}")
        return get_evaluation(workspace, id)
    if not isinstance(target, Reads):
        return _run(workspace, evaluation, target, go_on=go_on)
    callers = ThreadPoolExecutor(model_calls, thread_name_prefix="grader") if target.asks_models else None
    try:
        return _run(workspace, evaluation, target, go_on=go_on, executor=callers, in_flight=2 * model_calls)
    finally:
        target.close()  # before the threads are left: none of them waits for a reply that nobody wants
        if callers is not None:
            callers.shutdown(wait=False, cancel_futures=True)


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
        fresh=header.fresh,
        **more,
    )


def summarise(found: Iterator[CaseResult], header: DatasetGrading, install: Install) -> Any:
    """The report, as plain JSON."""
    tally = Tally()
    for result in found:
        if header.was_learnt(result.inputs_fingerprint):
            tally.pass_over()
        elif (verdicts := verdicts_of(result)) is None:
            tally.fail()
        else:
            tally.add(verdicts)
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
                inputs={"iri": entry.item.iri} if text is None else {"text": text},
                criteria={ANSWER_KEY: criteria_of(entry.item)},
                inputs_fingerprint=entry.text_hash,
            )
        after = page[-1][0]


def _target(workspace: Workspace, subject: Subject, install: Install) -> Target:
    match subject:
        case RevisionSubject():
            convert = conversions(units_of(subject.settings), install)
            return Reads(workspace, subject.workflow, subject.settings, subject.evidence, convert)
        case TestSubject():
            units = units_of(get_test(workspace, subject.test).settings)
            return OfTest(workspace, subject.test, conversions(units, install))
        case OutputsSubject(evaluation=str() as earlier):
            units = get_dataset(workspace, get_evaluation(workspace, earlier).grading.dataset).install.units
            return OfEvaluation(workspace, earlier, conversions(units, install))
        case _:
            raise Conflict(f"The outputs of {subject.name!r} were graded at once and are not kept apart.")
