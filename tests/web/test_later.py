"""The API is made at its first request, once, also by many at the same instant; pages do without it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from reviewapp.web.later import Later


def test_pages_do_without_the_api(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from reviewapp.app import create_app; from reviewapp.settings import Settings\n"
        "app = create_app(Settings(data=Path(sys.argv[1]), person='Ann'))\n"
        "assert app.test_client().get('/', follow_redirects=True).status_code == 200\n"
        "assert 'reviewapp.api.app' not in sys.modules\n"
        "assert app.test_client().get('/v1/openapi.json').status_code == 200\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "data")], check=True, timeout=120)


def test_the_api_answers_at_its_first_request(client: FlaskClient) -> None:
    assert client.get("/v1/openapi.json").status_code == 200


def test_it_is_made_once() -> None:
    made: list[Flask] = []

    def make() -> Flask:
        time.sleep(0.05)
        made.append(Flask("api"))
        return made[-1]

    later = Later(make)
    threads = [threading.Thread(target=later.made) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert later.made() is made[0]
