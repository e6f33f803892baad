"""Functions run in a process of their own and killed on the way, quickly: the processes are forked off a warm one."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["reviewapp.backups"])


def killed(target: Callable[..., object], *words: Any) -> bool:
    """Run it to its end (False), or until it kills itself (True)."""
    process = CONTEXT.Process(target=target, args=words)
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


class Steps:
    """So many more steps, then ``kill -9``."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self) -> None:
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1

    def count_files(self) -> None:
        """Every change of the file system that our code makes is a step."""
        for of, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink"), (shutil, "rmtree"), (Path, "mkdir")):
            setattr(of, name, self._counted(getattr(of, name)))

    def _counted(self, original: Callable[..., object]) -> Callable[..., object]:
        def call(*words: Any, **more: Any) -> object:
            self.take()
            return original(*words, **more)

        return call
