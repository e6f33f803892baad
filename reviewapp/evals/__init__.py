"""Evaluation: one kernel, evaluators, grading, comparing, gates. Pure; the use cases bring data and targets."""
