"""Tests are started, gone on with, cancelled, and take in what their inputs gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewapp.calls import asks_models, check_budget, spending
from reviewapp.choices import check_models, models_of, with_models
from reviewapp.domain.calls import LikelyCost
from reviewapp.domain.choices import EMBEDDED_PROVIDERS, ModelName, Use
from reviewapp.domain.ids import new_id
from reviewapp.domain.regions import region_of
from reviewapp.domain.tests import (
    ENDED,
    InputResult,
    Test,
)
from reviewapp.domain.texts import refused_character
from reviewapp.domain.workflows import WorkflowDefinition, WorkflowSettings
from reviewapp.errors import InvalidInput, OpenTest
from reviewapp.models import estimate_micro_usd
from reviewapp.store.tests import NewInput
from reviewapp.store.workspace import Workspace
from reviewapp.tests.looking import get_input, get_test
from reviewapp.workflows import get_revision, get_workflow, resolve

DEFAULT_SAMPLE = 6
"""Inputs of a test that says nothing about them."""


def start_test(
    workspace: Workspace,
    *,
    workflow: str | None = None,
    definition: WorkflowDefinition | None = None,
    revision: str | None = None,
    iris: Sequence[str] | None = None,
    sample: int | None = None,
    everything: bool = False,
    overlap: int = 1,
    models: Mapping[Use, ModelName] | None = None,
    by: str,
) -> Test:
    """Queue a test of a workflow (of its revision in use, or of `revision`) or of a definition that is none yet.

    Inputs are the records of `iris` (in this order, each once), the first `sample` records by IRI (default 6), or
    `everything`. Settings, inputs, their texts and the collection's evidence are fixed now. An IRI that is no record
    becomes an input whose result says so. `models` name the models of this test alone, per use.

    Raises NotFound, InvalidInput (no records, contradicting arguments), OpenTest while the workflow has a test
    under way, Conflict (a model that cannot be asked), BudgetExceeded (it may cost more than is left of the month's
    budget; nothing is started).
    """
    if (workflow is None) == (definition is None):
        raise InvalidInput("Name either a workflow or a definition to test, not both and not neither.", param="name")
    if revision is not None and workflow is None:
        raise InvalidInput("A revision belongs to a named workflow; name the workflow with it.", param="revision")
    if (iris is not None) + (sample is not None) + everything > 1:
        raise InvalidInput("Choose the inputs one way: by IRI, a sample, or everything.", param="sample")
    if overlap < 1:
        raise InvalidInput(f"{overlap} reviewers per value were asked for; at least 1 is needed.", param="overlap")
    with workspace.atomic():
        name, revision_id, settings = _what_to_test(workspace, workflow, definition, revision)
        settings = with_models(workspace, name, settings, models)
        inputs = _choose(workspace, settings.collection, iris, sample, everything)
        return _begin(workspace, name, revision_id, settings, inputs, overlap, by)


def likely_cost(workspace: Workspace, workflow: str) -> LikelyCost:
    """What a test of all records of its collection will likely cost with the models in force. Raises NotFound,
    InvalidInput, Conflict (a model that cannot be asked)."""
    settings = with_models(workspace, workflow, get_workflow(workspace, workflow).active.settings)
    if not asks_models(settings):
        return LikelyCost(models=(), texts=0, all_micro_usd=0, left_micro_usd=None)
    lengths = workspace.tests.lengths(settings.collection)
    left = [of.left_micro_usd for of in (spending(workspace), spending(workspace, workflow))]
    asked = [name for name in models_of(settings).values() if name.provider not in EMBEDDED_PROVIDERS]
    return LikelyCost(
        models=tuple(dict.fromkeys(map(str, asked))),
        texts=len(lengths),
        all_micro_usd=estimate_micro_usd(settings, lengths),
        left_micro_usd=min((micro for micro in left if micro is not None), default=None),
    )


def run_again(workspace: Workspace, id: str, *, by: str) -> Test:
    """Start a test of what another one could not read: inputs whose reader failed, and those it did not come to.

    The same settings and models, on the records' present texts; what was read stays in the first test. Raises
    NotFound, InvalidInput (the test is under way, or nothing is left), OpenTest, BudgetExceeded.
    """
    with workspace.atomic():
        earlier = get_test(workspace, id)
        if earlier.status not in ENDED:
            raise InvalidInput(f"Test {earlier.number} is still under way; wait for its end or cancel it.", param="id")
        iris = workspace.tests.iris_not_read(id)
        if not iris:
            raise InvalidInput(f"Every input of test {earlier.number} was read; nothing is left to run.", param="id")
        settings = earlier.settings
        inputs = workspace.tests.chosen(settings.collection, iris)
        return _begin(workspace, earlier.workflow, earlier.revision, settings, inputs, earlier.overlap, by)


def go_on(workspace: Workspace, id: str, *, by: str) -> Test:
    """Go on with a stopped test: the inputs it did not come to are read, within the same test and on the same texts.

    Raises NotFound, InvalidInput (it is not stopped), OpenTest while the workflow has another test under way, Conflict
    (its model still cannot be asked), BudgetExceeded (the rest may cost more than is left; nothing changes).
    """
    with workspace.atomic():
        stopped = get_test(workspace, id)
        if not stopped.is_stopped:
            found = "done" if stopped.status == "done" else f"{stopped.status}, not stopped"
            raise InvalidInput(f"Test {stopped.number} is {found}; there is nothing to go on with.", param="id")
        under_way = workspace.tests.open_of_workflow(stopped.workflow)
        if under_way is not None:
            raise OpenTest(stopped.workflow, under_way)
        check_models(stopped.settings)
        characters = workspace.tests.characters(workspace.tests.hashes_not_reached(id))
        check_budget(workspace, stopped.workflow, estimate_micro_usd(stopped.settings, characters))
        if workspace.tests.go_on(id):
            workspace.trail.note(by, "go on with test", id)
            workspace.changed_tests()
    return get_test(workspace, id)


def _begin(
    workspace: Workspace,
    name: str,
    revision: str | None,
    settings: WorkflowSettings,
    inputs: Sequence[NewInput],
    overlap: int,
    by: str,
) -> Test:
    with workspace.atomic():
        under_way = workspace.tests.open_of_workflow(name)
        if under_way is not None:
            raise OpenTest(name, under_way)
        estimate = estimate_micro_usd(settings, workspace.tests.characters(i.text_hash for i in inputs))
        check_budget(workspace, name, estimate)
        id = new_id("wtest")
        workspace.tests.add(
            id,
            workflow=name,
            revision=revision,
            settings=settings,
            evidence=workspace.records.evidence(settings.collection),
            fingerprint=settings.fingerprint,
            inputs=inputs,
            estimate_micro_usd=estimate,
            overlap=overlap,
            by=by,
        )
        workspace.changed_tests()
    return get_test(workspace, id)


def _what_to_test(
    workspace: Workspace, workflow: str | None, definition: WorkflowDefinition | None, revision: str | None
) -> tuple[str, str | None, WorkflowSettings]:
    """(name, revision id, settings)"""
    if definition is not None:
        return definition.name, None, resolve(workspace, definition)
    assert workflow is not None  # noqa: S101 - the caller saw to it
    chosen = get_workflow(workspace, workflow).active
    if revision is not None:
        chosen = get_revision(workspace, workflow, revision)
    return workflow, chosen.id, chosen.settings


def _choose(
    workspace: Workspace, collection: str, iris: Sequence[str] | None, sample: int | None, everything: bool
) -> list[NewInput]:
    if iris is None:
        if sample is not None and sample < 1:
            raise InvalidInput(
                f"A sample of {sample} was asked for; at least 1 is needed.",
                param="sample",
                code="workflow_param_invalid",
            )
        inputs = workspace.tests.sample(collection, None if everything else sample or DEFAULT_SAMPLE)
        if not inputs:
            raise InvalidInput(
                f"Collection {collection!r} has no records to test on; import some first.", param="watch"
            )
        return inputs
    wanted = list(dict.fromkeys(iris))
    if strange := next((i for i in wanted if refused_character(i)), None):
        raise InvalidInput(f"{strange!r} is no IRI of a record; it holds half a character.", param="iris")
    if not wanted:
        raise InvalidInput("No records were chosen; choose at least one.", param="iris")
    inputs = workspace.tests.chosen(collection, wanted)
    if all(i.text_hash is None for i in inputs):
        raise InvalidInput(
            f"None of the chosen records is in collection {collection!r} (first: {wanted[0]!r}).", param="iris"
        )
    return inputs


def cancel_test(workspace: Workspace, id: str, by: str) -> Test:
    """End a test and keep what was read; one that has ended stays as it is. Raises NotFound."""
    with workspace.atomic():
        get_test(workspace, id)
        if workspace.tests.finish(id, "cancelled"):
            workspace.trail.note(by, "cancel test", id)
            workspace.changed_tests()
    return get_test(workspace, id)


def save_result(workspace: Workspace, id: str, position: int, result: InputResult) -> bool:
    """Store what an input gave, with the page boxes of its quotes; False where it has one or the test has ended."""
    input = get_input(workspace, id, position)
    pages = workspace.records.pages(input.iri, input.text_hash) if input.text_hash else []
    if pages:
        values = tuple(
            v.model_copy(update={"region": region_of(pages, v.grounding.place)}) if v.grounding and not v.region else v
            for v in result.values
        )
        result = result.model_copy(update={"values": values})
    return workspace.results.save(id, position, result)
