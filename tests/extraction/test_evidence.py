"""What texts say about their own way of writing."""

from __future__ import annotations

import pytest

from reviewapp.domain.workflows import Evidence
from reviewapp.extraction.evidence import evidence_for, observe


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Summe 1.234,50 EUR", Evidence(decimal_comma=1)),
        ("Summe 1,234.50 EUR", Evidence(decimal_point=1)),
        ("1.234.567 and 12,5", Evidence(decimal_comma=2)),
        ("1,234,567 and 12.5 and 0.123", Evidence(decimal_point=3)),
        ("Summe 1.234 EUR, 1,234 too", Evidence()),
        ("19/04/2018 then 05/04/2018", Evidence(day_first=1)),
        ("11/27/2017", Evidence(month_first=1)),
        ("07.01.2025 at 10.30 Uhr, version 1.2.3", Evidence()),
        ("as in [3,14] and [2, 5]", Evidence()),
        ("", Evidence()),
    ],
)
def test_only_what_allows_one_reading_counts(text: str, evidence: Evidence) -> None:
    assert observe(text) == evidence


def test_a_text_goes_before_its_collection() -> None:
    collection = Evidence(decimal_point=100, month_first=50)
    assert evidence_for("12,5 kg", collection) == Evidence(decimal_comma=1, month_first=50)
    assert evidence_for("nothing", collection) == collection
