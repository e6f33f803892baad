"""A provider of our own, a models file that names it, and workflows that read with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from reviewapp.domain.choices import ModelName
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import ModelExtractor, WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import get_test, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace
from tests.builders import records
from tests.models.fake_provider import FakeProvider

WIDTH = Property(name="width", value_type="f64", unit="cm")
LOCAL = ModelName(provider="local", model="small")
CLAUDE = ModelName(provider="claude", model="claude-test")
KEY = "sk-secret-0123456789"


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    fake = FakeProvider()
    yield fake
    fake.close()


@pytest.fixture
def models_file(provider: FakeProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One micro-dollar a token, with both protocols."""
    file = tmp_path / "models.toml"
    file.write_text(
        f"""
[providers.local]
url = "{provider.url}/v1"
key = "{KEY}"
price = {{ input = 1, output = 1 }}
seconds = 3
models = ["small", {{ name = "thinker", efforts = ["low", "high"] }}]

[providers.claude]
kind = "anthropic"
url = "{provider.url}"
key_env = "CLAUDE_TEST_KEY"
price = {{ input = 1, output = 5 }}
models = ["claude-test"]
"""
    )
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAUDE_TEST_KEY", KEY)
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(file))
    return file


@pytest.fixture
def workspace(data_folder: DataFolder, models_file: Path) -> Workspace:
    return data_folder.workspace("default", create=True)


Start = Callable[..., Test]
Run = Callable[..., Test]


@pytest.fixture
def start(workspace: Workspace) -> Start:
    """Starts a test of texts on a workflow that reads with a model."""

    def start(texts: Mapping[str, str], extractor: ModelExtractor | None = None, name: str = "shelves") -> Test:
        import_records(workspace, "tenders", records(texts), by="eva")
        choice = extractor or ModelExtractor(model=LOCAL)
        definition = WorkflowDefinition(name=name, collection="tenders", properties=(WIDTH,), extractor=choice)
        put_workflow(workspace, definition, by="eva")
        iris = [f"record:tenders/{n.replace(' ', '%20')}" for n in texts]
        return start_test(workspace, workflow=name, iris=iris, by="eva")

    return start


@pytest.fixture
def run(data_folder: DataFolder, workspace: Workspace, start: Start) -> Run:
    """Starts such a test and runs it to its end."""

    def run(texts: Mapping[str, str], extractor: ModelExtractor | None = None, name: str = "shelves") -> Test:
        test = start(texts, extractor, name)
        Runner(data_folder).run_until_idle()
        return get_test(workspace, test.id)

    return run
