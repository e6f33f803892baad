"""Whether a quote states a value."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.stated import Stated, number_missing, stated

LENGTH = {"value_type": "f64", "unit": "cm"}
BARE = {"value_type": "f64"}
COUNT = {"value_type": "i64"}
COLOUR = {"value_type": "keyword", "options": ("grey", "light grey", "white")}

CASES: list[tuple[dict[str, Any], Value, str, float, int]] = [
    # property, value, quote, share, rivals
    (LENGTH, 60.0, "600 mm", 1, 0),
    (LENGTH, 60.0, "width 60", 1, 0),
    (LENGTH, 60.0, "600 mm x 400 mm", 1, 1),
    (LENGTH, 60.0, "600 mm, 12 kg", 1, 0),
    (LENGTH, 60.0, "500 mm", 0, 1),
    (LENGTH, 60.0, "6 kg", 0, 0),
    (BARE, 0.5, "½ cup", 1, 0),
    (BARE, 5.0, "five", 1, 0),
    (BARE, 1234.5, "1.234,50 EUR", 1, 0),
    (BARE, 1.234, "1.234", 1, 0),
    (BARE, 1234.0, "1.234", 1, 0),
    (BARE, -3.5, "−3.5 K", 1, 0),
    (BARE, 3.5, "−3.5 K", 0, 1),
    ({"value_type": "f64", "unit": "EUR"}, 129.0, "Refund   -€129.00", 0, 1),
    ({"value_type": "f64", "unit": "EUR"}, -129.0, "Refund   -€129.00", 1, 0),
    (BARE, 12.9, "12.8–13.0 TeV", 0, 2),
    (COUNT, 2024, "Order 2024-02", 1, 0),
    (COUNT, 9223372036854775807, "9223372036854775807", 1, 0),
    (COUNT, 9223372036854775806, "9223372036854775807", 0, 1),
    ({"value_type": "f64", "unit": "K"}, 298.15, "25 °C", 1, 0),
    ({"value_type": "f64", "unit": "K"}, 25.0, "a rise of 25 °C", 1, 0),
    ({"value_type": "f64", "unit": "MYR"}, 9.0, "RM 9.00", 1, 0),
    ({"value_type": "date"}, "2024-02-03", "3 February 2024", 1, 0),
    ({"value_type": "date"}, "2024-02-03", "03/02/2024 to 05/02/2024", 1, 1),
    ({"value_type": "date"}, "2024-02-03", "4 February 2024", 0, 1),
    ({"value_type": "bool"}, True, "Certified: yes", 1, 0),
    ({"value_type": "bool"}, False, "Certified: yes", 0, 1),
    ({"value_type": "bool"}, False, "not certified", 1, 0),
    ({"value_type": "bool"}, True, "with balcony", 0.5, 0),
    (COLOUR, "white", "White, matt", 1, 0),
    (COLOUR, "light grey", "light grey", 1, 0),
    (COLOUR, "grey", "grey or white", 1, 1),
    (COLOUR, "white", "snow", 0.5, 0),
    ({"value_type": "text"}, "Acme Ltd.", "by ACME  Ltd", 1, 0),
    ({"value_type": "text"}, "Acme Holding", "by Acme", 0.45, 0),
    ({"value_type": "text"}, "Acme", "Beta", 0, 0),
    ({"value_type": "keyword"}, "EUR", "€ 12.00", 1, 0),
    ({"value_type": "keyword"}, "USD", "€ 12.00", 0, 0),
    ({"value_type": "keyword"}, "AB-12", "AB 12", 1, 0),
    ({"value_type": "keyword"}, "Lightgrey", "light grey", 0.9, 0),
    ({"value_type": "keyword"}, "AB12", "AB 12", 1, 0),
    ({"value_type": "keyword"}, "保证金", "保证金5000元", 1, 0),
    ({"value_type": "text"}, "—", "a — b", 1, 0),
]


@pytest.mark.parametrize(("prop", "value", "quote", "share", "rivals"), CASES)
def test_stated(prop: dict[str, Any], value: Value, quote: str, share: float, rivals: int) -> None:
    found = stated(Property(name="p", **prop), value, quote, Rules(), Evidence())
    assert found == Stated(pytest.approx(share), rivals)


MISSING: list[tuple[dict[str, Any], Value, str, str | None]] = [
    (LENGTH, 60.0, "600 mm", None),
    (LENGTH, 61.0, "600 mm x 400 mm", "The quote does not state 61 cm; it has 600 mm, 400 mm."),
    (COUNT, 129, "Refund   -€129.00", "The quote does not state 129; it has -€129.00."),
    (COUNT, 12, "Doc 2024-02", "The quote does not state 12; it has 2024, 02."),
    (COUNT, 1234567, "no figures", "The quote does not state 1234567; it has no number."),
    ({"value_type": "text"}, "Acme", "Beta", None),
    ({"value_type": "bool"}, True, "Beta", None),
]


@pytest.mark.parametrize(("prop", "value", "quote", "detail"), MISSING)
def test_number_that_is_not_in_its_quote(prop: dict[str, Any], value: Value, quote: str, detail: str | None) -> None:
    assert number_missing(Property(name="p", **prop), value, quote, Rules(), Evidence()) == detail
