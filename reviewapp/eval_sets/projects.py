"""A project as it is used in one go: its layout, its dialect, its sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from reviewapp.domain.eval_sets import Dialect
from reviewapp.domain.evaluations import CaseResult
from reviewapp.errors import InvalidInput, ReviewappError
from reviewapp.eval_sets.loading import LoadedSet, find_sets, load_set
from reviewapp.eval_sets.made_inputs import MakeInputs
from reviewapp.eval_sets.reporting import PASSES_FROM
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.scoring import score_set
from reviewapp.eval_sets.target_base import EvalTarget
from reviewapp.evals.eval_sets.judges import Judge, no_judge
from reviewapp.formats.eval_sets.projects import EVALUATORS, find_project


class OpenProject:
    """A project's folder, looked at anew whenever something is done."""

    def __init__(
        self,
        folder: Path,
        *,
        dialect: Dialect | None = None,
        judge: Judge = no_judge,
        make_inputs: MakeInputs | None = None,
    ) -> None:
        """`dialect`: the person's choice over what the files tell. Raises NotFound, InvalidInput."""
        self._make_inputs = make_inputs
        self.layout = find_project(folder)
        self._chosen = dialect
        self._judge = judge

    @property
    def root(self) -> Path:
        return self.layout.root

    @property
    def dialect(self) -> Dialect:
        return self._chosen or self.layout.dialect

    @property
    def told_by(self) -> str:
        """Why it is this dialect, in words."""
        return "your choice" if self._chosen else self.layout.reason

    def sets(self, wanted: str | None = None) -> list[LoadedSet]:
        """All sets, or those called `wanted`, as they stand in the files now.

        Raises NotFound; InvalidInput that names every file at fault.
        """
        self.layout = find_project(self.layout.root)
        found: list[LoadedSet] = []
        faults: list[str] = []
        for path in find_sets(self.layout, wanted):
            try:
                found.append(load_set(path, self.root, self.dialect, judge=self._judge))
            except InvalidInput as fault:
                faults.append(fault.message)
        if faults:
            for loaded in found:
                loaded.close()
            raise InvalidInput("\n".join(faults))
        return found

    def expectations(self) -> list[Path]:
        """The files that say what is right as they are now: eval sets, evaluators, and the Python of custom ones."""
        with suppress(ReviewappError):  # the folder may be gone
            self.layout = find_project(self.layout.root)
        folders = {path.parent.parent for path in self.layout.sets}
        inner = [p for f in sorted(folders) for p in sorted((f / EVALUATORS).rglob("*")) if p.is_file()]
        return [*self.layout.sets, *(p for p in inner if "__pycache__" not in p.parts)]

    def score(
        self,
        target: EvalTarget,
        *,
        target_name: str,
        wanted: str | None = None,
        passes_from: float = PASSES_FROM,
        allowed: bool = False,
        seen: Callable[[CaseResult], object] = lambda _: None,
        go_on: Callable[[], bool] = lambda: True,
    ) -> list[ScoreReport]:
        """One report a set. Raises InvalidInput where a set's custom evaluators would run and were not `allowed`."""
        reports = []
        for loaded in self.sets(wanted):
            try:
                if loaded.has_code and not allowed:
                    raise InvalidInput(
                        f"{loaded.document.path.name} has custom evaluators, which are the project's own Python; "
                        "allow the project first."
                    )
                reports.append(
                    score_set(
                        loaded,
                        target,
                        target_name=target_name,
                        passes_from=passes_from,
                        seen=seen,
                        go_on=go_on,
                        make_inputs=self._make_inputs,
                    )
                )
            finally:
                loaded.close()
        return reports


def needs_a_yes(loaded: Sequence[LoadedSet], target: EvalTarget) -> bool:
    """Whether running it executes something of the project's."""
    return target.runs_code or any(one.has_code for one in loaded)
