"""One process at a time runs the tests of a data folder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from reviewapp.running.lease import RUNNER, STALE_SECONDS, UNSEEN_SECONDS, Lease, LeaseTaken, is_over, process_begun
from reviewapp.running.runner import Runner
from reviewapp.store.leases import HeldLease, Holder
from reviewapp.workspaces import DataFolder, open_data

HOLDS = """
import sys, time
from pathlib import Path
from reviewapp.running.lease import Lease
from reviewapp.workspaces import open_data
Lease(open_data(Path(sys.argv[1])).leases).take()
print("taken", flush=True)
time.sleep(60)
"""


def test_a_second_runner_is_told_who_runs_the_tests(data: DataFolder) -> None:
    with Runner(data), open_data(data.path) as elsewhere:
        with pytest.raises(LeaseTaken) as caught:
            Runner(elsewhere).start()
        assert f"(process {os.getpid()})" in caught.value.message
        with pytest.raises(LeaseTaken):
            Runner(elsewhere).run_until_idle()
    Runner(data).run_until_idle()


def test_a_runner_that_stands_by_takes_over_when_the_other_ends(data: DataFolder) -> None:
    first, second = Runner(data), Runner(data)
    first.start()
    second.start(standby=True)
    held = data.leases.held(RUNNER)
    assert held is not None
    first.stop()
    end = time.monotonic() + 10
    while (now := data.leases.held(RUNNER)) is None or now.holder == held.holder:
        assert time.monotonic() < end
        time.sleep(0.01)
    second.stop()
    assert data.leases.held(RUNNER) is None


def test_the_lease_of_a_killed_process_is_free_at_once(data: DataFolder) -> None:
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(data.path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "taken\n"
    with pytest.raises(LeaseTaken, match=f"process {process.pid}"):
        Lease(data.leases).take()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    Lease(data.leases).take()


def test_a_lost_lease_is_noticed(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewapp.running.lease.BEAT_SECONDS", 0.0)
    lease, other = Lease(data.leases), Lease(data.leases)
    lease.take()
    assert lease.keep()
    lease.release()
    other.take()
    assert not lease.keep()
    lease.release()  # the other's stays
    assert data.leases.held(RUNNER) is not None


ME = Holder(token="t", host=socket.gethostname(), pid=os.getpid(), begun=process_begun(os.getpid()) or "", what="x")
NO_PROCESS = 2**22 + 1
"""Above the largest process id that Linux gives."""


@pytest.mark.parametrize(
    ("holder", "seconds_left", "over"),
    [
        (ME, STALE_SECONDS, False),
        (ME, -1, True),
        (replace(ME, pid=NO_PROCESS), STALE_SECONDS, True),
        (replace(ME, begun=f"{ME.begun}1"), STALE_SECONDS, True),
        (replace(ME, begun="some other boot/pid:[1]/1"), STALE_SECONDS, False),
        (replace(ME, begun="some other boot/pid:[1]/1"), STALE_SECONDS - UNSEEN_SECONDS - 1, True),
        (replace(ME, begun=""), STALE_SECONDS, False),
        (replace(ME, begun="", pid=NO_PROCESS), STALE_SECONDS, True),
        (replace(ME, host="elsewhere", pid=NO_PROCESS), STALE_SECONDS, False),
        (replace(ME, host="elsewhere", pid=NO_PROCESS), -1, True),
    ],
)
def test_whether_a_holder_is_gone(holder: Holder, seconds_left: float, over: bool) -> None:
    assert is_over(HeldLease(holder, until=time.time() + seconds_left)) is over


def test_when_a_process_began_stays_the_same() -> None:
    assert process_begun(os.getpid()) == process_begun(os.getpid())
    assert process_begun(NO_PROCESS) is None
