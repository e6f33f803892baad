"""The document says what the server does."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from reviewapp.api.reference import CODES
from reviewapp.api.routes import ENDPOINTS
from tests.api.conftest import Live

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def test_every_endpoint_is_documented_with_its_role(http: httpx.Client) -> None:
    document = http.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    for endpoint in ENDPOINTS:
        path = endpoint.path.replace("<", "{").replace(">", "}")
        operation = document["paths"][path][endpoint.method.lower()]
        assert operation["summary"]
        assert f"Needs the role `{endpoint.role}`." in operation["description"]


def test_every_code_has_a_meaning(http: httpx.Client) -> None:
    page = http.get("/reference")
    assert page.headers["Content-Type"].startswith("text/html")
    for endpoint in ENDPOINTS:
        for _, codes in endpoint.refusals:
            for code in codes.split():
                assert code in CODES
                assert f'id="error-{code}"' in page.text
    assert "<script" not in page.text


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_generated_requests_find_no_undocumented_answer(sinks: Live) -> None:
    schema = schemathesis.openapi.from_url(f"{sinks.url}/v1/openapi.json")

    for operation in schema.get_all_operations():
        found = operation.ok()

        @settings(max_examples=15, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(case=found.as_strategy())
        def run(case: schemathesis.Case) -> None:
            case.call_and_validate(base_url=f"{sinks.url}/v1", checks=CHECKS)

        run()
