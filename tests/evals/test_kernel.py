from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reviewapp.domain.evaluations import CaseResult, Execution, Score
from reviewapp.evals.kernel import Case, TargetStopped, evaluate

CASES = [Case(position=n, name=f"case {n}", inputs={"n": n}, criteria={"even": {}}) for n in range(6)]


class Doubler:
    """A target that counts its runs; an odd `refuses` makes it raise."""

    def __init__(self, fingerprint: str | None = "doubler", refuses: int | None = None) -> None:
        self.fingerprint = fingerprint
        self.refuses = refuses
        self.ran: list[int] = []

    def run(self, case: Case) -> Execution:
        self.ran.append(case.position)
        if case.position == self.refuses:
            raise ValueError("no such\nnumber")
        return Execution(output={"n": 2 * case.inputs["n"]}, trace=({"step": "double"},), cost_micro_usd=5)


class Even:
    def __init__(self, fingerprint: str | None = "even") -> None:
        self.fingerprint = fingerprint
        self.asked = 0

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:
        self.asked += 1
        if inputs["n"] == 4:
            raise RuntimeError("the judge is ill")
        return Score(value=1 if output["n"] % 4 == 0 else 0, details={"steps": len(trace), "criteria": criteria})


class Remembers:
    """What a store does: every result can be found again."""

    def __init__(self) -> None:
        self.kept: list[CaseResult] = []

    def keep(self, result: CaseResult) -> None:
        self.kept.append(CaseResult.model_validate_json(result.model_dump_json()))

    def execution(self, fingerprint: str) -> Execution | None:
        return next((r.execution for r in self.kept if r.execution_fingerprint == fingerprint), None)

    def score(self, fingerprint: str) -> Score | None:
        found = ((n, r) for r in self.kept for n, p in r.score_fingerprints.items() if p == fingerprint)
        return next((r.scores[n] for n, r in found if n in r.scores), None)


def test_cases_run_in_order_and_failures_are_records() -> None:
    kept: list[CaseResult] = []
    assert evaluate(CASES, Doubler(refuses=3), {"even": Even()}, keep=kept.append)
    assert [(r.position, r.execution.failed, [s.value for s in r.scores.values()]) for r in kept] == [
        (0, None, [1]),
        (1, None, [0]),
        (2, None, [1]),
        (3, "ValueError: no such number", []),
        (4, None, [0]),
        (5, None, [0]),
    ]
    assert kept[4].scores["even"].error == "RuntimeError: the judge is ill"
    assert kept[0].scores["even"].details == {"steps": 1, "criteria": {}}
    assert [r.lowest for r in kept] == [1, 0, 1, 0, 0, 0]


def test_an_evaluator_without_criteria_is_passed_over() -> None:
    kept: list[CaseResult] = []
    cases = [Case(position=0, name="a", inputs={"n": 1}, criteria={"other": {}})]
    evaluate(cases, Doubler(), {"even": Even()}, keep=kept.append)
    assert kept[0].scores == {}
    assert kept[0].lowest == 1


def test_unchanged_work_is_taken_from_memory() -> None:
    memory, target, judge = Remembers(), Doubler(), Even()
    evaluate(CASES, target, {"even": judge}, keep=memory.keep, memory=memory)
    again: list[CaseResult] = []
    evaluate(CASES, target, {"even": judge}, keep=again.append, memory=memory)
    assert target.ran == list(range(6)), "nothing was run twice"
    assert judge.asked == 6 + 1, "only the score that was an error was made anew"
    assert all(r.reused for r in again)
    assert [r.execution for r in again] == [r.execution for r in memory.kept]


@pytest.mark.parametrize(
    ("change", "runs", "judged"),
    [
        ({"inputs": {"n": 8}}, 1, 1),
        ({"criteria": {"even": {"strict": True}}}, 0, 1),
        ({"name": "another name"}, 0, 0),
    ],
)
def test_only_what_changed_is_done_anew(change: dict[str, Any], runs: int, judged: int) -> None:
    memory = Remembers()
    first = {"position": 0, "name": "a", "inputs": {"n": 1}, "criteria": {"even": {}}}
    evaluate([Case(**first)], Doubler(), {"even": Even()}, keep=memory.keep, memory=memory)
    target, judge = Doubler(), Even()
    evaluate([Case(**{**first, **change})], target, {"even": judge}, keep=lambda _: None, memory=memory)
    assert (len(target.ran), judge.asked) == (runs, judged)


def test_another_target_or_none_with_a_fingerprint_runs_again() -> None:
    memory = Remembers()
    evaluate(CASES[:1], Doubler(), {}, keep=memory.keep, memory=memory)
    for fingerprint in ("doubler 2", None):
        target = Doubler(fingerprint)
        evaluate(CASES[:1], target, {}, keep=lambda _: None, memory=memory)
        assert target.ran == [0]


def test_a_failure_is_never_taken_from_memory() -> None:
    memory = Remembers()
    evaluate(CASES[:4], Doubler(refuses=3), {}, keep=memory.keep, memory=memory)
    target = Doubler()
    evaluate(CASES[:4], target, {}, keep=lambda _: None, memory=memory)
    assert target.ran == [3]


def test_a_stopped_run_goes_on_where_it_was() -> None:
    kept: list[CaseResult] = []
    target = Doubler()
    assert not evaluate(CASES, target, {}, keep=kept.append, go_on=lambda: len(kept) < 2)
    assert [r.position for r in kept] == [0, 1]
    positions = {r.position for r in kept}
    assert evaluate(CASES, target, {}, keep=kept.append, done=lambda case: case.position in positions)
    assert target.ran == list(range(6))


def test_several_at_once_keep_in_the_callers_thread() -> None:
    threads: set[str] = set()
    kept: list[CaseResult] = []

    def keep(result: CaseResult) -> None:
        threads.add(threading.current_thread().name)
        kept.append(result)

    many = [Case(position=n, name=str(n), inputs={"n": n}) for n in range(50)]
    with ThreadPoolExecutor(3) as pool:
        assert evaluate(many, Doubler(refuses=7), {}, keep=keep, executor=pool)
    assert sorted(r.position for r in kept) == list(range(50))
    assert threads == {threading.current_thread().name}
    assert [r.position for r in kept if r.execution.failed] == [7]


def test_cases_are_drawn_only_as_they_are_needed() -> None:
    """A run of a million cases holds a handful of them."""
    drawn: list[int] = []

    def cases() -> Any:
        for n in range(1_000):
            drawn.append(n)
            yield Case(position=n, name=str(n), inputs={"n": n})

    kept: list[CaseResult] = []
    with ThreadPoolExecutor(2) as pool:
        assert not evaluate(cases(), Doubler(), {}, keep=kept.append, executor=pool, go_on=lambda: len(kept) < 20)
    assert len(drawn) <= len(kept) + 4


def test_a_run_that_is_to_stop_waits_for_no_case_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it wait for the case before it learns that it is to stop."""
    monkeypatch.setattr("reviewapp.evals.kernel.PATIENCE_SECONDS", 0.2)
    held = threading.Event()

    class Held(Doubler):
        def run(self, case: Case) -> Execution:
            if case.position == 1:
                held.wait(60)
            return super().run(case)

    kept: list[CaseResult] = []
    asked = iter([True] * 3)
    with ThreadPoolExecutor(2) as pool:
        assert not evaluate(CASES, Held(), {}, keep=kept.append, executor=pool, go_on=lambda: next(asked, False))
        held.set()
    assert 1 not in [r.position for r in kept]


def test_what_keep_raises_ends_the_run() -> None:
    def full(_: CaseResult) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        evaluate(CASES, Doubler(), {}, keep=full)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_target_that_can_do_no_more_ends_the_run(at_once: bool) -> None:
    class Spent(Doubler):
        def run(self, case: Case) -> Execution:
            if case.position == 3:
                raise TargetStopped("The budget of this month is spent.")
            return super().run(case)

    kept: list[CaseResult] = []
    with ThreadPoolExecutor(1) as pool, pytest.raises(TargetStopped, match="budget"):
        evaluate(CASES, Spent(), {}, keep=kept.append, executor=pool if at_once else None, in_flight=1)
    assert [r.position for r in kept] == [0, 1, 2]
