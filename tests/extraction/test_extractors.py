"""The seam between readers and the pipeline."""

from __future__ import annotations

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.prepared import PreparedText


def test_default_reader_reads_without_a_model() -> None:
    settings = WorkflowSettings(collection="c", properties=(Property(name="width", value_type="f64", unit="cm"),))
    text = "Width: 600 mm"
    [reading] = make_extractor(settings).read(PreparedText(text), settings, Evidence()).readings
    assert reading.property == "width"
    assert reading.quote in text
    assert reading.hint is not None
    assert reading.hint.cut(text) in ("600", "600 mm")
    assert reading.confidence is not None
