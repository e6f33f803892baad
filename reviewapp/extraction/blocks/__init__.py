"""Blocks at work: each takes values by input handle and gives values by output handle."""

from reviewapp.extraction.blocks.code import codes_of
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output
from reviewapp.extraction.blocks.runners import Runner, code_of, make_runner

__all__ = ["BlockFailed", "Given", "Output", "Runner", "code_of", "codes_of", "make_runner"]
