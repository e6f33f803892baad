"""The whole product, driven from outside: files in by command, pages and exports out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp.answer_rows import answer_rows
from reviewapp.app import create_app
from reviewapp.cli import program
from reviewapp.datasets import save_dataset
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import ReadValue, TestInput
from reviewapp.domain.workflows import Rules, WorkflowDefinition
from reviewapp.formats.answers_table import answers_csv
from reviewapp.formats.sources import Upload
from reviewapp.replays import replay_results
from reviewapp.running.runner import Runner
from reviewapp.settings import Settings
from reviewapp.tests import get_inputs, input_text, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder
from tests.builders import both_files

Texts = Mapping[str, str]
AUTO = Rules()
Said = tuple[str, str | int | float | bool, str]
"""What a stub reader says: property, value, quote."""


def prop(name: str, value_type: str = "f64", unit: str | None = None, **more: Any) -> Property:
    return Property.model_validate({"name": name, "value_type": value_type, "unit": unit, **more})


class Product:
    """One data folder with everything that a person has: the command, the pages, the runner."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = DataFolder(folder / "data")
        self.workspace = self.data.workspace("default", create=True)
        self.app = create_app(Settings(data=self.data.path, person="Ann"), self.data)
        self.app.config.update(TESTING=True)
        self.client: FlaskClient = self.app.test_client()
        self.test = ""

    def close(self) -> None:
        self.data.close()

    def command(self, *words: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of the program, on this folder."""
        ended = CliRunner().invoke(program, [*words, "--data", str(self.data.path)], prog_name="reviewapp")
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return ended.exit_code, ended.stdout, ended.stderr

    def import_file(self, name: str, content: bytes, *more: str) -> tuple[int, str, str]:
        path = self.folder / name
        path.write_bytes(content)
        return self.command("records", "import", str(path), "--collection", "field", *more)

    def read(
        self,
        texts: Texts,
        properties: Sequence[Property],
        said: Mapping[str, Sequence[Said]] | None = None,
        *,
        rules: Rules = AUTO,
    ) -> list[TestInput]:
        """Bring the texts in and run the workflow to its end.

        `said`: what a stub reader says; None: the embedded one reads.
        """
        lines = "".join(json.dumps({"name": n, "text": t}, ensure_ascii=False) + "\n" for n, t in texts.items())
        code, _, err = self.import_file("records.jsonl", lines.encode())
        assert code == 0, err
        definition = WorkflowDefinition(name="field", collection="field", properties=tuple(properties), rules=rules)
        put_workflow(self.workspace, definition, by="Ann")
        if said is None:
            self.test = start_test(self.workspace, workflow="field", everything=True, by="Ann").id
        else:
            rows = [
                {"record": n, "readings": [{"property": p, "value": v, "quote": q} for p, v, q in found]}
                for n, found in said.items()
            ]
            document = "\n".join(json.dumps(row) for row in rows).encode()
            upload = Upload("results.jsonl", document)
            self.test = replay_results(self.workspace, upload, workflow="field", by="Ann").test.id
        Runner(self.data).run_until_idle()
        return self.inputs()

    def inputs(self) -> list[TestInput]:
        return list(get_inputs(self.workspace, self.test, limit=10_000))

    def values(self) -> dict[tuple[str, str], ReadValue]:
        """By record and property, the first reading."""
        found: dict[tuple[str, str], ReadValue] = {}
        for input in self.inputs():
            assert input.result is not None
            assert not input.result.failed, input.result.failed
            for value in input.result.values:
                found.setdefault((input.label, value.property), value)
        return found

    def spans(self, record: str, name: str) -> list[tuple[int, int]]:
        return [(s.start, s.end) for s in self.values()[record, name].spans]

    def text(self, record: str) -> str:
        (input,) = (i for i in self.inputs() if i.label == record)
        return input_text(self.workspace, input)

    def page(self, record: str) -> LexborHTMLParser:
        (input,) = (i for i in self.inputs() if i.label == record)
        response = self.client.get(f"/w/default/tests/{self.test}/?input={input.position}")
        assert response.status_code == 200
        return LexborHTMLParser(response.text)

    def page_text(self, record: str) -> str:
        article = self.page(record).css_first("article#text")
        assert article is not None
        return article.text()

    def marked(self, record: str) -> list[str]:
        return [mark.text() for mark in self.page(record).css("article#text mark")]

    def answer(self, record: str, name: str, decision: str, value: str = "", **more: str) -> int:
        """Answer on the page, without script; gives the status."""
        (input,) = (i for i in self.inputs() if i.label == record)
        form = {"position": input.position, "name": name, "decision": decision, "value": value, **more}
        return self.client.post(f"/w/default/tests/{self.test}/answers", data=form).status_code

    def export(self) -> dict[str, Any]:
        """Both files of the test's dataset, strictly parsed."""
        files = both_files(self.workspace, save_dataset(self.workspace, self.test, by="Ann").id)
        return {name: json.loads(content, parse_constant=_refuse) for name, content in files.items()}

    def table(self) -> list[dict[str, str]]:
        """The answers as CSV, as a program reads it."""
        content = b"".join(answers_csv(answer_rows(self.workspace, self.test))).decode("utf-8")
        rows = list(csv.reader(io.StringIO(content, newline="")))
        assert {len(row) for row in rows} == {len(rows[0])}
        return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]

    def check_spans(self) -> None:
        """Every span is what it claims, in results, on the page and in the table."""
        for input in self.inputs():
            text = input_text(self.workspace, input)
            assert self.page_text(input.label) == text
            assert input.result is not None
            for value in input.result.values:
                for span in value.spans:
                    assert 0 <= span.start < span.end <= len(text)
                if value.grounding is not None and len(value.spans) == 1:
                    assert value.spans[0].cut(text) == value.quote


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
