"""What every domain model shares."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class Model(BaseModel):
    """A fact: frozen, and true from birth (unknown fields, NaN and infinity are refused)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


NAME_LIMIT = 200
"""Most characters of a name."""

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LIMIT)]
"""A name that people read: 1 to 200 characters, trimmed."""

SLUG_PATTERN = "[a-z0-9][a-z0-9-]{0,62}"
Slug = Annotated[str, StringConstraints(pattern=f"^{SLUG_PATTERN}$")]
"""A name that also stands in addresses and file names (workspace, collection, workflow)."""

SLUG_EXPECTED = "1 to 63 characters: small letters a-z, digits and dashes, beginning with a letter or digit"
"""The same rule in words, for messages."""
