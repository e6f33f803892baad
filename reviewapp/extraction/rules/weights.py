"""Weights of the features, one set per shape of value; the defaults lie in ``weights.toml`` beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

Weights = dict[str, float]

BIAS = "any value at all"
"""What a candidate starts with; the other side, "the text states none", always scores 0."""


@cache
def default_weights() -> dict[str, Weights]:
    """Weights by shape. A missing feature counts nothing."""
    table: dict[str, Weights] = tomllib.loads((files(__package__) / "weights.toml").read_text("utf-8"))
    return table
