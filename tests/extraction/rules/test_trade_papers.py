"""Papers of trade as several countries have them: what is stated, and what is not."""

from __future__ import annotations

import pytest

from tests.extraction.rules.papers import LOOK, Paper, check, prop

BRITISH_BOQ = """\
BILL OF QUANTITIES                                                     Bill No. 4
Contract: Refurbishment of Ashdown Primary School
Item   Description                                        Qty    Unit   Rate      £
A      Excavate trench ne 1.50 m deep                      48     m3    32.50    1,560.00
B      Precast concrete lintel 150 x 100 x 1200 mm          6     no.   41.20      247.20
C      Facing brickwork half brick thick                   210    m2    78.00   16,380.00
                                             Carried to Summary            £   18,187.20
"""
FRENCH_DEVIS = """\
PLOMBERIE MARTIN & FILS
7, impasse des Tilleuls - 44000 NANTES
SIRET 512 345 678 00021
DEVIS N° D-2026-311                        Date : 18 novembre 2026
Validité de l'offre : 3 mois
Client : Mme Odile Garnier, 3 bis rue Voltaire, 44100 Nantes
Désignation                 Qté    PU HT      Total HT
Chauffe-eau 200 L            1    689,00 €     689,00 €
Pose et raccordement         1    240,00 €     240,00 €
                          Total HT              929,00 €
                          TVA 10 %               92,90 €
                          Total TTC            1 021,90 €
Acompte de 30 % à la commande : 306,57 €
"""
FATTURA_ELETTRONICA = """\
FATTURA ELETTRONICA
Cedente/prestatore: Officine Bellini S.r.l.
Partita IVA: IT01234560157
Cessionario/committente: Cantina del Borgo S.p.A.
Numero documento: 214/2026    Data documento: 05-10-2026
Imponibile            3.200,00
Aliquota IVA          22,00 %
Imposta                 704,00
Totale documento      3.904,00 EUR
Modalità pagamento: MP05 Bonifico     Data scadenza: 30-11-2026
IBAN: IT60X0542811101000000123456
"""
DUTCH_OFFERTE = """\
Van Dijk Installatietechniek B.V.
Offertenummer: 2026-0871
Offertedatum: 12 november 2026
Geachte heer De Boer,
Hierbij bieden wij u aan: het leveren en monteren van een warmtepomp (vermogen 8 kW, geluidsniveau 54 dB(A)).
Prijs exclusief btw: € 7.450,-
Btw 21%: € 1.564,50
Totaal inclusief btw: € 9.014,50
Levertijd: circa 6 weken na opdracht. Deze offerte is 30 dagen geldig.
"""
US_PO = """\
PURCHASE ORDER                               PO Number: 4500078812
                                             PO Date: 10/21/2026
Vendor: Cascade Fasteners Inc.               Ship To: Plant 2, 900 Foundry Rd, Erie, PA 16501
Terms: Net 45        FOB: Destination        Ship Via: FedEx Ground
Line  Part No.       Description             Qty    UOM   Unit Price   Extended
1     HX-3816-Z      Hex bolt 3/8-16 x 2"    1,500  EA    $0.42        $630.00
2     WS-38-F        Flat washer 3/8"        3,000  EA    $0.06        $180.00
                                                          Order Total  $810.00
Requested Delivery: 11/13/2026
"""
BILL_OF_LADING = """\
BILL OF LADING FOR OCEAN TRANSPORT            B/L No. HLCU-SHA-2610447
Shipper:                                     Consignee:
Ningbo Sunrise Tools Co., Ltd.               Baumarkt Nord eG
88 Xingye Road, Ningbo                       Speicherstr. 4, 20457 Hamburg
Vessel: MSC ISABELLA      Voyage No.: 642W
Port of Loading: Ningbo   Port of Discharge: Hamburg
Container No.   Seal No.    Packages     Gross Weight   Measurement
TGHU 482913-4   CN0918842   412 CTNS     9,870.500 KGS  41.250 CBM
Freight: PREPAID          Shipped on board: 28 OCT 2026
"""
VALVE_SHEET = """\
Ball valve 2-piece, full bore
Size: 1/2" (DN 15)
Body material: CF8M (1.4408)
Seat: PTFE
Pressure rating: 1000 psi WOG
Temperature range: -20 °F to 400 °F
Face to face: 2.36 in
Weight: 0.62 lb
Actuator not supplied.
"""
LED_SHEET = """\
LED panel light PL6060-36
Input voltage    220-240 V AC, 50/60 Hz
Power            36 W ± 5 %
Luminous flux    3,960 lm
CCT              4000K
CRI              Ra>80
Beam angle       120°
Lifetime         50,000 h (L80B10)
Dimmable         No
IP rating        IP40
Dimensions (L x W x H): 595 x 595 x 10 mm
"""
WINDOW_OFFER = """\
Pos. 3   Kunststofffenster, 2-flügelig, weiß
Abmessungen (B x H x T): 1230 x 1480 x 76 mm
Uw-Wert 0,92 W/(m²K)      Schallschutzklasse 3
Menge 4 Stück à 518,00 € netto
Gesamt 2.072,00 €
Montage: bauseits         Lieferzeit ca. 5 Wochen
"""
CREDIT_NOTE_NEG = """\
GUTSCHRIFT Nr. GS-2026-044
zu Rechnung RE-2026-0911 vom 03.09.2026
Gutschriftsdatum: 17.09.2026
Kunde: Autohaus Reiter e.K.
Nettobetrag          1.037,39- EUR
19 % USt               197,11- EUR
Bruttobetrag         1.234,50- EUR
"""
OCR_RECEIPT = """\
M E G A  M A R K E T  SDN  BHD
L0T 88 JALAN  IPOH 51200 KUALA LUMPUR
TAX  lNVOlCE    N0: MM-OO21847
DATE:15/O9/2026   TIME:14:22
KICAP MANIS      RM5 .90
BERAS 5KG        RM28.50
SUB T0TAL        RM34.4O
R0UNDING         RM0.00
T OTAL           RM34.40
CASHRM50.00
CHANGERM15.60
"""
UTILITY_BILL = """\
NORTHERN POWER COMPANY                Account number 40 1182 7730
Billing period: 09/15/2026 - 10/14/2026 (30 days)
Previous reading 48,211   Current reading 49,037   Usage 826 kWh
Energy charge 826 kWh @ $0.1184            $97.80
Customer charge                            $12.00
Previous balance                          $104.16
Payment received - thank you             -$104.16
State tax                                   $6.59
AMOUNT DUE BY NOV 4, 2026                 $116.39
Late payment charge of 1.5% applies after the due date.
"""
SWEDISH_FAKTURA = """\
Faktura 20417
Fakturadatum 2026-11-02   Förfallodatum 2026-12-02
Kund: Bygg & Trä i Växjö AB
Att betala: 12 437:50 kr
Varav moms 25 %: 2 487:50 kr
Bankgiro 5123-4567
Dröjsmålsränta 8 %
"""

PAPERS: dict[str, Paper] = {
    "british boq": (
        BRITISH_BOQ,
        [
            (prop("contract"), "Refurbishment of Ashdown Primary School"),
            (prop("excavation_volume", "f64", "m3", "Excavate trench"), 48),
            (prop("carried_to_summary", "f64", "GBP"), 18187.2),
            (prop("retention_percent", "f64", "%"), None),
            (prop("completion_date", "date"), None),
        ],
    ),
    "french devis": (
        FRENCH_DEVIS,
        [
            (prop("numero_devis", "keyword"), "D-2026-311"),
            (prop("date_devis", "date"), "2026-11-18"),
            (prop("validite", "i64", "month"), 3),
            (prop("client"), "Mme Odile Garnier"),
            (prop("total_ttc", "f64", "EUR"), 1021.9),
            (prop("acompte", "f64", "EUR"), 306.57),
            (prop("siret", "keyword"), "512 345 678 00021"),
            (prop("remise", "f64", "EUR"), None),
        ],
    ),
    "fattura elettronica": (
        FATTURA_ELETTRONICA,
        [
            (prop("fornitore", "text", None, "Cedente/prestatore"), "Officine Bellini S.r.l."),
            (prop("cliente", "text", None, "Cessionario/committente"), "Cantina del Borgo S.p.A."),
            (prop("numero_fattura", "keyword", None, "Numero documento"), "214/2026"),
            (prop("data_scadenza", "date"), "2026-11-30"),
            (prop("imponibile", "f64", "EUR"), 3200),
            (prop("totale_documento", "f64", "EUR"), 3904),
            (prop("iban", "keyword"), "IT60X0542811101000000123456"),
            (prop("ritenuta_acconto", "f64", "EUR", description="ritenuta d'acconto"), None),
        ],
    ),
    "dutch offerte": (
        DUTCH_OFFERTE,
        [
            (prop("offertenummer", "keyword"), "2026-0871"),
            (prop("offertedatum", "date"), "2026-11-12"),
            (prop("vermogen", "f64", "kW"), 8),
            (prop("geluidsniveau", "f64", "dB"), 54),
            (prop("prijs_exclusief_btw", "f64", "EUR"), 7450),
            (prop("totaal", "f64", "EUR"), 9014.5),
            (prop("levertijd_weken", "i64"), LOOK),
        ],
    ),
    "us po": (
        US_PO,
        [
            (prop("po_number", "keyword"), "4500078812"),
            (prop("po_date", "date"), "2026-10-21"),
            (prop("vendor"), "Cascade Fasteners Inc."),
            (prop("payment_terms_days", "i64", None, "Terms"), 45),
            (prop("order_total", "f64", "USD"), 810),
            (prop("requested_delivery", "date"), "2026-11-13"),
            (prop("fob", "keyword"), "Destination"),
            (prop("freight_charge", "f64", "USD"), None),
        ],
    ),
    "bill of lading": (
        BILL_OF_LADING,
        [
            (prop("bl_number", "keyword", None, "B/L No."), "HLCU-SHA-2610447"),
            (prop("shipper"), "Ningbo Sunrise Tools Co., Ltd."),
            (prop("consignee"), "Baumarkt Nord eG"),
            (prop("vessel"), "MSC ISABELLA"),
            (prop("port_of_discharge"), "Hamburg"),
            (prop("gross_weight", "f64", "kg"), 9870.5),
            (prop("volume", "f64", "m3", "Measurement"), 41.25),
            (prop("shipped_on_board", "date"), "2026-10-28"),
        ],
    ),
    "valve sheet": (
        VALVE_SHEET,
        [
            (prop("nominal_size", "keyword", None, "Size"), '1/2" (DN 15)'),
            (prop("body_material"), "CF8M (1.4408)"),
            (prop("seat_material"), "PTFE"),
            (prop("pressure_rating", "f64", "bar"), 68.947573),
            (prop("face_to_face", "f64", "mm"), 59.944),
            (prop("weight", "f64", "kg"), 0.28122727),
            (prop("max_temperature", "f64", "°C"), 204.444444444444),
            (prop("torque", "f64", "Nm"), None),
        ],
    ),
    "led sheet": (
        LED_SHEET,
        [
            (prop("power", "f64", "W"), 36),
            (prop("luminous_flux", "f64", "lm"), 3960),
            (prop("colour_temperature", "f64", "K", "CCT"), 4000),
            (prop("cri", "f64"), LOOK),
            (prop("beam_angle", "f64", "°"), 120),
            (prop("dimmable", "bool"), False),
            (prop("ip_rating", "keyword"), "IP40"),
            (prop("height", "f64", "mm"), 10),
            (prop("input_voltage", "f64", "V"), LOOK),
        ],
    ),
    "window offer": (
        WINDOW_OFFER,
        [
            (prop("breite", "f64", "mm"), 1230),
            (prop("hoehe", "f64", "mm"), 1480),
            (prop("tiefe", "f64", "mm"), 76),
            (prop("uw_wert", "f64", "W/(m2*K)"), 0.92),
            (prop("menge", "i64"), 4),
            (prop("gesamtpreis", "f64", "EUR"), 2072),
            (prop("lieferzeit_wochen", "i64"), LOOK),
            (prop("gewicht", "f64", "kg"), None),
        ],
    ),
    "credit note neg": (
        CREDIT_NOTE_NEG,
        [
            (prop("gutschriftsnummer", "keyword", None, "Gutschrift Nr."), "GS-2026-044"),
            (prop("gutschriftsdatum", "date"), "2026-09-17"),
            (prop("kunde"), "Autohaus Reiter e.K."),
            (prop("nettobetrag", "f64", "EUR"), -1037.39),
            (prop("bruttobetrag", "f64", "EUR"), -1234.5),
            (prop("rechnungsnummer", "keyword"), "RE-2026-0911"),
            (prop("skonto", "f64", "%"), None),
        ],
    ),
    "ocr receipt": (
        OCR_RECEIPT,
        [
            (prop("total", "f64", "MYR"), 34.4),
            (prop("change", "f64", "MYR"), 15.6),
            (prop("cash", "f64", "MYR"), 50),
            (prop("date", "date"), "2026-09-15"),
            (prop("service_tax", "f64", "MYR"), None),
        ],
    ),
    "utility bill": (
        UTILITY_BILL,
        [
            (prop("account_number", "keyword"), "40 1182 7730"),
            (prop("usage", "f64", "kWh"), 826),
            (prop("current_reading", "f64"), 49037),
            (prop("amount_due", "f64", "USD"), 116.39),
            (prop("due_date", "date"), "2026-11-04"),
            (prop("customer_charge", "f64", "USD"), 12),
            (prop("billing_days", "i64"), 30),
            (prop("previous_balance", "f64", "USD"), 104.16),
        ],
    ),
    "swedish faktura": (
        SWEDISH_FAKTURA,
        [
            (prop("fakturanummer", "keyword", None, "Faktura"), "20417"),
            (prop("fakturadatum", "date"), "2026-11-02"),
            (prop("forfallodatum", "date", None, "Förfallodatum"), "2026-12-02"),
            (prop("kund"), "Bygg & Trä i Växjö AB"),
            (prop("att_betala", "f64", "SEK"), 12437.5),
            (prop("moms", "f64", "SEK"), 2487.5),
            (prop("bankgiro", "keyword"), "5123-4567"),
        ],
    ),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_paper_states_and_what_it_does_not(paper: str) -> None:
    check(*PAPERS[paper])
