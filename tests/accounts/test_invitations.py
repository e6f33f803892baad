"""Links that invite, and links that set a password."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from reviewapp import accounts
from reviewapp.domain.people import Access, Grant
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.keys import create_key
from tests.accounts.conftest import ADMIN, PASSWORD, sign_in


class TestInvitations:
    def invite(self, data, **more):
        return accounts.invite(data, "default", access=ADMIN, **({"role": "reviewer"} | more))

    def test_it_gives_its_role_and_is_used_up(self, data):
        _, secret = self.invite(data)
        assert accounts.look_at_link(data, secret).grant.role == "reviewer"
        joined = accounts.accept_as_new(data, secret, "Bo", PASSWORD)
        assert joined.access.role_in("default") == "reviewer"
        assert joined.access.role_in("other") is None
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secret, "Cy", PASSWORD)
        assert data.people.find("Cy") is None
        assert accounts.list_invitations(data, "default")[0].uses_left == 0

    def test_a_fault_does_not_use_it_up(self, data):
        _, secret = self.invite(data)
        accounts.add_person(data, "Bo", None, by="Root")
        for name, password in (("Bo", PASSWORD), ("Cy", "short"), ("", PASSWORD)):
            with pytest.raises((Conflict, InvalidInput)):
                accounts.accept_as_new(data, secret, name, password)
        assert accounts.accept_as_new(data, secret, "Cy", PASSWORD).name == "Cy"

    def test_at_once_no_more_come_in_than_it_is_for(self, data):
        _, secret = self.invite(data, uses=3)

        def come(number: int) -> bool:
            try:
                accounts.accept_as_new(data, secret, f"Guest {number}", PASSWORD)
            except accounts.LinkEnded:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(come, range(8))) == 3
        assert len(accounts.list_people(data)) == 3

    def test_it_ends_when_revoked_and_by_its_date(self, data, monkeypatch):
        link, revoked = self.invite(data)
        accounts.revoke_invitation(data, link.id, "default", by="Root")
        _, late = self.invite(data, days=1)
        begun = time.time()
        monkeypatch.setattr("reviewapp.accounts.links.time.time", lambda: begun + 86_401)
        said = set()
        for secret in (revoked, late, "never was one", ""):
            with pytest.raises(accounts.LinkEnded) as ended:
                accounts.look_at_link(data, secret)
            said.add(ended.value.message)
        assert len(said) == 1

    def test_it_ends_when_whoever_made_it_could_not_make_it_today(self, data, ann):
        accounts.add_person(data, "Root", PASSWORD, by="setup")
        for role, workspace in (("admin", "*"), ("admin", "default")):
            accounts.set_role(data, "Ann", role, workspace=workspace, by="Root")
        accounts.set_role(data, "Root", "admin", by="setup")
        access = accounts.get_person(data, "Ann").access
        secrets = {
            role: accounts.invite(data, "default", access=access, role=role, uses=9)[1] for role in ("viewer", "admin")
        }
        accounts.set_role(data, "Ann", None, by="Root")
        accounts.set_role(data, "Ann", "reviewer", workspace="default", by="Root")
        assert accounts.look_at_link(data, secrets["viewer"])
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secrets["admin"], "Bo", PASSWORD)
        accounts.disable(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secrets["viewer"], "Bo", PASSWORD)
        assert all(link.revoked for link in accounts.list_invitations(data, "default"))
        accounts.enable(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.look_at_link(data, secrets["viewer"])

    def test_keys_of_somebody_who_left_are_told(self, data, ann):
        create_key(data, "nightly", by="Ann")
        create_key(data, "other", by="Root")
        assert accounts.keys_left_by(data, "Ann") == ["nightly"]

    def test_of_another_workspace_it_cannot_be_revoked(self, data):
        link, _ = self.invite(data)
        with pytest.raises(NotFound):
            accounts.revoke_invitation(data, link.id, "other", by="Root")

    @pytest.mark.parametrize(
        ("more", "field"),
        [
            ({"role": "boss"}, "role"),
            ({"role": "author", "test": "wtest_1"}, "role"),
            ({"uses": 0}, "uses"),
            ({"uses": 1_001}, "uses"),
            ({"days": 0}, "days"),
            ({"days": 366}, "days"),
        ],
    )
    def test_what_does_not_fit(self, data, more, field):
        with pytest.raises(InvalidInput) as refused:
            self.invite(data, **more)
        assert refused.value.param == field

    def test_nobody_gives_more_than_they_have(self, data):
        author = Access(name="Ann", grants=(Grant(workspace="default", role="author"),))
        with pytest.raises(InvalidInput, match="yours is author"):
            accounts.invite(data, "default", role="admin", access=author)
        with pytest.raises(InvalidInput, match="yours is none"):
            accounts.invite(data, "other", role="viewer", access=author)

    def test_somebody_who_is_here_gets_the_role_and_keeps_a_higher_one(self, data, ann):
        _, secret = self.invite(data, role="viewer", uses=2)
        assert accounts.accept_as(data, secret, ann).access.role_in("default") == "viewer"
        high = accounts.set_role(data, "Ann", "author", workspace="default", by="Root")
        assert accounts.accept_as(data, secret, high).access.role_in("default") == "author"

    def test_a_password_link_sets_one_password_once(self, data, ann):
        session = sign_in(data).session
        secret = accounts.make_password_link(data, "Ann", by="Root")
        assert accounts.who_is_signed_in(data, session) is None
        with pytest.raises(InvalidInput):
            sign_in(data)
        newer = accounts.make_password_link(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, secret, "four other words here")
        with pytest.raises(InvalidInput):
            accounts.set_password_by(data, newer, "short")
        accounts.set_password_by(data, newer, "four other words here")
        assert sign_in(data, password="four other words here").person.name == "Ann"
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, newer, "four other words again")

    def test_an_invitation_sets_no_password_and_a_password_link_invites_nobody(self, data, ann):
        _, invitation = self.invite(data)
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, invitation, "four other words here")
        link = accounts.make_password_link(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, link, "Bo", PASSWORD)
