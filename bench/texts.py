"""Texts for measuring, made of words of our own; the same number gives the same text everywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator

from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord

PRODUCTS = ("Heizkörper", "Radiator", "Kabeltrasse", "Cable tray", "Pumpe", "Pump", "Leuchte", "Luminaire")
COLOURS = ("white", "grey", "black", "red")
SENTENCES = (
    "Delivery and mounting include all fixings and the removal of packaging.",
    "The unit is tested at the works and comes with its test record.",
    "Surfaces are primed and coated; damage in transport is made good on site.",
    "The bidder states make and type; equal products are accepted with proof.",
    "Work starts after release of the drawings by the planner.",
)

PROPERTIES = (
    Property(name="width", value_type="f64", unit="cm", aliases=("Breite",)),
    Property(name="power", value_type="f64", unit="W", aliases=("Leistung",)),
    Property(name="quantity", value_type="i64", aliases=("Menge",)),
    Property(name="colour", value_type="keyword", options=COLOURS),
    Property(name="date", value_type="date", aliases=("Liefertermin",)),
)
"""What the short records and the long texts state."""


def short_record(number: int) -> IncomingRecord:
    """A position of a tender, about 400 characters."""
    rng = random.Random(number)
    lines = [
        f"Position {number // 100 + 1}.{number % 100 + 1:03d} {rng.choice(PRODUCTS)}",
        f"Width: {rng.randrange(200, 2_000, 5)} mm",
        f"Power: {rng.randrange(100, 3_000, 25)} W",
        f"Quantity: {rng.randrange(1, 40)} pcs",
        f"Colour: {rng.choice(COLOURS)}",
        f"Date: {2024 + rng.randrange(3)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}",
        *rng.sample(SENTENCES, 3),
    ]
    return IncomingRecord(name=f"Position {number:05d}", text="\n".join(lines))


def short_records(count: int) -> Iterator[IncomingRecord]:
    return (short_record(number) for number in range(count))


def long_text(characters: int, number: int = 0) -> str:
    """Exactly so many characters of positions and sentences, one after another."""
    rng = random.Random(1_000_000 + number)
    pieces: list[str] = []
    length = 0
    while length < characters:
        piece = short_record(rng.randrange(100_000)).text + "\n" + " ".join(rng.sample(SENTENCES, 4)) + "\n\n"
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces)[:characters]
