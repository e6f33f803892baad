"""Tests that are not read anew: results made elsewhere, the rest of a stopped test, and what one could not read."""

from __future__ import annotations

import json

from reviewapp import tests as testing
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ById, Scope
from reviewapp.api.shapes.tests import ReplayBody, TestShape
from reviewapp.api.tests import PATH, present
from reviewapp.api.tests_wire import show_test
from reviewapp.formats.sources import Upload
from reviewapp.replays import replay_results


def again(call: Call[ById, None]) -> TestShape:
    """Run again what a test could not read: failed inputs, and those it did not come to. A new test with the same
    settings and models; what was read stays in the first one."""
    return show_test(call, testing.run_again(call.workspace, call.query.id, by=call.by))


def go_on(call: Call[ById, None]) -> TestShape:
    """Go on with a stopped test, once the budget is raised, the key mended or the provider back: the inputs that it did
    not come to are read, within the same test."""
    return show_test(call, testing.go_on(call.workspace, call.query.id, by=call.by))


def replay(call: Call[Scope, ReplayBody]) -> TestShape:
    """Start a test of what another system read: its readings instead of the workflow's reader, through the same checks.

    Each record is named by IRI or name, or brings its text.
    """
    body = call.body
    lines = "\n".join(json.dumps(record, ensure_ascii=True) for record in body.records)
    source = Upload(f"{body.source}.jsonl", lines.encode())
    made = replay_results(call.workspace, source, workflow=body.name, add_records=body.add_records, by=call.by)
    return show_test(call, made.test)


ENDPOINTS = (
    Endpoint(
        "POST",
        f"{PATH}/again",
        "author",
        again,
        TestShape,
        query=ById,
        tag="Tests",
        summary="Run again what was not read",
        keyed=True,
        present=present,
        refusals=((404, "not_found"), (409, "conflict"), (429, "workflow_budget_exceeded")),
    ),
    Endpoint(
        "POST",
        f"{PATH}/continue",
        "author",
        go_on,
        TestShape,
        query=ById,
        tag="Tests",
        summary="Go on with a stopped test",
        keyed=True,
        present=present,
        refusals=((404, "not_found"), (409, "conflict"), (429, "workflow_budget_exceeded")),
    ),
    Endpoint(
        "POST",
        f"{PATH}/replay",
        "author",
        replay,
        TestShape,
        body=ReplayBody,
        tag="Tests",
        summary="Test results made elsewhere",
        keyed=True,
        present=present,
        refusals=((400, "import_faults"), (404, "named_workflow_not_found"), (409, "conflict")),
    ),
)
