"""Every error a person or a program can meet.

::

    ReviewappError
    ├── InvalidInput            something handed in does not fit (400, form: 422)
    │   ├── ImportFaults        a file with faults: all of them, each with its place
    │   └── TooLarge            more than a stated limit (413)
    ├── NotSignedIn             whoever asks has to say who they are first (401)
    ├── NotAllowed              the person's role does not cover it (403)
    ├── NotFound                no such thing (404)
    ├── Conflict                it does not fit what is there now (409)
    │   ├── OpenTest            the workflow has a test under way
    │   └── StaleAnswer         somebody answered since; the answer that is there now goes with it
    ├── BudgetExceeded          it may cost more than is left of a month's budget (429)
    ├── TooManyTries            signing in too often; wait (429)
    ├── Busy                    not now, try again; nothing was saved (503)
    └── StorageError            the workspace file itself
        ├── DamagedFile
        └── NewerFile           written by a newer reviewapp

A message says what was found, what was expected and the way out. Anything else that is raised is our own bug.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewapp.domain.answers import Answer


class ReviewappError(Exception):
    """Base of all errors that a person can do something about."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        if code is not None:
            self.code = code


class InvalidInput(ReviewappError):
    """Something handed in does not fit; `param` names the field."""

    code = "invalid_request"


@dataclass(frozen=True)
class Fault:
    """One fault of a file."""

    place: str
    """``records.jsonl, line 3``; never a path."""
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class ImportFaults(InvalidInput):
    """All faults of a file at once; nothing was imported."""

    code = "import_faults"
    SHOWN = 20

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        shown = "\n".join(str(f) for f in self.faults[: self.SHOWN])
        more = len(self.faults) - self.SHOWN
        tail = f"\n… and {more} more" if more > 0 else ""
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__(f"{count}; nothing was imported:\n{shown}{tail}")


class TooLarge(InvalidInput):
    """More than a stated limit."""

    code = "too_large"


class NotSignedIn(ReviewappError):
    code = "unauthorized"


class NotAllowed(ReviewappError):
    code = "forbidden"


class NotFound(ReviewappError):
    """``NotFound("test", "wtest_1")`` → "No test 'wtest_1' …"."""

    code = "not_found"

    def __init__(
        self, kind: str, name: str, *, code: str | None = None, way_out: str = "", param: str | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        message = f"There is no {kind} {name!r}."
        super().__init__(f"{message} {way_out}".strip(), code=code, param=param)


class Conflict(ReviewappError):
    code = "conflict"


class OpenTest(Conflict):
    """One open test per workflow."""

    def __init__(self, workflow: str, test: str) -> None:
        self.workflow = workflow
        self.test = test
        super().__init__(f"Workflow {workflow!r} has a test under way ({test}); wait for its end or cancel it.")


class StaleAnswer(Conflict):
    """Somebody answered this value since it was shown; nothing was overwritten."""

    code = "stale_answer"

    def __init__(self, latest: Answer) -> None:
        self.latest = latest
        said = latest.decision or "taken back"
        super().__init__(f"{latest.by} answered this value in the meantime ({said}); look at it and answer again.")


class Busy(ReviewappError):
    """Another program holds the file; nothing was saved."""

    code = "busy"


class TooManyTries(ReviewappError):
    """Somebody tries to sign in too often; says nothing about the name."""

    code = "too_many_tries"

    def __init__(self, seconds: float) -> None:
        self.retry_after_seconds = max(1, round(seconds))
        minutes = -(-self.retry_after_seconds // 60)
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(f"Too many tries; wait {wait}, or ask an admin for a link that sets a new password.")


class BudgetExceeded(ReviewappError):
    """A month's budget does not cover it; nothing was started."""

    code = "workflow_budget_exceeded"

    def __init__(self, message: str, *, retry_at: datetime) -> None:
        self.retry_at = retry_at
        """When the next month's budget begins."""
        super().__init__(message)


class StorageError(ReviewappError):
    code = "storage"


class DamagedFile(StorageError):
    code = "damaged_file"


class NewerFile(StorageError):
    code = "newer_file"
