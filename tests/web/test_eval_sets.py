"""The pages of eval sets: open, score, look, edit; whole pages and fragments."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from reviewapp.app import create_app
from reviewapp.eval_sets import keeping
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import team

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
        ("a\0b", "There is no folder"),
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


def test_large_values_are_cut_in_tables_and_not_put_into_forms(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    big = {"sum": ["x" * 100] * 10_000}
    (root / "outputs.json").write_text(json.dumps({"1": big, "2": big}))
    content = json.loads((root / FILE).read_text())
    content["evaluations"][0]["inputs"] = big
    (root / FILE).write_text(json.dumps(content))
    assert len(client.get(scored(client, data, project)).data) < 50_000
    assert len(client.get(f"{project}/set?file={FILE}").data) < 50_000
    refused = client.get(f"{project}/item?file={FILE}&item=1")
    assert refused.status_code == 422
    assert "change it in its file" in refused.text


def test_a_matrix_is_shown_as_one(client: FlaskClient, data: DataFolder, project: str, root: Path) -> None:
    path = root / "evaluations/evaluators/e.json"
    exact = json.loads(path.read_text())
    exact["evaluatorConfig"] |= {"classes": [EVIL, "2.0"], "aggregators": [{"type": "confusion_matrix"}]}
    exact["evaluatorConfig"]["targetOutputKey"] = "sum"
    path.write_text(json.dumps(exact))
    shown = client.get(scored(client, data, project)).text
    assert "Predicted, by expected" in shown
    assert '2.0</th><td class="number">0</td><td class="number">1</td>' in shown
    assert EVIL not in shown


def test_behaviour_that_changed_is_settled_row_by_row(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    scored(client, data, project)
    (root / "outputs.json").write_text(json.dumps({"1": {"Sum": 1}, "2": {"sum": 20}}))
    run = scored(client, data, project)
    assert "Expectations that may be out of date" in client.get(run).text
    row = {"file": FILE, "item": "2", "evaluator": "E"}
    assert client.post(f"{run}/settle", data={**row, "item": "9"}).status_code == 404
    before = (root / FILE).read_text()
    said = client.post(f"{run}/settle", data={**row, "side": "expectation"}, follow_redirects=True).text
    assert "the expectation is right" in said
    assert "The output is right" not in said
    assert (root / FILE).read_text() == before
    assert client.post(f"{run}/settle", data={**row, "side": "output"}).status_code == 303
    assert (root / FILE).read_text() == before.replace('"sum": 2', '"sum": 20')
    assert "green" in client.get(scored(client, data, project)).text


def test_an_expectation_changed_since_the_run_is_not_written_over(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    scored(client, data, project)
    (root / "outputs.json").write_text(json.dumps({"1": {"Sum": 1}, "2": {"sum": 20}}))
    run = scored(client, data, project)
    mended = (root / FILE).read_text().replace('"sum": 2', '"sum": 7')
    (root / FILE).write_text(mended)
    row = {"file": FILE, "item": "2", "evaluator": "E", "side": "output"}
    said = client.post(f"{run}/settle", data=row, follow_redirects=True).text
    assert "the expectation was changed since this run" in said
    assert (root / FILE).read_text() == mended


def test_a_run_is_found_under_its_own_project_only(client: FlaskClient, data: DataFolder, project: str) -> None:
    run = scored(client, data, project)
    assert client.get(run.replace(project, f"{HERE}/eproj_{'0' * 32}")).status_code == 404
    assert client.get(f"{project}/runs/erun_{'0' * 32}").status_code == 404


def test_a_loop_from_the_button_to_its_questions(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    (root / "fix.py").write_text(
        "import json; json.dump({'1': {'Sum': 1}, '2': {'sum': 20}}, open('outputs.json', 'w'))"
    )
    start = {"file": FILE, "most": "2"}
    assert "the fix command" in client.post(f"{project}/loop", data=start).text
    settings = {"target": "outputs:outputs.json", "fix": f"{sys.executable} fix.py"}
    assert client.post(f"{project}/change", data=settings).status_code == 303
    refused = client.post(f"{project}/loop", data=start)
    assert refused.status_code == 422
    assert "allow the project first" in refused.text
    keeping.allow_project(data.workspace("default"), project.rpartition("/")[2], allowed=True, by="ann")
    refused = client.post(f"{project}/loop", data={**start, "most": "many"})
    assert "from 1 to 100" in refused.text
    assert 'value="outputs:outputs.json"' in refused.text
    answer = client.post(f"{project}/loop", data=start)
    assert answer.status_code == 303, answer.text
    loop = str(answer.location)
    assert "No round has ended yet" in client.get(loop).text
    EvaluationRunner(data).run_until_idle()
    shown = client.get(loop).text
    assert "1 of 2 pass; failing &#39;first&#39;" in shown
    assert "the limit of iterations is reached" in shown.lower()
    assert "The output is right" in shown
    assert "<html" not in client.get(loop, headers={"HX-Request": "true"}).text
    row = {"file": FILE, "item": "2", "evaluator": "E", "side": "output"}
    assert "the output is right" in client.post(f"{loop}/settle", data=row, follow_redirects=True).text
    again = str(client.post(f"{project}/loop", data=start).location)
    EvaluationRunner(data).run_until_idle()
    assert "all rows pass" in client.get(again).text.lower()
    assert client.get(f"{project}/").text.count("/runs/erun_") == 4


def test_a_loop_cut_off_by_the_servers_end_is_not_gone_on_with(
    client: FlaskClient, data: DataFolder, project: str, root: Path
) -> None:
    client.post(f"{project}/change", data={"target": "outputs:outputs.json", "fix": "touch fixed"})
    keeping.allow_project(data.workspace("default"), project.rpartition("/")[2], allowed=True, by="ann")
    loop = str(client.post(f"{project}/loop", data={"file": FILE}).location)
    data.workspace("default").evaluations.mark_running(loop.rpartition("/")[2])
    EvaluationRunner(data).run_until_idle()
    assert "The server stopped while this loop ran" in client.get(loop).text
    assert not (root / "fixed").exists()


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
        ("item_inputs", "[" * 3_000, "not valid JSON"),
        ("name", EVIL, "Another item"),
    ):
        answer = client.post(f"{project}/item", data={**sent, "criteria0": "{}", field: value})
        assert answer.status_code == 422
        assert says in answer.text
        assert "&#34;q&#34;: 1" in answer.text or field == "item_inputs"
    half = client.post(f"{project}/item", data={**sent, "item_inputs": '{"a": "\\ud800"}'})
    assert (half.status_code, "half a character" in half.text) == (422, True)
    saved = client.post(f"{project}/item", data={**sent, "criteria0": '{"expectedOutput": {"sum": 1}}'})
    assert saved.status_code == 303
    content = json.loads((root / FILE).read_text())
    assert content["evaluations"][0]["inputs"] == {"q": 1}
    assert content["evaluations"][0]["evaluationCriterias"] == {"E": {"expectedOutput": {"sum": 1}}}
    for item in ("1", "gone"):
        late = client.post(f"{project}/item", data={**sent, "item": item, "name": "typed", "criteria0": ""})
        assert late.status_code == 409
        assert "changed since you opened it" in late.text
        assert 'value="typed"' in late.text
    digest = re.findall(r'name="digest" value="(\w+)"', client.get(f"{project}/item?file={FILE}").text)[0]
    new = {"file": FILE, "item": "", "digest": digest, "name": "third", "item_inputs": "{}", "criteria0": ""}
    assert client.post(f"{project}/item", data=new).status_code == 303
    assert len(json.loads((root / FILE).read_text())["evaluations"]) == 3
    digest = re.findall(r'name="digest" value="(\w+)"', client.get(f"{project}/item?file={FILE}").text)[0]
    assert client.post(f"{project}/item", data={**sent, "digest": digest, "criteria0": "null"}).status_code == 303
    assert json.loads((root / FILE).read_text())["evaluations"][0]["evaluationCriterias"] == {"E": None}
    assert "\nnull</textarea>" in client.get(f"{project}/item?file={FILE}&item=1").text


@pytest.mark.parametrize(
    "address", ["set?file=../../x.json", "item?file=/etc/passwd", f"item?file={FILE}&item=9", "runs/x"]
)
def test_what_is_not_there_is_404(client: FlaskClient, project: str, address: str) -> None:
    assert client.get(f"{project}/{address}").status_code == 404


def test_an_admin_elsewhere_names_no_place_on_the_servers_machine(
    data: DataFolder, workspace: Workspace, root: Path, tmp_path: Path
) -> None:
    app = create_app(Settings(data=data.path, host="0.0.0.0"), data)  # noqa: S104
    client = team.signed_in(app, data, team.add(data, "Wanda", "admin", "default"))
    opened = keeping.open_project(workspace, root, by="Ann")
    (tmp_path / "secret.json").write_text('{"1": {"password": "x"}}')
    for place in (tmp_path / "secret.json", "../secret.json"):
        answer = client.post(f"{HERE}/{opened.id}/change", data={"target": f"outputs:{place}"})
        assert answer.status_code == 422
        assert "from the project&#39;s own folder only" in answer.text
    assert client.post(f"{HERE}/{opened.id}/change", data={"target": "outputs:outputs.json"}).status_code == 303


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
