"""Numbers and their units, read by the embedded reader from import to page."""

from __future__ import annotations

import pytest

from reviewapp.domain.workflows import Rules
from tests.field_cases.product import Product, Said, prop

CASES = [
    (19, "Summe 1.234,50 EUR", "EUR", 1234.5, "written"),
    (19, "Summe 1,234.50 EUR", "EUR", 1234.5, "written"),
    (19, "Summe 1.234 EUR", "EUR", 1234.0, "review"),
    (20, "sum 589,2MT/year", "t/year", 589.2, "review"),
    (22, "sum: 4.255.142 kg", "kg", 4255142.0, "written"),
    (22, "sum CHF 1'234.56", "CHF", 1234.56, "written"),
    (22, "sum CHF 1’234.56", "CHF", 1234.56, "written"),
    (22, "sum 12\u202f345,6 kg", "kg", 12345.6, "written"),
    (22, "sum 12,34,567.89 kg", "kg", 1234567.89, "written"),
    (23, "sum: R$ -2,00", None, -2.0, "written"),
    (23, "sum: -kr 6.645", None, -6645.0, "written"),
    (23, "sum: −$100,000.00", None, -100000.0, "written"),
    (23, "sum –€5.00", None, -5.0, "written"),
    (23, "sum: RM(0.02)", None, -0.02, "written"),
    (23, "sum: ($100.00)", None, -100.0, "review"),
    (23, "sum: 100,00- EUR", None, -100.0, "written"),
    (31, "sum = 1.5 × 10−3 s−1", "1/s", 0.0015, "written"),
    (31, "sum = 1.5e-3 s^-1", "1/s", 0.0015, "written"),
    (31, "sum = 1.5·10⁻³ 1/s", "1/s", 0.0015, "written"),
    (31, "sum = 1.5 x 10^-3 /s", "1/s", 0.0015, "written"),
    (31, "sum 2.23 × 1019 m−2", "1/m^2", 2.23e19, "review"),
    (31, "sum 2.23 × 10 19 m−2", "1/m^2", 2.23e19, "review"),
    (31, "sum = 6.67430(15)e-11", None, 6.6743e-11, "written"),
    (35, "sum 5 µg", "mg", 0.005, "written"),
    (35, "sum 5 μg", "mg", 0.005, "written"),
    (35, "sum 5 ug", "mg", 0.005, "written"),
    (35, "sum 5 mcg", "mg", 0.005, "written"),
    (35, "sum 5 Mikrogramm", "mg", 0.005, "written"),
    (37, "sum 11 kV", "V", 11000.0, "written"),
    (37, "sum 3 cm3", "cm³", 3.0, "written"),
    (37, "sum 4 cm^3", "cm³", 4.0, "written"),
    (37, "sum 1 cc", "cm³", 1.0, "written"),
    (37, "sum 2 ml", "cm³", 2.0, "written"),
    (38, "sum 5 gramm", "g", 5.0, "written"),
    (38, "sum 20 degrees C", "°C", 20.0, "written"),
    (38, "sum 3 inchy", "cm", 3.0, "review"),
    (38, "Summe 60 Zentimeter", "mm", 600.0, "written"),
    (38, "sum 12 milímetros", "cm", 1.2, "written"),
    (38, "sum 5 Kubikzentimeter", "ml", 5.0, "written"),
    (38, "sum 2 chilogrammi", "g", 2000.0, "written"),
    (38, "sum 3 Deziliter", "l", 0.3, "written"),
    (38, "sum 7,2 l/100 km", "l/100km", 7.2, "written"),
    (38, "sum 0,24 W/(m²K)", "W/(m²·K)", 0.24, "written"),
    (38, "sum 75 kWh/m²a", "kWh/(m²a)", 75.0, "written"),
    (31, "sum = 2.998E8 m/s", "m/s", 2.998e8, "written"),
    (40, "sum 5¹/₂ in", "mm", 139.7, "written"),
    (41, "sum half a mile", "m", 804.672, "written"),
    (41, "Summe: ein halber Liter", "ml", 500.0, "written"),
    (41, "Summe: anderthalb Stunden", "min", 90.0, "written"),
    (41, "sum two and a half hours", "min", 150.0, "written"),
    (23, "sum: - 45.00 EUR", "EUR", 45.0, "review"),
    (38, "sum 7 cm+cm", "cm", 7.0, "review"),
    (41, "sum is 1 in", "mm", 25.4, "written"),
    (41, "sum 5 ft 10 in", "cm", 177.8, "written"),
    (41, "sum 5′10″", "cm", 177.8, "written"),
]


@pytest.mark.parametrize(("row", "text", "unit", "value", "outcome"), CASES)
def test_a_labelled_number(product: Product, row: int, text: str, unit: str | None, value: float, outcome: str) -> None:
    product.read({"a": text}, [prop("sum", unit=unit, aliases=("Summe",))])
    found = product.values()["a", "sum"]
    assert (found.value, found.outcome) == (pytest.approx(value, rel=1e-12), outcome), row
    assert (found.unconfirmed is None) == (outcome == "written"), row
    product.check_spans()


def test_19_two_decimal_marks_in_one_collection_leave_the_third_open(product: Product) -> None:
    texts = {"a": "Summe 1.234,50 EUR", "b": "Summe 1,234.50 EUR", "c": "Summe 1.234 EUR"}
    product.read(texts, [prop("Summe", unit="EUR")])
    found = product.values()
    assert [found[name, "Summe"].value for name in "ab"] == [1234.5, 1234.5]
    assert found["c", "Summe"].unconfirmed == "'1.234' can be read as 1.234 or 1234."


def test_19_the_rules_settle_it(product: Product) -> None:
    product.read({"a": "Summe 1.234 EUR"}, [prop("Summe", unit="EUR")], rules=Rules(decimal_mark="."))
    found = product.values()["a", "Summe"]
    assert (found.value, found.unconfirmed) == (1.234, None)


def test_19_money_of_comma_countries_is_not_read_in_mills_because_other_texts_write_points(product: Product) -> None:
    texts = {"a": "Summe 1.234 EUR", "b": "width 3.5 cm", "c": "width 4.75 cm"}
    product.read(texts, [prop("Summe", unit="EUR")])
    found = product.values()["a", "Summe"]
    assert (found.value, found.outcome) == (1234.0, "review")


@pytest.mark.parametrize("others", [[], ["width 3.5 cm", "width 4.5 cm"], ["width 3.5 cm", "Breite 3,5 cm"]])
def test_a_reading_beyond_the_bounds_gives_way_to_the_one_within(product: Product, others: list[str]) -> None:
    texts = {"a": "Die Breite beträgt 2.010 mm."} | {f"o{i}": text for i, text in enumerate(others)}
    product.read(texts, [prop("width", unit="cm", aliases=("Breite",), minimum=20, maximum=1000)])
    found = product.values()["a", "width"]
    assert (found.value, found.outcome, found.stated) == (201.0, "review", "2.010 mm")
    assert found.unconfirmed == "The number can also be read as 2.01; only 201 cm is within 20 to 1000."


def test_a_reading_that_the_rules_settle_stays_beyond_the_bounds(product: Product) -> None:
    width = prop("width", unit="cm", aliases=("Breite",), minimum=20, maximum=1000)
    product.read({"a": "Breite 2.010 mm"}, [width], rules=Rules(decimal_mark="."))
    assert product.values()["a", "width"].outcome == "invalid_value"


@pytest.mark.parametrize(
    ("row", "text", "value"),
    [
        (34, "ambient 25 °C", 298.15),
        (34, "temperature rise of 25 °C", 25.0),
        (34, "Temperaturanstieg von 25 °C", 25.0),
        (34, "Temperaturunterschied: 25 °C", 25.0),
        (34, "élévation de température de 25 °C", 25.0),
        (34, "temperature difference 45 °F", 25.0),
        (34, "Temperatur 25 Grad Celsius", 298.15),
    ],
)
def test_34_differences_get_no_offset(product: Product, row: int, text: str, value: float) -> None:
    aliases = ("ambient", "Temperatur", "Temperaturanstieg", "Temperaturunterschied", "élévation de température")
    product.read({"a": text}, [prop("temperature", unit="K", aliases=aliases)])
    assert product.values()["a", "temperature"].value == pytest.approx(value)


def test_34_rates_get_none_either(product: Product) -> None:
    product.read({"a": "heating rate 2 K/min"}, [prop("heating rate", unit="°C/min")])
    assert product.values()["a", "heating rate"].value == 2


@pytest.mark.parametrize(
    "words",
    [
        "up to 600 mm", "max. 600 mm", "at least 600 mm", "mind. 600 mm", "min 600 mm", "bis 600 mm", "ab 600 mm",
        "nicht größer als 600 mm", "grösser als 600 mm", "≤ 600 mm", "<600 mm", "approx. 600 mm", "ca. 600 mm",
        "aprox. 600 mm", "env. 600 mm", "maximaal 600 mm", "máx. 600 mm", "até 600 mm", "co najmniej 600 mm",
        "600 mm or less", "600 mm oder größer", "600 mm max.", "~600 mm", "более 600 mm",
    ],
)  # fmt: skip
def test_43_a_bound_or_an_estimate_is_never_written(product: Product, words: str) -> None:
    product.read({"a": f"Width {words}"}, [prop("width", unit="cm")])
    found = product.values()["a", "width"]
    assert (found.value, found.outcome) == (60.0, "review")
    assert found.unconfirmed is not None


@pytest.mark.parametrize(
    ("text", "range"),
    [
        ("energy: beams at 12.8–13.0 TeV", "range 12.8 to 13"),
        ("energy 12.8-13.0 TeV", "range 12.8 to 13"),
        ("Energie von 12,8 bis 13 TeV", "range 12.8 to 13"),
        ("energy between 12.8 and 13.0 TeV", "range 12.8 to 13"),
        ("Energie von 12,8 auf 13 TeV", "range 12.8 to 13"),
    ],
)
def test_43_a_range_is_no_value(product: Product, text: str, range: str) -> None:
    product.read({"a": text}, [prop("energy", unit="TeV", aliases=("Energie",))])
    found = product.values()["a", "energy"]
    assert (found.value, found.outcome) == (None, "invalid_value")
    assert range in (found.detail or "")


@pytest.mark.parametrize(("value", "text"), [(12.9, "beams at 12.8–13.0 TeV"), (21.5, "drop to 18 to 25 percent")])
def test_43_the_middle_of_a_range_is_not_in_the_quote(product: Product, value: float, text: str) -> None:
    product.read({"a": text}, [prop("p")], {"a": [("p", value, text)]})
    assert product.values()["a", "p"].outcome == "quote_not_found"


def test_23_a_stub_that_drops_the_minus_is_not_believed(product: Product) -> None:
    product.read({"a": "Credit −$100,000.00"}, [prop("credit")], {"a": [("credit", 100000, "−$100,000.00")]})
    assert product.values()["a", "credit"].outcome == "quote_not_found"


def test_40_dimensions_share_their_unit(product: Product) -> None:
    text = "18 1/4 x 4 1/4 in"
    said: list[Said] = [("width", "18 1/4 in", text), ("height", "4 1/4 in", text)]
    product.read({"a": text}, [prop("width", unit="mm"), prop("height", unit="mm")], {"a": said})
    found = product.values()
    assert (found["a", "width"].value, found["a", "height"].value) == (463.55, 107.95)


@pytest.mark.parametrize(
    ("text", "width", "height"),
    [
        ("size (width x height): 18 1/4 x 4 1/4 in", 463.55, 107.95),
        ('width x height 18 1/4" x 4 1/4"', 463.55, 107.95),
        ("Höhe x Breite: 400 x 600 mm", 600.0, 400.0),
    ],
)
def test_40_labels_go_in_step_with_dimensions(product: Product, text: str, width: float, height: float) -> None:
    properties = [prop("width", unit="mm", aliases=("Breite",)), prop("height", unit="mm", aliases=("Höhe",))]
    product.read({"a": text}, properties)
    found = product.values()
    assert (found["a", "width"].value, found["a", "height"].value) == (width, height)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Certified: ☐ yes ☒ no", {False}), ("Certified: ☒ yes ☐ no", {True}), ("Certified: yes / no", set())],
)
def test_25_boxes_say_what_is_ticked(product: Product, text: str, expected: set[bool]) -> None:
    product.read({"a": text}, [prop("certified", "bool")])
    assert {value.value for value in product.values().values()} == expected


@pytest.mark.parametrize(
    "text", ["length: its a mix", "length a axy", "length: half of it", "length in half time", "length: media hora"]
)
def test_41_words_are_no_lengths(product: Product, text: str) -> None:
    product.read({"a": text}, [prop("length", unit="mm")])
    assert product.values() == {}


@pytest.mark.parametrize("text", ["length seen in 2 in 5 patients", "length: 2 in 5 patients"])
def test_41_in_behind_a_number_is_not_always_an_inch(product: Product, text: str) -> None:
    product.read({"a": text}, [prop("length", unit="mm")])
    assert all(v.outcome != "written" and v.value != 50.8 for v in product.values().values())


def test_44_two_values_of_one_list(product: Product) -> None:
    text = "the two groups got 5 and 6 mg, respectively"
    said: list[Said] = [("a", "5 mg", "5 and 6 mg"), ("b", "6 mg", "5 and 6 mg"), ("mean", 5.5, "5 and 6 mg")]
    product.read({"t": text}, [prop(n, unit="mg") for n in ("a", "b", "mean")], {"t": said})
    found = product.values()
    assert (found["t", "a"].value, found["t", "b"].value) == (5.0, 6.0)
    assert found["t", "mean"].outcome == "quote_not_found"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Total:9.00Cash:10.00Change1.00", {"total": 9.0, "cash": 10.0, "change": 1.0}),
        ("Net 12 kgGross 15 kg", {"net": 12.0, "gross": 15.0}),
        ("Netto 12kgBrutto 15kg", {"net": 12.0, "gross": 15.0}),
    ],
)
def test_32_things_run_together(product: Product, text: str, values: dict[str, float]) -> None:
    unit = "kg" if "kg" in text else None
    aliases = {"net": ("Netto",), "gross": ("Brutto",)}
    product.read({"a": text}, [prop(name, unit=unit, aliases=aliases.get(name, ())) for name in values])
    assert {name: value.value for (_, name), value in product.values().items()} == values


def test_29_codes_and_decimals_keep_their_printing(product: Product) -> None:
    properties = [prop("firmware", "keyword"), prop("acidity")]
    product.read({"a": "Firmware 1.10\nAcidity 7.0"}, properties)
    found = product.values()
    assert found["a", "firmware"].value == "1.10"
    assert (found["a", "acidity"].value, found["a", "acidity"].quote) == (7.0, "Acidity 7.0")
