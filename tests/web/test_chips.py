"""What stands on the chips of a large test: numbers wherever few enough values are to be counted."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from reviewapp.domain.tests import Test
from tests.web.reviewing import parsed, path


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", ["All 10", "Checks passed 5"]),
        ("?property=width", ["All 2", "Checks passed 2"]),
        ("?property=depth", ["All 2", "Checks passed 1"]),
        ("?property=nothing", ["All 0", "Checks passed 0"]),
        ("?property=width&q=laundry", ["All", "Checks passed"]),
        ("?q=laundry", ["All", "Checks passed"]),
        ("?from=0.1", ["All", "Checks passed"]),
    ],
)
def test_one_property_is_counted_where_all_are_too_many(
    client: FlaskClient, sinks: Test, monkeypatch: pytest.MonkeyPatch, query: str, words: list[str]
) -> None:
    monkeypatch.setattr("reviewapp.web.chips.MOST_COUNTED", 9)
    shown = [
        " ".join(chip.text().replace("✓", "").split()) for chip in parsed(client.get(path(sinks, query))).css("a.chip")
    ]
    assert shown[:2] == words
