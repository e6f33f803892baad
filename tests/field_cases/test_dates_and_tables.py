"""Dates, and values in tables and forms, from import to page."""

from __future__ import annotations

import pytest

from tests.field_cases.product import Product, Said, prop

DAY = prop("date", "date", aliases=("Datum", "fecha", "valid from", "data"))


def days(product: Product, texts: dict[str, str]) -> dict[str, tuple[object, str]]:
    product.read(texts, [DAY])
    return {record: (value.value, value.outcome) for (record, _), value in product.values().items()}


def test_17_a_lone_date_of_two_readings_goes_to_a_person(product: Product) -> None:
    product.read({"a": "משקל נטו: 250 גרם, תאריך 03/04/2024"}, [prop("date", "date", aliases=("תאריך",))])
    found = product.values()["a", "date"]
    assert (found.value, found.outcome) == ("2024-04-03", "review")
    assert found.unconfirmed == "'03/04/2024' can be read as 2024-04-03 or 2024-03-04"


def test_46_one_date_settles_the_order_of_its_set(product: Product) -> None:
    read = days(product, {"a": "Date 3/10/2016", "b": "Date 11/27/2017"})
    assert read == {"a": ("2016-03-10", "written"), "b": ("2017-11-27", "written")}


def test_47_one_order_in_one_text(product: Product) -> None:
    text = "Date of order: 19/04/2018\nDate of delivery: 05/04/2018"
    product.read({"a": text}, [prop("date of order", "date"), prop("date of delivery", "date")])
    assert [v.value for v in product.values().values()] == ["2018-04-19", "2018-04-05"]


@pytest.mark.parametrize(
    "text",
    ["Valid from 2018-10", "Date --/--/1963", "Date: 2004-11", "Datum: 10/2018", "Date: March 2020", "Date: 2018"],
)
def test_49_a_date_without_its_day_is_never_filled_in(product: Product, text: str) -> None:
    assert days(product, {"a": text}) == {}


@pytest.mark.parametrize(("text", "said"), [("Valid from 2018-10", "2018-10"), ("Born --/--/1963", "--/--/1963")])
def test_49_what_is_missing_is_said(product: Product, text: str, said: str) -> None:
    product.read({"a": text}, [DAY], {"a": [("date", said, said)]})
    found = product.values()["a", "date"]
    assert (found.value, found.outcome) == (None, "invalid_value")
    assert "day missing" in (found.detail or "")


@pytest.mark.parametrize(
    "text",
    [
        "Date: open 22-23 February", "Date: part no. 1A2B", "Date: 22-23 February 2024", "Datum: 22.-23. Februar 2024",
        "Date: February 22-23, 2024", "Date: 22nd and 23rd of February 2024", "fecha: 22 al 23 de febrero de 2024",
        "Datum: 22.-23.02.2024", "Date: 31/02/2024", "Date: 29.02.2023", "Date: 2024年2月22日～23日",
    ],
)  # fmt: skip
def test_50_no_day_or_several_days_are_no_date(product: Product, text: str) -> None:
    assert days(product, {"a": text}) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Datum: 3. März 2024", "Date: 3rd of March, 2024", "fecha: 3 de marzo de 2024", "date : 3 mars 2024",
        "Date: 2024年3月3日", "Datum: 03.03.24", "Date: Mar 3rd 2024", "Date: 20240303", "Date: 2024/3/3",
        "data: 3 марта 2024", "Date: 2024-03-03T23:59:00Z", "Date: 03-MAR-2024", "Date: Sunday, 3 March 2024, 10:15",
    ],
)  # fmt: skip
def test_a_full_date_in_any_writing(product: Product, text: str) -> None:
    assert days(product, {"a": text}) == {"a": ("2024-03-03", "written")}
    product.check_spans()


def test_109_a_line_of_a_bank_statement(product: Product) -> None:
    text = "07.01.2025 Direct debit ACME  304-0000   49,90"
    said: list[Said] = [("date", "07.01.2025", "07.01.2025"), ("amount", "49,90", "49,90")]
    product.read({"a": text}, [prop("date", "date"), prop("amount")], {"a": said})
    assert [v.value for v in product.values().values()] == ["2025-01-07", 49.9]
    product.check_spans()


def test_109_the_embedded_reader_takes_neither_the_reference_nor_the_day_for_the_amount(product: Product) -> None:
    text = "07.01.2025 Direct debit ACME  304-0000   49,90"
    product.read({"a": text}, [prop("date", "date"), prop("amount")])
    found = {name: v.value for (_, name), v in product.values().items()}
    assert found.pop("amount", 49.9) == 49.9
    assert found == {"date": "2025-01-07"}


@pytest.mark.parametrize(
    "text",
    [
        "Net weight   Gross weight\n12 kg        15 kg",
        "Gross weight   Net weight\n15 kg          12 kg",
        "Net weight\tGross weight\n12 kg\t15 kg",
        "Item      Net weight (kg)   Gross weight (kg)\nBolt M8   12                15",
    ],
)
def test_110_columns_stay_apart(product: Product, text: str) -> None:
    product.read({"a": text}, [prop("net weight", unit="kg"), prop("gross weight", unit="kg")])
    found = product.values()
    assert (found["a", "net weight"].value, found["a", "gross weight"].value) == (12.0, 15.0)
    product.check_spans()


@pytest.mark.parametrize(
    ("text", "said", "unconfirmed"),
    [
        ("Date: 24-03-05", None, "'24-03-05' can be read as 2005-03-24 or 2024-03-05"),
        (
            "Datum 01.02.2024 - 03.02.2024",
            None,
            "'01.02.2024 - 03.02.2024' is a span of days, not a single one",
        ),
        ("Date: 2024-03-05/2024-03-07", None, "'2024-03-05/2024-03-07' is a span of days, not a single one"),
        ("Datum: ca. 5. März 2024", None, "'ca. 5. März 2024' is no exact day"),
        ("Datum ca. 01.02.2024", "01.02.2024", "'ca. 01.02.2024' is no exact day"),
        (
            "Datum 01.02.2024 bis 03.02.2024",
            "03.02.2024",
            "'01.02.2024 bis 03.02.2024' is a span of days, not a single one",
        ),
    ],
)
def test_a_day_that_the_text_leaves_open_goes_to_a_person(
    product: Product, text: str, said: str | None, unconfirmed: str
) -> None:
    product.read({"a": text}, [DAY], {"a": [("date", said, said)]} if said else None)
    found = product.values()["a", "date"]
    assert (found.outcome, found.unconfirmed) == ("review", unconfirmed)


@pytest.mark.parametrize(
    "words",
    ["5.III.2024", "2024-W10-2", "fifth day of March, 2024", "1st day of the month of March 2024", "5 fév. 2024"],
)
def test_other_ways_of_writing_a_day(product: Product, words: str) -> None:
    day = "2024-02-05" if "fév" in words else "2024-03-01" if words.startswith("1st") else "2024-03-05"
    assert days(product, {"a": f"Date: {words}"}) == {"a": (day, "written")}
