"""Whole papers of several trades, as the embedded reader reads them without having learnt anything."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property, Value, ValueType
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract


def read(text: str, *properties: Property) -> dict[str, Value | None]:
    """What is written or goes to a person."""
    result = extract(text, WorkflowSettings(collection="any", properties=properties), Evidence())
    assert result.failed is None
    return {v.property: v.value for v in result.values if v.outcome in ("written", "review")}


def letters(value: object) -> object:
    return "".join(c for c in value.casefold() if c.isalnum()) if isinstance(value, str) else value


def prop(name: str, value_type: ValueType = "text", unit: str | None = None, *aliases: str, **more: Any) -> Property:
    return Property(name=name, value_type=value_type, unit=unit, aliases=aliases, **more)


Case = tuple[Property, Value | None]

TENDER = """\
Ausschreibung Los 3 Heizungsanlage
Vergabe-Nr. 2026/0417-B
Vergabestelle: Landratsamt Tuttlingen
Ende der Angebotsfrist: Dienstag, den 9. Februar 2027
Geschätzter Auftragswert netto 1,2 Mio. EUR
Wärmeleistung: 450 kW
Vorlauftemperatur 70 °C, Rücklauftemperatur 50 °C
Nebenangebote: nicht zugelassen
Nebenkosten in Höhe von 310 €
"""
LETTERHEAD = """\
Northwind Traders Ltd                         Invoice No:   INV-20933
Unit 7, Harbour Road                          Date:         03 Nov 2026
Bristol BS1 6XN                               Due:          03 Dec 2026

Bill to: Contoso Bakery plc, 12 High Street, Bath BA1 5AE

Flour 25kg     10          £18.40     £184.00
                         Subtotal     £184.00
                         VAT @ 20%     £36.80
                         Total due    £220.80
"""
RECHNUNG = """\
Rechnung Nr. RE-2026-1183
Zwischensumme                                                 483,80
zzgl. 19 % MwSt                                                91,92
Rechnungsbetrag                                               575,72
"""
CONTRACT = """\
This Services Agreement (the "Agreement") is entered into as of March 3, 2026 (the "Effective Date") by and between
Lumen Robotics, Inc., a Delaware corporation ("Client"), and Halvorsen Consulting AS, a company organised under the
laws of Norway ("Consultant").
"""
MIETVERTRAG = """\
zwischen der Alpha Grundbesitz GmbH, Ringstraße 5, 80331 München (nachfolgend "Vermieter")
und Frau Dr. Ines Kaltenbach, Seeweg 2, 82319 Starnberg (nachfolgend "Mieterin")
"""
STACKED = """\
Net weight
3.4 kg

Colour
anthracite

Warranty
24 months

Battery included
No

Material (housing)      cast iron EN-GJL-250
"""
SECTIONS = """\
Pump 1
  Flow: 5 l/min
  Pressure: 3 bar
Pump 2
  Flow: 8 l/min
  Pressure: 4 bar
"""
ROWS = """\
Model    Width   Height  Depth   Weight
A-100    600 mm  850 mm  560 mm  48 kg
B-200    450 mm  820 mm  540 mm  39 kg
"""
PARCEL = """\
From:
Greta Lindqvist
Storgatan 12 B
114 55 Stockholm

To:
Acme Logistics B.V.
Keizersgracht 220
1016 DZ Amsterdam
"""
KASSENBON = """\
REWE Markt GmbH
Hauptstr. 88
50674 Köln
UID Nr.: DE812706034
SUMME                    EUR       3,93
Geg. BAR                 EUR       5,00
"""
LAB = """\
LABORATORY REPORT                         Report no. L-88213
Patient: Anna Kowalska      DOB: 1984-07-02
Test              Result    Unit       Reference range
Haemoglobin        11.2     g/dL       12.0 - 15.5
"""
JOB = """\
Salary: €70,000 – €85,000 per year
Payment within 30 days of the invoice
"""

LETTER = """\
Muster & Söhne Elektrotechnik GmbH
Lindenallee 14
04275 Leipzig

Firma
Becker Immobilien KG
Goethestr. 3
01067 Dresden

Rechnung Nr. RE-2026-1183
"""
ARBEITSVERTRAG = """\
zwischen der Nordwind Energie AG, Hafenstraße 11, 24103 Kiel - nachstehend Arbeitgeber genannt -
und Herrn Jonas Petersen, geb. am 08.03.1994 - nachstehend Arbeitnehmer genannt -
"""
PAIRS = "id=7781; name=Valve DN50; pressure=16 bar; temp=-10..120 °C; weight=3,2 kg; date=2026-08-01; approved=true"
LEADERS = """\
Länge.................................2,45 m
Farbe.................................RAL 7016 anthrazitgrau
Art.-Nr...............................TS-2045/A
Ser. No. PX-104
Hazmat: N
"""

PROSPEKT = """\
Das Gerät wiegt 12,5 kg, ist 60 cm breit, 85 cm hoch und 55 cm tief. Der Schallleistungspegel liegt bei 47 dB.
"""
LOAN = """\
LOAN AGREEMENT dated January 15, 2027 between Harbor Bank N.A. (the "Lender") and Pinecrest LLC (the "Borrower").
The Lender agrees to lend the principal amount of $2,500,000 at a fixed interest rate of 6.75% per annum. A late fee
of 5% applies.
"""
FACTURA = """\
FERRETERÍA LÓPEZ, S.L.
C/ Mayor, 15
28013 Madrid
Factura nº 2026/0458
Base imponible      320,50 €
IVA 21%              67,31 €
TOTAL               387,81 €
"""
DOOR = "Supply 6 no. steel doors, clear opening 1000 x 2100 mm, fire rating EI 60, delivery within 8 weeks."
SAMPLES = """\
Sample A12    Moisture 11.8 %    Protein 12.4 %    Ash 0.55 %
Sample B07    Moisture 12.6 %    Protein 10.9 %    Ash 0.61 %
"""

PAPERS: list[tuple[str, list[Case]]] = [
    (
        TENDER,
        [
            (prop("vergabenummer"), "2026/0417-B"),
            (prop("vergabestelle"), "Landratsamt Tuttlingen"),
            (prop("angebotsfrist", "date"), "2027-02-09"),
            (prop("auftragswert", "f64", "EUR"), 1_200_000),
            (prop("waermeleistung", "f64", "kW"), 450),
            (prop("ruecklauftemperatur", "f64", "°C"), 50),
            (prop("nebenangebote", "bool"), False),
            (prop("nebenkosten", "f64", "EUR"), 310),
        ],
    ),
    (
        LETTERHEAD,
        [
            (prop("vendor"), "Northwind Traders Ltd"),
            (prop("vendor_address"), "Unit 7, Harbour Road Bristol BS1 6XN"),
            (prop("customer"), "Contoso Bakery plc"),
            (prop("invoice_number"), "INV-20933"),
            (prop("total_due", "f64", "GBP"), 220.8),
        ],
    ),
    (
        RECHNUNG,
        [
            (prop("vat_amount", "f64", "EUR"), 91.92),
            (prop("vat_rate", "f64", "%"), 19),
            (prop("total", "f64", "EUR"), 575.72),
        ],
    ),
    (
        LETTER,
        [
            (prop("supplier"), "Muster & Söhne Elektrotechnik GmbH"),
            (prop("address"), "Lindenallee 14 04275 Leipzig"),
            (prop("customer"), "Becker Immobilien KG"),
        ],
    ),
    (ARBEITSVERTRAG, [(prop("arbeitgeber"), "Nordwind Energie AG"), (prop("arbeitnehmer"), "Herrn Jonas Petersen")]),
    (
        PAIRS,
        [
            (prop("id"), "7781"),
            (prop("pressure", "f64", "bar"), 16),
            (prop("weight", "f64", "kg"), 3.2),
            (prop("date", "date"), "2026-08-01"),
            (prop("approved", "bool"), True),
        ],
    ),
    (
        LEADERS,
        [
            (prop("laenge", "f64", "mm"), 2450),
            (prop("farbe"), "RAL 7016 anthrazitgrau"),
            (prop("artikelnummer"), "TS-2045/A"),
            (prop("serial_number"), "PX-104"),
            (prop("hazmat", "bool"), False),
        ],
    ),
    (
        PROSPEKT,
        [
            (prop("breite", "f64", "cm"), 60),
            (prop("hoehe", "f64", "cm"), 85),
            (prop("tiefe", "f64", "cm"), 55),
            (prop("gewicht", "f64", "kg"), 12.5),
        ],
    ),
    (
        LOAN,
        [
            (prop("lender"), "Harbor Bank N.A."),
            (prop("borrower"), "Pinecrest LLC"),
            (prop("principal", "f64", "USD"), 2_500_000),
            (prop("interest_rate", "f64", "%"), 6.75),
            (prop("late_fee", "f64", "%"), 5),
        ],
    ),
    (
        FACTURA,
        [
            (prop("direccion"), "C/ Mayor, 15 28013 Madrid"),
            (prop("numero_factura"), "2026/0458"),
            (prop("iva", "f64", "EUR"), 67.31),
        ],
    ),
    (
        DOOR,
        [
            (prop("clear_width", "f64", "mm"), 1000),
            (prop("clear_height", "f64", "mm"), 2100),
            (prop("fire_rating"), "EI 60"),
            (prop("delivery_weeks", "i64"), 8),
        ],
    ),
    (
        SAMPLES,
        [
            (prop("a12_moisture", "f64", "%", "Sample A12 moisture"), 11.8),
            (prop("b07_protein", "f64", "%", "Sample B07 protein"), 10.9),
        ],
    ),
    (CONTRACT, [(prop("client"), "Lumen Robotics, Inc."), (prop("consultant"), "Halvorsen Consulting AS")]),
    (MIETVERTRAG, [(prop("vermieter"), "Alpha Grundbesitz GmbH"), (prop("mieterin"), "Frau Dr. Ines Kaltenbach")]),
    (
        STACKED,
        [
            (prop("net_weight", "f64", "g"), 3400),
            (prop("colour"), "anthracite"),
            (prop("warranty", "i64", "month"), 24),
            (prop("battery_included", "bool"), False),
            (prop("material"), "cast iron EN-GJL-250"),
        ],
    ),
    (
        SECTIONS,
        [
            (prop("pump_1_flow", "f64", "l/min"), 5),
            (prop("pump_2_flow", "f64", "l/min"), 8),
            (prop("pump_2_pressure", "f64", "bar"), 4),
        ],
    ),
    (
        ROWS,
        [
            (prop("a_100_width", "f64", "mm", "A-100 width"), 600),
            (prop("b_200_weight", "f64", "kg", "B-200 weight"), 39),
        ],
    ),
    (PARCEL, [(prop("sender"), "Greta Lindqvist"), (prop("recipient"), "Acme Logistics B.V.")]),
    (KASSENBON, [(prop("address"), "Hauptstr. 88 50674 Köln"), (prop("total", "f64", "EUR"), 3.93)]),
    (
        LAB,
        [
            (prop("report_number"), "L-88213"),
            (prop("patient"), "Anna Kowalska"),
            (prop("haemoglobin", "f64", "g/dL"), 11.2),
        ],
    ),
    (
        JOB,
        [
            (prop("salary_min", "f64", "EUR"), 70_000),
            (prop("salary_max", "f64", "EUR"), 85_000),
            (prop("payment_days", "i64"), 30),
        ],
    ),
]
ROWS_OF_ALL = [(text, [p for p, _ in wanted], p.name, value) for text, wanted in PAPERS for p, value in wanted]


@pytest.mark.parametrize(("text", "properties", "name", "value"), ROWS_OF_ALL, ids=[row[2] for row in ROWS_OF_ALL])
def test_a_paper_states_a_value(text: str, properties: list[Property], name: str, value: Value | None) -> None:
    assert letters(read(text, *properties).get(name)) == letters(value)
