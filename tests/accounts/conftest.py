"""People of a data folder: Ann, and what signs her in."""

from __future__ import annotations

import pytest

from reviewapp import accounts
from reviewapp.accounts import SignInLimits
from reviewapp.domain.people import Access, Grant
from reviewapp.store import DataFolder

PASSWORD = "three words do"
ADMIN = Access(name="Root", grants=(Grant(workspace="*", role="admin"),))


@pytest.fixture
def data(data_folder: DataFolder) -> DataFolder:
    data_folder.workspace("default", create=True)
    return data_folder


@pytest.fixture
def ann(data):
    return accounts.add_person(data, "Ann", PASSWORD, by="Root")


def sign_in(data, name="Ann", password=PASSWORD, *, limits=None, address="192.0.2.1", device=None):
    return accounts.sign_in(data, limits or SignInLimits(), name, password, address=address, device=device)
