"""Which side is right where a behaviour changed: asked row by row, answered by people only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reviewapp.domain.eval_sets import Dialect, Project, Settled, Side
from reviewapp.domain.evaluations import Evaluation
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.eval_sets.cases import criteria_for
from reviewapp.eval_sets.editing import eval_set_file, set_expected
from reviewapp.eval_sets.keeping import KIND, content_of, get_project, opened, report_of_run, run_before
from reviewapp.eval_sets.loading import load_set
from reviewapp.eval_sets.looping import LoopReport
from reviewapp.eval_sets.loops import report_of_loop
from reviewapp.eval_sets.reporting import expected_of, stale
from reviewapp.eval_sets.reports import ScoreReport, ScoreRow
from reviewapp.evals.eval_sets.strict import wrapped
from reviewapp.evaluations.running import get_evaluation
from reviewapp.formats.eval_sets.patching import same
from reviewapp.store.workspace import Workspace


class Question(NamedTuple):
    """A row that passed before and fails now because the output changed."""

    file: str
    row: ScoreRow
    settled: Settled | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.row.id, self.row.evaluator


def questions_of_loop(report: LoopReport) -> list[Question]:
    return [Question(one.file, row) for one in report.reports for row in report.stale if row in one.rows]


def questions_of_run(report: ScoreReport, earlier: ScoreReport | None) -> list[Question]:
    return [] if earlier is None else [Question(report.file, row) for row in stale(earlier, report)]


def questions(workspace: Workspace, run: Evaluation) -> list[Question]:
    """Of a run or a loop that ended, with what people said of them."""
    found: Sequence[Question] = ()
    if run.header.kind == KIND and (report := report_of_run(run)):
        before = run_before(workspace, run)
        found = questions_of_run(report, report_of_run(before) if before else None)
    elif loop := report_of_loop(run):
        found = questions_of_loop(loop)
    return with_answers(workspace, run.id, found)


def with_answers(workspace: Workspace, run: str, questions: Sequence[Question]) -> list[Question]:
    """With what people said of them."""
    said = {one.key: one for one in workspace.eval_projects.settled(run)} if questions else {}
    return [one._replace(settled=said.get(one.key)) for one in questions]


def settle(workspace: Workspace, run: str, key: tuple[str, str, str], side: Side, *, by: str) -> Question:
    """A person says which side of a question is right; where it is the output, the file's expectation becomes it.

    Raises NotFound, InvalidInput, Conflict where the expectation is no longer the one that the run was held against.
    """
    found = get_evaluation(workspace, run)
    question = next((one for one in questions(workspace, found) if one.key == key), None)
    if question is None:
        raise NotFound("row", key[1])
    project: Project = get_project(workspace, content_of(found)["project"])
    if side == "output":
        accept_output(Path(project.folder), opened(project).dialect, question)
    said = Settled(file=key[0], item=key[1], evaluator=key[2], side=side, by=by)
    with workspace.atomic():
        workspace.eval_projects.settle(run, said)
        workspace.trail.note(by, f"{side} of eval item is right", run)
    return question._replace(settled=said)


def accept_output(root: Path, dialect: Dialect, question: Question) -> None:
    """Make the output of a row its expectation. Raises NotFound, InvalidInput, Conflict."""
    file, row = question.file, question.row
    if not row.takes_output:
        raise InvalidInput(
            f"What {row.evaluator_name} is held against is no output; change the item {row.item!r} itself."
        )
    document = eval_set_file(root, file)
    loaded = load_set(document.path, root, dialect)
    try:
        item = next((one for one in loaded.eval_set.evaluations if one.id == row.id), None)
        judge = next((one for one in loaded.evaluators if one.key == row.evaluator), None)
        if item is None or judge is None:
            raise NotFound("item", row.item, way_out="The eval set was changed since; score it again.")
        now = expected_of(criteria_for(item, judge, dialect == "strict") or judge.default)
    finally:
        loaded.close()
    if not same(now, row.expected):
        raise Conflict(f"{row.item}: the expectation was changed since this run; nothing was written. Score it again.")
    output = wrapped(row.actual) if dialect == "strict" else row.actual or {}
    set_expected(root, file, row.id, row.evaluator, output, seen=document.digest)
