"""``reviewapp worker``: run tests without serving pages."""

from __future__ import annotations

import signal
import sys
import threading

import click

from reviewapp.cli.output import say
from reviewapp.cli.readers import readers
from reviewapp.cli.session import Session, pass_session, shared_options

LOOK_SECONDS = 0.5


@click.command()
@click.option("--scheduler", metavar="ADDRESS", help="Read on the dask cluster of this scheduler (tcp://host:8786).")
@click.option("--workers", metavar="N", type=click.IntRange(1, 64), help="Texts read at once, without a scheduler.")
@click.option("--until-idle", is_flag=True, help="End when no test is open.")
@shared_options
@pass_session
def worker(session: Session, scheduler: str | None, workers: int | None, until_idle: bool) -> None:
    """Run the tests of a data folder, until Ctrl-C. One process does so at a time; others stand by.

    \b
    Example:
      reviewapp worker
      reviewapp worker --scheduler tcp://10.0.0.5:8786
    """
    from reviewapp.errors import Conflict
    from reviewapp.running.runner import Runner
    from reviewapp.running.serving import SWITCH_SECONDS
    from reviewapp.settings import load_settings

    settings = load_settings(**session.given_settings(), scheduler=scheduler, workers=workers)
    session.workspace()
    sys.setswitchinterval(SWITCH_SECONDS)  # threads that wait for models are not kept waiting by one that computes
    with readers(settings) as (executor, at_once):
        runner = Runner(session.data, executor=executor, workers=at_once, model_calls=settings.model_calls)
        if until_idle:
            runner.run_until_idle()
            runner.stop()
            return
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: stopped.set())
        runner.start(standby=True)
        say("Tests are run as they are started; Ctrl-C stops.")
        try:
            while not stopped.wait(LOOK_SECONDS):
                if not runner.is_running:
                    raise Conflict("The cluster went away; open tests go on with the next worker.")
        finally:
            runner.stop()
