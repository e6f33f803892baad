"""Second looks at answers: confirm them, or send them back to who gave them."""

from __future__ import annotations

from datetime import UTC, datetime

from reviewapp.answers import history
from reviewapp.domain.answers import NOTE_LIMIT, in_force, settled
from reviewapp.domain.looks import Look, Verdict
from reviewapp.errors import Conflict, InvalidInput, StaleAnswer
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_input, get_test


def look_again(
    workspace: Workspace,
    test_id: str,
    iri: str | int,
    property: str,
    verdict: Verdict,
    *,
    by: str,
    seen: int | None = None,
    note: str = "",
) -> Look:
    """Confirm the answer that is there, or send it back: then its value is open again for who gave it.

    A new answer wants a new look. `seen` is the id of the answer that was looked at (None: do not check).

    Raises NotFound, InvalidInput (no answer, one's own, a note too long), StaleAnswer where there is a newer answer,
    Conflict where somebody looked at it already.
    """
    test = get_test(workspace, test_id)
    position = get_input(workspace, test_id, iri).position
    if len(note) > NOTE_LIMIT:
        raise InvalidInput(f"The note has {len(note):,} characters; {NOTE_LIMIT:,} is the limit.", param="note")
    with workspace.atomic():
        steps = history(workspace, test_id, position, property)
        answers = in_force(steps).values()
        latest = max(answers, key=lambda answer: answer.id, default=None)
        if latest is None or not settled(steps, test.overlap):
            raise InvalidInput("There is no answer to look at yet.", param="property")
        if latest.by == by:
            raise InvalidInput("A second look is somebody else's: this answer is yours.", param="by")
        if seen is not None and latest.id != seen:
            raise StaleAnswer(latest)
        there = workspace.reviewers.look_at(latest.id)
        if there is not None:
            if (there.by, there.verdict) == (by, verdict):
                return there
            said = "confirmed it" if there.verdict == "confirm" else "sent it back"
            raise Conflict(f"{there.by} looked at this answer already and {said}.")
        look = Look(
            test=test_id,
            position=position,
            property=property,
            answer=latest.id,
            by=by,
            at=datetime.now(UTC),
            verdict=verdict,
            note=note,
        )
        workspace.reviewers.add_look(look)
    return look


def looks_of_input(workspace: Workspace, test_id: str, position: int) -> dict[str, Look]:
    """The second look at the answer that is there now, by property; where somebody took one."""
    return workspace.reviewers.looks(test_id, position)


def count_looks(workspace: Workspace, test_id: str) -> dict[Verdict, int]:
    """Second looks at answers that are still there, by verdict."""
    return workspace.reviewers.count_looks(test_id)
