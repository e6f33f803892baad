"""In blind review nobody learns how far the others are, neither from pages nor from the API."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp import answers, progress, reviewers, tests
from reviewapp.app import create_app
from reviewapp.domain.tests import Test
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import team, world
from tests.web.reviewing import path
from tests.web.test_reviewers import as_person

API = "/v1/workflows/named/tests"


@pytest.fixture
def half_done(workspace: Workspace) -> Test:
    """Blind; Mara has answered two of ten values, nobody else any."""
    test = world.sinks(workspace)
    reviewers.set_overlap(workspace, test.id, 2, by="Eve")
    for name in ("material", "width"):
        answers.save_answer(workspace, test.id, 0, name, "accept", by="Mara")
    return tests.get_test(workspace, test.id)


@pytest.mark.parametrize(
    "address", ["", "tests/", "workflows/sinks/", "tests/{test}/", "person", "tests/{test}/changes?version=0&input=0"]
)
def test_pages_count_what_oneself_answered(app: Flask, half_done: Test, address: str) -> None:
    for name, own, foreign in (("Mara", "2 of 10", "0 of 10"), ("Ben", "0 of 10", "2 of 10")):
        seen = as_person(app, name).get(f"/w/default/{address.format(test=half_done.id)}").text
        assert own in seen
        assert foreign not in seen


@pytest.mark.parametrize(
    "address", ["?graph=default", "/get?graph=default&id={test}", "/changes?graph=default&id={test}&version=0"]
)
def test_the_api_counts_what_oneself_answered(
    client: FlaskClient, half_done: Test, workspace: Workspace, address: str
) -> None:
    def counts() -> dict[str, int]:
        said = client.get(API + address.format(test=half_done.id)).get_json()
        found: dict[str, int] = (said["data"][0] if "data" in said else said)["counts"]
        return found

    assert counts()["answered"] == 0
    assert counts()["passed"] == 5
    answers.save_answer(workspace, half_done.id, 0, "width", "accept", by="Ann")
    assert counts()["answered"] == 1
    reviewers.set_overlap(workspace, half_done.id, 1, by="Eve")
    assert counts()["answered"] == 2


def test_a_test_that_another_has_finished_is_still_open_to_oneself(half_done: Test, workspace: Workspace) -> None:
    for position in (0, 1):
        for prop in half_done.settings.properties:
            answers.save_answer(workspace, half_done.id, position, prop.name, "cant_tell", by="Mara")
    assert not progress.of_person(workspace, "Mara")[0].is_open
    assert progress.of_person(workspace, "Ben")[0].is_open


def test_reviewers_do_not_see_how_far_others_are(data: DataFolder, half_done: Test, workspace: Workspace) -> None:
    reviewers.assign(workspace, half_done.id, ["Mara", "Ben"], shares=False, by="Eve")
    app = create_app(Settings(data=data.path, public_url="https://review.example"), data)
    of_ben = team.signed_in(app, data, team.add(data, "Ben", "reviewer", "default")).get(path(half_done, "reviewers/"))
    of_eve = team.signed_in(app, data, team.add(data, "Eve", "author", "default")).get(path(half_done, "reviewers/"))
    assert "2 of 10" in of_eve.text
    assert "2 of 10" not in of_ben.text
    assert "0 of 10" in of_ben.text
