"""What a workflow, or a function of your own, would write: captured, and written nowhere.

::

    from reviewapp.capture import captured

    with captured("tender-positions", data="data") as capture:
        result = capture.read("Roof hatch, width 600 mm")
        for value in capture.writes(result):
            print(value.property, value.printed, value.quote)

`Capture.read` takes a reader of your own as well: a function that gets the request of docs/programs.md as a dict and
returns the reply, dataclasses and pydantic models in it as well. What it says goes through the same checks.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewapp.calls import read_once
from reviewapp.child import plain
from reviewapp.domain.tests import InputResult, ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.errors import NotFound
from reviewapp.extraction.extractors import ExtractorFailed, Reply
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.programs.contract import reply_of_document, request_of
from reviewapp.records import get_record, list_records
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow
from reviewapp.workspaces import open_data

OwnReader = Callable[[dict[str, Any]], Any]
"""A function from the request of docs/programs.md to the reply."""


@dataclass(frozen=True)
class Example:
    """What would be read from one record."""

    iri: str
    name: str
    result: InputResult

    def document(self) -> dict[str, Any]:
        """As JSON: the record, all values with their outcomes, and those that would be written."""
        return {
            "iri": self.iri,
            "name": self.name,
            "result": self.result.model_dump(mode="json"),
            "writes": [v.property for v in writes(self.result)],
        }


def examples(
    workspace: Workspace, workflow: str, *, iris: Sequence[str] | None = None, sample: int = 3
) -> list[Example]:
    """What a workflow would read from these records, or the first `sample` by IRI; nothing is kept but model calls.

    Raises NotFound, Conflict (a model that cannot be asked), BudgetExceeded.
    """
    settings = get_workflow(workspace, workflow).active.settings
    if iris is None:
        iris = [row.iri for row in list_records(workspace, settings.collection, limit=sample)]
    found = []
    for iri in iris:
        record = get_record(workspace, iri)
        result = read_once(workspace, workflow, settings, record.text)
        found.append(Example(record.iri, record.name, result))
    return found


def writes(result: InputResult) -> tuple[ReadValue, ...]:
    """The values that a live workflow would write."""
    return tuple(v for v in result.values if v.outcome == "written")


class Capture:
    """A workflow at hand, that reads texts and writes nothing."""

    def __init__(self, workspace: Workspace, workflow: str) -> None:
        self._workspace = workspace
        self._workflow = workflow
        self.settings: WorkflowSettings = get_workflow(workspace, workflow).active.settings

    def read(self, text: str, reader: OwnReader | None = None) -> InputResult:
        """What the workflow reads in a text, or `reader` in its place."""
        if reader is None:
            return read_once(self._workspace, self._workflow, self.settings, text)
        evidence = self._workspace.records.evidence(self.settings.collection)
        return extract(text, self.settings, evidence, _Own(reader))

    @staticmethod
    def writes(result: InputResult) -> tuple[ReadValue, ...]:
        """The values that a live workflow would write."""
        return writes(result)


@contextmanager
def captured(workflow: str, *, data: Path | str = "data", workspace: str = "default") -> Iterator[Capture]:
    """A workflow of a data folder, which stays as it is but for the calls of models. Raises NotFound."""
    if not Path(data).is_dir():
        raise NotFound("data folder", str(data), way_out="Name the folder of a reviewapp with `data`.")
    with open_data(Path(data)) as folder:
        yield Capture(folder.workspace(workspace), workflow)


class _Own:
    def __init__(self, reader: OwnReader) -> None:
        self._reader = reader

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        """Raises ExtractorFailed where the function raises or returns what cannot be a reply; its traceback is kept."""
        try:
            raw = json.dumps(self._reader(request_of(prepared.text, settings)), ensure_ascii=False, default=plain)
        except Exception as error:
            message = f"The reader raised {type(error).__name__}: {error}"
            raise ExtractorFailed(message, raw=traceback.format_exc(limit=-20)) from error
        return reply_of_document(json.loads(raw), settings, raw=raw)
