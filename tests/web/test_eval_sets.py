"""The pages of eval sets: open, score, look, edit; whole pages and fragments."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.workspaces import DataFolder

HERE = "/w/default/eval-sets"
FILE = "evaluations/eval-sets/s.json"
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    items = [
        {
            "id": "1",
            "name": "first",
            "inputs": {"q": EVIL},
            "evaluationCriterias": {"E": {"expectedOutput": {"Sum": 1}}},
        },
        {"id": "2", "name": EVIL, "inputs": {}, "evaluationCriterias": {"E": {"expectedOutput": {"sum": 2}}}},
    ]
    exact = {"version": "1.0", "id": "E", "evaluatorTypeId": "uipath-exact-match", "evaluatorConfig": {"name": "Exact"}}
    files = {
        FILE: {"version": "1.0", "id": "s", "name": "Smoke", "evaluatorRefs": ["E"], "evaluations": items},
        "evaluations/evaluators/e.json": exact,
        "outputs.json": {"1": {"sum": 1}, "2": {"sum": 2}},
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(content, indent=2))
    return root


@pytest.fixture
def project(client: FlaskClient, root: Path) -> str:
    """Its address."""
    answer = client.post(f"{HERE}/", data={"folder": str(root)})
    assert answer.status_code == 303
    at = str(answer.location).rstrip("/")
    assert client.post(f"{at}/change", data={"target": "outputs:outputs.json"}).status_code == 303
    return at


def scored(client: FlaskClient, data: DataFolder, project: str) -> str:
    """Address of a run that ended."""
    answer = client.post(f"{project}/score", data={"file": FILE})
    assert answer.status_code == 303, answer.text
    EvaluationRunner(data).run_until_idle()
    return str(answer.location)


def test_a_folder_is_opened_or_refused_with_a_sentence(client: FlaskClient, root: Path) -> None:
    assert "No project yet" in client.get(f"{HERE}/").text
    for folder, says in (
        (str(root / "no"), "There is no folder"),
        (str(root.parent), "holds no eval sets"),
        ("", "Type"),
    ):
        answer = client.post(f"{HERE}/", data={"folder": folder})
        assert answer.status_code == 422
        assert says in answer.text
    shown = client.post(f"{HERE}/", data={"folder": str(root)}, follow_redirects=True).text
    assert "coded agent (package), told by its layout" in shown
    assert "Smoke" in shown
    assert "agent" in client.get(f"{HERE}/").text


def test_a_run_from_the_button_to_the_rows(client: FlaskClient, data: DataFolder, project: str) -> None:
    run = scored(client, data, project)
    shown = client.get(run).text
    assert "1 of 2 pass; failing &#39;first&#39;" in shown
    assert "only the case differs" in shown
    assert EVIL not in shown
    fragment = client.get(run, headers={"HX-Request": "true"}).text
    assert "<html" not in fragment
    assert 'id="run"' in fragment
    assert "1 of 2 pass" in client.get(f"{project}/").text


def test_behaviour_that_changed_is_settled_row_by_row(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    scored(client, data, project)
    (root / "outputs.json").write_text(json.dumps({"1": {"Sum": 1}, "2": {"sum": 20}}))
    run = scored(client, data, project)
    assert "Expectations that may be out of date" in client.get(run).text
    assert client.post(f"{run}/settle", data={"item": "9", "evaluator": "E"}).status_code == 404
    before = (root / FILE).read_text()
    assert client.post(f"{run}/settle", data={"item": "2", "evaluator": "E"}).status_code == 303
    assert (root / FILE).read_text() == before.replace('"sum": 2', '"sum": 20')
    assert "green" in client.get(scored(client, data, project)).text


def test_an_item_is_edited_in_its_file(client: FlaskClient, project: str, root: Path) -> None:
    listed = client.get(f"{project}/set?file={FILE}").text
    assert EVIL not in listed
    found = client.get(f"{project}/set?file={FILE}&q=FIRST").text
    assert "item=1" in found
    assert "item=2" not in found
    form = client.get(f"{project}/item?file={FILE}&item=1").text
    (digest,) = re.findall(r'name="digest" value="(\w+)"', form)[:1]
    sent = {"file": FILE, "item": "1", "digest": digest, "name": "first", "item_inputs": '{"q": 1}'}
    for field, value, says in (
        ("criteria0", "{", "not valid JSON"),
        ("item_inputs", "[1]", "A JSON object was expected"),
        ("name", EVIL, "Another item"),
    ):
        answer = client.post(f"{project}/item", data={**sent, "criteria0": "{}", field: value})
        assert answer.status_code == 422
        assert says in answer.text
        assert "&#34;q&#34;: 1" in answer.text or field == "item_inputs"
    saved = client.post(f"{project}/item", data={**sent, "criteria0": '{"expectedOutput": {"sum": 1}}'})
    assert saved.status_code == 303
    content = json.loads((root / FILE).read_text())
    assert content["evaluations"][0]["inputs"] == {"q": 1}
    assert content["evaluations"][0]["evaluationCriterias"] == {"E": {"expectedOutput": {"sum": 1}}}
    late = client.post(f"{project}/item", data={**sent, "criteria0": ""})
    assert late.status_code == 409
    assert "changed since you opened it" in late.text
    digest = re.findall(r'name="digest" value="(\w+)"', client.get(f"{project}/item?file={FILE}").text)[0]
    new = {"file": FILE, "item": "", "digest": digest, "name": "third", "item_inputs": "{}", "criteria0": ""}
    assert client.post(f"{project}/item", data=new).status_code == 303
    assert len(json.loads((root / FILE).read_text())["evaluations"]) == 3


@pytest.mark.parametrize(
    "address", ["set?file=../../x.json", "item?file=/etc/passwd", f"item?file={FILE}&item=9", "runs/x"]
)
def test_what_is_not_there_is_404(client: FlaskClient, project: str, address: str) -> None:
    assert client.get(f"{project}/{address}").status_code == 404


def test_programs_wait_for_leave(client: FlaskClient, project: str, root: Path) -> None:
    client.post(f"{project}/change", data={"target": "command:touch ran"})
    answer = client.post(f"{project}/score", data={"file": FILE})
    assert answer.status_code == 422
    assert "allow the project first" in answer.text
    assert client.post(f"{project}/allow", data={"allowed": "yes"}).status_code == 403
    assert not (root / "ran").exists()


def test_a_project_that_went_away_is_told(client: FlaskClient, project: str, root: Path) -> None:
    root.rename(root.parent / "elsewhere")
    shown = client.get(f"{project}/")
    assert shown.status_code == 200
    assert "There is no folder" in shown.text


def test_a_set_becomes_a_dataset(client: FlaskClient, project: str) -> None:
    answer = client.post(f"{project}/to-dataset", data={"file": FILE}, follow_redirects=True)
    assert "Kept as dataset Smoke." in answer.text
