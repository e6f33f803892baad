"""Other people's programs as readers: one JSON document in, one out, within limits (docs/programs.md)."""

from reviewapp.extraction.programs.command import CommandReader
from reviewapp.extraction.programs.function import FunctionReader

__all__ = ["CommandReader", "FunctionReader"]
