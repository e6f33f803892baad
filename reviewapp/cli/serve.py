"""``reviewapp serve``: the pages."""

from __future__ import annotations

import shlex
import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from reviewapp.cli.output import print_json
from reviewapp.cli.readers import readers
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.settings import Settings
    from reviewapp.workspaces import DataFolder

PORTS_TRIED = 20
"""How many ports from the set one on are tried when it is taken."""


@click.command()
@click.option("--host", metavar="ADDRESS", help="Address to listen on (default: 127.0.0.1).")
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65_535),
    help="Port; without it 8000, or the next that is free. 0: any.",
)
@shared_options
@pass_session
def serve(session: Session, host: str | None, port: int | None) -> None:
    """Serve the pages and run the tests, until Ctrl-C.

    On this machine nobody signs in. At any other address people do, and there has to be an admin first
    (`reviewapp user add`).

    \b
    Example:
      reviewapp serve --port 8080
      reviewapp serve --host 0.0.0.0
    """
    from reviewapp.settings import load_settings

    settings = load_settings(**session.given_settings(), host=host, port=port)
    refuse_without_admin(settings, session.data)
    tries = 1 if port is not None else PORTS_TRIED
    settings = settings.model_copy(update={"port": free_port(settings.host, settings.port, tries)})

    def typed_by_others(url: str) -> str:
        return address_for_others(settings, host_and_port(settings.host, url)) if needs_sign_in(settings) else url

    def ready(url: str) -> None:
        if session.as_json:
            print_json({"url": url, "data": str(settings.data), "workspace": settings.workspace})
        else:
            click.echo(f"reviewapp is ready: {url}  (data folder {settings.data}; Ctrl-C stops it)")
            if needs_sign_in(settings):
                click.echo(f"Other machines: {typed_by_others(url)}/  (people sign in; make invitations under People)")

    from reviewapp.app import create_app
    from reviewapp.logs import start_log
    from reviewapp.origins import address_for_others, needs_sign_in
    from reviewapp.running.serving import BODY_LIMIT_BYTES
    from reviewapp.running.serving import serve as run_server

    start_log(settings.log_format)
    session.workspace(create=True)
    app = create_app(settings, session.data)
    with readers(settings) as (executor, workers):
        run_server(
            app,
            data=session.data,
            host=settings.host,
            port=settings.port,
            threads=settings.threads,
            body_limit=max(BODY_LIMIT_BYTES, 2 * 1_000_000 * settings.upload_megabytes),
            executor=executor,
            workers=workers,
            model_calls=settings.model_calls,
            ready=ready,
            typed_by_others=typed_by_others,
        )


def host_and_port(host: str, url: str) -> str:
    """What is listened on, with the port that the server has got: ``0.0.0.0:8001``."""
    port = urlsplit(url).port
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def refuse_without_admin(settings: Settings, data: DataFolder) -> None:
    """Raise InvalidInput where other machines can come and nobody is there yet to let people in."""
    from reviewapp.accounts import has_admin
    from reviewapp.errors import InvalidInput
    from reviewapp.origins import is_loopback, needs_sign_in

    if not needs_sign_in(settings) or has_admin(data):
        return
    place = "this server" if is_loopback(settings.host) else f"address {settings.host!r}"
    where = "" if settings.data == Path("data") else f" --data {shlex.quote(str(settings.data))}"
    raise InvalidInput(
        f"Other machines can reach {place}, and there is no admin yet who could let people in; make one with "
        f"`reviewapp user add NAME --role admin{where}` and start again, or serve on 127.0.0.1.",
        param="host",
    )


def free_port(host: str, first: int, tries: int) -> int:
    """The first port from `first` on that can be bound; 0 stays 0 (any). Raises InvalidInput when all are taken."""
    from reviewapp.errors import InvalidInput

    if first == 0:
        return 0
    ports = range(first, min(first + tries, 65_536))
    for port in ports:
        if _can_bind(host, port):
            return port
    taken = f"Port {first} is" if len(ports) == 1 else f"Ports {first} to {ports[-1]} are"
    raise InvalidInput(f"{taken} taken on {host}; name another with --port (0: any that is free).", param="port")


def _can_bind(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port whose last server has just ended is free
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
