"""The command line: each verb a thin door to one use case."""

from reviewapp.cli.program import main, program

__all__ = ["main", "program"]
