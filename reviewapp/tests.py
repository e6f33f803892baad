"""Tests: start one, follow it, look at its inputs, cancel it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from reviewapp.calls import asks_models, check_budget, spending
from reviewapp.choices import check_models, models_of, with_models
from reviewapp.domain.calls import LikelyCost
from reviewapp.domain.choices import EMBEDDED_PROVIDERS, ModelName, Use
from reviewapp.domain.ids import new_id
from reviewapp.domain.records import Page
from reviewapp.domain.regions import region_of
from reviewapp.domain.tests import (
    ENDED,
    InputFilter,
    InputResult,
    InputRow,
    Order,
    Test,
    TestCounts,
    TestInput,
    ValueAt,
    ValueCounts,
)
from reviewapp.domain.texts import refused_character
from reviewapp.domain.workflows import WorkflowDefinition, WorkflowSettings
from reviewapp.errors import InvalidInput, NotFound, OpenTest
from reviewapp.models import estimate_micro_usd
from reviewapp.records import TWINS_NAMED, page_image, the_one
from reviewapp.store.tests import NewInput
from reviewapp.store.workspace import Workspace
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


def stopped_tests(workspace: Workspace, *, limit: int = 5) -> list[Test]:
    """Tests that can be gone on with, newest first."""
    return workspace.tests.stopped(limit=limit)


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


def get_test(workspace: Workspace, id: str) -> Test:
    """Raises NotFound."""
    found = workspace.tests.get(id)
    if found is None:
        raise NotFound("test", id)
    return found


def test_version(workspace: Workspace, id: str) -> int:
    """What a poll compares; grows with every result, answer and status. One cheap query. Raises NotFound."""
    found = workspace.tests.version(id)
    if found is None:
        raise NotFound("test", id)
    return found


test_version.__test__ = False  # type: ignore[attr-defined]  # pytest takes it for a test by its name


def list_tests(
    workspace: Workspace, *, workflow: str | None = None, after: str | None = None, limit: int = 50
) -> list[Test]:
    """Newest first, behind the test with the id `after`."""
    return workspace.tests.rows(workflow=workflow, after=after, limit=limit)


def counts(workspace: Workspace, id: str, *, by: str | None = None) -> TestCounts:
    """The summary of a test; with `by`, `answered` counts only this person's answers. Raises NotFound."""
    found = workspace.tests.counts(id, by=by)
    if found is None:
        raise NotFound("test", id)
    return found


def counts_seen(workspace: Workspace, test: Test, by: str) -> TestCounts:
    """The summary that this person may see: in blind review `answered` counts their own answers alone."""
    return counts(workspace, test.id, by=by if test.overlap > 1 else None)


def get_input(workspace: Workspace, id: str, at: int | str) -> TestInput:
    """An input by position or IRI, with its result. Raises NotFound."""
    found = workspace.results.input(id, at)
    if found is None:
        get_test(workspace, id)
        raise NotFound(f"input of test {id}", str(at))
    return found


def find_input(workspace: Workspace, id: str, named: str) -> TestInput:
    """An input by IRI, or by its record's name where one alone has it. Raises NotFound, InvalidInput."""
    found = workspace.results.input(id, named)
    if found is not None:
        return found
    called = workspace.results.called(id, named, TWINS_NAMED)
    if called:
        return get_input(workspace, id, the_one(called, named))
    test, first = get_test(workspace, id), get_inputs(workspace, id, limit=1)[0]
    way_out = f"Inputs are named by IRI or by name, for example {first.iri}."
    raise NotFound(f"input of test {test.number}", named, way_out=way_out)


def get_inputs(workspace: Workspace, id: str, *, after: int = -1, limit: int = 100) -> list[TestInput]:
    """Inputs with their results, by position, behind position `after`: to go through a whole test in pieces."""
    return workspace.results.inputs(id, after=after, limit=limit)


def input_text(workspace: Workspace, input: TestInput) -> str:
    """The text this input was (or will be) read from; empty where there was none."""
    if input.text_hash is None:
        return ""
    return workspace.records.text(input.text_hash) or ""


def input_pages(workspace: Workspace, input: TestInput) -> list[Page]:
    """The pages that the input's text was taken from, with the boxes of their words; none where it came without."""
    return [] if input.text_hash is None else workspace.records.pages(input.iri, input.text_hash)


def input_page_image(workspace: Workspace, input: TestInput, page: int) -> bytes:
    """One of these pages as PNG; `page` counts from 0. Raises NotFound."""
    return page_image(workspace, input.iri, page, of_text=input.text_hash)


def count_not_read(workspace: Workspace, id: str) -> int:
    """Inputs whose reader failed, and those that have no result: what `run_again` would read."""
    return workspace.tests.count_not_read(id)


def text_state(workspace: Workspace, input: TestInput) -> Literal["current", "changed", "gone"]:
    """Whether the record still has the text that the test reads; answers on a `changed` one are older than its text."""
    now = workspace.records.text_hash(input.iri)
    if now is None:
        return "gone"
    return "current" if now == input.text_hash else "changed"


def list_inputs(
    workspace: Workspace,
    id: str,
    filter: InputFilter | None = None,
    *,
    by: str = "",
    after: int = -1,
    before: int | None = None,
    limit: int = 1_000,
) -> list[InputRow]:
    """Inputs that pass the filter, by position; `by` is whose answers `mine` counts.

    The first `limit` behind position `after`, or with `before` the last `limit` ahead of that position.
    """
    return workspace.listing.rows(id, filter or InputFilter(), by=by, after=after, before=before, limit=limit)


def list_values(
    workspace: Workspace,
    id: str,
    filter: InputFilter,
    order: Order,
    *,
    beside: tuple[int, str] | None = None,
    back: bool = False,
    limit: int = 50,
) -> list[ValueAt]:
    """Values of the filter in the order `weakest` or `property`: the first `limit` behind the value `beside`.

    With `back` those ahead of it, nearest first. `filter.by` is whose answers count as given.
    """
    return workspace.finding.rows(id, filter, order, beside=beside, back=back, limit=limit)


def count_within(workspace: Workspace, id: str, filter: InputFilter) -> ValueCounts:
    """The values of a filter by outcome and answers; the filter itself names the inputs' words, an assigned person, a
    property, support, or whose answers alone. A test of 300,000 values takes 0.02 s, with all of them answered 0.3."""
    return workspace.counting.within(id, filter)


def count_inputs(workspace: Workspace, id: str, filter: InputFilter | None = None) -> int:
    """How many inputs pass the filter."""
    return workspace.listing.count(id, filter or InputFilter())


def next_open(
    workspace: Workspace, id: str, filter: InputFilter | None = None, *, by: str, from_position: int = 0
) -> int | None:
    """Position of the first input from `from_position` on that passes the filter and still wants an answer of `by`."""
    return workspace.listing.next_open(id, filter or InputFilter(), by=by, from_position=from_position)


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
