"""Parts of long texts, waits, providers and prices: pure pieces on tables of cases."""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.places import Span
from reviewapp.domain.tests import Reading
from reviewapp.errors import InvalidInput
from reviewapp.extraction.models.pace import GivenUp, Pace, asked_wait, backoff
from reviewapp.extraction.models.parts import Part, merged, parts_of
from reviewapp.extraction.models.prices import cost_micro_usd, most_tokens, price_of, published
from reviewapp.extraction.models.providers import Price, Provider, load_providers

words = st.text(alphabet="ab .\n\f", max_size=3_000)


@given(words, st.integers(50, 500), st.integers(0, 20))
def test_parts_cover_the_text_and_are_no_longer_than_they_may(text: str, most: int, overlap: int) -> None:
    parts = parts_of(text, most, overlap)
    assert all(text[p.start : p.start + len(p.text)] == p.text for p in parts)
    assert all(len(p.text) <= most for p in parts)
    covered = 0
    for part in parts:
        assert part.start <= covered
        covered = max(covered, part.start + len(part.text))
    assert covered == len(text)


@pytest.mark.parametrize(
    ("before", "number"),
    [("数" * 496, "12345,67"), ("x " * 249, "1’234’567.50"), ("数" * 497, "2026-11-30"), ("数" * 498, "é" * 6)],
)
def test_no_part_begins_or_ends_within_a_number_or_word(before: str, number: str) -> None:
    text = f"{before}{number}{'数' * 600}"
    for part in parts_of(text, 500, 50):
        assert number in part.text or not set(number) & set(part.text) - {"x", " "}


def said(value: str, quote: str, prop: str = "total") -> Reading:
    return Reading(property=prop, value=value, quote=quote)


def test_of_readings_across_a_seam_the_whole_one_is_kept() -> None:
    text = "Sum and total 1 234,50 EUR, of which tax 200 EUR"
    first, second = Part(0, text[:16]), Part(8, text[8:])
    readings = merged([(first, (said("1", "total 1"),)), (second, (said("1 234,50 EUR", "total 1 234,50 EUR"),))])
    assert [(r.value, r.hint) for r in readings] == [("1 234,50 EUR", Span(start=8, end=26))]
    other = merged([(first, (said("1", "total 1"),)), (second, (said("200 EUR", "tax 200 EUR"),))])
    assert [r.value for r in other] == ["1", "200 EUR"]
    twice = merged([(first, (said("1", "total 1"),)), (second, (said("1 ", "total 1"), said("2", "x", "tax")))])
    assert [(r.property, r.value) for r in twice] == [("total", "1"), ("tax", "2")]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "2"}, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:10 GMT"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_how_long_a_provider_asks_to_wait(headers: dict[str, str] | None, seconds: float | None) -> None:
    now = 1_796_040_000.0  # 2026-11-30 12:00:00 UTC
    assert asked_wait(headers, now) == seconds


def test_waits_grow_to_a_limit() -> None:
    assert all(0.25 <= backoff(1) <= 0.5 for _ in range(50))
    assert all(15 <= backoff(12) <= 30 for _ in range(50))


def test_a_provider_is_asked_so_often_a_minute() -> None:
    pace = Pace(4, per_minute=3)
    for _ in range(3):
        with pace.turn(lambda: False):
            pass
    until = time.monotonic() + 0.2
    with pytest.raises(GivenUp), pace.turn(lambda: time.monotonic() > until):
        raise AssertionError("the fourth call of the minute was made")


def test_a_hold_holds_everybody() -> None:
    pace = Pace(4, None)
    pace.hold(0.2)
    begun = time.monotonic()
    with pace.turn(lambda: False):
        assert time.monotonic() - begun >= 0.2


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("https://api.example.com/v1", False),
        ("https://8.8.8.8/v1", False),
        (None, False),
    ],
)
def test_who_is_paid(url: str | None, near: bool) -> None:
    assert Provider(url=url).is_near is near


def test_prices() -> None:
    known = published("openai", None, "gpt-4o-mini")
    assert known == Price(input=Decimal("0.15"), output=Decimal("0.6"))
    assert published("openai", None, "no-such-model-at-all") is None
    assert price_of("ollama", Provider(url="http://127.0.0.1:1/v1"), "any") == Price(
        input=Decimal(0), output=Decimal(0)
    )
    assert cost_micro_usd(Price(input=Decimal("0.15"), output=Decimal("0.6")), 1, 1) == 1
    assert cost_micro_usd(Price(input=Decimal(3), output=Decimal(15)), 1_000, 100) == 4_500
    assert most_tokens("né à Orléans") > 5


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("[providers.a", "cannot be read as TOML"),
        ("[provider.a]\n", "expected tables"),
        ('[providers.a]\nurl = "ftp://x"\n', "providers.a, url"),
        ('[providers.a]\nkeys = "sk-1"\n', "providers.a, keys: Extra inputs"),
        ("[providers.a]\nkey = 12345678\n", "providers.a, key"),
    ],
)
def test_faults_of_the_models_file_are_told_without_its_keys(content: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(content)
    with pytest.raises(InvalidInput, match=why) as told:
        load_providers(file)
    assert "sk-1" not in str(told.value)
    assert "12345678" not in str(told.value)


def test_keys_come_from_files_and_are_never_shown(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-abc\n")
    file = tmp_path / "own.toml"
    file.write_text(f'[providers.a]\nkey_file = "{tmp_path}/key"\n[providers.b]\nkey = "sk-xyz"\nmodels = ["m"]\n')
    found = load_providers(file)
    assert (found["a"].secret(), found["b"].secret()) == ("sk-abc", "sk-xyz")
    assert "sk-xyz" not in repr(found) + str(found["b"]) + found["b"].model_dump_json()
    with pytest.raises(InvalidInput, match="lies in the data folder"):
        load_providers(file, outside=tmp_path)
