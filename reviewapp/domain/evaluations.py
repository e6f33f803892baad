"""Evaluations: what a target made of every case, and how evaluators judged it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from reviewapp.domain.base import Model, Slug
from reviewapp.domain.properties import Value
from reviewapp.domain.tests import Outcome
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings

LEARNT_DIGITS = 16
"""Hex digits of a text's hash by which a learnt revision knows what it learnt from."""

EvaluationStatus = Literal["queued", "running", "done", "failed", "cancelled"]


class Execution(Model):
    """What a target made of one case."""

    output: Any = None
    """Plain JSON, in the target's own shape; None where it failed."""
    trace: tuple[Any, ...] = ()
    """Steps on the way, as plain JSON, in the order they ended (spans of an agent, block by block …)."""
    failed: str | None = None
    """Why there is no output, one sentence; None: there is one."""
    milliseconds: float = 0
    cost_micro_usd: int = 0
    """Millionths of a US dollar."""


class Score(Model):
    """How one evaluator judged one execution."""

    value: float = Field(ge=0, le=1)
    """0 where there is an error."""
    justification: str | None = None
    """Why, in words."""
    details: Any = None
    """Plain JSON in the evaluator's own shape."""
    error: str | None = None
    """Why there is no judgement; None: there is one."""


class CaseResult(Model):
    """One case of a run: its execution and its scores."""

    position: int = Field(ge=0)
    """Of the case in the run."""
    name: str
    execution: Execution
    scores: dict[str, Score] = {}
    """By evaluator; empty where the execution failed or no evaluator had criteria."""
    inputs_fingerprint: str | None = None
    """Of the inputs, where the case brought one (for texts: the text's hash)."""
    execution_fingerprint: str | None = None
    """Equal ⇔ same inputs, same target; None: a target whose work is never taken over."""
    score_fingerprints: dict[str, str] = {}
    """By evaluator; equal ⇔ same execution, evaluator and criteria. Those that may be taken over only."""
    reused: bool = False
    """The execution is an earlier run's."""

    @property
    def lowest(self) -> float:
        """The lowest score; 0 where the execution failed, 1 where nothing was to be judged."""
        if self.execution.failed is not None:
            return 0.0
        return min((score.value for score in self.scores.values()), default=1.0)


# -- grading a dataset ---------------------------------------------------------------------------------------------

Basis = Literal["written", "read"]
"""Which values count as the run's: those it would write by itself, or also those it shows a person (review)."""
BASES: tuple[Basis, ...] = ("written", "read")
BASIS_WORDS: dict[Basis, str] = {"written": "written without a person", "read": "written or shown to a person"}

VerdictKind = Literal["right", "wrong", "missing", "forbidden", "clean", "unjudged"]
VERDICT_WORDS: dict[VerdictKind, str] = {
    "right": "right",
    "wrong": "wrong",
    "missing": "missing",
    "forbidden": "to be left out",
    "clean": "rightly left out",
    "unjudged": "not judged",
}
"""`forbidden`: the dataset says that this value (or any value) must be left out. `clean`: nothing was to be given and
nothing was. `unjudged`: the dataset knows one wrong value, the run gave another one, and nobody said what is right."""


class Found(Model):
    """A value of a run, as grading sees it."""

    property: str
    value: Value | None
    quote: str = ""
    outcome: Outcome = "written"
    support: float | None = None
    unconfirmed: bool = False
    """A person must see it whatever its support."""


class Verdict(Model):
    """How one property of one item came out."""

    property: str
    kinds: dict[Basis, VerdictKind]
    expected: Value | None = None
    """What a correct run writes; None where it writes nothing."""
    found: Found | None = None
    """What the run gave, also where a check dropped it; None: nothing."""


class Counts(Model):
    """How often each verdict was given."""

    right: int = 0
    wrong: int = 0
    missing: int = 0
    forbidden: int = 0
    clean: int = 0
    unjudged: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in Counts.model_fields})

    @property
    def precision(self) -> float | None:
        """Share of the given values that are right; None where none was given."""
        return share(self.right, self.right + self.wrong + self.forbidden)

    @property
    def recall(self) -> float | None:
        """Share of the expected values that came right; None where none is expected."""
        return share(self.right, self.right + self.wrong + self.missing)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None where nothing was expected and nothing given."""
        return share(2 * self.right, 2 * self.right + 2 * self.wrong + self.missing + self.forbidden)


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


class Interval(Model):
    """Between these the figure lies with 95 % confidence."""

    low: float
    high: float


class Figures(Model):
    """Counts with what follows from them."""

    counts: Counts
    precision: float | None
    recall: float | None
    f1: float | None
    precision_interval: Interval | None = None
    recall_interval: Interval | None = None
    f1_interval: Interval | None = None


class Report(Model):
    """What an evaluation of a dataset found; frozen when it ended."""

    total: dict[Basis, Figures]
    properties: dict[str, dict[Basis, Figures]]
    """In the dataset's order."""
    items: int
    """Items that were graded; the failed ones are not."""
    items_right: dict[Basis, int]
    """Items without any fault."""
    failed: int = 0
    """Items that could not be read. Their expected values count neither as missing nor as wrong."""
    seen: int = 0
    """Items whose texts the revision learnt from; left out of all figures."""


class RevisionSubject(Model):
    """A revision of a workflow was run on the texts."""

    kind: Literal["revision"] = "revision"
    workflow: Slug
    revision: str
    number: int
    settings: WorkflowSettings
    """Of the revision, with the models that were asked."""
    evidence: Evidence
    note: str = ""
    """Models that were asked for beside the revision's own; empty: none."""


class TestSubject(Model):
    """What a test read was taken, without reading again."""

    kind: Literal["test"] = "test"
    test: str
    number: int
    workflow: Slug
    revision: str | None
    learnt_from: tuple[str, ...] = ()
    """Texts that the test's revision learnt from, as `learnt_texts` gives them."""


class OutputsSubject(Model):
    """Stored outputs were taken: a file of another system's, or an earlier evaluation's."""

    kind: Literal["outputs"] = "outputs"
    name: str
    evaluation: str | None = None
    """The earlier evaluation whose outputs these are."""
    learnt_from: tuple[str, ...] = ()
    """Texts that whoever gave the outputs learnt from, where that is known."""


def learnt_texts(settings: WorkflowSettings) -> tuple[str, ...]:
    """Hashes of the texts that a revision learnt from, by their first `LEARNT_DIGITS` digits."""
    return settings.extractor.learnt_from if isinstance(settings.extractor, RulesExtractor) else ()


Subject = Annotated[RevisionSubject | TestSubject | OutputsSubject, Field(discriminator="kind")]


class DatasetGrading(Model):
    """What an evaluation of a dataset is about."""

    kind: Literal["dataset"] = "dataset"
    dataset: str
    dataset_name: str
    dataset_version: int
    subject: Subject

    fresh: bool = False
    """Every text is read again, whatever earlier runs have read."""

    @property
    def learnt_from(self) -> tuple[str, ...]:
        """Texts that say nothing about how good what is graded is: it learnt from them."""
        subject = self.subject
        return learnt_texts(subject.settings) if subject.kind == "revision" else subject.learnt_from

    def was_learnt(self, text_hash: str | None) -> bool:
        """Whether what is graded learnt from this text."""
        return text_hash is not None and text_hash[:LEARNT_DIGITS] in self.learnt_from

    @property
    def label(self) -> str:
        """Who was graded, in few words."""
        subject = self.subject
        if subject.kind == "revision":
            return f"{subject.workflow}, revision {subject.number}" + (f" ({subject.note})" if subject.note else "")
        return f"{subject.workflow}, test {subject.number}" if subject.kind == "test" else subject.name


class OtherHeader(Model):
    """What an evaluation of another dialect is about (eval sets, block tests): its adapter knows the content."""

    kind: Literal["eval_set", "eval_loop", "block_test"]
    name: str
    content: dict[str, Any] = {}


Header = Annotated[DatasetGrading | OtherHeader, Field(discriminator="kind")]


class Evaluation(Model):
    """One run of a target on cases, kept for ever."""

    id: str
    """``erun_`` + 32 hex digits."""
    number: int
    """1, 2, 3 … in the workspace, for people."""
    header: Header
    status: EvaluationStatus
    created: datetime
    created_by: str
    started: datetime | None = None
    finished: datetime | None = None
    error: str | None = None
    case_count: int = 0
    cases_done: int = 0
    cases_failed: int = 0
    cases_reused: int = 0
    milliseconds: float = 0
    """Sum over the cases, of those that were run and of those taken over."""
    cost_micro_usd: int = 0
    summary: Any = None
    """What the run's adapter made of the results at the end, plain JSON; None before."""

    @property
    def grading(self) -> DatasetGrading:
        """The header of an evaluation of a dataset; TypeError for others."""
        if not isinstance(self.header, DatasetGrading):
            raise TypeError(f"{self.id} is an evaluation of kind {self.header.kind}, not of a dataset")
        return self.header

    @property
    def report(self) -> Report | None:
        """Of an evaluation of a dataset that is done."""
        return None if self.summary is None else Report.model_validate(self.summary)

    @property
    def never_read(self) -> tuple[str, ...]:
        """Properties that the dataset speaks of and the revision does not read: what is expected of them is missing."""
        subject = self.grading.subject
        if subject.kind != "revision" or self.report is None:
            return ()
        return tuple(name for name in self.report.properties if subject.settings.property(name) is None)
