"""What a dataset is graded with: a workflow that reads, or outputs that are there already.

Their output is what `AnswerKey` takes: ``{"values": [{"property", "value", "quote", "outcome", "support"}]}``, numbers
in the dataset's unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from reviewapp import __version__
from reviewapp.domain.datasets import Install
from reviewapp.domain.evaluations import Execution
from reviewapp.domain.ids import content_hash
from reviewapp.domain.properties import Value
from reviewapp.domain.tests import InputResult, ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.evals.kernel import Case, TargetStopped
from reviewapp.store.workspace import Workspace

Conversions = Mapping[str, tuple[str, str]]
"""Property → (unit of the workflow, unit of the dataset), where they differ."""


def conversions(settings: WorkflowSettings, install: Install) -> Conversions:
    """What is to be converted so that a workflow's numbers can be held against a dataset's.

    Raises InvalidInput where the units do not measure the same.
    """
    from reviewapp.extraction.units import same_kind

    found: dict[str, tuple[str, str]] = {}
    for prop in settings.properties:
        wanted = install.units.get(prop.name)
        if prop.unit is None or wanted is None or wanted == prop.unit:
            continue
        if not same_kind(prop.unit, wanted):
            raise InvalidInput(
                f"{prop.name!r} is in {wanted} in the dataset and in {prop.unit} in the workflow; these cannot be "
                "compared. Give the workflow's property a unit of the same kind.",
                param="workflow",
            )
        found[prop.name] = (prop.unit, wanted)
    return found


class Reads:
    """A workflow's settings, run on texts. Inputs: ``{"text": …}``."""

    def __init__(
        self, workspace: Workspace, workflow: str, settings: WorkflowSettings, evidence: Evidence, convert: Conversions
    ) -> None:
        """`workflow` is whose budget and call log models count in. Raises what making the reader raises."""
        from reviewapp.calls import asks_models
        from reviewapp.extraction.extractors import make_extractor

        self._workspace = workspace
        self._workflow = workflow
        self._asks_models = asks_models(settings)
        self._settings = settings
        self._evidence = evidence
        self._convert = convert
        self._extractor = make_extractor(settings)
        # Another version of the program may read otherwise.
        units = {name: list(pair) for name, pair in convert.items()}
        self.fingerprint: str | None = content_hash(
            ["reads", __version__, settings.fingerprint, evidence.model_dump(), units]
        )

    def run(self, case: Case) -> Execution:
        from reviewapp.extraction.extractors import ReaderStopped
        from reviewapp.extraction.pipeline import extract

        desk = None
        if self._asks_models:
            from reviewapp.calls import CallDesk

            desk = CallDesk(self._workspace, scope="trial", workflow=self._workflow)
        try:
            result = extract(case.inputs["text"], self._settings, self._evidence, self._extractor, desk)
        except ReaderStopped as stopped:
            raise TargetStopped(stopped.message) from stopped
        return execution_of(result, self._convert)

    def close(self) -> None:
        """End what the reader keeps running."""
        close = getattr(self._extractor, "close", None)
        if close is not None:
            close()


class OfTest:
    """What a test read, by the hash of the text; nothing is read again."""

    fingerprint = None

    def __init__(self, workspace: Workspace, test: str, convert: Conversions) -> None:
        self._workspace = workspace
        self._test = test
        self._convert = convert
        self._positions = workspace.results.positions_of_texts(test)

    def run(self, case: Case) -> Execution:
        position = self._positions.get(case.inputs_fingerprint or "")
        input = None if position is None else self._workspace.results.input(self._test, position)
        if input is None or input.result is None:
            return Execution(failed="The test has not read this text.")
        return execution_of(input.result, self._convert)


class OfEvaluation:
    """What an earlier evaluation gave, by the hash of the text."""

    fingerprint = None

    def __init__(self, workspace: Workspace, evaluation: str) -> None:
        self._workspace = workspace
        self._evaluation = evaluation

    def run(self, case: Case) -> Execution:
        found = self._workspace.evaluations.execution_of(self._evaluation, case.inputs_fingerprint or "")
        return found or Execution(failed="The earlier evaluation has no output for this text.")


class OfFile:
    """Outputs of another system, by the item's name."""

    fingerprint = None

    def __init__(self, outputs: Mapping[str, Sequence[Mapping[str, Any]]], file: str) -> None:
        self._outputs = outputs
        self._file = file

    def run(self, case: Case) -> Execution:
        values = self._outputs.get(case.name)
        if values is None:
            return Execution(failed=f"{self._file} has no output for this item.")
        return Execution(output={"values": [dict(value) for value in values]})


def execution_of(result: InputResult, convert: Conversions) -> Execution:
    """What the kernel keeps of a reading."""
    failed = result.failed or result.error
    return Execution(
        output=None if failed else {"values": [_found(value, convert) for value in result.values]},
        failed=failed,
        milliseconds=result.milliseconds,
        cost_micro_usd=result.cost_micro_usd,
    )


def _found(value: ReadValue, convert: Conversions) -> dict[str, Any]:
    typed = value.printed if value.value is None else value.value
    if value.property in convert:
        typed = _converted(typed, *convert[value.property])
    return {
        "property": value.property,
        "value": typed,
        "quote": value.quote,
        "outcome": value.outcome,
        "support": value.support,
    }


def _converted(value: Value, from_unit: str, to_unit: str) -> Value:
    from reviewapp.extraction.units import convert

    if isinstance(value, bool | str):
        return value
    number = convert(Decimal(repr(value)), from_unit, to_unit)
    return int(number) if number == number.to_integral_value() else float(number)
