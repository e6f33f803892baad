"""Papers of offices, doctors, employers and people: what is stated, and what is not."""

from __future__ import annotations

import pytest

from tests.extraction.rules.papers import LOOK, Paper, check, prop

DISCHARGE_LETTER = """\
Städtisches Klinikum Fulda – Medizinische Klinik II
Entlassungsbrief
Patient: Herr Karl-Heinz Brandt, geb. 11.02.1951
Aufnahme: 03.10.2026, Entlassung: 09.10.2026
Diagnosen: Ambulant erworbene Pneumonie rechts; arterielle Hypertonie
Kein Hinweis auf Lungenembolie. Nikotinabusus wird verneint.
Bei Aufnahme Temperatur 38,9 °C, Blutdruck 148/86 mmHg, Puls 104/min, SpO2 91 %.
Bei Entlassung Temperatur 36,7 °C.
Medikation: Amoxicillin/Clavulansäure 875/125 mg 1-0-1 für weitere 4 Tage, Ramipril 5 mg 1-0-0
"""
BLOOD_LAB = """\
LABORBEFUND   Labor Dr. Seiler & Kollegen
Name: Hofer, Monika     Geb.: 21.07.1968     Eingang: 02.11.2026
Parameter        Ergebnis    Einheit   Referenzbereich
Leukozyten         11,8 +    /nl       3,9 - 10,2
Erythrozyten        4,41     /pl       3,9 - 5,2
Hämoglobin         13,1      g/dl      12,0 - 15,6
CRP                <0,5      mg/l      < 5,0
Kalium              3,4 -    mmol/l    3,5 - 5,1
Kreatinin           0,82     mg/dl     0,50 - 0,95
Natrium          folgt
"""
VEHICLE_REGISTRATION = """\
Zulassungsbescheinigung Teil I
A   Amtliches Kennzeichen          FD-KL 482
B   Datum der Erstzulassung        17.05.2021
D.1 Marke                          ŠKODA
D.3 Handelsbezeichnung             OCTAVIA COMBI
E   Fahrzeug-Identifizierungsnr.   TMBJJ7NX4MY012345
P.1 Hubraum                        1968 cm³
P.2 Nennleistung                   110 kW
G   Leermasse                      1475 kg
F.1 Technisch zul. Gesamtmasse     2030 kg
S.1 Sitzplätze                     5
"""
UK_PAYSLIP = """\
BRIGHTWELL CARE LTD                         PAY ADVICE
Employee: 00417 Ms J Adeyemi    NI No: QQ123456C    Tax Code: 1257L
Pay Date: 30/10/2026            Tax Period: 7
Payments                 Deductions              Year to date
Basic Pay     2,310.00   PAYE Tax     253.40     Gross to date   16,170.00
Overtime        145.20   Nat. Ins.    141.05     Tax to date      1,773.80
                         Pension      115.50
Gross Pay     2,455.20   Deductions   509.95
                                      NET PAY    £1,945.25
"""
EMPLOYMENT_CONTRACT_DE = """\
ANSTELLUNGSVERTRAG
§ 1 Das Arbeitsverhältnis beginnt am 1. Februar 2027. Die Probezeit beträgt sechs Monate.
§ 2 Die regelmäßige Arbeitszeit beträgt 38,5 Stunden pro Woche.
§ 3 Der Arbeitnehmer erhält ein Bruttogehalt von monatlich 4.350,00 Euro. Ein 13. Gehalt wird nicht gezahlt.
§ 4 Der jährliche Urlaubsanspruch beträgt 28 Arbeitstage.
§ 5 Die Kündigungsfrist beträgt nach Ablauf der Probezeit drei Monate zum Quartalsende.
§ 6 Eine Nebentätigkeit bedarf der Zustimmung.
"""
LOAN_DE = """\
DARLEHENSVERTRAG Nr. 77-4410-9
Darlehensgeber: Volksbank Taubertal eG
Darlehensnehmer: Eheleute Anke und Rainer Vogt
Nennbetrag: 240.000,00 EUR
Sollzinssatz 3,62 % p.a., gebunden bis 30.06.2036
Effektiver Jahreszins 3,71 %
Anfängliche Tilgung 2,00 % p.a.
Monatliche Rate: 1.124,00 EUR, erstmals fällig am 30.01.2027
Sondertilgungen bis zu 5 % jährlich sind zulässig.
"""
NDA_SHORT = """\
NON-DISCLOSURE AGREEMENT
Disclosing Party: Verdant Biosciences AG, Basel
Receiving Party: Orchard Labs Pty Ltd, Melbourne
Effective Date: 7 October 2026
The obligations of confidentiality survive for a period of four years after termination of this Agreement.
Either party may terminate on 60 days' written notice. This Agreement is governed by Swiss law; the courts of Zurich
have exclusive jurisdiction.
"""
EMAIL_QUOTED = """\
Von: Sabine Krüger <s.krueger@planbuero.example>
An: Vertrieb <vertrieb@tueren.example>
Betreff: AW: Angebot T30-Türen
Datum: Mi, 11.11.2026 09:14

Hallo Herr Lang,
wir brauchen doch 14 Türen statt 12. Bitte liefern bis 15.01.2027. Preis je Tür wie besprochen 890 €.
Gruß, S. Krüger

> Am 09.11.2026 schrieb Vertrieb:
> vielen Dank für Ihre Anfrage. Für 12 Türen bieten wir 910 € je Stück,
> Lieferung bis 22.12.2026.
"""
MAINTENANCE_CONTRACT = """\
WARTUNGSVERTRAG
zwischen Aufzugdienst Nord GmbH (Auftragnehmer) und der WEG Parkallee 9 (Auftraggeber).
Die Laufzeit beträgt zwei Jahre ab dem 1. Januar 2027 und verlängert sich jeweils um ein Jahr, wenn nicht mit einer
Frist von drei Monaten gekündigt wird.
Die jährliche Vergütung beträgt 1.860,00 EUR zzgl. MwSt. Störungen werden binnen 24 Stunden behoben.
Ersatzteile sind nicht enthalten.
"""
CERT_OF_ANALYSIS = """\
CERTIFICATE OF ANALYSIS
Product: Sodium chloride, Ph. Eur.      Batch: SC260914
Manufactured: 09/2026                   Retest: 09/2029
Test                    Specification         Result
Assay (dried)           99.0 - 100.5 %        99.8 %
Loss on drying          NMT 0.5 %             0.12 %
Heavy metals            <= 5 ppm              < 1 ppm
pH (10 % solution)      5.0 - 8.0             6.4
Conclusion: complies
"""
SCHOOL_REPORT = """\
ZEUGNIS   Realschule am Stadtpark    Schuljahr 2025/26, 2. Halbjahr
Schülerin: Nele Brinkmann, geboren am 30.05.2012
Klasse: 8b
Deutsch 2      Mathematik 3      Englisch 1
Versäumte Tage: 4, davon unentschuldigt: 0
Versetzt: ja
Ausgestellt am 24.07.2026
"""

PAPERS: dict[str, Paper] = {
    "discharge letter": (
        DISCHARGE_LETTER,
        [
            (prop("patient"), "Herr Karl-Heinz Brandt"),
            (prop("geburtsdatum", "date"), "1951-02-11"),
            (prop("entlassungsdatum", "date"), "2026-10-09"),
            (prop("temperatur_aufnahme", "f64", "°C"), 38.9),
            (prop("temperatur_entlassung", "f64", "°C"), 36.7),
            (prop("puls", "f64", "1/min"), 104),
            (prop("lungenembolie", "bool"), False),
        ],
    ),
    "blood lab": (
        BLOOD_LAB,
        [
            (prop("haemoglobin", "f64", "g/dl"), 13.1),
            (prop("kreatinin", "f64", "mg/dl"), 0.82),
            (prop("kalium", "f64", "mmol/l"), 3.4),
            (prop("crp", "f64", "mg/l"), LOOK),
            (prop("natrium", "f64", "mmol/l"), None),
            (prop("geburtsdatum", "date"), "1968-07-21"),
            (prop("leukozyten", "f64", "1/nl"), 11.8),
            (prop("glukose", "f64", "mg/dl"), None),
        ],
    ),
    "vehicle registration": (
        VEHICLE_REGISTRATION,
        [
            (prop("kennzeichen", "keyword"), "FD-KL 482"),
            (prop("erstzulassung", "date"), "2021-05-17"),
            (prop("fin", "keyword", None, "Fahrzeug-Identifizierungsnr."), "TMBJJ7NX4MY012345"),
            (prop("hubraum", "f64", "cm3"), 1968),
            (prop("nennleistung", "f64", "kW"), 110),
            (prop("leermasse", "f64", "kg"), 1475),
            (prop("sitzplaetze", "i64"), 5),
        ],
    ),
    "uk payslip": (
        UK_PAYSLIP,
        [
            (prop("ni_number", "keyword"), "QQ123456C"),
            (prop("tax_code", "keyword"), "1257L"),
            (prop("pay_date", "date"), "2026-10-30"),
            (prop("gross_pay", "f64", "GBP"), 2455.2),
            (prop("net_pay", "f64", "GBP"), 1945.25),
            (prop("overtime", "f64", "GBP"), 145.2),
            (prop("student_loan", "f64", "GBP"), None),
        ],
    ),
    "employment contract de": (
        EMPLOYMENT_CONTRACT_DE,
        [
            (prop("beginn", "date"), "2027-02-01"),
            (prop("probezeit", "i64", "month"), 6),
            (prop("wochenarbeitszeit", "f64", "h", "Arbeitszeit"), 38.5),
            (prop("bruttogehalt", "f64", "EUR"), 4350),
            (prop("urlaubstage", "i64", None, "Urlaubsanspruch"), 28),
            (prop("befristet_bis", "date"), None),
        ],
    ),
    "loan de": (
        LOAN_DE,
        [
            (prop("darlehensgeber"), "Volksbank Taubertal eG"),
            (prop("vertragsnummer", "keyword", None, "Darlehensvertrag Nr."), "77-4410-9"),
            (prop("nennbetrag", "f64", "EUR"), 240000),
            (prop("sollzinssatz", "f64", "%"), 3.62),
            (prop("effektivzins", "f64", "%", "Effektiver Jahreszins"), 3.71),
            (prop("monatsrate", "f64", "EUR", "Monatliche Rate"), 1124),
            (prop("sondertilgung", "f64", "%"), LOOK),
            (prop("bearbeitungsgebuehr", "f64", "EUR"), None),
        ],
    ),
    "nda short": (
        NDA_SHORT,
        [
            (prop("disclosing_party"), "Verdant Biosciences AG"),
            (prop("receiving_party"), "Orchard Labs Pty Ltd"),
            (prop("effective_date", "date"), "2026-10-07"),
            (prop("confidentiality_years", "i64"), 4),
            (prop("governing_law", "keyword"), "Swiss law"),
            (prop("liability_cap", "f64", "EUR"), None),
        ],
    ),
    "email quoted": (
        EMAIL_QUOTED,
        [
            (prop("absender", "text", None, "Von"), "Sabine Krüger"),
            (prop("betreff"), "AW: Angebot T30-Türen"),
            (prop("anzahl_tueren", "i64", None, "Türen"), LOOK),
            (prop("liefertermin", "date", None, "liefern bis"), "2027-01-15"),
            (prop("preis_je_tuer", "f64", "EUR", "Preis je Tür"), 890),
            (prop("email_absender", "keyword", None, "Von"), "s.krueger@planbuero.example"),
            (prop("skonto", "f64", "%"), None),
        ],
    ),
    "maintenance contract": (
        MAINTENANCE_CONTRACT,
        [
            (prop("auftragnehmer"), "Aufzugdienst Nord GmbH"),
            (prop("laufzeit", "i64", "month"), 24),
            (prop("beginn", "date"), "2027-01-01"),
            (prop("kuendigungsfrist", "i64", "month"), 3),
            (prop("verguetung", "f64", "EUR"), 1860),
            (prop("ersatzteile_enthalten", "bool"), False),
            (prop("vertragsstrafe", "f64", "EUR"), None),
        ],
    ),
    "cert of analysis": (
        CERT_OF_ANALYSIS,
        [
            (prop("batch", "keyword"), "SC260914"),
            (prop("heavy_metals", "f64", "ppm"), LOOK),
            (prop("retest_date", "date"), None),
            (prop("product"), "Sodium chloride, Ph. Eur."),
            (prop("water_content", "f64", "%"), None),
        ],
    ),
    "school report": (
        SCHOOL_REPORT,
        [
            (prop("schuelerin"), "Nele Brinkmann"),
            (prop("geburtsdatum", "date"), "2012-05-30"),
            (prop("klasse", "keyword"), "8b"),
            (prop("mathematik", "i64"), 3),
            (prop("versaeumte_tage", "i64"), 4),
            (prop("unentschuldigt", "i64"), 0),
            (prop("versetzt", "bool"), True),
            (prop("latein", "i64"), None),
        ],
    ),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_paper_states_and_what_it_does_not(paper: str) -> None:
    check(*PAPERS[paper])
