"""The real server, with a line in a file for every text that it begins to read.

``python -m bench.counted serve --data DIR --port 0 --reads FILE``. The line is written before the text is read and
survives ``kill -9``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from reviewapp.app import create_app
from reviewapp.domain.ids import text_hash
from reviewapp.running.serving import serve
from reviewapp.settings import load_settings
from reviewapp.workspaces import open_data


class Counting(ThreadPoolExecutor):
    """The runner's threads, telling which texts they read."""

    def __init__(self, file: Path, workers: int) -> None:
        super().__init__(workers)
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(self._read, read, *args, **kwargs)

    def _read(self, read: Callable[..., Any], text: str, *more: Any) -> Any:
        os.write(self._file, f"{text_hash(text)}\n".encode())
        return read(text, *more)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["serve"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--reads", type=Path, required=True)
    wanted = parser.parse_args()
    settings = load_settings(data=wanted.data)
    data = open_data(wanted.data)
    serve(
        create_app(settings, data),
        data=data,
        port=wanted.port,
        threads=settings.threads,
        workers=settings.workers,
        executor=Counting(wanted.reads, settings.workers),
        ready=lambda url: print(url, flush=True),
    )


if __name__ == "__main__":
    main()
