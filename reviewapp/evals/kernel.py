"""The kernel of every evaluation: cases × target × evaluators → executions → scores.

Datasets, eval sets and block tests are adapters on `evaluate`: they bring the cases, a `Target`, evaluators by name,
a `Memory` of earlier work, and a `keep` that stores each result. One case goes like this:

1. The execution is taken from memory where inputs and target are unchanged, else `Target.run` makes it.
2. An execution that failed has no scores; the failure is the case's record.
3. Every evaluator for which the case has criteria scores it, from memory where execution, evaluator and criteria are
   unchanged.
4. `keep` gets the result, in the caller's thread, as soon as it is there.

A target or an evaluator that raises makes a record (`Execution.failed`, `Score.error`), never the run's end. Failures
and errors are never taken from memory. What is raised in `keep`, `memory` or `cases`, and `TargetStopped`, ends the
run.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from reviewapp.domain.evaluations import CaseResult, Execution, Score
from reviewapp.domain.ids import content_hash

IN_FLIGHT = 4
"""Cases that an executor holds at a time."""
ASK_SECONDS = 0.2
"""How often `go_on` is asked while cases are under way."""
PATIENCE_SECONDS = 5.0
"""How long a run that is to stop waits for cases under way; those that take longer are left, to be run again."""
SAID_LIMIT = 500
"""Most characters kept of what an error says."""


class TargetStopped(Exception):
    """A target that can do no further case (its budget is spent, its key refused) raises this: the run ends with the
    sentence, and what was done stays."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to run a target on."""

    position: int
    """Of the case in the run; its key for resuming."""
    name: str
    inputs: Any
    """Plain JSON, in the shape the target takes."""
    criteria: Mapping[str, Any] = field(default_factory=dict)
    """What each evaluator is to hold the output against, by its name. An evaluator without a key is passed over."""
    inputs_fingerprint: str | None = None
    """Stands for `inputs` where hashing them again would cost too much; None: they are hashed."""


class Target(Protocol):
    """What is evaluated. `run` may be called from several threads at once."""

    @property
    def fingerprint(self) -> str | None:
        """Equal ⇔ it would do the same with the same inputs. None: its executions are never taken over."""
        ...

    def run(self, case: Case) -> Execution:
        """May raise: the case is then `failed` with what was said. `TargetStopped` ends the run."""
        ...


class Evaluator(Protocol):
    """Judges an execution. `score` may be called from several threads at once and keeps nothing."""

    @property
    def fingerprint(self) -> str | None:
        """Equal ⇔ it would judge the same alike. None: it is so quick that its scores are always made anew."""
        ...

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:
        """May raise: the score is then an error with what was said."""
        ...


class Memory(Protocol):
    """Earlier work, by fingerprint."""

    def execution(self, fingerprint: str) -> Execution | None: ...

    def score(self, fingerprint: str) -> Score | None: ...


class _Forgetful:
    def execution(self, fingerprint: str) -> Execution | None:  # noqa: ARG002
        return None

    def score(self, fingerprint: str) -> Score | None:  # noqa: ARG002
        return None


FORGETFUL: Memory = _Forgetful()
"""Remembers nothing: everything is done anew."""


def evaluate(
    cases: Iterable[Case],
    target: Target,
    evaluators: Mapping[str, Evaluator],
    *,
    keep: Callable[[CaseResult], object],
    memory: Memory = FORGETFUL,
    done: Callable[[Case], bool] = lambda _: False,
    go_on: Callable[[], bool] = lambda: True,
    executor: Executor | None = None,
    in_flight: int = IN_FLIGHT,
) -> bool:
    """Run the target on every case and have it judged; True when all are done, False when `go_on` said stop.

    `done` says which cases have a result already (resuming): they are passed over. `go_on` is asked before each case;
    what is under way then is still kept, unless it takes too long. With an `executor` up to `in_flight` cases are run
    at once and results come in the order they end; without one, one after the other in this thread.
    """
    work = _Work(target, evaluators, memory)
    rest = (case for case in cases if not done(case))
    if executor is None:
        for case in rest:
            if not go_on():
                return False
            keep(work.do(work.prepare(case)))
        return True
    return _at_once(work, rest, keep, go_on, executor, in_flight)


def _at_once(
    work: _Work,
    cases: Iterator[Case],
    keep: Callable[[CaseResult], object],
    go_on: Callable[[], bool],
    executor: Executor,
    in_flight: int,
) -> bool:
    under_way: set[Future[CaseResult]] = set()
    going, leave = True, math.inf
    try:
        while True:
            if going and not go_on():
                going, leave = False, time.monotonic() + PATIENCE_SECONDS
            if going:
                for case in islice(cases, in_flight - len(under_way)):
                    under_way.add(executor.submit(work.do, work.prepare(case)))
            if not under_way:
                return going
            if time.monotonic() > leave:
                return False
            ended, under_way = wait(under_way, timeout=ASK_SECONDS, return_when=FIRST_COMPLETED)
            for future in sorted((f for f in ended if f.exception() is None), key=lambda f: f.result().position):
                keep(future.result())
            for future in ended:
                future.result()  # raises what stopped the target
    finally:
        for future in under_way:
            future.cancel()


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A case with what memory has of it; made in the caller's thread, so that a store is asked by one thread only."""

    case: Case
    fingerprint: str | None
    execution: Execution | None
    scores: Mapping[str, Score]
    score_fingerprints: Mapping[str, str]


class _Work:
    def __init__(self, target: Target, evaluators: Mapping[str, Evaluator], memory: Memory) -> None:
        self._target = target
        self._evaluators = evaluators
        self._memory = memory
        self._fingerprint = target.fingerprint

    def prepare(self, case: Case) -> _Prepared:
        if self._fingerprint is None:
            return _Prepared(case, None, None, {}, {})
        inputs = case.inputs_fingerprint or content_hash(case.inputs)
        fingerprint = content_hash([inputs, self._fingerprint])
        prints = {
            name: content_hash([fingerprint, evaluator.fingerprint, case.criteria[name]])
            for name, evaluator in self._evaluators.items()
            if name in case.criteria and evaluator.fingerprint is not None
        }
        execution = self._memory.execution(fingerprint)
        if execution is None or execution.failed is not None:
            return _Prepared(case, fingerprint, None, {}, prints)
        known = {name: score for name, p in prints.items() if (score := self._memory.score(p)) and score.error is None}
        return _Prepared(case, fingerprint, execution, known, prints)

    def do(self, prepared: _Prepared) -> CaseResult:
        """One case from its inputs to its scores. Raises `TargetStopped`."""
        case = prepared.case
        execution = prepared.execution or self._run(case)
        scores: dict[str, Score] = {}
        if execution.failed is None:
            for name, evaluator in self._evaluators.items():
                if name in case.criteria:
                    scores[name] = prepared.scores.get(name) or judge(evaluator, case, execution, case.criteria[name])
        return CaseResult(
            position=case.position,
            name=case.name,
            execution=execution,
            scores=scores,
            inputs_fingerprint=case.inputs_fingerprint,
            execution_fingerprint=prepared.fingerprint,
            score_fingerprints=dict(prepared.score_fingerprints),
            reused=prepared.execution is not None,
        )

    def _run(self, case: Case) -> Execution:
        begun = time.perf_counter()
        try:
            return self._target.run(case)
        except TargetStopped:
            raise
        except Exception as error:
            milliseconds = round((time.perf_counter() - begun) * 1e3, 3)
            return Execution(failed=in_a_line(error), milliseconds=milliseconds)


def judge(evaluator: Evaluator, case: Case, execution: Execution, criteria: Any) -> Score:
    """The evaluator's score; what it raises becomes the score's error."""
    try:
        return evaluator.score(case.inputs, execution.output, execution.trace, criteria)
    except Exception as error:
        return Score(value=0, error=in_a_line(error))


def in_a_line(error: BaseException) -> str:
    """``ValueError: '12x' is no number``: an error's kind and words, on one line."""
    said = " ".join(str(error).split())[:SAID_LIMIT]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
