"""Cases from the field, tried on the whole product; the number of each is its row in the list of such cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.field_cases.product import Product


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    made = Product(tmp_path)
    yield made
    made.close()
