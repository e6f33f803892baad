"""An app on a fresh data folder, a client, and a test to answer on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp.app import create_app
from reviewapp.domain.tests import Test
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import world


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder(tmp_path / "data") as folder:
        yield folder


@pytest.fixture
def workspace(data: DataFolder) -> Workspace:
    return data.workspace("default", create=True)


@pytest.fixture
def app(data: DataFolder, workspace: Workspace) -> Flask:
    app = create_app(Settings(data=data.path, person="Ann"), data)
    app.config.update(TESTING=True)
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def sinks(workspace: Workspace) -> Test:
    return world.sinks(workspace)
