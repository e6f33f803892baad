"""Records on pages: brought in, looked at, found."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp import records
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.workspaces import Workspace
from tests.web import world


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

    def test_a_pasted_table_says_which_columns_hold_the_text(self, client: FlaskClient, workspace: Workspace) -> None:
        form = {"collection": "tenders", "kind": "csv", "text": "Pos;Kurztext;Preis\n1.1;Spüle 600 mm;12\n"}
        refused = client.post("/w/default/records/pasted", data=form)
        assert refused.status_code == 422
        field = LexborHTMLParser(refused.text).css_first("form[action$=pasted] details[open] input[name=text_columns]")
        assert field is not None
        named = {"text_columns": "Kurztext", "name_column": "Pos"}
        assert client.post("/w/default/records/pasted", data=form | named).status_code == 303
        [row] = records.list_records(workspace, "tenders")
        assert (row.name, records.get_record(workspace, row.iri).text) == ("1.1", "Spüle 600 mm")

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

    def test_each_shows_how_its_text_begins(self, client: FlaskClient) -> None:
        page = LexborHTMLParser(client.get("/w/default/records/doors/").text)
        begins = [begin.text() for begin in page.css(".begin")]
        assert begins == ["An oak door. <b>Width</b> 88 cm", "planks", "A steel door"]
        assert LexborHTMLParser(client.get("/w/default/records/doors/?q=oak").text).css(".begin") == []

    def test_from_one_that_was_found_to_the_next(self, client: FlaskClient) -> None:
        page = LexborHTMLParser(client.get("/w/default/records/doors/record?iri=record:doors/oak&q=oak").text)
        assert page.css_first("article mark").text() == "oak"
        following = str(page.css_first("a[rel=next]").attributes["href"])
        assert ("oak%20board" in following or "oak%2520board" in following, "q=oak" in following) == (True, True)

    def test_a_character_that_no_text_has(self, client: FlaskClient) -> None:
        assert client.get("/w/default/records/doors/?q=%00").status_code == 200
