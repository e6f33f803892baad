"""What a person may do where, and names that nobody takes from another."""

from __future__ import annotations

import pytest

from reviewapp import accounts
from reviewapp.domain.people import Access, Grant, folded_name
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.keys import create_key
from tests.accounts.conftest import ADMIN, PASSWORD, sign_in


class TestRoles:
    @pytest.mark.parametrize(
        ("grants", "workspace", "test", "role"),
        [
            ((), "a", None, None),
            ((("a", None, "author"),), "a", None, "author"),
            ((("a", None, "author"),), "b", None, None),
            ((("a", None, "author"),), "*", None, None),
            ((("*", None, "viewer"),), "a", None, "viewer"),
            ((("*", None, "viewer"), ("a", None, "author")), "a", None, "author"),
            ((("*", None, "admin"), ("a", None, "viewer")), "a", None, "admin"),
            ((("a", "t1", "reviewer"),), "a", None, None),
            ((("a", "t1", "reviewer"),), "a", "t1", "reviewer"),
            ((("a", "t1", "reviewer"),), "a", "t2", None),
            ((("a", "t1", "reviewer"),), "b", "t1", None),
            ((("a", "t1", "reviewer"), ("a", None, "viewer")), "a", "t1", "reviewer"),
        ],
    )
    def test_the_highest_role_that_holds_there(self, grants, workspace, test, role):
        access = Access(name="Ann", grants=tuple(Grant(workspace=w, test=t, role=r) for w, t, r in grants))
        assert access.role_in(workspace, test) == role

    def test_people_of_a_workspace(self, data):
        for name, workspace, role in (("Ann", "*", "admin"), ("Bo", "default", "viewer"), ("Cy", "other", "author")):
            accounts.add_person(data, name, None, by="Root")
            accounts.set_role(data, name, role, workspace=workspace, by="Root")
        assert [p.name for p in accounts.people_of(data, "default")] == ["Ann", "Bo"]
        assert [p.name for p in accounts.people_of(data, "default", least="reviewer")] == ["Ann"]


class TestNames:
    @pytest.mark.parametrize("twin", ["Ann", "ANN", " ann ", "Ａｎｎ", "ａnn"])
    def test_nobody_takes_anothers_name(self, data, ann, twin):
        with pytest.raises(Conflict):
            accounts.add_person(data, twin, PASSWORD, by="Root")

    @pytest.mark.parametrize("name", ["", "  ", "A\x00n", "A\u200bn", "\u202eAnn", "A" * 81, "A\ud83dn"])
    def test_names_that_nobody_can_have(self, data, name):
        with pytest.raises(InvalidInput):
            accounts.add_person(data, name, PASSWORD, by="Root")

    @pytest.mark.parametrize("name", ["O'Neil, Ann", "Žofie Nováková", "山田 太郎", "<b>Bo</b>", "../../etc", "=1+1"])
    def test_names_are_kept_as_they_are(self, data, name):
        assert accounts.add_person(data, name, PASSWORD, by="Root").name == name
        assert sign_in(data, name).person.name == name

    def test_a_person_and_a_key_never_sign_alike(self, data, ann):
        with pytest.raises(Conflict):
            create_key(data, "aNN", by="Root")
        create_key(data, "nightly", by="Root")
        with pytest.raises(Conflict):
            accounts.add_person(data, "Nightly", PASSWORD, by="Root")

    @pytest.mark.parametrize(
        ("name", "look_alike"),
        [
            ("Ann", "Аnn"),  # Cyrillic А
            ("Ann", "ΑΝΝ"),  # Greek
            ("Olga", "Оlgа"),
            ("Bill", "BiII"),
            ("Bob 1", "Bob l"),
            ("Bo", "B0"),
            ("Сергей", "Cepгeй"),
        ],
    )
    def test_nobody_takes_a_name_that_looks_like_anothers(self, data, name, look_alike):
        accounts.add_person(data, name, PASSWORD, by="Root")
        with pytest.raises(Conflict, match=f"There is somebody called '{name}' already, which looks the same"):
            accounts.add_person(data, look_alike, PASSWORD, by="Root")
        _, secret = accounts.invite(data, "default", role="viewer", access=ADMIN)
        with pytest.raises(Conflict):
            accounts.accept_as_new(data, secret, look_alike, PASSWORD)
        for key in (look_alike, f"{name}\u200b", f"\u202e{name}"):
            with pytest.raises(Conflict):
                create_key(data, key, by="Root")

    def test_names_that_differ_to_the_eye_are_all_taken(self, data):
        names = ("Anna", "Анна", "Jürgen", "Jurgen", "Иван", "Ivan", "Νίκος", "Nikos", "山田", "person 1", "person 2")
        for name in names:
            accounts.add_person(data, name, PASSWORD, by="Root")
        assert len(accounts.list_people(data)) == len(names)

    def test_folding_is_stable(self):
        for name in ("ẞtraße", "ﬀ", "İstanbul", "Σίσυφος"):
            assert folded_name(folded_name(name)) == folded_name(name)
