"""A few rounds of `bench.kill`: nothing acknowledged is lost when the server is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.kill import run


@pytest.mark.slow
def test_a_killed_server_loses_nothing_and_reads_nothing_twice(tmp_path: Path) -> None:
    assert run(tmp_path, rounds=5, records=60, seed=7) == []
