"""Conditions: from an output and a path to passed, failed or blocked (docs/block-tests.md)."""

from reviewapp.evals.conditions.judges import Judges, NotAvailable
from reviewapp.evals.conditions.outcomes import Failure, Judgement
from reviewapp.evals.conditions.paths import ABSENT, Absent, Found, Misfit, walk
from reviewapp.evals.conditions.rules import check, judge_assertion

__all__ = [
    "ABSENT",
    "Absent",
    "Failure",
    "Found",
    "Judgement",
    "Judges",
    "Misfit",
    "NotAvailable",
    "check",
    "judge_assertion",
    "walk",
]
