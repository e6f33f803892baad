"""The reader that is a Python function, in processes of its own that stay for the test."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from reviewapp.domain.workflows import Evidence, PythonExtractor, WorkflowSettings
from reviewapp.extraction.extractors import ExtractorFailed, Reply
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.programs.contract import reply_of_document, request_of
from reviewapp.programs.pool import Pool
from reviewapp.programs.process import ProgramFault


class FunctionReader:
    """Calls ``package.module:function`` for every text; the module is imported once per process."""

    def __init__(self, choice: PythonExtractor) -> None:
        # By its path, so that the process does not import this package first; -P keeps its folder off sys.path.
        child = Path(__file__).with_name("function_child.py")
        self._pool = Pool(
            (sys.executable, "-P", str(child), choice.function), megabytes=choice.megabytes, seconds=choice.seconds
        )

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        """Raises ExtractorFailed: the function raised (its traceback is kept), took too long, or gave no readings."""
        request = json.dumps(request_of(prepared.text, settings), ensure_ascii=True).encode()
        try:
            line, errors = self._pool.ask(request)
        except ProgramFault as fault:
            raise ExtractorFailed(fault.message, raw=fault.raw) from None
        answer = json.loads(line)
        if "raised" in answer:
            told = ProgramFault(answer["raised"], answer["traceback"], errors)
            raise ExtractorFailed(told.message, raw=told.raw)
        raw = ProgramFault("", json.dumps(answer["reply"], ensure_ascii=False), errors).raw
        return reply_of_document(answer["reply"], settings, raw=raw)

    def close(self) -> None:
        """End the processes, also in the middle of a text."""
        self._pool.close()
