"""A small typed client for the HTTP API.

::

    from reviewapp.client import Client

    with Client("http://127.0.0.1:8000", graph="default") as client:
        test = client.workflows.tests.create(name="sinks", sample=6)
        test = client.workflows.tests.wait(test.id)
        for result in test.results:
            for value in result.values or ():
                print(result.iri, value.property, value.value, value.outcome)
        client.workflows.tests.answer(test.id, test.inputs[0].iri, "width", {"decision": "accept"})
        dataset = client.evals.datasets.create("sinks", source={"kind": "test", "id": test.id})
        files = client.evals.datasets.export(dataset.id)

Needs httpx (``pip install 'reviewapp[client]'``). Every write carries an Idempotency-Key, so that the retries after a
cut connection, a 429 or a 5xx do nothing twice.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import httpx
from pydantic import BaseModel

from reviewapp.api.shapes.common import ErrorBody, ListOf
from reviewapp.api.shapes.datasets import DatasetDeleted, DatasetExport, DatasetShape
from reviewapp.api.shapes.tests import HistoryShape, TestShape

ENDED = ("done", "failed", "cancelled")
MAX_RETRIES = 6
RETRY_WITHIN_SECONDS = 60.0
TIMEOUT_SECONDS = 120.0
OUTAGE_SECONDS = 60.0
"""How long a wait bears a server that does not answer."""

Shape = TypeVar("Shape", bound=BaseModel)


class ApiError(Exception):
    """The server refused. `status` is the HTTP status; `error` the body, None where the answer was no JSON of ours."""

    def __init__(self, status: int, error: ErrorBody | None, text: str) -> None:
        super().__init__(error.message if error is not None else f"HTTP {status}: {text[:200]}")
        self.status = status
        self.error = error

    @property
    def code(self) -> str:
        return self.error.code if self.error is not None else "unstructured_error"


class Client:
    """A connection to one workspace of a server. Close it, or use it in a `with`."""

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8000",
        *,
        graph: str = "default",
        api_key: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"), headers=headers, timeout=TIMEOUT_SECONDS, transport=transport
        )
        self._graph = graph
        self.workflows = Workflows(self)
        self.evals = Evals(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        shape: type[Shape],
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Shape:
        """One call with its retries. Raises ApiError, httpx.TransportError."""
        headers = {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
        params = {"graph": self._graph, **{k: v for k, v in (query or {}).items() if v is not None}}
        until = time.monotonic() + RETRY_WITHIN_SECONDS
        for attempt in range(MAX_RETRIES + 1):
            last = attempt == MAX_RETRIES
            try:
                response = self._http.request(method, path, params=params, json=body, headers=headers)
            except httpx.TransportError:
                if last or not _wait(attempt, None, until):
                    raise
                continue
            if response.is_success:
                return shape.model_validate_json(response.content)
            error = _error_of(response)
            again = (response.status_code == 429 or response.status_code >= 500) and error.retryable
            if last or not again or not _wait(attempt, response.headers.get("Retry-After"), until):
                raise error
        raise AssertionError("the last attempt returns or raises")

    def pages(self, path: str, shape: type[Shape], query: Mapping[str, Any]) -> Iterator[Shape]:
        """Every row of a list, page by page."""
        cursor: str | None = None
        while True:
            page = self.call("GET", path, ListOf[shape], query={**query, "cursor": cursor})  # type: ignore[valid-type]
            yield from page.data
            cursor = page.next_cursor
            if not page.has_more or cursor is None:
                return


def _wait(attempt: int, retry_after: str | None, until: float) -> bool:
    """Sleep before the next attempt; False when that would be too late."""
    asked = float(retry_after) if retry_after is not None and retry_after.isdigit() else None
    seconds = min(asked, 60.0) if asked is not None else random.uniform(0, 0.1 * 2**attempt)  # noqa: S311 - jitter
    if time.monotonic() + seconds > until:
        return False
    time.sleep(seconds)
    return True


class _Refusal(ApiError):
    @property
    def retryable(self) -> bool:
        return self.error is None or self.error.retryable is not False


def _error_of(response: httpx.Response) -> _Refusal:
    try:
        error = ErrorBody.model_validate(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        error = None
    return _Refusal(response.status_code, error, response.text)


class Workflows:
    def __init__(self, client: Client) -> None:
        self.tests = Tests(client)


class Evals:
    def __init__(self, client: Client) -> None:
        self.datasets = Datasets(client)


class Tests:
    """``client.workflows.tests``"""

    PATH = "/v1/workflows/named/tests"

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(
        self,
        *,
        name: str | None = None,
        install: Mapping[str, Any] | None = None,
        revision: str | None = None,
        models: Mapping[str, Any] | None = None,
        iris: Sequence[str] | None = None,
        sample: int | None = None,
    ) -> TestShape:
        """Start a test of the workflow `name`, or of settings that are not saved (`install`)."""
        asked = {
            "name": name,
            "install": install,
            "revision": revision,
            "models": models,
            "iris": None if iris is None else list(iris),
            "sample": sample,
        }
        body = {key: value for key, value in asked.items() if value is not None}
        return self._client.call("POST", self.PATH, TestShape, body=body)

    def get(self, id: str) -> TestShape:
        return self._client.call("GET", f"{self.PATH}/get", TestShape, query={"id": id})

    def wait(self, id: str, *, timeout: float | None = 600.0, poll_interval: float = 1.0) -> TestShape:
        """The test once it has ended. Raises TimeoutError after `timeout` seconds (None: no limit).

        A server that is not there meanwhile, because it is started anew, is waited for up to a minute.
        """
        until = None if timeout is None else time.monotonic() + timeout
        status, answered = "not answered", time.monotonic()
        while True:
            try:
                test = self.get(id)
                status, answered = test.status, time.monotonic()
                if status in ENDED:
                    return test
            except httpx.TransportError:
                if time.monotonic() > answered + OUTAGE_SECONDS:
                    raise
            if until is not None and time.monotonic() + poll_interval > until:
                raise TimeoutError(f"test {id} is still {status} after {timeout} s")
            time.sleep(poll_interval)

    def list(
        self, *, name: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> ListOf[TestShape]:
        """One page, newest first, without texts and results."""
        query = {"name": name, "limit": limit, "cursor": cursor}
        return self._client.call("GET", self.PATH, ListOf[TestShape], query=query)

    def all(self, *, name: str | None = None, limit: int | None = None) -> Iterator[TestShape]:
        """Every test, newest first; `limit` is the size of a page."""
        return self._client.pages(self.PATH, TestShape, {"name": name, "limit": limit})

    def answer(self, id: str, iri: str, property: str, answer: Mapping[str, Any] | None) -> TestShape:
        """Answer one value; None takes the answer back."""
        body = {"id": id, "iri": iri, "property": property, "answer": None if answer is None else dict(answer)}
        return self._client.call("POST", f"{self.PATH}/answer", TestShape, body=body)

    def cancel(self, id: str) -> TestShape:
        return self._client.call("POST", f"{self.PATH}/cancel", TestShape, query={"id": id})

    def history(self, id: str, iri: str, property: str) -> HistoryShape:
        """Every step taken on one value."""
        query = {"id": id, "iri": iri, "property": property}
        return self._client.call("GET", f"{self.PATH}/history", HistoryShape, query=query)


class Datasets:
    """``client.evals.datasets``"""

    PATH = "/v1/evals/datasets"

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(
        self,
        name: str,
        *,
        items: Sequence[Mapping[str, Any]] | None = None,
        install: Mapping[str, Any] | None = None,
        about: Sequence[str] | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> DatasetShape:
        """Save a test's answers (`source`), or make a dataset of `items`."""
        asked = {
            "name": name,
            "kind": "values",
            "items": None if items is None else [dict(item) for item in items],
            "install": install,
            "about": None if about is None else list(about),
            "source": source,
        }
        body = {key: value for key, value in asked.items() if value is not None}
        return self._client.call("POST", self.PATH, DatasetShape, body=body)

    def get(self, id: str) -> DatasetShape:
        return self._client.call("GET", f"{self.PATH}/get", DatasetShape, query={"id": id})

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> ListOf[DatasetShape]:
        """One page, newest first, without items."""
        return self._client.call("GET", self.PATH, ListOf[DatasetShape], query={"limit": limit, "cursor": cursor})

    def all(self, *, limit: int | None = None) -> Iterator[DatasetShape]:
        return self._client.pages(self.PATH, DatasetShape, {"limit": limit})

    def add_items(self, id: str, items: Sequence[Mapping[str, Any]]) -> DatasetShape:
        body = {"id": id, "items": [dict(item) for item in items]}
        return self._client.call("POST", f"{self.PATH}/items", DatasetShape, body=body)

    def export(self, id: str) -> DatasetExport:
        return self._client.call("GET", f"{self.PATH}/export", DatasetExport, query={"id": id})

    def delete(self, id: str) -> DatasetDeleted:
        return self._client.call("DELETE", self.PATH, DatasetDeleted, query={"id": id})
