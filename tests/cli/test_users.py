from __future__ import annotations

import socket

import pytest
from click.testing import CliRunner

from reviewapp.accounts import SignInLimits, list_people, look_at_link, sign_in
from reviewapp.cli import program
from reviewapp.running.lease import Lease
from reviewapp.workspaces import open_data


def typed(*words: str, stdin: str = "three words do\n"):
    return CliRunner().invoke(program, list(words), input=stdin, prog_name="reviewapp")


def test_an_admin_is_made_with_one_command_and_can_sign_in(run, tmp_path):
    made = typed("user", "add", "Ann", "--role", "admin")
    assert (made.exit_code, made.stdout) == (0, "Ann is added (admin everywhere).\n")
    with open_data(tmp_path / "data") as data:
        signed_in = sign_in(data, SignInLimits(), "ann", "three words do", address="192.0.2.1", device=None)
    assert signed_in.person.name == "Ann"


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("add", "Ann"), "short\n", "A password has at least 10 characters"),
        (("add", "Ann"), "aaaaaaaaaaaaaa\n", "guessed at once"),
        (("add", "Annabella Smith"), "annabella smith1\n", "guessed at once"),
        (("add", "A\u202en"), "three words do\n", "no control, direction or invisible characters"),
        (("add", ""), "three words do\n", "a name has at least one character"),
        (("add", "Ann", "--role", "author", "--in", "nowhere"), "three words do\n", "There is no workspace 'nowhere'"),
        (("role", "Bo", "author"), "", "There is no person 'Bo'"),
        (("disable", "Bo"), "", "There is no person 'Bo'"),
        (("reset", "Bo", "--link"), "", "There is no person 'Bo'"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_made(run, tmp_path, words, stdin, said):
    ended = typed("user", *words, stdin=stdin)
    assert ended.exit_code == 1
    assert said in ended.stderr
    with open_data(tmp_path / "data") as data:
        assert list_people(data) == []


def test_a_link_sets_the_password(run, tmp_path):
    run("demo")
    typed("user", "add", "Ann", "--role", "admin")
    made = run("user", "add", "Bo", "--role", "reviewer", "--in", "default", "--link", "--json").document
    assert made["grants"] == [{"workspace": "default", "test": None, "role": "reviewer"}]
    with open_data(tmp_path / "data") as data:
        assert look_at_link(data, made["link"].rpartition("/")[2]).person == "Bo"


@pytest.mark.parametrize(
    ("served", "begins", "hint"),
    [
        (None, f"http://{socket.gethostname()}:8000/link/", "No server runs on this data folder now"),
        ("http://office:8042", "http://office:8042/link/", ""),
        ("https://review.example/rev", "https://review.example/rev/link/", ""),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8001/link/", "answers its own machine only"),
    ],
)
def test_a_link_leads_to_the_server_that_runs(run, tmp_path, served, begins, hint):
    run("demo")
    with open_data(tmp_path / "data") as data:
        lease = Lease(data.leases)
        lease.serves_at(served or "")
        if served:
            lease.take()
        made = run("user", "add", "Bo", "--link")
        lease.release()
    assert made.out.splitlines()[-1].startswith(begins)
    assert hint in made.err
    assert bool(made.err) == bool(hint)


def test_the_last_admin_stays(run):
    typed("user", "add", "Ann", "--role", "admin")
    for words in (("disable", "Ann"), ("role", "Ann", "author"), ("role", "Ann", "none")):
        ended = run("user", *words)
        assert ended.code == 1
        assert "Ann is the only admin of this server" in ended.err
    typed("user", "add", "Bo", "--role", "admin")
    assert run("user", "disable", "Ann").code == 0
    listed = run("user", "list").out
    assert "closed" in listed
    assert run("user", "enable", "Ann").out == "The account of Ann is open.\n"


def test_a_key_is_shown_once(run):
    made = run("key", "create", "--name", "nightly", "--role", "reviewer")
    secret = made.out.strip()
    assert secret.startswith("rk_")
    listed = run("key", "list")
    assert secret not in listed.out
    assert secret[:8] in listed.out
    assert run("key", "revoke", "nightly").out == "Key 'nightly' is revoked.\n"
    assert run("key", "revoke", "nightly").code == 1


def test_a_key_cannot_have_a_persons_name(run):
    typed("user", "add", "Ann", "--role", "admin")
    assert "There is somebody called 'Ann' already" in run("key", "create", "--name", "ANN").err
    run("key", "create", "--name", "nightly")
    assert "There is a live API key called 'nightly' already" in typed("user", "add", "Nightly").stderr
