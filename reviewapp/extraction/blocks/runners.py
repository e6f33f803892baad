"""Who does a block's work: one line for every type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from reviewapp.domain.blocks import Block, ClassifyBlock, ExtractBlock, FunctionBlock, SplitBlock
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.asking import Asker
from reviewapp.extraction.blocks.classifying import Classifier
from reviewapp.extraction.blocks.code import code_of
from reviewapp.extraction.blocks.functions import FunctionRunner
from reviewapp.extraction.blocks.model import Given, Output
from reviewapp.extraction.blocks.splitting import Splitter
from reviewapp.extraction.models.question import Desk

__all__ = ["Runner", "code_of", "make_runner"]


class Runner(Protocol):
    """Runs one block again and again; one with `close` is closed after the last."""

    def run(self, inputs: Mapping[str, Given]) -> Output:
        """Raises BlockFailed; whatever else it raises is the block's failure too."""
        ...


def make_runner(block: Block, settings: WorkflowSettings, evidence: Evidence, desk: Desk | None = None) -> Runner:
    """`desk`: where models are asked; those that read are named by the settings."""
    asker = Asker(settings.decide, desk)
    match block:
        case ExtractBlock():
            from reviewapp.extraction.blocks.extracting import ExtractRunner  # heavy: all that reads

            return ExtractRunner(block, settings, evidence, desk)
        case ClassifyBlock():
            return Classifier(block, asker)
        case SplitBlock():
            return Splitter(block, asker)
        case FunctionBlock():
            return FunctionRunner(block)
