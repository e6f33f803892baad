"""Projects that a workspace knows, runs in the background, judges through its models."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewapp.choices import choose
from reviewapp.domain.choices import ModelName
from reviewapp.errors import InvalidInput, NotAllowed, NotFound
from reviewapp.eval_sets.keeping import (
    allow_project,
    change_project,
    forget_project,
    get_project,
    list_projects,
    list_runs,
    open_project,
    report_of_run,
    run_before,
    start_score,
)
from reviewapp.evaluations import get_evaluation
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.store import DataFolder, Workspace
from tests.eval_sets.conftest import Make, evaluator, item
from tests.models.fake_provider import FakeProvider

FILE = "evaluations/eval-sets/s.json"
SAME = f"command:{sys.executable} -c 'import sys; print(sys.argv[1])' {{inputs}}"


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder(tmp_path / "data") as folder:
        yield folder


@pytest.fixture
def workspace(data: DataFolder) -> Workspace:
    return data.workspace("default", create=True)


@pytest.fixture
def root(make: Make) -> Path:
    return make(
        [
            item("1", {"a": 1}, {"E": {"expectedOutput": {"a": 1}}}),
            item("2", {"a": 2}, {"E": {"expectedOutput": {"a": 3}}}),
        ],
        [evaluator("E")],
    )


def test_a_run_from_the_queue_to_its_report(data: DataFolder, workspace: Workspace, root: Path) -> None:
    project = open_project(workspace, root, by="Ann")
    assert open_project(workspace, root, by="Bob") == project
    assert list_projects(workspace) == [project]
    with pytest.raises(InvalidInput, match="what the sets are run on"):
        start_score(workspace, project.id, FILE, by="Ann")
    change_project(workspace, project.id, target=SAME, by="Ann")
    with pytest.raises(NotAllowed, match="allow the project"):
        start_score(workspace, project.id, FILE, by="Ann")
    allow_project(workspace, project.id, allowed=True, by="Ann")
    run = start_score(workspace, project.id, FILE, by="Ann")
    assert run.status == "queued"
    EvaluationRunner(data).run_until_idle()
    ended = get_evaluation(workspace, run.id)
    assert ended.status == "done", ended.error
    report = report_of_run(ended)
    assert report is not None
    assert [(row.verdict, row.actual) for row in report.rows] == [("PASS", {"a": 1}), ("FAIL", {"a": 2})]
    assert report.summary_line() == "1 of 2 pass; failing 'item 2'"
    assert [one.id for one in list_runs(workspace, project.id, file=FILE)] == [run.id]
    assert run_before(workspace, ended) is None
    again = start_score(workspace, project.id, FILE, by="Ann")
    EvaluationRunner(data).run_until_idle()
    before = run_before(workspace, get_evaluation(workspace, again.id))
    assert before is not None
    assert before.id == run.id


def test_another_target_needs_leave_anew(workspace: Workspace, root: Path) -> None:
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target=SAME, by="Ann")
    allow_project(workspace, project.id, allowed=True, by="Ann")
    assert change_project(workspace, project.id, target=SAME, dialect="strict", by="Ann").trusted
    assert not change_project(workspace, project.id, target="command:rm -rf .", by="Ann").trusted
    with pytest.raises(InvalidInput, match="names no target"):
        change_project(workspace, project.id, target="what", by="Ann")
    forget_project(workspace, project.id, by="Ann")
    with pytest.raises(NotFound):
        get_project(workspace, project.id)
    assert root.is_dir()


def test_a_file_changed_before_it_is_scored_fails_the_run(data: DataFolder, workspace: Workspace, root: Path) -> None:
    (root / "outputs.json").write_text(json.dumps({"1": {}}))
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target="outputs:outputs.json", by="Ann")
    run = start_score(workspace, project.id, FILE, by="Ann")
    (root / FILE).write_text((root / FILE).read_text() + "\n")
    EvaluationRunner(data).run_until_idle()
    ended = get_evaluation(workspace, run.id)
    assert ended.status == "failed"
    assert "was changed before it was scored" in (ended.error or "")


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    fake = FakeProvider()
    file = tmp_path / "models.toml"
    file.write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nkey = "sk-secret-1234567"\nprice = {{ input = 1, output = 1 }}\n'
        'models = [{ name = "small", label = "Small one" }]\n'
    )
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(file))
    yield fake
    fake.close()


def test_tools_are_simulated_by_the_model_that_was_chosen(
    data: DataFolder, workspace: Workspace, make: Make, provider: FakeProvider
) -> None:
    strategy = {
        "type": "llm",
        "prompt": "Always fine weather.",
        "toolsToSimulate": [{"name": "get_weather"}, {"name": "send mail"}],
    }
    root = make(
        [
            item(
                "1",
                {"city": "Bremen"},
                {"E": {"expectedOutput": {"sky": "sunny", "mail": "ok"}}},
                mockingStrategy=strategy,
            )
        ],
        [evaluator("E")],
    )
    choose(workspace, "decide", ModelName(provider="local", model="small"), by="Ann")
    provider.script("Bremen", '{"answer": {"sky": "sunny"}}')
    provider.script("send mail", '{"answer": "ok"}')
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target="python:agent:run", by="Ann")
    allow_project(workspace, project.id, allowed=True, by="Ann")
    run = start_score(workspace, project.id, FILE, by="Ann")
    EvaluationRunner(data).run_until_idle()
    report = report_of_run(get_evaluation(workspace, run.id))
    assert report is not None
    assert report.green, report.rows[0].why
    assert "Always fine weather." in provider.asked[0].text
    assert not (root / "called-for-real").exists()


def test_tools_that_no_model_can_simulate_run_nothing(data: DataFolder, workspace: Workspace, make: Make) -> None:
    strategy = {"type": "llm", "prompt": "Fine.", "toolsToSimulate": [{"name": "get_weather"}]}
    root = make([item("1", {}, {"E": {"expectedOutput": {}}}, mockingStrategy=strategy)], [evaluator("E")])
    (root / "swallows.py").write_text(
        "import agent\n\n\ndef run():\n    open('ran', 'w').close()\n    try:\n        agent.get_weather('x')\n"
        "    except Exception:\n        return {}\n"
    )
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target="python:swallows:run", by="Ann")
    allow_project(workspace, project.id, allowed=True, by="Ann")
    run = start_score(workspace, project.id, FILE, by="Ann")
    EvaluationRunner(data).run_until_idle()
    report = report_of_run(get_evaluation(workspace, run.id))
    assert report is not None
    assert report.rows[0].verdict == "ERROR"
    assert "none was chosen here" in (report.rows[0].why or "")
    assert not (root / "ran").exists()


@pytest.mark.parametrize(
    ("reply", "verdict", "says"),
    [
        ('{"city": "Bremen"}', "PASS", ""),
        ("Bremen it is.", "ERROR", "could not be made"),
        ("[1]", "ERROR", "could not be made"),
    ],
)
def test_inputs_are_made_by_the_model_that_was_chosen(
    data: DataFolder, workspace: Workspace, make: Make, provider: FakeProvider, reply: str, verdict: str, says: str
) -> None:
    kind = "uipath-llm-judge-trajectory-similarity"
    strategy = {"prompt": "A town in the north."}
    root = make(
        [item("1", {}, {"E": {"expectedOutput": {"seen": "Bremen"}}}, inputMockingStrategy=strategy)],
        [evaluator("E"), evaluator("J", kind)],
    )
    (root / "other.py").write_text("def run(city):\n    open('ran', 'w').close()\n    return {'seen': city}\n")
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    (root / "entry-points.json").write_text(json.dumps({"entryPoints": [{"input": schema}]}))
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target="python:other:run", by="Ann")
    allow_project(workspace, project.id, allowed=True, by="Ann")
    runner = EvaluationRunner(data)

    run = start_score(workspace, project.id, FILE, by="Ann")
    runner.run_until_idle()
    (row,) = report_of_run(get_evaluation(workspace, run.id)).rows  # type: ignore[union-attr]
    assert "no model was chosen" in (row.why or "")
    assert not (root / "ran").exists()

    choose(workspace, "decide", ModelName(provider="local", model="small"), by="Ann")
    provider.script("A town in the north.", reply, reply)
    run = start_score(workspace, project.id, FILE, by="Ann")
    runner.run_until_idle()
    (row,) = report_of_run(get_evaluation(workspace, run.id)).rows  # type: ignore[union-attr]
    assert row.verdict == verdict, row.why
    assert says in (row.why or "")
    assert row.inputs == ({"city": "Bremen"} if verdict == "PASS" else {})
    assert (root / "ran").exists() == (verdict == "PASS")
    assert '"city": {"type": "string"}' in provider.asked[0].text


@pytest.mark.parametrize(
    ("reply", "score", "says"),
    [
        ('{"justification": "close", "score": 75}', 0.75, ""),
        ('{"score": 75}', 0.0, "MISSING_JUSTIFICATION"),
        ("I would say it is fine.", 0.0, "NO_TOOL_CALL"),
    ],
)
def test_a_judge_asks_the_model_that_was_chosen(
    data: DataFolder, workspace: Workspace, make: Make, provider: FakeProvider, reply: str, score: float, says: str
) -> None:
    kind = "uipath-llm-judge-output-semantic-similarity"
    root = make(
        [item("1", {}, {"J": {"expectedOutput": {"a": "hi"}}})],
        [evaluator("J", kind, model="gpt-9", prompt="E={{ExpectedOutput}} A={{ActualOutput}}")],
    )
    (root / "outputs.json").write_text(json.dumps({"1": {"a": "hello"}}))
    project = open_project(workspace, root, by="Ann")
    change_project(workspace, project.id, target="outputs:outputs.json", by="Ann")
    runner = EvaluationRunner(data)

    run = start_score(workspace, project.id, FILE, by="Ann")
    runner.run_until_idle()
    report = report_of_run(get_evaluation(workspace, run.id))
    assert report is not None
    assert "no model was chosen" in (report.rows[0].why or "")

    choose(workspace, "decide", ModelName(provider="local", model="small"), by="Ann")
    provider.script("hello", reply, reply)
    run = start_score(workspace, project.id, FILE, by="Ann")
    runner.run_until_idle()
    report = report_of_run(get_evaluation(workspace, run.id))
    assert report is not None
    assert report.rows[0].score == score, report.rows[0].why
    assert says in (report.rows[0].why or "")
    assert "E={'a': 'hi'} A={'a': 'hello'}" in provider.asked[0].text
