"""What conditions are judged with in a workspace: embeddings, and the model chosen for the use ``decide``."""

from __future__ import annotations

from typing import Any

from reviewapp.block_tests.drafts import Draft
from reviewapp.block_tests.targets import desk_of
from reviewapp.evals.conditions import Judges, NotAvailable
from reviewapp.evals.conditions.embeddings import similarity
from reviewapp.extraction.blocks.asking import Asker, CannotAsk, judgement_of
from reviewapp.store.workspace import Workspace


def judges_of(workspace: Workspace, draft: Draft) -> Judges:
    asker = Asker(draft.settings.decide, desk_of(workspace, draft.workflow))

    def judge(value: Any, rubric: str, label: str | None) -> tuple[bool, str]:
        try:
            return judgement_of(asker, value, rubric, label)
        except CannotAsk as fault:
            raise NotAvailable(str(fault)) from None

    return Judges(similarity=similarity, judge=judge)
