"""What was learnt, as it is kept in a workflow's settings, and in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reviewapp.errors import InvalidInput
from reviewapp.extraction.rules.calibration import PLAIN, Scale

VERSION = 1
AS_BEFORE = "as before"
"""The way of a property whose weights stay; only its support is learnt."""
MOST_ROWS = 12
"""Rows shown for each property."""


@dataclass(frozen=True)
class LearntProperty:
    """What was learnt about one property."""

    weights: Mapping[str, float]
    """By how much weights moved from the defaults, by feature; features that are words start at 0."""
    scale: Scale = PLAIN
    answers: int = 0
    """Answers it was learnt from; `usable` of them had the right value among the candidates."""
    usable: int = 0
    way: str = "freely"
    """How boldly the weights were let move (`trials.WAYS`)."""
    samples: Mapping[str, str] = field(default_factory=dict)
    """A value of an answered text for each feature."""


@dataclass(frozen=True)
class Learnt:
    """What was learnt about all properties of a workflow."""

    cues: Mapping[str, list[str]] = field(default_factory=dict)
    """Labels found before right values, by property."""
    properties: Mapping[str, LearntProperty] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, keys in a fixed order."""
        return {
            "version": VERSION,
            "cues": {name: list(found) for name, found in sorted(self.cues.items())},
            "properties": {
                name: {
                    "weights": dict(sorted(p.weights.items())),
                    "scale": [round(p.scale.slope, 4), round(p.scale.shift, 4), p.scale.ceiling],
                    "answers": p.answers,
                    "usable": p.usable,
                    "way": p.way,
                    "samples": dict(sorted(p.samples.items())),
                }
                for name, p in sorted(self.properties.items())
            },
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any] | None) -> Learnt:
        """The same back; None: nothing learnt. Raises InvalidInput for anything that `as_json` does not write."""
        if raw is None:
            return cls()
        if raw.get("version") != VERSION:
            raise InvalidInput(
                f"What was learnt has version {raw.get('version')!r}; this reviewapp reads {VERSION}. Learn again."
            )
        try:
            properties = {
                str(name): LearntProperty(
                    weights={str(k): float(v) for k, v in row["weights"].items()},
                    scale=Scale(*map(float, row["scale"])),
                    answers=int(row["answers"]),
                    usable=int(row["usable"]),
                    way=str(row.get("way", "freely")),
                    samples={str(k): str(v) for k, v in row["samples"].items()},
                )
                for name, row in raw["properties"].items()
            }
            return cls({str(k): [str(c) for c in v] for k, v in raw["cues"].items()}, properties)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(
                f"What was learnt cannot be read ({type(error).__name__}: {error}); learn again."
            ) from error


@dataclass(frozen=True)
class LearntRow:
    """One thing that was learnt, for people."""

    property: str
    cue: str
    """``before it: total``, ``cue heads its column``, ``new label: net wt``."""
    weight: float
    """Above 0: it speaks for a value more than before; below 0: less, or against it."""
    example: str


def explain(raw: Mapping[str, Any] | None) -> list[LearntRow]:
    """What was learnt in words, for each property the strongest first."""
    learnt = Learnt.from_json(raw)
    rows: list[LearntRow] = []
    for name, found in learnt.properties.items():
        rows.extend(LearntRow(name, f"new label: {cue}", 1.0, "") for cue in learnt.cues.get(name, []))
        if found.way == AS_BEFORE:
            rows.append(LearntRow(name, "read as before: answers held out in turn bear nothing else out", 0.0, ""))
        strongest = sorted(found.weights.items(), key=lambda kv: (-abs(kv[1]), kv[0]))[:MOST_ROWS]
        rows.extend(LearntRow(name, cue, round(weight, 2), found.samples.get(cue, "")) for cue, weight in strongest)
    return rows
