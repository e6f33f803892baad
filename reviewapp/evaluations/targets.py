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


def units_of(settings: WorkflowSettings) -> dict[str, str]:
    """Property → unit that a workflow reads it in."""
    return {prop.name: prop.unit for prop in settings.properties if prop.unit is not None}


def conversions(units: Mapping[str, str], install: Install) -> Conversions:
    """What is to be converted so that numbers in these units (by property) can be held against a dataset's.

    Raises InvalidInput where the units do not measure the same.
    """
    from reviewapp.extraction.units import same_kind

    found: dict[str, tuple[str, str]] = {}
    for name, unit in units.items():
        wanted = install.units.get(name)
        if wanted is None or wanted == unit:
            continue
        if not same_kind(unit, wanted):
            raise InvalidInput(
                f"{name!r} is in {wanted} in the dataset and in {unit} in what is graded; these cannot be compared. "
                "Give the property a unit of the same kind in both.",
                param="workflow",
            )
        found[name] = (unit, wanted)
    return found


class Reads:
    """A workflow's settings, run on texts as a test runs them. Inputs: ``{"text": …}``."""

    def __init__(
        self, workspace: Workspace, workflow: str, settings: WorkflowSettings, evidence: Evidence, convert: Conversions
    ) -> None:
        """`workflow` is whose budget and call log models count in. Raises what making the reader raises."""
        from reviewapp.calls import Ending, asks_models
        from reviewapp.extraction.reading import make_reader

        self._workspace = workspace
        self._workflow = workflow
        self.asks_models = asks_models(settings)
        self._ending = Ending()
        self._convert = convert
        self._reader = make_reader(settings, evidence)
        self.fingerprint: str | None = _fingerprint(settings, evidence, convert)

    def run(self, case: Case) -> Execution:
        from reviewapp.extraction.extractors import ReaderStopped

        desk = None
        if self.asks_models:
            from reviewapp.calls import CallDesk

            desk = CallDesk(self._workspace, scope="trial", workflow=self._workflow, ending=self._ending)
        try:
            result = self._reader.read(case.inputs["text"], desk)
        except ReaderStopped as stopped:
            raise TargetStopped(stopped.message) from stopped
        return execution_of(result, self._convert)

    def close(self) -> None:
        """End what the reader keeps running; replies that are still to come are not waited for."""
        self._ending.abort()
        self._reader.close()


def _fingerprint(settings: WorkflowSettings, evidence: Evidence, convert: Conversions) -> str | None:
    """Another version of the program may read otherwise, and so may other code of a function block; None: that code
    cannot be found, and nobody may trust what it did before."""
    from reviewapp.extraction.blocks import codes_of

    units = {name: list(pair) for name, pair in convert.items()}
    content: list[Any] = ["reads", __version__, settings.fingerprint, evidence.model_dump(), units]
    if settings.blocks:
        codes = codes_of(settings.blocks)
        if codes is None:
            return None
        content += ["line", codes]
    return content_hash(content)


class OfTest:
    """What a test read, by the record and its text, else by the text alone; nothing is read again."""

    fingerprint = None

    def __init__(self, workspace: Workspace, test: str, convert: Conversions) -> None:
        self._workspace = workspace
        self._test = test
        self._convert = convert
        self._positions = workspace.results.positions_of_texts(test)

    def run(self, case: Case) -> Execution:
        text = case.inputs_fingerprint or ""
        position = self._positions.get((text, case.inputs.get("iri")), self._positions.get((text, None)))
        input = None if position is None else self._workspace.results.input(self._test, position)
        if input is None or input.result is None:
            return Execution(failed="The test has not read this text.")
        return execution_of(input.result, self._convert)


class OfEvaluation:
    """What an earlier evaluation gave, by the item's name and its text, else by the text alone."""

    fingerprint = None

    def __init__(self, workspace: Workspace, evaluation: str, convert: Conversions) -> None:
        self._workspace = workspace
        self._evaluation = evaluation
        self._convert = convert

    def run(self, case: Case) -> Execution:
        text = case.inputs_fingerprint or ""
        found = self._workspace.evaluations.execution_of(self._evaluation, text, case.name)
        if found is None:
            return Execution(failed="The earlier evaluation has no output for this text.")
        if found.output is None or not self._convert:
            return found
        values = [
            {**v, "value": converted(v["value"], *self._convert[v["property"]])}
            if v["property"] in self._convert
            else v
            for v in found.output["values"]
        ]
        return found.model_copy(update={"output": {"values": values}})


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
    typed: Value | None = value.printed if value.value is None else value.value
    if value.property in convert:
        typed = converted(typed, *convert[value.property])
    found = {
        "property": value.property,
        "value": typed,
        "quote": value.quote,
        "outcome": value.outcome,
        "support": value.support,
    }
    return found if value.unconfirmed is None else {**found, "unconfirmed": True}


def converted(value: Value | None, from_unit: str, to_unit: str) -> Value | None:
    """A number in another unit of the same kind, exactly; anything else as it is."""
    from reviewapp.extraction.units import convert

    if value is None or isinstance(value, bool | str):
        return value
    number = convert(Decimal(repr(value)), from_unit, to_unit)
    return int(number) if number == number.to_integral_value() else float(number)
