"""Who does a block's work: one line for every type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from reviewapp.domain.blocks import Block, ClassifyBlock, ExtractBlock, FunctionBlock, SplitBlock
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks.classifying import Classifier
from reviewapp.extraction.blocks.functions import FunctionRunner, code_of
from reviewapp.extraction.blocks.model import Given, Output
from reviewapp.extraction.blocks.splitting import Splitter

__all__ = ["Runner", "code_of", "make_runner"]


class Runner(Protocol):
    """Runs one block again and again; one with `close` is closed after the last."""

    def run(self, inputs: Mapping[str, Given]) -> Output:
        """Raises BlockFailed; whatever else it raises is the block's failure too."""
        ...


def make_runner(block: Block, settings: WorkflowSettings, evidence: Evidence) -> Runner:
    match block:
        case ExtractBlock():
            from reviewapp.extraction.blocks.extracting import ExtractRunner  # heavy: all that reads

            return ExtractRunner(block, settings, evidence)
        case ClassifyBlock():
            return Classifier(block)
        case SplitBlock():
            return Splitter(block)
        case FunctionBlock():
            return FunctionRunner(block)
