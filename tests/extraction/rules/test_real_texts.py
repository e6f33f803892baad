"""Shares right on real texts, and no text that brings the reader to a stop."""

from __future__ import annotations

import pytest

from bench.extraction import CLOSED, Tally, equal, load
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules import RulesReader
from tests.extraction.rules.test_reading import MANY

TARGETS = {
    "sroie": {"total": 0.85, "date": 0.98, "company": 0.7, "address": 0.6},
    "kleister-nda": {"effective_date": 0.78, "jurisdiction": 0.97, "term_months": 0.6},
    "sofc-sentences": {"working_temperature": 0.95, "power_density": 0.95, "voltage": 0.9},
}
RECORDS = 80


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_share_right_on_real_texts(name: str, shared_set) -> None:  # type: ignore[no-untyped-def]
    shared_set(name)
    real = load(name, RECORDS)
    settings, evidence = real.settings(), real.evidence
    reader = make_extractor(settings)
    tallies = {prop: Tally() for prop in TARGETS[name]}
    for record, text in real.texts.items():
        values = {v.property: v for v in extract(text, settings, evidence, reader).values}
        for prop, tally in tallies.items():
            tally.count(values.get(prop), real.gold[record].get(prop), closed=name in CLOSED)
    shares = {prop: tally.right / tally.gold for prop, tally in tallies.items()}
    assert {p: s for p, s in shares.items() if s < TARGETS[name][p]} == {}
    written = Tally.sum(tallies.values())
    if name != "kleister-nda":
        assert written.written_right / written.written >= 0.95


def test_equality_is_that_of_the_sets() -> None:
    assert equal(12, 12.0)
    assert equal("Nike, Inc.", "NIKE INC")
    assert not equal(12, 13)
    assert not equal("2018-01-02", "2018-02-01")


HOSTILE = {
    "dots": "." * 50_000,
    "one word": "a" * 100_000,
    "digits": "1 " * 20_000,
    "commas": "1," * 50_000,
    "tabs": "\t1" * 20_000,
    "brackets": "(" * 50_000 + "123",
    "labels": "Total: " * 10_000,
    "codes": "a#" * 50_000,
    "lines": "NO 1\n" * 20_000,
    "states": "State of " * 10_000,
    "options": "red\n" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(120)
def test_no_text_brings_it_to_a_stop(name: str) -> None:
    """How the time grows is measured by `bench.growth`."""
    settings = WorkflowSettings(collection="any", properties=MANY)
    RulesReader(settings).read(PreparedText(HOSTILE[name]), settings, Evidence())
