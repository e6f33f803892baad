"""What docs/api.md shows, sent to a real server, and its Python run."""

from __future__ import annotations

import re
import shlex

import httpx
import pytest

from reviewapp.client import Client
from tests.api.conftest import Live
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", PAGE)


def send(line: str, variables: dict[str, str]) -> httpx.Response:
    """What curl does with a line of the page: ``curl URL``, perhaps with ``-X``, ``-H`` and ``-d``."""
    for name, value in variables.items():
        line = line.replace(f"${name}", value)
    url, options = "", dict[str, str]()
    words = iter(shlex.split(line)[1:])
    for word in words:
        if word.startswith("-"):
            options[word] = next(words)
        else:
            url = word
    body = options.get("-d")
    headers = dict([options["-H"].split(": ")]) if "-H" in options else {}
    return httpx.request(options.get("-X", "POST" if body else "GET"), url, content=body, headers=headers, timeout=30)


def test_the_page_leads_from_records_to_a_dataset_and_into_python(
    live: Live, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = {"api": f"{live.url}/v1", "json": "Content-Type: application/json"}
    named = {"wtest": "test", "ds": "dataset"}
    for line in "\n".join(blocks("sh")).replace("\\\n", "").splitlines():
        if not line.startswith("curl"):
            continue
        answer = send(line, variables)
        assert answer.is_success, (line, answer.text)
        id_ = answer.json().get("id", "")
        if id_:
            variables[named[id_.partition("_")[0]]] = id_
        if id_.startswith("wtest") and answer.json()["status"] != "done":
            with Client(live.url) as client:
                client.workflows.tests.wait(id_, timeout=30, poll_interval=0.05)
    assert answer.json()["expected"]["records"][0]["values"][0]["value"] == 60

    monkeypatch.chdir(live.settings.data.parent)
    for block in blocks("python"):
        exec(block.replace("http://127.0.0.1:8000", live.url), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.splitlines() == [
        "record:sinks/Sink%201 width 60 written",
        "width 55 Width: 55 cm",
    ]
