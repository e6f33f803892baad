"""What is read but not written: a person looks first."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract


def outcome(text: str, *properties: Property) -> tuple[Value | None, str]:
    """Of the first property: what is read, and what becomes of it."""
    values = extract(text, WorkflowSettings(collection="any", properties=properties), Evidence()).values
    found = next((v for v in values if v.property == properties[0].name), None)
    return (found.value, found.outcome) if found else (None, "none")


def number(name: str, unit: str | None = None, **more: Any) -> Property:
    return Property(name=name, value_type="f64", unit=unit, **more)


def day(name: str) -> Property:
    return Property(name=name, value_type="date")


ADMISSION = "Bei Aufnahme Temperatur 38,9 °C, Puls 104/min.\n"
SAMPLE = "Sample B07    Moisture 12.6 %    Protein 10.9 %\n"
ROW = "Model    Width   Height\nB-200    450 mm  820 mm\n"
PUMP = "Pump 1\n  Pressure: 3 bar\n"

NOT_WRITTEN: dict[str, tuple[str, list[Property]]] = {
    "the like of another time": (
        ADMISSION,
        [number("temperatur_entlassung", "°C"), number("temperatur_aufnahme", "°C")],
    ),
    "the like of another sample": (SAMPLE, [number("a12_moisture", "%", aliases=("Sample A12 moisture",))]),
    "another row": (ROW, [number("a_100_width", "mm", aliases=("A-100 width",))]),
    "the row of another article": (
        "Art.-Nr.  Länge  Preis\n4711-32   32 mm  9,15 €\n",
        [number("4711_20_laenge", "mm", aliases=("4711-20 Länge",))],
    ),
    "another section": (PUMP, [number("pump_2_pressure", "bar")]),
    "a word that only says when": (
        "Die Kündigungsfrist beträgt nach Ablauf der Probezeit drei Monate zum Quartalsende.",
        [Property(name="probezeit", value_type="i64", unit="month")],
    ),
    "a day that nothing names": ("Das Arbeitsverhältnis beginnt am 1. Februar 2027.", [day("befristet_bis")]),
    "a day that something else names": ("Auftrag vom 15.06.2026\nReferenz 77", [day("faellig_am")]),
    "a label that goes on": ("03-Nov  Room charge   189.00\n04-Nov  Restaurant    46.50\n", [Property(name="room")]),
    "a firm with its town": ("Manufacturer: Kranz AG, Bern\n", [Property(name="manufacturer")]),
    "one colour or the other": ("Colour: red or blue\n", [Property(name="colour")]),
    "not this one": ("Colour: not red\n", [Property(name="colour")]),
    "two people": ("Manager: John Doe / Jane Roe\n", [Property(name="manager")]),
    "who it was": ("Supplier: formerly Foo GmbH, now Bar GmbH\n", [Property(name="supplier")]),
    "two addresses": ("Email: a@x.example, b@x.example\n", [Property(name="email", value_type="keyword")]),
    "two numbers to call": ("Phone: +49 30 1234567 / +49 30 7654321\n", [Property(name="phone", value_type="keyword")]),
    "two countries": ("Country: Germany / Austria\n", [Property(name="country")]),
    "two weights": ("Weight: 5 kg\nWeight: 7 kg\n", [number("weight", "kg")]),
    "two days": ("Date: 01.02.2026\nDate: 05.02.2026\n", [day("date")]),
    "the label of somebody else's": ("Ihr Zeichen: AB-12\n", [Property(name="unser_zeichen", value_type="keyword")]),
    "the label of what follows": ("Order of 12.03.2026. Delivery: as agreed\n", [day("delivery")]),
    "an answer to something else": ("Pets allowed; no smoking.\n", [Property(name="pets_allowed", value_type="bool")]),
    "a name with an address": (
        "Intestatario: Paolo Ferri - Via Garibaldi 44, 40121 Bologna\n",
        [Property(name="intestatario")],
    ),
    "what a result is held against": (
        "Test             Limit     Result\nLoss on drying   0.5 %     0.12 %\n",
        [number("loss_on_drying", "%")],
    ),
    "another sentence behind it": ("Laboratory: GeoTest Ltd. Sampled 3 Nov 2026.\n", [Property(name="laboratory")]),
    "a sentence as a party": (
        'This Services Agreement (the "Agreement") is entered into as of March 3, 2026, of Norway ("Consultant").',
        [Property(name="consultant")],
    ),
}


@pytest.mark.parametrize("why", NOT_WRITTEN)
def test_is_not_written(why: str) -> None:
    text, properties = NOT_WRITTEN[why]
    assert outcome(text, *properties)[1] != "written"


@pytest.mark.parametrize(
    ("text", "properties", "value"),
    [
        (ADMISSION, [number("temperatur_aufnahme", "°C"), number("temperatur_entlassung", "°C")], 38.9),
        (SAMPLE, [number("b07_moisture", "%", aliases=("Sample B07 moisture",))], 12.6),
        (ROW, [number("b_200_width", "mm", aliases=("B-200 width",))], 450),
        ("Open circuit voltage (OCV) 1.02 V.", [number("open_circuit_voltage", "V"), number("voltage", "V")], 1.02),
        ("Farbe................RAL 7016 anthrazitgrau\n", [Property(name="farbe")], "RAL 7016 anthrazitgrau"),
        ("Patient: Karl-Heinz Brandt, geb. 11.02.1951\n", [Property(name="patient")], "Karl-Heinz Brandt"),
        ("Patient: Ada Byron (born 10 December 1815)\n", [Property(name="patient")], "Ada Byron"),
        ("Ansprechpartner: Ada Byron <ada@b.example>\n", [Property(name="betreuer", aliases=("Ansprechpartner",))],
         "Ada Byron"),
        ("Lieferant: Pohl GmbH, Baunatal\nKunde: Meier KG, Ulm\n", [Property(name="lieferant")], "Pohl GmbH"),
    ],
)  # fmt: skip
def test_is_written(text: str, properties: list[Property], value: Value) -> None:
    assert outcome(text, *properties) == (value, "written")
