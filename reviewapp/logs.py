"""The log: what happened and how it ended, for whoever runs the server; never what is in the data.

A line of a request names its route, not its address, so that no name, text or secret part of a link is in it. An
unexpected error is told by its kind and the lines of code it came through, without its message, which may quote what
somebody typed.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal

FIELDS = ("request_id", "method", "route", "status", "milliseconds", "person")
"""What a line of a request says beside its message."""


def start_log(format: Literal["text", "json"], stream: IO[str] | None = None) -> logging.Handler:
    """Write the log to `stream` (stderr): warnings of others, everything of ours; gives the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if format == "json" else Lines())
    logging.getLogger().addHandler(handler)
    logging.getLogger("reviewapp").setLevel(logging.INFO if format == "json" else logging.WARNING)
    return handler


def log_request(
    log: logging.Logger, *, request_id: str, method: str, route: str | None, status: int, begun: float, person: str
) -> None:
    """One line for a request that was answered; `begun` by `time.perf_counter`, `route` as the code writes it."""
    milliseconds = round(1000 * (time.perf_counter() - begun), 1)
    facts = (request_id, method, route or "no route", status, milliseconds, person)
    log.info("%s %s %s", method, route or "no route", status, extra=dict(zip(FIELDS, facts, strict=True)))


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[1]:
            line["error"] = list(_told(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False)


class Lines(logging.Formatter):
    """A line for people; the way of an error below it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        said = record.getMessage().replace("\n", " ")
        request = getattr(record, "request_id", None)
        line = f"{at} {record.levelname} {said}" + (f" ({request})" if request else "")
        if record.exc_info and record.exc_info[1]:
            line = "\n".join([line, *(f"    {told}" for told in _told(record.exc_info[1]))])
        return line


def _told(error: BaseException) -> Iterator[str]:
    """The kinds of an error and its causes, each with the places it came through; no messages."""
    seen: BaseException | None = error
    while seen is not None:
        yield f"{type(seen).__module__}.{type(seen).__qualname__}"
        for frame in traceback.extract_tb(seen.__traceback__):
            path = Path(frame.filename)
            yield f"  {path.parent.name}/{path.name}, line {frame.lineno}, in {frame.name}"
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
