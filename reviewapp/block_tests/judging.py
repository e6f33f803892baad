"""What conditions are judged with in a workspace: embeddings and the model that was chosen."""

from __future__ import annotations

from reviewapp.evals.conditions import Judges
from reviewapp.evals.conditions.embeddings import similarity
from reviewapp.store.workspace import Workspace


def judges_of(workspace: Workspace, workflow: str) -> Judges:  # noqa: ARG001 - the model of the workflow will be asked
    return Judges(similarity=similarity)
