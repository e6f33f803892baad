"""All pages but the test page: whole pages, faults with the text kept, what is not there, guards and headers."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp import answers, datasets, records, tests, workflows
from reviewapp.app import create_app
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.settings import Settings
from reviewapp.web.workflow_form import WorkflowForm
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import team, world

PAGES = (
    "",
    "tests/",
    "tests/new",
    "records/",
    "records/new",
    "workflows/",
    "workflows/new",
    "workflows/paste",
    "datasets/",
)


@pytest.mark.parametrize("path", PAGES)
def test_empty_pages_teach(client: FlaskClient, path: str) -> None:
    response = client.get(f"/w/default/{path}")
    assert response.status_code == 200
    assert "<h1>" in response.text


@pytest.mark.parametrize("path", PAGES)
def test_full_pages(client: FlaskClient, sinks: Test, path: str) -> None:
    assert client.get(f"/w/default/{path}").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/w/nowhere/", "/w/default/records/nowhere/", "/w/default/records/tenders/record?iri=x", "/nowhere",
        "/w/default/workflows/x/", "/w/default/workflows/x/change", "/w/default/datasets/ds_0/",
        "/w/default/datasets/ds_0/dataset.zip",
    ],
)  # fmt: skip
def test_what_is_not_there_is_404_with_a_sentence(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "There is no" in response.text
    assert "start page" in response.text


def test_the_start_opens_the_only_workspace_or_lists_them(client: FlaskClient, data: DataFolder) -> None:
    assert client.get("/").headers["Location"] == "/w/default/"
    data.workspace("second", create=True)
    response = client.get("/")
    assert response.status_code == 200
    assert "/w/second/" in response.text


def test_make_a_workspace(client: FlaskClient, data: DataFolder) -> None:
    assert client.post("/w/", data={"name": "bids"}).status_code == 303
    assert "bids" in data.workspaces()
    refused = client.post("/w/", data={"name": "../evil"})
    assert refused.status_code == 422
    assert "../evil" in refused.text


def test_the_name_goes_with_the_answers(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    response = client.post("/name", data={"name": "  O'Neil,  Ann ", "back": "/w/default/tests/"})
    assert response.headers["Location"] == "/w/default/tests/"
    form = {"position": 0, "name": "width", "decision": "accept", "seen": 0}
    client.post(f"/w/default/tests/{sinks.id}/answers", data=form)
    assert answers.history(workspace, sinks.id, 0, "width")[0].by == "O'Neil, Ann"
    assert client.post("/name", data={"name": " "}).status_code == 422


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "x", ""])
def test_the_way_back_stays_here(client: FlaskClient, back: str) -> None:
    assert client.post("/name", data={"name": "Ann", "back": back}).headers["Location"] == "/"


class TestRecords:
    def upload(self, client: FlaskClient, *files: tuple[str, bytes], **form: str) -> object:
        data = {"collection": "tenders", **form, "files": [(io.BytesIO(content), name) for name, content in files]}
        return client.post("/w/default/records/files", data=data, content_type="multipart/form-data")

    def test_files_become_records(self, client: FlaskClient, workspace: Workspace) -> None:
        self.upload(client, ("a.txt", b"Width 600 mm"), ("b.jsonl", b'{"name": "x", "text": "Depth 5 cm"}'))
        assert [r.name for r in records.list_records(workspace, "tenders")] == ["a", "x"]
        again = self.upload(client, ("a.txt", b"Width 610 mm"))
        assert again.status_code == 303  # type: ignore[attr-defined]
        shown = client.get("/w/default/records/tenders/").text
        assert "0 new records, 1 changed one, 0 the same" in shown

    def test_every_fault_of_a_file_is_told(self, client: FlaskClient, workspace: Workspace) -> None:
        lines = b'{"name": "x", "text": "fine"}\nnot json\n{"name": "y"}'
        response = self.upload(client, ("b.jsonl", lines))
        assert response.status_code == 422  # type: ignore[attr-defined]
        assert "line 2" in response.text  # type: ignore[attr-defined]
        assert "line 3" in response.text  # type: ignore[attr-defined]
        assert 'value="tenders"' in response.text  # type: ignore[attr-defined]
        assert records.list_collections(workspace) == []

    @pytest.mark.parametrize(
        ("form", "fault"),
        [
            ({"text": ""}, "Paste a text first"),
            ({"text": "kept words", "name": ""}, "Give the text a name"),
            ({"text": "kept words", "name": "x", "collection": "Not A Slug"}, "is no collection name"),
            ({"text": "kept words\0", "name": "x"}, "NUL"),
            ({"text": "kept words", "kind": "jsonl"}, "line 1"),
        ],
    )
    def test_a_pasted_text_with_a_fault_stays(self, client: FlaskClient, form: dict[str, str], fault: str) -> None:
        response = client.post("/w/default/records/pasted", data={"collection": "tenders", **form})
        assert response.status_code == 422
        assert fault in response.text
        assert "kept words" in response.text or not form["text"]

    def test_600_kilobytes_can_be_pasted(self, client: FlaskClient, workspace: Workspace) -> None:
        text = "Width 600 mm\r\n" * 43_000
        response = client.post(
            "/w/default/records/pasted", data={"collection": "long", "name": "long", "kind": "text", "text": text}
        )
        assert response.status_code == 303
        assert records.list_records(workspace, "long")[0].characters == 13 * 43_000

    def test_beyond_the_limit_the_limit_is_named(self, app: Flask, client: FlaskClient) -> None:
        app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = 2_000_000
        response = client.post("/w/default/records/pasted", data={"collection": "long", "text": "x" * 2_100_000})
        assert response.status_code == 413
        assert "2 MB" in response.text
        piece = client.post("/w/default/records/pasted", data={"text": "x" * 2_100_000}, headers={"HX-Request": "true"})
        assert piece.headers["HX-Retarget"] == "#status"

    def test_look_at_one_and_delete_it(self, client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
        row = records.list_records(workspace, "tenders")[0]
        query = {"iri": row.iri, "q": "sink"}
        response = client.get("/w/default/records/tenders/record", query_string=query)
        assert response.text.count('<mark class="found"') == 2
        assert client.post("/w/default/records/tenders/record/delete", data={"iri": row.iri}).status_code == 303
        assert records.count_records(workspace, "tenders") == 1

    def test_search_and_further_pages(self, client: FlaskClient, workspace: Workspace) -> None:
        world.fill(workspace, [(f"r{i:03}", f"text {i}") for i in range(150)])
        first = client.get("/w/default/records/tenders/").text
        assert "Further records" in first
        assert "1 record with" in client.get("/w/default/records/tenders/?q=text+77").text


class TestFindingRecords:
    @pytest.fixture(autouse=True)
    def _records(self, workspace: Workspace) -> None:
        texts = [("oak", "An oak door.\n<b>Width</b> 88 cm"), ("steel", "A steel door"), ("oak board", "planks")]
        incoming = [IncomingRecord(name=name, text=text) for name, text in texts]
        records.import_records(workspace, "doors", incoming, by="Ann")
        records.import_records(workspace, "other", [IncomingRecord(name="x", text="nothing")], by="Ann")

    def test_in_all_collections(self, client: FlaskClient) -> None:
        page = LexborHTMLParser(client.get("/w/default/records/?q=OAK").text)
        rows = [[cell.text() for cell in row.css("th, td")][:3] for row in page.css("tbody tr")]
        assert rows == [["doors", "3", "2"], ["other", "1", "0"]]
        assert "q=OAK" in str(page.css_first("tbody a[href*='q=']").attributes["href"])

    def test_where_the_words_stand_is_shown(self, client: FlaskClient) -> None:
        page = LexborHTMLParser(client.get("/w/default/records/doors/?q=width").text)
        assert page.css_first(".context mark").text() == "Width"
        assert "door.\n<b>Width</b> 88 cm" in page.css_first(".context").text()
        assert page.css_first(".context b") is None

    def test_from_one_that_was_found_to_the_next(self, client: FlaskClient) -> None:
        page = LexborHTMLParser(client.get("/w/default/records/doors/record?iri=record:doors/oak&q=oak").text)
        assert page.css_first("article mark").text() == "oak"
        following = str(page.css_first("a[rel=next]").attributes["href"])
        assert ("oak%20board" in following or "oak%2520board" in following, "q=oak" in following) == (True, True)

    def test_a_character_that_no_text_has(self, client: FlaskClient) -> None:
        assert client.get("/w/default/records/doors/?q=%00").status_code == 200


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
            ({"gate": "2"}, "less than or equal to 1"),
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


class TestStarting:
    @pytest.mark.parametrize(
        ("form", "count"),
        [
            ({"inputs": "sample", "sample": "1"}, 1),
            ({"inputs": "all"}, 2),
            ({"inputs": "telling", "telling": "1"}, 1),
            ({"inputs": "telling"}, 2),
            ({"inputs": "chosen", "iri": ["record:tenders/4.2%20laundry"]}, 1),
        ],
    )
    def test_start(
        self, client: FlaskClient, workspace: Workspace, sinks: Test, form: dict[str, object], count: int
    ) -> None:
        response = client.post("/w/default/tests/", data={"workflow": "sinks", **form})
        assert response.status_code == 303
        newest = tests.list_tests(workspace)[0]
        assert (newest.input_count, newest.created_by) == (count, "Ann")
        assert newest.id in response.headers["Location"]

    @pytest.mark.parametrize(
        ("form", "fault"),
        [
            ({"inputs": "sample", "sample": "none"}, "is no number of inputs"),
            ({"inputs": "sample", "sample": "0"}, "is no number of inputs"),
            ({"inputs": "sample", "sample": "9" * 5_000}, "is no number of inputs"),
            ({"inputs": "telling", "telling": "few"}, "&#39;few&#39; is no number of inputs"),
            ({"inputs": "chosen"}, "Tick at least one record"),
            ({"inputs": "chosen", "iri": "record:nowhere"}, "None of the chosen records"),
            ({"workflow": ""}, "Choose the workflow"),
        ],
    )
    def test_faults(self, client: FlaskClient, sinks: Test, form: dict[str, str], fault: str) -> None:
        response = client.post("/w/default/tests/", data={"workflow": "sinks", **form})
        assert response.status_code == 422
        assert fault in response.text

    def test_one_that_is_under_way_is_shown_instead(self, client: FlaskClient, workspace: Workspace) -> None:
        test = world.fill(workspace)
        response = client.post("/w/default/tests/", data={"workflow": "sinks", "inputs": "all"})
        assert test.id in response.headers["Location"]
        assert client.post(f"/w/default/tests/{test.id}/cancel").status_code == 303
        assert tests.get_test(workspace, test.id).status == "cancelled"

    def test_the_records_of_another_workflow_as_a_piece(self, client: FlaskClient, sinks: Test) -> None:
        piece = client.get("/w/default/tests/new?workflow=sinks", headers={"HX-Request": "true"})
        assert piece.text.lstrip().startswith("<fieldset")
        assert "4.1 kitchen" in piece.text


class TestDatasets:
    @pytest.fixture
    def dataset(self, workspace: Workspace, sinks: Test) -> str:
        answers.save_answer(workspace, sinks.id, 0, "width", "accept", by="Ann")
        answers.save_answer(workspace, sinks.id, 0, "colour", "accept", by="Ann")
        answers.save_answer(workspace, sinks.id, 0, "depth", "reject", by="Ann", note="approx.")
        return datasets.save_dataset(workspace, sinks.id, by="Ann").id

    def test_page(self, client: FlaskClient, dataset: str) -> None:
        page = client.get(f"/w/default/datasets/{dataset}/").text
        for words in ("4.1 kitchen", "60 cm", "any value", "approx.", "Built-in sink"):
            assert words in page

    def test_files(self, client: FlaskClient, dataset: str) -> None:
        response = client.get(f"/w/default/datasets/{dataset}/dataset.zip")
        assert response.headers["Content-Disposition"] == "attachment; filename=dataset.zip"
        with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
            assert sorted(archive.namelist()) == ["expected.json", "records.json"]
        expected = json.loads(client.get(f"/w/default/datasets/{dataset}/expected.json").data)
        assert expected["records"][0]["name"] == "4.1 kitchen"
        assert client.get(f"/w/default/datasets/{dataset}/other.json").status_code == 404

    def test_delete(self, client: FlaskClient, dataset: str) -> None:
        assert client.post(f"/w/default/datasets/{dataset}/delete").status_code == 303
        assert client.get(f"/w/default/datasets/{dataset}/").status_code == 404


class TestGuards:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({}, 303),
            ({"Sec-Fetch-Site": "same-origin"}, 303),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-site"}, 403),
            ({"Origin": "http://localhost"}, 303),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Host": "evil.example"}, 403),
            ({"Host": "127.0.0.1:8000"}, 303),
        ],
    )
    def test_only_our_own_pages_change_something(
        self, client: FlaskClient, headers: dict[str, str], status: int
    ) -> None:
        response = client.post("/name", data={"name": "Ann"}, headers=headers)
        assert response.status_code == status
        if status == 403:
            assert "REVIEWAPP_PUBLIC_URL" in response.text

    def test_behind_a_proxy_the_public_address_is_ours(self, data: DataFolder) -> None:
        app = create_app(Settings(data=Path("unused"), public_url="https://review.example/rev"), data)
        headers = {"Host": "review.example", "Origin": "https://review.example"}
        client = team.signed_in(app, data, team.add(data, "Ann", "admin"), host="review.example")
        assert client.post("/w/", data={"name": "more"}, headers=headers).status_code == 303

    @pytest.mark.parametrize("path", ["/rev/w/default/", "/w/default/"])
    def test_under_a_path_every_address_has_it(self, data: DataFolder, workspace: Workspace, path: str) -> None:
        app = create_app(Settings(data=Path("unused"), public_url="https://review.example/rev/"), data)
        client = team.signed_in(app, data, team.add(data, "Ann", "admin"), host="review.example")
        with client.get(path, headers={"Host": "review.example"}) as response:
            assert response.status_code == 200
            links = re.findall(r'(?:href|src|action)="([^"#]+)', response.text)
        assert links
        assert [link for link in links if not link.startswith("/rev/")] == []

    def test_every_response_carries_the_policy(self, client: FlaskClient) -> None:
        for path in ("/w/default/", "/nowhere", "/static/app.css"):
            with client.get(path) as response:
                headers = response.headers
            assert "'unsafe" not in headers["Content-Security-Policy"]
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "same-origin"

    def test_no_page_has_inline_script_or_style(self, client: FlaskClient, sinks: Test) -> None:
        for path in ("/patterns", f"/w/default/tests/{sinks.id}/", *(f"/w/default/{page}" for page in PAGES)):
            page = client.get(path).text
            assert "<style" not in page
            assert " style=" not in page
            assert " onclick" not in page
            assert page.count("<script") == page.count("<script nonce=")

    def test_a_method_that_an_address_does_not_take(self, client: FlaskClient) -> None:
        response = client.get("/w/default/tests/wtest_0/dataset")
        assert response.status_code == 405
        assert "own buttons" in response.text

    def test_a_bug_says_it_is_ours(self, app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
        app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
        app.add_url_rule("/bug", view_func=lambda: {}["inner-name"])
        response = client.get("/bug")
        assert response.status_code == 500
        assert "our fault" in response.text
        assert "inner-name" not in response.text
        assert "KeyError" in caplog.text


def test_the_sample_loads_from_the_empty_start(client: FlaskClient, workspace: Workspace) -> None:
    assert "Load the sample" in client.get("/w/default/").text
    assert client.post("/w/default/sample").status_code == 303
    page = client.get("/w/default/").text
    assert "Load the sample" not in page
    assert len(tests.list_tests(workspace)) == 3


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
    assert "compare it with" in client.get(f"{here}revisions/{first.id}").text
