"""What the embedded reader reads out of texts, as a table of cases."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.tests import ReadValue
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules import RulesReader


def number(name: str, unit: str | None = None, **more: Any) -> Property:
    return Property(name=name, value_type="f64", unit=unit, **more)


def text(name: str, **more: Any) -> Property:
    return Property(name=name, **more)


def day(name: str) -> Property:
    return Property(name=name, value_type="date")


def yes_no(name: str) -> Property:
    return Property(name=name, value_type="bool")


def read(words: str, *properties: Property) -> dict[str, ReadValue]:
    result = extract(words, WorkflowSettings(collection="any", properties=properties), Evidence())
    assert result.failed is None
    return {value.property: value for value in result.values}


INVOICE = """\
Rechnung Nr. 4711
Fälligkeitsdatum: 12.05.2024
Rechnungsdatum: 28.04.2024
Nettobetrag 100,00 EUR
MwSt 19% 19,00 EUR
Gesamtbetrag 119,00 EUR
Bitte zahlen Sie an: Muster GmbH, IBAN DE12 5001 0517 0648 4898 90
UStId DE 232 446 240
E-Mail: info@muster.example  Tel. 030 1234567
"""
RECEIPT = """\
GREEN LEAF TRADING SDN BHD
(778899-K)
NO. 12, JALAN MAWAR 3/2,
TAMAN INDAH,
43300 SERI KEMBANGAN, SELANGOR.
TEL: 03-1234 5678
CASH BILL :  01-143008
DATE  :  09/01/2019 8:01:11 PM
DESCRIPTION  QTY  PRICE  AMOUNT
PLASTIC  2  15.50  31.00
SUB TOTAL :  31.00
GST 6%  1.86
TOTAL INCL. OF GST :  32.86
ROUNDING :  -0.01
TOTAL ROUNDED :  32.85
CASH RECEIVED :  50.00
CHANGE :  17.15
"""
CONTRACT = """\
MUTUAL CONFIDENTIALITY AGREEMENT
This Mutual Confidentiality Agreement (this "Agreement") is made and entered into as of the 4th day of
May, 2015, by and between Northgate Tools, Inc., a Delaware corporation, and Harbour Mills LLC. The parties
met for the first time on March 2, 2014.
7. Term. This Agreement shall remain in effect for a period of three (3) years from the date hereof. Neither party
shall solicit any employee of the other for a period of one (1) year. Notices take effect ten (10) days after receipt.
9. Governing Law. This Agreement shall be governed by and construed in accordance with the laws of the State of
Oregon, without regard to its conflicts of law principles.
"""

FRENCH = """\
Menuiserie Dupont SARL
12 rue des Lilas
69003 Lyon
Facture n° F2024-017
Date de facture : 14/02/2024      Échéance : 15/03/2024
Client : Mairie de Bron
Total HT : 900,00 €
TVA 20 % : 180,00 €
Total TTC : 1 080,00 €
"""
POLISH = """\
Faktura nr FV/12/2024
Data wystawienia: 2024-03-08
Sprzedawca: Budimex Serwis Sp. z o.o.
Nabywca: Urząd Miasta Gdańsk
Termin płatności: 2024-03-22
Do zapłaty: 1 230,00 zł
"""

BARRED = """\
| Net weight | Gross weight |
|---|---|
| 12 kg | 15 kg |
"""

CASES: list[tuple[str, Property, Value | None]] = [
    # Scans without spaces, units and amounts glued to words
    ("Total:9.00Cash:10.00Change1.00", number("total"), 9),
    ("Total:9.00Cash:10.00Change1.00", number("change"), 1),
    ("Net 12 kgGross 15 kg", number("net weight", "kg"), 12),
    ("Net 12 kgGross 15 kg", number("gross weight", "kg"), 15),
    ("TOTAL RM9.00", number("total", "MYR"), 9),
    ("SUBTOTAL 8.00\nGRANDTOTAL 9.00", number("total"), 9),
    # Words that scans tear, misread or run into the currency
    ("SUB T0TAL  RM34.00\nT OTAL  RM34.40\nCASHRM50.00\nCHANGERM15.60", number("total", "MYR"), 34.4),
    ("SUB T0TAL  RM34.00\nT OTAL  RM34.40\nCASHRM50.00\nCHANGERM15.60", number("change", "MYR"), 15.6),
    ("R0UNDING  RM0.05\nT O T A L  RM34.40", number("total", "MYR"), 34.4),
    # What qualifies a label stands between it and the value
    ("Acompte de 30 % à la commande : 306,57 €\nTotal : 1 021,90 €", number("acompte", "EUR"), 306.57),
    ("Previous balance     $104.16\nAMOUNT DUE BY NOV 4, 2026     $116.39", number("amount_due", "USD"), 116.39),
    ("State tax (6 %): 6.59\nOther: 2.00", number("state_tax", "USD"), 6.59),
    # A whole number with its thousands
    ("Zuschauer: 14.312", Property(name="zuschauer", value_type="i64"), 14312),
    ("Zuschauer: 14,3", Property(name="zuschauer", value_type="i64"), None),
    # Labels with a number or an adjective before them, rows by their numbers
    ("D.1 Marke        SKODA\nP.1 Hubraum      1968 cm³", text("marke"), "SKODA"),
    ("Amtliches Kennzeichen     FD-KL 482", text("kennzeichen"), "FD-KL 482"),
    ("Art.-Nr.  Länge  Preis\n4711-20   20 mm  6,80 €\n4711-32   32 mm  9,15 €", number("4711_32_laenge", "mm"), 32),
    ("Client : Mme Odile Garnier, 3 bis rue Voltaire, 44100 Nantes", text("client"), "Mme Odile Garnier"),
    # Columns
    ("Net weight   Gross weight\n12 kg        15 kg", number("net weight", "kg"), 12),
    ("Net weight   Gross weight\n12 kg        15 kg", number("gross weight", "kg"), 15),
    ("07.01.2025 Direct debit ACME  304-0000   49,90", day("date"), "2025-01-07"),
    ("07.01.2025 Direct debit ACME  304-0000   49,90", number("amount"), 49.9),
    ("Invoice Date:      Due Date:\n03/20/2023         04/04/2023", day("due date"), "2023-04-04"),
    # Labels
    ("Page 2 of 5\nOrder 2024-02\nQuantity: 2 pcs", Property(name="quantity", value_type="i64"), 2),
    ("Defects found: 0", Property(name="defects_found", value_type="i64"), 0),
    ("max. tempera\u00adture: 85 °C", number("temperature", "°C"), 85),
    ("colour: dark grey\nMaterial: stainless steel 1.4301", text("material"), "stainless steel 1.4301"),
    ("Serial number: X5-8841\nOrder: 77", text("serial_number", value_type="keyword"), "X5-8841"),
    ("Angebotssumme: 1.250,00 EUR", number("summe", "EUR"), 1250),
    ("Lichte Breite: 885 mm\nLichte Höhe: 2010 mm", number("width", "cm"), 88.5),
    ("18 1/4 x 4 1/4 in", number("height", "mm"), 107.95),
    ("cells ran at 0.7 A cm−2 and 650 °C for 282 h", number("working_temperature", "°C"), 650),
    ("Weight 12 kg or, packed, 15 kg; height 3 m", number("height", "cm"), 300),
    ("Width 8850 cm on the old plan\nWidth 88.5 cm", number("width", "cm", maximum=1000), 88.5),
    # Options, yes and no
    ("Farbe rot, Gehäuse blau", text("colour", options=("red", "rot", "blau"), aliases=("Farbe",)), "rot"),
    ("Certified: no", yes_no("certified"), False),
    ("The door is not fire rated.", yes_no("fire rated"), False),
    ("☑ warranty  ☐ delivery", yes_no("warranty"), True),
    ("☑ warranty  ☐ delivery", yes_no("delivery"), False),
    # Labels in step with numbers
    ('width x height 18 1/4" x 4 1/4"', number("height", "mm"), 107.95),
    ('width x height 18 1/4" x 4 1/4"', number("width", "mm"), 463.55),
    ("size (width x height): 18 1/4 x 4 1/4 in", number("height", "mm"), 107.95),
    ("Breite x Höhe: 600 x 400 mm", number("height", "mm"), 400),
    ("Breite x Höhe: 600 x 400 mm", number("width", "mm"), 600),
    ("Höhe x Breite x Tiefe: 600 x 400 x 30 mm", number("width", "mm"), 400),
    ("Höhe x Breite x Tiefe: 600 x 400 x 30 mm", number("depth", "mm"), 30),
    ("Länge/Breite/Höhe 600 x 400 x 30 mm", number("length", "mm"), 600),
    ("Länge / Breite: 600 / 400 mm", number("width", "mm"), 400),
    ("600 x 400 mm (Höhe x Breite)", number("width", "mm"), 400),
    ("Breite x Höhe\n600 x 400 mm", number("height", "mm"), 400),
    ("largeur x hauteur : 60 x 40 cm", number("hauteur", "mm"), 400),
    ("Rim width x wall: 30 x 4 mm", number("wall", "mm"), 4),
    ("320 x 610 x 145 mm (W x H x D)", number("height", "mm"), 610),
    ("W 600 mm x H 400 mm", number("height", "mm"), 400),
    ("600 mm W x 400 mm H", number("height", "mm"), 400),
    ('The sign "No entry" is 6" wide', number("width", "in"), 6),
    # Tables with bars
    (BARRED, number("net weight", "kg"), 12),
    (BARRED, number("gross weight", "kg"), 15),
    ("| Item | Width | Height |\n|:--|--:|---|\n| door |  | 15 cm |", number("height", "cm"), 15),
    ("| Item | Width | Height |\n|:--|--:|---|\n| door |  | 15 cm |", number("width", "cm"), None),
    ("| Material | Colour |\n|---|---|\n| steel | red |", text("material"), "steel"),
    ("+-------+--------+\n| Width | Height |\n+-------+--------+\n| 3 cm | 4 cm |", number("height", "cm"), 4),
    # Choices of a form
    ("zertifiziert: ☐ ja ☒ nein", yes_no("zertifiziert"), False),
    ("zertifiziert: ☒ ja ☐ nein", yes_no("zertifiziert"), True),
    ("zertifiziert: ☐ ja ☐ nein", yes_no("zertifiziert"), None),
    ("zertifiziert: ja ☐ nein ☒", yes_no("zertifiziert"), False),
    ("Certified: [ ] yes [x] no", yes_no("certified"), False),
    ("Certified: ( ) yes (x) no", yes_no("certified"), False),
    ("Certified: ○ yes ● no", yes_no("certified"), False),
    ("Certified: yes / no", yes_no("certified"), None),
    ("Certified (yes/no): yes", yes_no("certified"), True),
    ("Zertifiziert ✓", yes_no("zertifiziert"), True),
    ("Fire class: ☐ EI30 ☒ EI60 ☐ EI90", text("fire_class", options=("EI30", "EI60", "EI90")), "EI60"),
    ("Fire class: EI30 ☐  EI60 ☒", text("fire_class", options=("EI30", "EI60")), "EI60"),
    # A place that something else names, while nothing names the property
    ("Breite: 88,5 cm", number("offset"), None),
    ("Width: 600 mm", number("offset"), None),
    ("Breite 900 mm", number("height", "cm"), None),
    ("Item   Width\nDoor   900 mm", number("height", "cm"), None),
    # Names and units of one letter, degrees of no scale
    ("Firmware 1.10\npH 7.0", number("pH"), 7),
    ("temp 20 Grad", number("temp", "°C"), 20),
    # Brackets around an aside are none of a term's, brackets inside it are
    ("the electrolyte [GDC10] had cracks", text("electrolyte"), "GDC10"),
    ("a (La0.8Sr0.2)MnO3 cathode was used", text("cathode"), "(La0.8Sr0.2)MnO3"),
    ("Kochzeit: 12'", number("kochzeit", "min"), 12),
    # How long something took is no term of an agreement
    ("The slurry was stirred for 40 min.", number("duration", "s"), 2400),
    ("Der Versuch dauerte 3 Stunden.", number("dauer", "h"), 3),
    ("L'essai a duré 5 jours.", number("durée", "d"), 5),
    ("Cycle time 14 s, load 3 kg", number("time", "s"), 14),
    ('Parallax: 0.75"', number("parallax", "arcsec"), 0.75),
    ("Time: 5' 30\"", number("time", "min"), None),
    ("Length: 5' 30\"", number("length", "in"), 90),
    # Papers
    (INVOICE, text("invoice_number", value_type="keyword"), "4711"),
    (INVOICE, day("invoice_date"), "2024-04-28"),
    (INVOICE, day("due_date"), "2024-05-12"),
    (INVOICE, number("net amount", "EUR"), 100),
    (INVOICE, number("tax", "EUR"), 19),
    (INVOICE, number("total", "EUR"), 119),
    (INVOICE, text("currency", value_type="keyword"), "EUR"),
    (INVOICE, text("vat_id", value_type="keyword"), "DE 232 446 240"),
    (INVOICE, text("email", value_type="keyword"), "info@muster.example"),
    (INVOICE, text("phone", value_type="keyword"), "030 1234567"),
    (RECEIPT, text("company"), "GREEN LEAF TRADING SDN BHD"),
    (RECEIPT, text("address"), "NO. 12, JALAN MAWAR 3/2, TAMAN INDAH, 43300 SERI KEMBANGAN, SELANGOR."),
    (RECEIPT, day("date"), "2019-01-09"),
    (RECEIPT, number("total", "MYR"), 32.85),
    (RECEIPT, number("change", "MYR"), 17.15),
    (CONTRACT, day("effective_date"), "2015-05-04"),
    (CONTRACT, text("jurisdiction", value_type="keyword"), "Oregon"),
    (CONTRACT, number("term", "month"), 36),
    (FRENCH, number("total", "EUR"), 1080),
    (FRENCH, number("net_amount", "EUR"), 900),
    (FRENCH, day("due_date"), "2024-03-15"),
    (FRENCH, text("issuer"), "Menuiserie Dupont SARL"),
    (FRENCH, text("customer"), "Mairie de Bron"),
    (POLISH, day("due_date"), "2024-03-22"),
    (POLISH, text("issuer"), "Budimex Serwis Sp. z o.o."),
    (POLISH, text("customer"), "Urząd Miasta Gdańsk"),
    (POLISH, number("total", "PLN"), 1230),
    ("Opening balance 1,204.55\nClosing balance 2,754.55", number("opening balance"), 1204.55),
    ("Glucose       5.4      mmol/L", number("glucose", "mmol/L"), 5.4),
    ("Weight (kg)   Length (mm)\n12.5          340", number("length", "mm"), 340),
    ("W x H x D     320 x 610 x 145 mm", number("depth", "mm"), 145),
    ("Alpha Handels GmbH (Mieter) und Hans Gruber (Vermieter)", text("tenant"), "Alpha Handels GmbH"),
    ("the samples were kept between 5 and 300 K", number("lower_limit", "K"), 5),
    # Nothing stated: no value rather than a guess
    ("The weather is fine and nothing is stated.", number("weight", "kg"), None),
    ("The weather is fine and nothing is stated.", day("date"), None),
    ("The weather is fine and nothing is stated.", text("company"), None),
    ("Length 3 m, weight unknown", number("weight", "kg"), None),
    ("No. 12, open daily", yes_no("open"), None),
    ("", number("weight", "kg"), None),
]


@pytest.mark.parametrize(("words", "prop", "expected"), CASES, ids=[f"{c[1].name}-{i}" for i, c in enumerate(CASES)])
def test_reads(words: str, prop: Property, expected: Value | None) -> None:
    if not words:
        assert extract(words, WorkflowSettings(collection="any", properties=(prop,)), Evidence()).values == ()
        return
    value = read(words, prop).get(prop.name)
    assert (value.value if value else None) == expected


def test_a_lone_quantity_of_a_text_is_weakly_supported_where_nothing_names_it() -> None:
    weak = read("07.01.2025 Direct debit ACME  304-0000   49,90", number("amount"))["amount"]
    strong = read("Amount: 49,90", number("amount"))["amount"]
    assert (weak.support or 0) < 0.8 < (strong.support or 0)


def test_like_properties_read_each_its_own_place() -> None:
    pumps = "Pump A: flow 5 l/min.\nPump B: flow 5 l/min."
    settings = WorkflowSettings(collection="any", properties=(number("flow_a", "l/min"), number("flow_b", "l/min")))
    hints = [
        r.hint.start for r in RulesReader(settings).read(PreparedText(pumps), settings, Evidence()).readings if r.hint
    ]
    assert hints == [13, 35]


def test_nobody_is_both_parties() -> None:
    values = read(
        "Bright Spark Electrical Ltd\nUnit 4, Mill Lane\nInvoice No: BS-1042", text("issuer"), text("customer")
    )
    assert list(values) == ["issuer"]


def test_the_only_date_of_a_bill_is_not_when_it_is_due() -> None:
    assert list(read("Invoice date: 28/11/2022\nTotal 5.00", day("invoice_date"), day("due_date"))) == ["invoice_date"]


def test_rival_values_keep_support_low() -> None:
    rows = "Item  Qty  Price\nBolt  12  0.30\nNut   7  0.20"
    value = read(rows, number("price")).get("price")
    assert value is None or value.outcome != "written"


def test_an_address_goes_to_a_person() -> None:
    assert read(RECEIPT, text("address"))["address"].outcome == "review"


def test_quotes_bear_label_and_value() -> None:
    values = read(INVOICE, number("total", "EUR"), day("due_date"))
    assert values["total"].quote == "Gesamtbetrag 119,00 EUR"
    assert values["due_date"].quote == "Fälligkeitsdatum: 12.05.2024"


def test_a_column_head_stands_before_the_ellipsis() -> None:
    value = read("Net weight   Gross weight\n12 kg        15 kg", number("gross weight", "kg"))["gross weight"]
    assert value.quote == "Gross weight … 15 kg"


PIECES = st.sampled_from(
    [
        "TOTAL",
        ":",
        "  ",
        "\n",
        "9.00",
        "RM",
        "12 kg",
        "date",
        "01/02/2024",
        "☑",
        "Acme Ltd",
        "\u00ad",
        "💩",
        "No.",
        "81100 Town",
        "|",
        "\t",
    ]
)
MANY = (
    number("total", "MYR"), number("weight", "kg"), day("date"), text("company"), text("address"), yes_no("approved"),
    text("invoice number"), text("country"), text("currency"), text("colour", options=("red", "Acme Ltd")),
    text("remark"),
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=150)
def test_whatever_the_text_every_quote_stands_in_it(words: str) -> None:
    chosen = WorkflowSettings(collection="any", properties=MANY)
    for reading in RulesReader(chosen).read(PreparedText(words), chosen, Evidence()).readings:
        for piece in reading.quote.split(" … "):
            assert piece in words
        assert reading.hint is not None
        assert reading.hint.end <= len(words)
        assert 0 <= (reading.confidence or 0) <= 1
