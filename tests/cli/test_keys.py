"""Keys of programs on the command line."""

from __future__ import annotations

from tests.cli.conftest import Run


def test_a_key_is_shown_once_listed_and_revoked(run: Run) -> None:
    made = run("key", "create", "--name", "nightly", "--json")
    assert made.code == 0
    secret = made.document["secret"]
    assert secret.startswith("rk_")
    twin = run("key", "create", "--name", "nightly")
    assert (twin.code, twin.out) == (1, "")
    assert "There is a live API key called 'nightly' already" in twin.err

    listed = run("key", "list")
    assert "nightly" in listed.out
    assert "author" in listed.out
    assert secret not in listed.out
    assert secret not in run("key", "list", "--json").out

    assert run("key", "revoke", "nightly").code == 0
    assert run("key", "list", "--json").document["keys"][0]["revoked"] is not None
    again = run("key", "revoke", "nightly")
    assert again.code == 1
    assert "There is no API key 'nightly'" in again.err


def test_a_key_alone_stands_on_stdout_so_that_a_script_can_take_it(run: Run) -> None:
    made = run("key", "create", "--name", "n", "--role", "viewer")
    assert made.out.strip().startswith("rk_")
    assert len(made.out.split()) == 1
    assert run("key", "create", "--name", "m", "--role", "king").code == 2
