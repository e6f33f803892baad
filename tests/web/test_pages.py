"""All pages but the test page: whole pages, what is not there, guards and headers."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp import answers, datasets, tests
from reviewapp.app import create_app
from reviewapp.domain.tests import Test
from reviewapp.settings import Settings
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
