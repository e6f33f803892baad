"""What readers find beside records: faults that stop an import, notes that go with it."""

from __future__ import annotations

from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.limits import FAULTS


class Findings:
    """Collects the faults and notes of one import."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._notes: dict[str, None] = {}

    def fault(self, place: str, message: str) -> None:
        """Keep a fault; raises `ImportFaults` with all of them once there are too many to be of use."""
        self.faults.append(Fault(place, message))
        if len(self.faults) >= FAULTS:
            self.faults.append(Fault(place, f"looking for more stopped here, after {FAULTS:,} faults"))
            raise ImportFaults(self.faults)

    def note(self, sentence: str) -> None:
        """Keep a sentence for the person; the same one counts once."""
        self._notes[sentence] = None

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def finish(self) -> None:
        """Raises `ImportFaults` when there are any."""
        if self.faults:
            raise ImportFaults(self.faults)
