"""What learning from answers did, and what it is worth."""

from __future__ import annotations

from pydantic import Field

from reviewapp.domain.base import Model, Slug
from reviewapp.domain.properties import Value


class LearntCue(Model):
    """One thing that was learnt, in words."""

    property: str
    cue: str
    weight: float
    """Above 0 it speaks for a value more than before, below 0 less."""
    example: str
    """A value it speaks of; empty for a new label."""


class ReliabilityBin(Model):
    """The values of one tenth of support: on a scale that says the truth, `right` equals `support`."""

    low: float
    high: float
    values: int
    support: float
    """Mean support."""
    right: float
    """Share that was right."""


class Graded(Model):
    """How one revision does on texts that it never learnt from."""

    right: int
    """Of the answered values: read as the answer says, or nothing read where the answer says that none is stated."""
    values: int
    written: int
    """Values it would write without a person."""
    written_wrong: int
    calibration_error: float
    """Mean distance of support from the share that was right, 0 to 1."""
    bins: tuple[ReliabilityBin, ...] = ()
    """Tenths of support that have values, the lowest first."""

    @property
    def share(self) -> float | None:
        return self.right / self.values if self.values else None


class GradedChange(Model):
    """One answered value that the two revisions read differently."""

    name: str
    """Of the text."""
    property: str
    expected: Value | None
    """None: the text states none."""
    before: Value | None
    after: Value | None
    better: bool
    """True: right now and wrong before; False: the other way round."""


class Learning(Model):
    """A revision learnt from answers, graded against the one it came from."""

    workflow: Slug
    parent: str
    revision: str
    texts: int = Field(ge=0)
    """Answered texts it learnt from."""
    answers: int
    """Answers it learnt from."""
    held_out: int
    """Answered texts that were kept back and graded on."""
    passed_over: int
    """Answers that say nothing here: the property has another type or unit now, or is gone."""
    before: Graded
    after: Graded
    changes: tuple[GradedChange, ...] = ()
    cues: tuple[LearntCue, ...] = ()
