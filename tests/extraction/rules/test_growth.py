"""A text that is one unit over and over is read to its end; what it costs is measured in `bench.growth`."""

from __future__ import annotations

import pytest

from bench.growth import SETTINGS, UNITS
from reviewapp.domain.workflows import Evidence
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract

SHORT = 10_000
"""Characters."""


@pytest.mark.parametrize("unit", UNITS)
def test_one_unit_over_and_over_is_read(unit: str) -> None:
    text = (unit * (SHORT // len(unit) + 1))[:SHORT]
    read = extract(text, SETTINGS, Evidence(), make_extractor(SETTINGS))
    assert read.failed is None
    spans = [span for value in read.values if value.grounding for span in value.grounding.place]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert {value.property for value in read.values} <= {prop.name for prop in SETTINGS.properties}
