"""One event loop for all calls of the process, in a thread of its own; other threads wait for what runs in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from functools import lru_cache
from typing import Any, Final, TypeVar

from reviewapp.extraction.models.pace import GivenUp

_LOOK_SECONDS: Final = 0.1
Result = TypeVar("Result")


def in_loop(work: Coroutine[Any, Any, Result], gone: Callable[[], bool] = lambda: False) -> Result:
    """Run it in the loop's thread and wait here; where nobody waits any more it is cancelled and GivenUp raised."""
    with _starting:
        loop = _loop()
    future = asyncio.run_coroutine_threadsafe(work, loop)
    while True:
        try:
            return future.result(_LOOK_SECONDS)
        except NotYet:
            if future.done():
                return future.result()  # it came this moment, or the time that ran out was its own
            if gone():
                future.cancel()
                raise GivenUp from None
        except CancelledError:
            raise GivenUp from None


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model calls", daemon=True).start()
    return loop


_starting: Final = threading.Lock()
