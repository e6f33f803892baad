"""Choosing models: what is in force for a use, what there is, what was chosen."""

from __future__ import annotations

from reviewapp.domain.choices import EMBEDDED, USES, ModelChoice, ModelName, ModelOption, Use
from reviewapp.errors import InvalidInput
from reviewapp.workflows import get_workflow
from reviewapp.workspaces import Workspace


def list_choices(workspace: Workspace) -> list[ModelChoice]:
    """One row per use for the workspace (the default where nobody chose), then the rows of workflows."""
    made = workspace.choices.all()
    of_workspace = {c.use: c for c in made if c.workflow is None}
    return [of_workspace.get(use) or default_choice(use) for use in USES] + [c for c in made if c.workflow is not None]


def choices_in_force(workspace: Workspace, workflow: str) -> list[ModelChoice]:
    """One row per use: the workflow's own, else the workspace's, else the default. Raises NotFound."""
    get_workflow(workspace, workflow)
    return [
        workspace.choices.get(use, workflow) or workspace.choices.get(use, None) or default_choice(use) for use in USES
    ]


def default_choice(use: Use) -> ModelChoice:
    option = EMBEDDED.get(use)
    return ModelChoice(use=use, workflow=None, model=None if option is None else option.name)


def options(use: Use) -> list[ModelOption]:
    """The models a use can run on here."""
    return [EMBEDDED[use]] if use in EMBEDDED else []


def choose(workspace: Workspace, use: Use, model: ModelName, *, workflow: str | None = None, by: str) -> ModelChoice:
    """Choose a model for a workflow, or for the whole workspace. Raises NotFound, InvalidInput
    (``model_choice_unsupported``)."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    check_option(use, model)
    return workspace.choices.put(use, workflow, model, by)


def check_option(use: Use, model: ModelName, *, param: str = "model") -> None:
    """Raises InvalidInput (``model_choice_unsupported``) for a model that the use cannot run on."""
    there = [option.name for option in options(use)]
    if not there:
        raise InvalidInput(
            f"The model of use {use!r} cannot be chosen; leave it out.", code="model_choice_unsupported", param="use"
        )
    if model not in there:
        raise InvalidInput(
            f"Model {model} is not among the options of use {use!r}; expected {' or '.join(map(str, there))}.",
            code="model_choice_unsupported",
            param=param,
        )


def drop_choice(workspace: Workspace, use: Use, *, workflow: str | None = None) -> None:
    """Go back to what is in force without this choice; no choice, nothing happens. Raises NotFound."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    workspace.choices.delete(use, workflow)
