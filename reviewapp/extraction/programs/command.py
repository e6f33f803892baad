"""The reader that is a program: any language, JSON on stdin, JSON on stdout."""

from __future__ import annotations

import json
import threading

from reviewapp.domain.workflows import CommandExtractor, Evidence, WorkflowSettings
from reviewapp.extraction.extractors import ExtractorFailed, Reply
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.programs.contract import reply_of, request_of
from reviewapp.programs.pool import Pool
from reviewapp.programs.process import Program, ProgramFault


class CommandReader:
    """Asks the program of the settings for every text; safe for several threads, each has a process of its own."""

    def __init__(self, choice: CommandExtractor) -> None:
        self._choice = choice
        self._pool = None
        if choice.keep_running:
            self._pool = Pool(choice.command, megabytes=choice.megabytes, seconds=choice.seconds)
        self._at_work: set[Program] = set()
        self._lock = threading.Lock()

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        """Raises ExtractorFailed with what the program printed."""
        request = json.dumps(request_of(prepared.text, settings), ensure_ascii=True).encode()
        try:
            answer, errors = self._pool.ask(request) if self._pool else self._ask(request)
        except ProgramFault as fault:
            raise ExtractorFailed(fault.message, raw=fault.raw) from None
        return reply_of(answer, settings, raw=ProgramFault("", answer, errors).raw)

    def close(self) -> None:
        """End what is running, also in the middle of a text."""
        if self._pool:
            self._pool.close()
        with self._lock:
            programs = tuple(self._at_work)
        for program in programs:
            program.kill()

    def _ask(self, request: bytes) -> tuple[str, str]:
        program = Program(self._choice.command, megabytes=self._choice.megabytes)
        with self._lock:
            self._at_work.add(program)
        try:
            return program.ask_once(request, self._choice.seconds), program.stderr
        finally:
            program.close()  # ends what it started and left behind as well
            with self._lock:
                self._at_work.discard(program)
