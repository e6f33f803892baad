"""Programs beside this one: started, asked and ended within limits on time, memory and output."""

from reviewapp.programs.pool import Pool
from reviewapp.programs.process import Program, ProgramFault

__all__ = ["Pool", "Program", "ProgramFault"]
