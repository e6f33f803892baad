"""Evaluations: grade a dataset with a revision or with stored outputs, compare two, find the gate, choose what to
answer next."""

from reviewapp.evaluations.comparing import compare, is_worse, list_changes, matrix, worse_by
from reviewapp.evaluations.gates import (
    GateAnswers,
    gate_answers,
    gate_points,
    gate_study,
    known_of,
    set_gate,
    suggest_gate,
)
from reviewapp.evaluations.grading import grade_outputs, of_no_item, run_grading
from reviewapp.evaluations.running import (
    all_results,
    cancel_evaluation,
    delete_evaluation,
    find_evaluation,
    get_evaluation,
    get_grading,
    list_evaluations,
    results,
    run_cases,
)
from reviewapp.evaluations.sampling import suggest_records, what_is_known
from reviewapp.evaluations.starting import start_grading

__all__ = [
    "GateAnswers",
    "all_results",
    "cancel_evaluation",
    "compare",
    "delete_evaluation",
    "find_evaluation",
    "gate_answers",
    "gate_points",
    "gate_study",
    "get_evaluation",
    "get_grading",
    "grade_outputs",
    "is_worse",
    "known_of",
    "list_changes",
    "list_evaluations",
    "matrix",
    "of_no_item",
    "results",
    "run_cases",
    "run_grading",
    "set_gate",
    "start_grading",
    "suggest_gate",
    "suggest_records",
    "what_is_known",
    "worse_by",
]
