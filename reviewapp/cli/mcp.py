"""``reviewapp mcp``: the door for assistants."""

from __future__ import annotations

import click

from reviewapp.cli.output import say
from reviewapp.cli.session import Session, pass_session, shared_options

HTTP_PORT = 8001


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdin and stdout.")
@click.option("--host", metavar="ADDRESS", help="With --http: address to listen on (default: 127.0.0.1).")
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(1, 65_535),
    default=HTTP_PORT,
    show_default=True,
    help="With --http: port to listen on.",
)
@click.option(
    "--key",
    metavar="KEY",
    envvar="REVIEWAPP_KEY",
    help="Over stdio: act with this API key's role and name (default: as you). Also REVIEWAPP_KEY.",
)
@shared_options
@pass_session
def mcp(session: Session, http: bool, host: str | None, port: int, key: str | None) -> None:
    """Serve an assistant over the Model Context Protocol: tests, answers, datasets, evaluations, block tests.

    Tests that it starts are run by `reviewapp serve` or `reviewapp worker`; where neither runs, by this program.

    \b
    Example:
      reviewapp mcp
      reviewapp mcp --http --port 8001
    """
    from reviewapp.cli.serve import free_port, refuse_without_admin
    from reviewapp.errors import InvalidInput
    from reviewapp.running.block_testing import BlockTestRunner
    from reviewapp.running.evaluating import EvaluationRunner
    from reviewapp.running.runner import Runner
    from reviewapp.settings import load_settings

    try:
        from reviewapp.mcp.serving import run_http, run_stdio
    except ModuleNotFoundError as error:
        raise InvalidInput("MCP is not installed; install reviewapp with the extra 'mcp'.") from error

    settings = load_settings(**session.given_settings(), host=host, port=port)
    session.workspace(create=True)
    runner = Runner(session.data)
    runner.start(standby=True)
    try:
        with EvaluationRunner(session.data), BlockTestRunner(session.data):
            if http:
                refuse_without_admin(settings, session.data)
                free_port(settings.host, settings.port, 1)
                run_http(settings, session.data, ready=lambda url: say(f"MCP is ready: {url}  (Ctrl-C stops it)"))
            else:
                run_stdio(settings, session.data, key=key)
    finally:
        runner.stop()
