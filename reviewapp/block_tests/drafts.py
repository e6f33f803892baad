"""A workflow in one of its revisions: its blocks, their outputs, and what each of them is made of, as fingerprints."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reviewapp import __version__
from reviewapp.choices import with_models
from reviewapp.domain.block_tests import Fingerprints
from reviewapp.domain.blocks import (
    Block,
    ClassifyBlock,
    ExtractBlock,
    FunctionBlock,
    Schema,
    SplitBlock,
    output_handles,
)
from reviewapp.domain.ids import content_hash
from reviewapp.domain.workflows import Evidence, Revision, WorkflowSettings
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.extraction.blocks import code_of
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_revision, get_workflow


@dataclass(frozen=True)
class Config:
    """What decides the work of a block."""

    fingerprint: str
    """32 hex digits; equal ⇔ it would do the same with the same inputs."""
    is_whole: bool
    """False: something decides that we cannot see (code that is not found); its work is never taken over."""


class Draft:
    """A revision, with the models in force and what the collection says about its writing."""

    def __init__(self, workflow: str, revision: Revision, settings: WorkflowSettings, evidence: Evidence) -> None:
        """`settings`: the revision's, with the models in force."""
        self.workflow = workflow
        self.revision = revision
        self.settings = settings
        self.evidence = evidence
        self._configs: dict[str, Config] = {}
        self._outputs: dict[str, dict[str, Schema]] = {}

    @cached_property
    def fingerprint(self) -> str:
        return content_hash(["draft", self.workflow, self.revision.settings.fingerprint])

    @cached_property
    def _blocks(self) -> dict[str, Block]:
        return {block.id: block for block in self.settings.line}

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.settings.line

    def block(self, id: str) -> Block | None:
        return self._blocks.get(id)

    def outputs(self, id: str) -> dict[str, Schema]:
        """The outputs that a block declares, with their schemas; none where there is no such block."""
        if id not in self._outputs:
            block = self.block(id)
            self._outputs[id] = {} if block is None else output_handles(block, self.settings.properties)
        return self._outputs[id]

    def config(self, block: Block) -> Config:
        if block.id not in self._configs:
            self._configs[block.id] = self._config(block)
        return self._configs[block.id]

    def _config(self, block: Block) -> Config:
        own: dict[str, Any] = {**block.model_dump(mode="json", exclude={"label"}), "version": __version__}
        is_whole = True
        if isinstance(block, ExtractBlock):
            from reviewapp.extraction.blocks.extracting import of_block

            own |= {"reads": of_block(block, self.settings).fingerprint, "evidence": self.evidence.model_dump()}
        elif isinstance(block, ClassifyBlock | SplitBlock) and block.by == "model":
            own["model"] = self.settings.decide and self.settings.decide.model_dump()
            is_whole = self.settings.decide is not None
        elif isinstance(block, FunctionBlock):
            own["code"] = code_of(block)
            is_whole = own["code"] is not None
        return Config(content_hash(own), is_whole)

    def fingerprints(self, block: Block, inputs: str) -> Fingerprints:
        config = self.config(block).fingerprint
        return Fingerprints(
            handle_inputs=inputs,
            block_config=config,
            workflow_draft=self.fingerprint,
            execution=content_hash([inputs, config, self.fingerprint]),
        )


def draft_of(workspace: Workspace, workflow: str, revision: str | None = None) -> Draft:
    """`revision` None: the one in use. Raises NotFound."""
    found = get_workflow(workspace, workflow)
    chosen = found.active if revision is None else get_revision(workspace, workflow, revision)
    settings = chosen.settings
    with contextlib.suppress(InvalidInput, Conflict):  # a model that cannot be asked says so when it is to read
        settings = with_models(workspace, workflow, settings)
    return Draft(workflow, chosen, settings, workspace.records.evidence(settings.collection))


def block_of(draft: Draft, id: str) -> Block:
    """Raises NotFound, naming what there is."""
    block = draft.block(id)
    if block is None:
        there = ", ".join(b.id for b in draft.blocks)
        raise NotFound("block", id, code="block_not_found", way_out=f"Workflow {draft.workflow!r} has {there}.")
    return block
