"""Choosing models: what is in force for a use, what there is, what was chosen."""

from __future__ import annotations

from collections.abc import Mapping

from reviewapp.domain.choices import EMBEDDED, USES, ModelChoice, ModelName, ModelOption, Use
from reviewapp.domain.workflows import ExtractorChoice, ModelExtractor, RulesExtractor, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.models import check_model, model_options
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
    """The models a use can run on here; of a provider that is there, any other of its models can be chosen as well."""
    return [EMBEDDED[use], *model_options()] if use in EMBEDDED else []


def choose(workspace: Workspace, use: Use, model: ModelName, *, workflow: str | None = None, by: str) -> ModelChoice:
    """Choose a model for a workflow, or for the whole workspace. Raises NotFound, InvalidInput
    (``model_choice_unsupported``)."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    check_option(use, model)
    return workspace.choices.put(use, workflow, model, by)


def check_option(use: Use, model: ModelName, *, param: str = "model") -> None:
    """Raises InvalidInput (``model_choice_unsupported``) for a model that the use cannot run on, Conflict
    (``model_choice_unavailable``) for one without key or price."""
    if use not in EMBEDDED:
        raise InvalidInput(
            f"The model of use {use!r} cannot be chosen; leave it out.", code="model_choice_unsupported", param="use"
        )
    own = EMBEDDED[use].name
    if model == own:
        return
    if model.provider == own.provider:
        raise InvalidInput(
            f"Model {model} is not among the options of use {use!r}; expected {own} or a provider's.",
            code="model_choice_unsupported",
            param=param,
        )
    check_model(model, param=param)


def with_models(
    workspace: Workspace, workflow: str, settings: WorkflowSettings, asked: Mapping[Use, ModelName] | None = None
) -> WorkflowSettings:
    """The settings with the models that a test of them runs on.

    Per use: what is `asked` for, else what the settings name, else what was chosen for the workflow, else for the
    workspace, else the embedded one. A workflow that reads with a program reads with it whatever was chosen.
    Raises InvalidInput, Conflict.
    """
    asked = asked or {}
    for use, name in asked.items():
        check_option(use, name, param="models")
    extractor = _extractor(workspace, workflow, settings, asked.get("extract"))
    decide = asked.get("decide") or settings.decide or _chosen(workspace, "decide", workflow)
    if decide is not None and decide.provider == EMBEDDED["decide"].name.provider:
        decide = None
    chosen = settings.model_copy(update={"extractor": extractor, "decide": decide})
    check_models(chosen)
    return chosen


def check_models(settings: WorkflowSettings) -> None:
    """Raises InvalidInput or Conflict where a model that the settings name cannot be asked."""
    reads = settings.extractor.model if isinstance(settings.extractor, ModelExtractor) else None
    for needed in (reads, settings.decide):
        if needed is not None:
            check_model(needed, param="models")


def models_of(settings: WorkflowSettings) -> dict[Use, ModelName]:
    """The model of each use that a test with these settings runs on; a program that reads is ``program/<kind>``."""
    extractor = settings.extractor
    reads = EMBEDDED["extract"].name
    if isinstance(extractor, ModelExtractor):
        reads = extractor.model or reads
    elif not isinstance(extractor, RulesExtractor):
        reads = ModelName(provider="program", model=extractor.kind)
    return {"extract": reads, "decide": settings.decide or EMBEDDED["decide"].name}


def _extractor(
    workspace: Workspace, workflow: str, settings: WorkflowSettings, asked: ModelName | None
) -> ExtractorChoice:
    present = settings.extractor
    if not isinstance(present, RulesExtractor | ModelExtractor):
        if asked is not None:
            raise InvalidInput(
                f"Workflow {workflow!r} reads by {present.kind}, not with a model; leave the model of 'extract' out.",
                code="model_choice_unsupported",
                param="models",
            )
        return present
    own = present.model if isinstance(present, ModelExtractor) else None
    name = asked or own or _chosen(workspace, "extract", workflow)
    if name is None:
        if isinstance(present, ModelExtractor):
            raise InvalidInput(
                f"Workflow {workflow!r} reads with a model, but none is chosen; choose one: `reviewapp model choose`.",
                param="models",
            )
        return present
    if name == EMBEDDED["extract"].name:
        return present if isinstance(present, RulesExtractor) else RulesExtractor()
    if isinstance(present, ModelExtractor):
        return present.model_copy(update={"model": name})
    return ModelExtractor(model=name)


def _chosen(workspace: Workspace, use: Use, workflow: str) -> ModelName | None:
    choice = workspace.choices.get(use, workflow) or workspace.choices.get(use, None)
    return None if choice is None else choice.model


def drop_choice(workspace: Workspace, use: Use, *, workflow: str | None = None, by: str) -> None:
    """Go back to what is in force without this choice; no choice, nothing happens. Raises NotFound."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    with workspace.atomic():
        workspace.choices.delete(use, workflow)
        workspace.trail.note(by, f"drop model for {use}", workflow or workspace.name)
