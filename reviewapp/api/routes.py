"""All endpoints, in the order of the reference."""

from __future__ import annotations

from reviewapp.api import choices, datasets, records, tests, workflows
from reviewapp.api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    *records.ENDPOINTS,
    *workflows.ENDPOINTS,
    *tests.ENDPOINTS,
    *datasets.ENDPOINTS,
    *choices.ENDPOINTS,
)
