"""All endpoints, in the order of the reference."""

from __future__ import annotations

from reviewapp.api import (
    calls,
    choices,
    dataset_work,
    datasets,
    evaluations,
    gates,
    records,
    replays,
    tests,
    triggered,
    workflows,
)
from reviewapp.api.endpoint import Endpoint
from reviewapp.api.retab import tests as block_tests
from reviewapp.api.retab import workflows as blocks

ENDPOINTS: tuple[Endpoint, ...] = (
    *records.ENDPOINTS,
    *workflows.ENDPOINTS,
    *triggered.ENDPOINTS,
    *tests.ENDPOINTS,
    *replays.ENDPOINTS,
    *datasets.ENDPOINTS,
    *evaluations.ENDPOINTS,
    *gates.ENDPOINTS,
    *dataset_work.ENDPOINTS,
    *choices.ENDPOINTS,
    *block_tests.ENDPOINTS,
    *blocks.ENDPOINTS,
    *calls.ENDPOINTS,
)
