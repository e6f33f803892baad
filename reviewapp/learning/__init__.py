"""Learning from answers: a new revision of a workflow that reads by what people said.

Answered texts are split in two, always the same way: from the larger part the embedded extractor learns, on the
smaller part, which it never sees, both revisions are graded. What it learnt from is kept with the revision, so that
whoever grades it later can leave those texts out.
"""

from __future__ import annotations

from reviewapp.domain.learning import Graded, Learning, LearntCue
from reviewapp.domain.workflows import RulesExtractor, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.extraction.rules.learn import learn
from reviewapp.extraction.rules.learnt import explain
from reviewapp.learning.grading import changes, graded, read_held_out
from reviewapp.learning.material import HELD_OUT, Material, material
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow, put_workflow

__all__ = ["HELD_OUT", "LEAST_TEXTS", "Material", "cues", "learn_workflow", "material"]

LEAST_TEXTS = 5
"""Answered texts below which there is too little to learn from and to grade on."""
SHOWN_CHANGES = 200


def learn_workflow(workspace: Workspace, workflow: str, *, by: str, held_out: float = HELD_OUT) -> Learning:
    """Learn from the answers to a workflow and put the new revision in use; activating its parent takes it back.

    The same answers always give the same revision. Raises NotFound, InvalidInput where the workflow does not read by
    the embedded rules or has answers on fewer than five texts.
    """
    present = get_workflow(workspace, workflow)
    settings = present.active.settings
    if not isinstance(settings.extractor, RulesExtractor):
        raise InvalidInput(
            f"Workflow {workflow!r} reads by {settings.extractor.kind!r}; only the embedded rules learn from answers."
        )
    found = material(workspace, workflow, held_out=held_out)
    if found.texts < LEAST_TEXTS:
        raise InvalidInput(
            f"There are answers on {found.texts} texts of workflow {workflow!r}; "
            f"answer at least {LEAST_TEXTS}, then learn."
        )
    evidence = workspace.records.evidence(settings.collection)
    examples = [example for text in found.learn_from for example in text.examples]
    extractor = RulesExtractor(
        learnt=learn(settings.model_copy(update={"extractor": RulesExtractor()}), examples, evidence),
        learnt_from=tuple(sorted(text.hash[:16] for text in found.learn_from)),
    )
    learnt = settings.model_copy(update={"extractor": extractor})
    before, after = (read_held_out(workspace, workflow, found.held_out, s, evidence) for s in (settings, learnt))
    was, now = graded(before), graded(after)
    changed = put_workflow(workspace, learnt.defined_as(present.name), by=by, note=_note(found, was, now))
    return Learning(
        workflow=workflow,
        parent=present.active.id,
        revision=changed.active.id,
        texts=len(found.learn_from),
        answers=len(examples),
        held_out=len(found.held_out),
        passed_over=found.passed_over,
        before=was,
        after=now,
        changes=tuple(changes(before, after))[:SHOWN_CHANGES],
        cues=cues(learnt),
    )


def cues(settings: WorkflowSettings) -> tuple[LearntCue, ...]:
    """What a revision learnt, in words; empty for one that learnt nothing."""
    if not isinstance(settings.extractor, RulesExtractor):
        return ()
    return tuple(
        LearntCue(property=row.property, cue=row.cue, weight=row.weight, example=row.example)
        for row in explain(settings.extractor.learnt)
    )


def _note(found: Material, before: Graded, after: Graded) -> str:
    return (
        f"Learnt from the answers on {len(found.learn_from)} texts; on {len(found.held_out)} others "
        f"{after.right} of {after.values} values are right, {before.right} before."
    )
