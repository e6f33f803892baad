"""Evaluations in the background: gradings of datasets, and scores of eval sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from reviewapp.domain.evaluations import Evaluation
from reviewapp.eval_sets.keeping import run_score
from reviewapp.eval_sets.loops import run_kept_loop
from reviewapp.evaluations import get_evaluation, run_grading
from reviewapp.evaluations.grading import DEFAULT_MODEL_CALLS
from reviewapp.running.background import BackgroundRunner
from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace


class EvaluationRunner(BackgroundRunner):
    """Runs queued evaluations; one that cannot be run ends as `failed`."""

    name = "evaluations"

    def __init__(self, data: DataFolder, *, model_calls: int = DEFAULT_MODEL_CALLS) -> None:
        """`model_calls`: texts read by models at once."""
        super().__init__(data)
        self._run_of: Mapping[str, Callable[..., Evaluation]] = {
            "dataset": partial(run_grading, model_calls=model_calls),
            "eval_set": run_score,
            "eval_loop": run_kept_loop,
        }

    def open_ids(self, workspace: Workspace) -> Sequence[str]:
        return workspace.evaluations.open_ids(tuple(self._run_of))

    def run(self, workspace: Workspace, id: str) -> bool:
        kind = get_evaluation(workspace, id).header.kind
        return self._run_of[kind](workspace, id, go_on=self.goes_on).status != "running"
