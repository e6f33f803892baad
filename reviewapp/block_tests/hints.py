"""Fields of older clients, and where their content goes now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OLD_FIELDS = {
    "block_id": "target.block_id",
    "run_id": "source.run_id",
    "step_id": "source.step_id",
    "handle_inputs": "source.handle_inputs",
}
"""At the top of a test that is made or changed."""
OLD_RUN_FIELDS = {
    "test_id": 'scope: {"type": "single", "test_id": …}',
    "eval_id": 'scope: {"type": "single", "eval_id": …}',
    "block_id": 'scope: {"type": "block", "block_id": …}',
    "target": 'scope: {"type": "block", "block_id": …}',
}
"""At the top of a run that is started."""


def hints_for(content: Mapping[str, Any], old: Mapping[str, str]) -> list[str]:
    """``"'block_id' is not taken here; use 'target.block_id'"``, one per old field."""
    return [f"{name!r} is not taken here; use '{old[name]}'" for name in old if name in content]
