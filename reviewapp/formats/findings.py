"""What readers find beside records: faults that stop an import, notes that go with it."""

from __future__ import annotations

import re

from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.limits import FAULTS

_NUMBERED = re.compile(r"(?P<within>.*), (?:line|row|record|page) (?P<number>\d+)", re.DOTALL)


class Findings:
    """Collects the faults and notes of one import."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._notes: dict[str, None] = {}

    def fault(self, place: str, message: str) -> None:
        """Keep a fault; raises `ImportFaults` with all of them once there are too many to be of use."""
        self.faults.append(Fault(place, message))
        if len(self.faults) >= FAULTS:
            stopped = Fault(place, f"looking for more stopped here, after {FAULTS:,} faults")
            raise ImportFaults([*in_order(self.faults), stopped])

    def note(self, sentence: str) -> None:
        """Keep a sentence for the person; the same one counts once."""
        self._notes[sentence] = None

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def finish(self) -> None:
        """Raises `ImportFaults` when there are any."""
        if self.faults:
            raise ImportFaults(in_order(self.faults))


def in_order(faults: list[Fault]) -> list[Fault]:
    """By file in the order they came, what is said of a file as a whole first, then by line."""
    files: dict[str, int] = {}

    def place(fault: Fault) -> tuple[int, int]:
        numbered = _NUMBERED.fullmatch(fault.place)
        within = numbered["within"] if numbered else fault.place
        return files.setdefault(within, len(files)), int(numbered["number"]) if numbered else 0

    return sorted(faults, key=place)
