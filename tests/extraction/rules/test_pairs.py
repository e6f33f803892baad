"""Several label–value pairs on one line: each property reads its own number, never a neighbour's."""

from __future__ import annotations

from itertools import permutations

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.tests import ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract

FLOWS = {"flow tank": 5.0, "flow mixer": 6.0, "flow spare": 7.0}
PARTS = ["; ", ", ", " | ", "\t", " / ", "  ", " and ", ", and "]
SIDES = ["{label} {value:g} l/min", "{label}: {value:g} l/min", "{label} = {value:g} l/min", "{value:g} l/min {label}"]


def number(name: str, unit: str | None = None) -> Property:
    return Property(name=name.replace(" ", "_"), value_type="f64", unit=unit)


def read(text: str, *properties: Property) -> dict[str, ReadValue]:
    result = extract(text, WorkflowSettings(collection="any", properties=properties), Evidence())
    assert result.failed is None
    return {value.property: value for value in result.values}


@pytest.mark.parametrize("pair", SIDES)
@pytest.mark.parametrize("part", PARTS)
def test_each_number_goes_with_its_own_label(part: str, pair: str) -> None:
    line = part.join(pair.format(label=label, value=value) for label, value in FLOWS.items())
    for names in (*permutations(FLOWS, 1), *permutations(FLOWS, 2), *permutations(FLOWS)):
        values = read(line, *(number(name, "l/min") for name in names))
        assert {name: v.value for name, v in values.items()} == {n.replace(" ", "_"): FLOWS[n] for n in names}, line


@pytest.mark.parametrize(
    ("line", "name", "unit", "value"),
    [
        ("Technical data: net weight 12 kg; gross weight 15 kg; tare 3 kg", "gross weight", "kg", 15.0),
        ("Breite 600 mm, Höhe 400 mm, Tiefe 300 mm.", "Höhe", "mm", 400.0),
        ("230 V rated voltage, 253 V maximum voltage, 1500 V test voltage", "maximum voltage", "V", 253.0),
        ("rated voltage 230 V, maximum voltage 253 V, test voltage 1500 V", "test voltage", "V", 1500.0),
        ("pressure inlet 3 bar; temperature inlet 20 °C; temperature outlet 45 °C", "temperature outlet", "°C", 45.0),
        ("Flow tank is 5 l/min. Flow mixer is 6 l/min. Flow spare is 7 l/min.", "flow spare", "l/min", 7.0),
        ("ordered 40; delivered 38; missing 2", "delivered", None, 38.0),
    ],
)
def test_lines_of_pairs(line: str, name: str, unit: str | None, value: float) -> None:
    assert [v.value for v in read(line, number(name, unit)).values()] == [value]


def test_labels_that_nobody_knows_leave_the_only_number_of_the_unit_readable() -> None:
    assert read("Messpunkt 20 °C; Vorlauf 3 bar", number("temperature", "°C"))["temperature"].value == 20


@pytest.mark.parametrize("part", ["; ", ", ", " | "])
def test_words_end_where_the_next_pair_begins(part: str) -> None:
    properties = (Property(name="material"), Property(name="colour"))
    values = read(part.join(["Colour: red", "Material: stainless steel", "Finish: matt"]), *properties)
    assert {name: v.value for name, v in values.items()} == {"colour": "red", "material": "stainless steel"}


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("width 1", "width 2", "width 3"), "Width 1: 5 mm\nWidth 2: 6 mm\nWidth 3: 7 mm"),
        (("width1", "width2", "width3"), "width1 = 5 mm; width2 = 6 mm; width3 = 7 mm"),
        (
            ("pump_1_length", "pump_2_length", "pump_12_length"),
            "Pump 12 length 7 mm, pump 1 length 5 mm, pump 2 length 6 mm",
        ),
        (("width", "width 2", "width 3"), "Width 3: 7 mm\nWidth: 5 mm\nWidth 2: 6 mm"),
    ],
)
def test_names_that_only_a_number_tells_apart(names: tuple[str, ...], text: str) -> None:
    values = read(text, *(Property(name=name, value_type="f64", unit="mm") for name in names))
    assert [values[name].value for name in names] == [5.0, 6.0, 7.0]


def test_a_number_in_a_name_is_not_read_as_its_value() -> None:
    names = [f"property {number:03d}" for number in range(40)]
    text = "\n".join(f"{name}: {100 + number} mm" for number, name in enumerate(names))
    values = read(text, *(Property(name=name, value_type="f64", unit="mm") for name in names))
    assert [values[name].value for name in names] == [100.0 + number for number in range(40)]


def test_without_the_number_a_label_names_neither() -> None:
    values = read("Width: 5 mm", *(Property(name=f"width {n}", value_type="f64", unit="mm") for n in (1, 2)))
    assert all(value.outcome != "written" for value in values.values())


@pytest.mark.parametrize(
    "text", ["The pump has an impeller of 180 mm.", "Plate gauge: 180 mm", "Pump P1\nImpeller: 180 mm\nBearing: SKF"]
)
def test_a_number_that_nothing_names_is_looked_at_by_a_person(text: str) -> None:
    value = read(text, number("width", "mm"))["width"]
    assert (value.value, value.outcome) == (180.0, "review")


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        ("Summe EUR                   9,90\nGegeben bar 20,00", "written", None),
        ("TOTAL  €          9.90", "written", None),
        ("Summe USD        9,90", "review", "The text states 'USD', which cannot be told in EUR."),
        ("Summe 9,90", "review", "The text states no unit; the property is in EUR."),
    ],
)
def test_a_currency_stands_before_its_amount_as_far_away_as_columns_are(
    text: str, outcome: str, detail: str | None
) -> None:
    value = read(text, Property(name="total", value_type="f64", unit="EUR"))["total"]
    assert (value.value, value.outcome, value.unconfirmed) == (9.9, outcome, detail)
