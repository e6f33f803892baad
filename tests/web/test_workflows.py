"""Workflows on pages: the form, its faults, trying, revisions."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp import records, workflows
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.web.workflow_form import WorkflowForm
from reviewapp.workspaces import Workspace
from tests.web import world


class TestWorkflows:
    FORM = {
        "name": "sinks", "collection": "tenders", "gate": "0.9", "decimal_mark": ",", "date_order": "dmy",
        "two_digit_years": "50", "context": "German", "note": "first",
        "p-name": ["width", "", "colour"], "p-value_type": ["f64", "text", "keyword"], "p-unit": ["cm", "", ""],
        "p-aliases": ["Breite; wide", "", ""], "p-options": ["", "", "white; black"], "p-description": ["", "", ""],
        "p-minimum": ["1,5", "", ""], "p-maximum": ["", "", ""], "p-pattern": ["", "", ""],
        "p-min_length": ["", "", ""], "p-max_length": ["", "", ""],
    }  # fmt: skip

    @pytest.fixture(autouse=True)
    def _collection(self, workspace: Workspace) -> None:
        records.declare_properties(workspace, "tenders", [], "Ann")

    def test_make_and_change(self, client: FlaskClient, workspace: Workspace) -> None:
        assert client.post("/w/default/workflows/", data=self.FORM).status_code == 303
        made = workflows.get_workflow(workspace, "sinks").active
        width, colour = made.settings.properties
        assert (width.name, width.unit, width.aliases, width.minimum) == ("width", "cm", ("Breite", "wide"), 1.5)
        assert (colour.options, made.settings.gate, made.note) == (("white", "black"), 0.9, "first")
        assert made.settings.rules.decimal_mark == ","
        assert "Breite; wide" in client.get("/w/default/workflows/sinks/change").text
        changed = client.post("/w/default/workflows/", data={**self.FORM, "changes": "sinks", "gate": "0.7"})
        assert changed.status_code == 303
        assert len(workflows.list_revisions(workspace, "sinks")) == 2
        twin = client.post("/w/default/workflows/", data=self.FORM)
        assert twin.status_code == 422
        assert "already" in twin.text

    def test_put_an_earlier_revision_in_use(self, client: FlaskClient, workspace: Workspace) -> None:
        client.post("/w/default/workflows/", data=self.FORM)
        client.post("/w/default/workflows/", data={**self.FORM, "changes": "sinks", "gate": "0.7"})
        newer, older = workflows.list_revisions(workspace, "sinks")
        form = {"revision": older.id, "expected": newer.id}
        assert client.post("/w/default/workflows/sinks/activate", data=form).status_code == 303
        assert workflows.get_workflow(workspace, "sinks").active.id == older.id
        assert client.post("/w/default/workflows/sinks/activate", data=form).status_code == 409

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ({"name": "No Slug"}, "is no workflow name"),
            ({"collection": ""}, "Choose the collection"),
            ({"gate": "2"}, "expected at most 1"),
            ({"gate": "high"}, "&#39;high&#39; is no number"),
            ({"p-name": ["width", "", "width"]}, "is there twice"),
            ({"p-name": ["", "", ""]}, "Name at least one property"),
            ({"p-minimum": ["much", "", ""]}, "&#39;much&#39; is no number"),
            ({"p-unit": ["", "", "cm"]}, "only i64 and f64 take a unit"),
            ({"p-value_type": ["colour", "", ""]}, "is no type"),
        ],
    )
    def test_faults_keep_what_was_typed(self, client: FlaskClient, change: dict[str, object], fault: str) -> None:
        response = client.post("/w/default/workflows/", data={**self.FORM, **change})
        assert response.status_code == 422
        assert fault in response.text
        assert 'value="Breite; wide"' in response.text or change.get("p-name") == ["", "", ""]

    def test_all_faults_are_told_at_once(self, client: FlaskClient) -> None:
        bad = {"name": "No Slug", "p-minimum": ["much", "", ""], "p-unit": ["cm", "", "cm"]}
        page = client.post("/w/default/workflows/", data={**self.FORM, **bad}).text
        for fault in ("is no workflow name", "&#39;much&#39; is no number", "only i64 and f64 take a unit"):
            assert fault in page

    @pytest.mark.parametrize(
        ("op", "names"),
        [("up-2", ["colour", "width"]), ("drop-0", ["colour"]), ("up-9", None), ("up-" + "9" * 5_000, None)],
    )
    def test_rows_are_moved_and_taken_out(self, client: FlaskClient, op: str, names: list[str] | None) -> None:
        data = {**self.FORM, "op": op, "p-name": ["width", "", "colour"]}
        page = client.post("/w/default/workflows/", data=data).text
        found = re.findall(r'name="p-name" value="(\w+)"', page)
        assert found == (names or ["width", "colour"])

    def test_a_change_that_changes_nothing_keeps_every_check(self, client: FlaskClient, workspace: Workspace) -> None:
        properties = (
            Property(name="weight", value_type="f64", minimum=0.000125, maximum=1234567.25),
            Property(name="bolt", options=("Bolt, M8",), aliases=("screw, long", "nut")),
            Property(name="code", pattern="[A-Z]{2,3}", min_length=2, max_length=3),
        )
        definition = WorkflowDefinition(name="parts", collection="tenders", properties=properties, gate=0.75)
        before = workflows.put_workflow(workspace, definition, by="Ann").active
        form = WorkflowForm.from_settings("parts", before.settings)
        assert form.definition(before.settings.extractor).properties == properties
        page = client.get("/w/default/workflows/parts/change").text
        assert "1234567.25" in page
        assert "Bolt, M8;" in page

    def test_a_gate_of_nothing_is_the_usual_one_and_of_zero_is_refused(self, client: FlaskClient) -> None:
        assert client.post("/w/default/workflows/", data={**self.FORM, "gate": "0"}).status_code == 422
        assert client.post("/w/default/workflows/", data={**self.FORM, "gate": ""}).status_code == 303

    def test_try_on_a_record(self, client: FlaskClient, workspace: Workspace) -> None:
        incoming = [IncomingRecord(name="a", text="Breite: 600 mm")]
        records.import_records(workspace, "tenders", incoming, by="Ann")
        page = client.post("/w/default/workflows/", data={**self.FORM, "op": "try", "record": "record:tenders/a"}).text
        assert "600 mm → 60 cm" in page

    def test_yaml_of_what_is_there_can_be_changed(self, client: FlaskClient) -> None:
        client.post("/w/default/workflows/", data=self.FORM)
        assert "name: sinks" in client.get("/w/default/workflows/paste?of=sinks").text
        assert client.get("/w/default/workflows/paste?of=none").status_code == 404

    @pytest.mark.parametrize("missing", [{"name": ""}, {"collection": ""}, {"name": "", "collection": ""}])
    def test_a_text_is_tried_before_there_is_a_name_or_a_collection(
        self, client: FlaskClient, missing: dict[str, str]
    ) -> None:
        form = {**self.FORM, **missing, "text": "Breite: 600 mm"}
        tried = client.post("/w/default/workflows/", data={**form, "op": "try"})
        assert tried.status_code == 200
        assert "600 mm → 60" in " ".join(tried.text.split())
        assert client.post("/w/default/workflows/", data={**form, "op": "put"}).status_code == 422

    def test_try_before_it_exists(self, client: FlaskClient, workspace: Workspace) -> None:
        form = {**self.FORM, "op": "try", "text": "Breite: 600 mm"}
        response = client.post("/w/default/workflows/", data=form)
        assert response.status_code == 200
        assert "600 mm → 60 cm" in response.text
        assert workflows.list_workflows(workspace) == []

    def test_paste_yaml(self, client: FlaskClient, workspace: Workspace) -> None:
        text = "name: sinks\ncollection: tenders\nproperties:\n  - {name: width, value_type: f64, unit: cm}\n"
        assert client.post("/w/default/workflows/paste", data={"text": text}).status_code == 303
        assert workflows.get_workflow(workspace, "sinks").active.settings.properties[0].unit == "cm"
        shown = client.get("/w/default/workflows/sinks/").text
        assert "As YAML" in shown
        bad = client.post("/w/default/workflows/paste", data={"text": text + "colour: red\n"})
        assert bad.status_code == 422
        assert "colour: red" in bad.text

    def test_delete(self, client: FlaskClient, workspace: Workspace) -> None:
        client.post("/w/default/workflows/", data=self.FORM)
        assert client.post("/w/default/workflows/sinks/delete").status_code == 303
        assert workflows.list_workflows(workspace) == []


def test_a_revision_says_what_changed(client: FlaskClient, workspace: Workspace) -> None:
    world.fill(workspace)
    here = "/w/default/workflows/sinks/"
    wider = [world.PROPERTIES[1].model_copy(update={"unit": "mm"}), *world.PROPERTIES[2:]]
    second = WorkflowDefinition(name="sinks", collection="tenders", properties=tuple(wider), gate=0.9)
    workflows.put_workflow(workspace, second, by="Ben", note="millimetres")
    newest, first = workflows.list_revisions(workspace, "sinks")
    page = LexborHTMLParser(client.get(f"{here}revisions/{newest.id}").text)
    rows = [[" ".join(cell.text().split()) for cell in row.css("th, td")] for row in page.css("tbody tr")]
    assert ["material", "keyword", "taken out"] in rows
    assert ["width: unit", "cm", "mm"] in rows
    assert ["gate", "0.8", "0.9"] in rows
    assert page.css_first(".empty") is None
    back = client.get(f"{here}revisions/{first.id}?against={newest.id}").text
    assert "Use this one" in back
    assert ">not there<" in back
    assert client.get(f"{here}revisions/wrev_0").status_code == 404
    assert "none before it to compare with" in client.get(f"{here}revisions/{first.id}").text
