"""Tests: one run of one revision on chosen inputs, and what it read."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import ClassVar, Literal

from pydantic import Field

from reviewapp.domain.answers import Decision
from reviewapp.domain.base import Model, Slug
from reviewapp.domain.places import Grounding, Region, Span
from reviewapp.domain.properties import Value
from reviewapp.domain.workflows import Evidence, WorkflowSettings

Outcome = Literal[
    "written", "review", "weak_support", "quote_not_found", "invalid_value", "unknown_property", "duplicate"
]
DROPPED: tuple[Outcome, ...] = ("weak_support", "quote_not_found", "invalid_value", "unknown_property", "duplicate")
OUTCOME_WORDS: dict[Outcome, str] = {
    "written": "Checks passed",
    "review": "Needs review",
    "weak_support": "Weak support",
    "quote_not_found": "Quote not found",
    "invalid_value": "Invalid value",
    "unknown_property": "Unknown property",
    "duplicate": "Second reading",
}

TestStatus = Literal["queued", "running", "done", "failed", "cancelled"]
TestState = TestStatus | Literal["stopped"]
"""As people see it: one that failed and can be gone on with is stopped."""
ENDED: tuple[TestStatus, ...] = ("done", "failed", "cancelled")


class Reading(Model):
    """What an extractor says it read, before any check."""

    property: str
    value: Value
    """As the text states it (``"600 mm"``, ``"ja"``) or already typed; the pipeline brings it into type and unit."""
    quote: str
    hint: Span | None = None
    """Where the extractor says the quote stands; checked like everything else."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    """The extractor's own estimate that the value is right; None where it has none."""


class ReplayedReply(Model):
    """What another system read in one record, as it was brought in."""

    readings: tuple[Reading, ...] = ()
    failed: str | None = None
    """Why it could not read the record; None: it could."""


class ReadValue(Model):
    """What was read for one property of one input, and what the live workflow would do with it."""

    property: str
    value: Value | None
    """In the property's type and unit; None when it does not fit the type (`outcome` is then invalid_value)."""
    printed: str
    """The value as text: ``60`` for 60.0, ISO dates, ``true``; what was found where `value` is None."""
    quote: str
    grounding: Grounding | None = None
    """None: the quote is not in the text."""
    nearest: Span | None = None
    """The most similar place in the text, where the quote is not in it."""
    support: float | None = Field(default=None, ge=0, le=1)
    """How well the quote supports the value; None where an earlier check dropped it."""
    outcome: Outcome
    stated: str | None = None
    """Number and unit in the text's words (``600 mm``), only when they were converted."""
    unconfirmed: str | None = None
    """Why a person has to look, whatever the support."""
    detail: str | None = None
    """Which check failed and what was found."""
    region: Region | None = None

    @builtins.property  # a field has its plain name here
    def spans(self) -> tuple[Span, ...]:
        """All spans to mark for the quote, in order; empty where it is not in the text (then see `nearest`)."""
        return self.grounding.place if self.grounding else ()


class InputResult(Model):
    """What one reading of one input gave."""

    values: tuple[ReadValue, ...] = ()
    passed_over: dict[str, str] = {}
    """Property without a value → why no block of the workflow's line looked for it, one sentence."""
    failed: str | None = None
    """Why the reader's reply could not be used; None: it could."""
    error: str | None = None
    """Why there was nothing to read (record gone, no text)."""
    raw: str | None = None
    """The reader's raw reply, kept where it failed."""
    milliseconds: float = 0
    cost_micro_usd: int = 0
    """Once it is stored, with the model calls of this input; before, only what a program said it cost."""


class TestInput(Model):
    """One input of a test."""

    __test__: ClassVar[bool] = False

    position: int = Field(ge=0)
    iri: str
    label: str
    text_hash: str | None
    """Of the text the test reads; None when the record was gone at the start."""
    result: InputResult | None = None
    """None: not read yet."""


InputState = Literal["queued", "read", "failed", "error"]
"""Not read yet; read; the reader's reply could not be used; there was nothing to read."""


class InputFilter(Model):
    """Which values of a test to look at, and so which inputs: those with such a value. Empty: all of them.

    Every part narrows further, and all that speak of a value speak of one and the same; a property alone means the
    inputs where something was read for it.
    """

    property: str | None = None
    outcome: Outcome | Literal["dropped", "failed", "no_value"] | None = None
    """`dropped`: any of the outcomes in DROPPED; `failed`: these, and inputs that were not read; `no_value`: a
    property without any value."""
    support_from: float | None = Field(default=None, ge=0, le=1)
    """Smallest support, inclusive."""
    support_below: float | None = Field(default=None, ge=0, le=1)
    """Largest support, exclusive."""
    unanswered: bool = False
    """Only what still wants an answer; see `by`."""
    by: str | None = None
    """Whose work it is: with `unanswered`, what this person may still answer; whose look counts in `look`."""
    answered_by: str | None = None
    """Only what this person has an answer on."""
    decision: Decision | None = None
    """Only with such an answer in force (of anybody; with `answered_by` still of anybody)."""
    disputed: bool = False
    """Only where as many answered as are wanted, and do not agree."""
    look: Literal["wanted", "sent_back", "confirmed"] | None = None
    """By the second look at the answer that is there now: not looked at yet (nor given by `by`), sent back,
    confirmed."""
    assigned_to: str | None = None
    """Only inputs assigned to this person."""
    search: str = ""
    """Words in label or text, whatever the case."""
    state: InputState | None = None


Order = Literal["read", "weakest", "property"]
"""In which order values come: as they were read; the weakest support first (what failed a check before it, what has no
value last); all of one property, then all of the next."""


class ValueAt(Model):
    """A value in a list."""

    position: int
    """Of its input."""
    label: str
    property: str
    outcome: Outcome | None = None
    """None: nothing was read."""
    support: float | None = None
    answered: bool = False
    """Whether the person who asks has an answer on it or none is wanted any more."""


class InputRow(Model):
    """An input in a list, without its text and values."""

    position: int
    iri: str
    label: str
    state: InputState
    answerable: int = 0
    """Properties there are to answer; 0 where nothing was read."""
    answered: int = 0
    """Of these, with an answer of any reviewer."""
    mine: int = 0
    """Of these, with an answer of the person who asks."""
    no_value: int = 0
    """Properties without any value."""
    outcomes: dict[Outcome, int] = {}
    """How many values of each outcome; only those that occur."""


class TestCounts(Model):
    """The summary of a test."""

    __test__: ClassVar[bool] = False

    inputs: int = 0
    inputs_done: int = 0
    """Inputs with a result, failed ones included."""
    passed: int = 0
    """Values `written`."""
    review: int = 0
    no_value: int = 0
    """Properties without any value, of inputs that were read."""
    failed: int = 0
    """Dropped values, and inputs whose reader failed."""
    answerable: int = 0
    """Properties × inputs that were read without failing: what there is to answer."""
    answered: int = 0
    """Of these, with a standing or open answer (any reviewer)."""


class ValueCounts(Model):
    """The values within a filter, by what may be asked of them besides."""

    all: int = 0
    passed: int = 0
    """Values `written`."""
    review: int = 0
    no_value: int = 0
    failed: int = 0
    """Dropped values, and inputs whose reader failed."""
    unanswered: int = 0
    """That still want an answer of the person the filter names."""
    disputed: int = 0
    sent_back: int = 0
    look: int = 0
    """Answers of others that want a second look."""


class Test(Model):
    """One run of one revision on chosen inputs."""

    __test__: ClassVar[bool] = False

    id: str
    """``wtest_`` + 32 hex digits."""
    number: int
    """1, 2, 3 … in the workspace, for people."""
    workflow: Slug
    revision: str | None
    """None: the test of settings that are no revision of a workflow (`installed` is False)."""
    installed: bool
    settings: WorkflowSettings
    """Frozen at the start."""
    evidence: Evidence
    """Of the collection at the start."""
    fingerprint: str
    """32 hex digits; equal ⇔ same workflow. Does not depend on the inputs."""
    status: TestStatus
    created: datetime
    created_by: str
    started: datetime | None = None
    finished: datetime | None = None
    error: str | None = None
    """Why it failed, one sentence."""
    is_stopped: bool = False
    """It failed because no more could be read for now (budget spent, key refused, provider gone); what was read is
    kept, and it can be gone on with."""
    estimate_micro_usd: int = 0
    cost_micro_usd: int = 0
    overlap: int = Field(default=1, ge=1)
    """How many reviewers must agree on a value."""
    dataset: str | None = None
    """The dataset saved from it."""
    version: int = 0
    """Grows with every change that a reader could see (results, status, answers)."""
    input_count: int = 0

    @property
    def state(self) -> TestState:
        return "stopped" if self.is_stopped else self.status
