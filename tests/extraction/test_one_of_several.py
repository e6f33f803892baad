"""What states several values, or one that is not exact, is never written."""

from __future__ import annotations

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.extraction.pipeline import extract

COUNT = Property(name="count", value_type="i64")
AMOUNT = Property(name="amount", value_type="f64")
LENGTH = Property(name="length", value_type="f64", unit="m")
DOSE = Property(name="dose", value_type="f64", unit="mg")
PRESSURE = Property(name="pressure", value_type="f64", unit="bar")
MASS = Property(name="mass", value_type="f64", unit="kg")
CLASS = Property(name="class", value_type="keyword", options=("T30", "T60", "T90"))
COLOUR = Property(name="colour", value_type="keyword", options=("red", "dark red", "white"))


@pytest.mark.parametrize(
    ("prop", "text", "value", "outcome"),
    [
        (COUNT, "Count: 12/24", 12, "review"),
        (COUNT, "Count: 12 / 24", 12, "review"),
        (COUNT, "Count: 5+", 5, "review"),
        (COUNT, "Count: 2 dozen", 24, "written"),
        (COUNT, "Count: 3 Dutzend", 36, "written"),
        (AMOUNT, "Amount (45.00)", 45.0, "review"),
        (AMOUNT, "Amount: five hundred (500.00)", 500.0, "written"),
        (LENGTH, "Length 10/12 m", 10.0, "review"),
        (LENGTH, "Length 1/2 m", 0.5, "written"),
        (DOSE, "Dose 5, 10 and 15 mg", 5.0, "review"),
        (DOSE, "Dose 5 or 10 mg", 5.0, "review"),
        (DOSE, "Dose 5 mg, 3 tablets", 5.0, "written"),
        (MASS, "Mass 7 kg-kg", 7.0, "review"),
        (MASS, "Mass 12 kg and height 14 cm", 12.0, "written"),
        (CLASS, "Class: T30/T90", "T30", "review"),
        (CLASS, "Class T30 or T60", "T30", "review"),
        (CLASS, "Class: T30", "T30", "written"),
        (COLOUR, "Colour: dark red / white", "dark red", "review"),
        (COLOUR, "Colour: dark red", "dark red", "written"),
    ],
)
def test_values_beside_each_other_go_to_a_person(prop: Property, text: str, value: object, outcome: str) -> None:
    settings = WorkflowSettings(collection="any", properties=(prop,), extractor=RulesExtractor())
    (read,) = extract(text, settings, Evidence()).values
    assert (read.value, read.outcome) == (value, outcome)


def test_a_division_sign_between_numbers_is_a_range() -> None:
    settings = WorkflowSettings(collection="any", properties=(PRESSURE,), extractor=RulesExtractor())
    (read,) = extract("Pressure 2÷3 bar", settings, Evidence()).values
    assert read.outcome == "invalid_value"
    assert "range" in (read.detail or "")
