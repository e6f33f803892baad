"""A write that carries a key happens once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewapp.errors import Conflict
from reviewapp.workspaces import Workspace


def once(
    workspace: Workspace, scope: str, key: str, fingerprint: str, action: Callable[[], dict[str, Any]]
) -> tuple[dict[str, Any], bool]:
    """What `action` gives, and whether that was given before under this key.

    The action and the note of its answer are one transaction: two threads at the same instant, or a kill in between,
    never do it twice, and an action that is refused leaves the key free. `scope` is the method and path.
    Raises Conflict (`idempotency_conflict`) when the key stands for another request (another `fingerprint`).
    """
    with workspace.atomic():
        earlier = workspace.idempotency.find(scope, key)
        if earlier is None:
            answer = action()
            workspace.idempotency.keep(scope, key, fingerprint, answer)
            return answer, False
    if earlier.fingerprint != fingerprint:
        raise Conflict(
            f"Idempotency-Key {key[:80]!r} was sent before with another request ({earlier.at:%Y-%m-%d %H:%M} UTC); "
            "use a new key for a new request.",
            code="idempotency_conflict",
        )
    return earlier.answer, True
