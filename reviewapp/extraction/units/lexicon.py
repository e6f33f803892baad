"""The unit lexicon: how texts write units, and the name that the unit registry (pint) knows each by.

One row is one unit: ``registry name | symbol prefixes | symbols | names``. The first symbol is how we write it. Symbols
keep their case (``mW`` is not ``MW``), names do not; an English plural ``s`` is added to names. Prefixes of names follow the
prefixes of symbols. Which rows exist is our choice: a string that is not here is no unit (``inchy``, ``cm+cm``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_PREFIX_NAMES = {
    "q": "quecto", "r": "ronto", "y": "yocto", "z": "zepto", "a": "atto", "f": "femto", "p": "pico", "n": "nano", "µ": "micro",
    "m": "milli", "c": "centi", "d": "deci", "da": "deca", "h": "hecto", "k": "kilo", "M": "mega", "G": "giga", "T": "tera",
    "P": "peta", "E": "exa", "Z": "zetta", "Y": "yotta", "Ki": "kibi", "Mi": "mebi", "Gi": "gibi", "Ti": "tebi",
}  # fmt: skip

_ROWS = """
meter | a f p n µ m c d da k M G | m | м 米 متر meter metre mètre metro metri metern mtr mtrs
gram | f p n µ m c d h k M G | g gm gms gr | г гр 克 גרם غرام gram gramme gramm grammo grammi gramo
metric_ton | k M G | t | т 吨 طن tonne tonn tonnen tonnellata tonnellate tonelada metric-ton
second | a f p n µ m | s sec | second sec secs sek sekunde sekunden seconde segundo secondo secondi
minute | | min mins | minute min mins minuten minuto minuti
hour | | h hr hrs | hour hr hrs stunde stunden std heure hora ore uur
day | | d | day tag tage tagen jour día dia giorno giorni dag dagen hari
week | | wk wks | week wk wks woche wochen semaine semana settimana settimane weken minggu
month | | mo mth mths | month mth mths monat monate monaten mois meses mese mesi maand maanden bulan
year | k M G | yr yrs a y | year yr yrs jahr jahre jahren ans année annee año anno anni jaar jaren tahun annum
decade | | | decade jahrzehnt
century | | | century centuries jahrhundert jahrhunderte siècle siglo secolo
liter | f p n µ m c d h k M G | l L ltr ltrs lit | liter litre litro litri litern ltr
hectare | | ha | hectare hektar
acre | | ac | acre
inch | | in | inch inches zoll pouce pulgada pollice pollici duim
foot | | ft | foot feet fuß fuss pied piede piedi
yard | | yd yds | yard
mile | | mi | mile meile meilen mille milla miglio miglia
nautical_mile | | nmi NM | nautical-mile seemeile seemeilen
angstrom | | Å | angstrom ångström ångstrom
light_year | | ly | light-year lightyear lichtjahr lichtjahre
parsec | k M G | parsec | parsec
astronomical_unit | | AU | astronomical-unit
fathom | | | fathom
furlong | | | furlong
pound | | lb lbs | pound lb lbs pfund
ounce | | oz | ounce oz unze unzen
stone | | | stone
grain | | | grain
carat | | carat | carat karat
short_ton | | | short-ton
long_ton | | | long-ton
dalton | k M | Da | dalton
kelvin | n µ m | K | kelvin
degree_Celsius | | °C degC | celsius centigrade degree-celsius degrees-celsius degree-centigrade degrees-centigrade grad-celsius degrees-c degree-c deg-c
degree_Fahrenheit | | °F degF | fahrenheit degree-fahrenheit degrees-fahrenheit grad-fahrenheit degrees-f degree-f deg-f
degree_Rankine | | °R | rankine degree-rankine degrees-rankine
ampere | f p n µ m k M | A | ampere amp ampère
volt | n µ m k M G | V | volt
watt | f p n µ m k M G T | W | watt
joule | f p n µ m k M G T P | J | joule
electron_volt | µ m k M G T P | eV | electronvolt electron-volt
calorie | k | cal | calorie kalorie kalorien
kilocalorie | | Cal | kcals
british_thermal_unit | | BTU Btu | btu british-thermal-unit
therm | | | therm
horsepower | | hp HP | horsepower
metric_horsepower | | PS CV | pferdestärke pferdestärken
watt_hour | m k M G T | Wh | watthour watt-hour wattstunde wattstunden
ampere_hour | m k | Ah | ampere-hour amp-hour
volt_ampere | k M | VA | volt-ampere
volt_ampere_reactive | k M | var | 
ohm | µ m k M G | Ω ohm Ohm | ohm
siemens | n µ m k | S | siemens
farad | f p n µ m | F | farad
coulomb | p n µ m k | C | coulomb
henry | n µ m | H | henry
weber | m | Wb | weber
tesla | n µ m | T | tesla
gauss | m k | G | gauss
hertz | m k M G T | Hz | hertz
newton | p n µ m k M | N | newton
pound_force | k | lbf | pound-force
kilogram_force | | kgf kp | kilogram-force
dyne | | dyn | dyne
erg | | erg | erg
pascal | m h k M G | Pa | pascal
bar | µ m k M | bar Bar | bar
standard_atmosphere | | atm | atmosphere
torr | m | Torr torr | torr
millimeter_Hg | | mmHg | mmhg
pound_force_per_square_inch | k | psi PSI | psi
mole | f p n µ m k | mol | mole mol
molar | f p n µ m | M | molar
international_unit | k M | IU | international-unit
candela | m k | cd | candela
lumen | k | lm | lumen
lux | m k | lx | lux
becquerel | k M G T | Bq | becquerel
curie | n µ m k M | Ci | curie
gray | µ m k | Gy | 
sievert | n µ m | Sv | sievert
rem | m | rem | 
katal | n µ m | kat | katal
barn | f p n µ m k | b | 
poise | m c | P | poise
stokes | c | St | stokes
degree | | ° deg | degree grad grado gradi degré
radian | n µ m | rad | radian
turn | | rev | revolution turn umdrehung umdrehungen
arcminute | | arcmin | arcminute arc-minute
arcsecond | µ m | arcsec | arcsecond arc-second
steradian | | sr | steradian
bit | k M G T P | bit | bit
byte | k M G T P E Z Y Ki Mi Gi Ti | B | byte
knot | | kn kts | knot knoten
gallon | | gal | gallon gallone gallonen
quart | | qt | quart
pint | | pt | pint
cup | | | cup
tablespoon | | tbsp Tbsp | tablespoon tbsp
teaspoon | | tsp | teaspoon tsp
fluid_ounce | | | fluid-ounce fl-oz
oil_barrel | | bbl | barrel
percent | | % pct | percent per-cent pct prozent procent pour-cent por-ciento per-cento persen
weight_percent | | wt% wt.% %wt %(w/w) | weight-percent
volume_percent | | vol% vol.% %vol %(v/v) | volume-percent
mole_percent | | mol% mol.% | mole-percent
atomic_percent | | at% at.% | atomic-percent
permille | | ‰ | permille promille
ppm | | ppm ppmv ppmw | ppm parts-per-million
ppb | | ppb ppbv | ppb parts-per-billion
decibel | | dB dBA | decibel dezibel
decibelmilliwatt | | dBm | dbm
pH | | pH | 
piece | | pcs pc PCS PC Stk Stck EA | piece pc pcs stück stueck stk stck each einheit einheiten pièce pieza pezzi pezzo stuk stuks
"""

_CAPITALS = """
    KG MG GM GMS G MM CM KM ML CL LTR LTRS LIT MIN MINS HR HRS
    SEC LB LBS OZ FT KW KWH WH KV YRS DEG SQM SQFT MTR GAL TON
"""
"""Symbols that shouting texts (receipts) write in capitals though their case matters elsewhere."""

ALIASES: dict[str, tuple[tuple[str, int], ...]] = {
    "кг": (("kg", 1),), "كغ": (("kg", 1),), "كجم": (("kg", 1),), "公斤": (("kg", 1),), "千克": (("kg", 1),), "мм": (("mm", 1),),
    "см": (("cm", 1),), "км": (("km", 1),), "л": (("l", 1),), "мл": (("ml", 1),), "毫米": (("mm", 1),), "厘米": (("cm", 1),),
    "公里": (("km", 1),), "升": (("l", 1),), "毫升": (("ml", 1),), "кВт": (("kW", 1),), "سم": (("cm", 1),), "مم": (("mm", 1),),
    "ч": (("h", 1),), "мин": (("min", 1),), "年": (("yr", 1),), "天": (("d", 1),),
    "cc": (("cm", 3),), "ccm": (("cm", 3),), "cbm": (("m", 3),), "qm": (("m", 2),), "sqm": (("m", 2),), "SQM": (("m", 2),),
    "qcm": (("cm", 2),), "qkm": (("km", 2),), "sqft": (("ft", 2),), "SQFT": (("ft", 2),), "sqmi": (("mi", 2),), "cuft": (("ft", 3),),
    "cft": (("ft", 3),), "mph": (("mi", 1), ("h", -1)), "MPH": (("mi", 1), ("h", -1)), "kph": (("km", 1), ("h", -1)),
    "kmh": (("km", 1), ("h", -1)), "rpm": (("rev", 1), ("min", -1)), "RPM": (("rev", 1), ("min", -1)),
    "bps": (("bit", 1), ("s", -1)), "kbps": (("kbit", 1), ("s", -1)), "Mbps": (("Mbit", 1), ("s", -1)),
    "Gbps": (("Gbit", 1), ("s", -1)), "tpd": (("t", 1), ("d", -1)), "tpa": (("t", 1), ("yr", -1)), "fps": (("ft", 1), ("s", -1)),
    "Nm": (("N", 1), ("m", 1)), "kNm": (("kN", 1), ("m", 1)), "mAh": (("mA", 1), ("h", 1)), "cds": (("cd", 1), ("s", 1)),
    "gpm": (("gal", 1), ("min", -1)), "lpm": (("l", 1), ("min", -1)), "slm": (("l", 1), ("min", -1)), "cfm": (("ft", 3), ("min", -1)),
    "㎜": (("mm", 1),), "㎝": (("cm", 1),), "㎞": (("km", 1),), "㎎": (("mg", 1),), "㎏": (("kg", 1),), "㎖": (("ml", 1),),
    "㎠": (("cm", 2),), "㎡": (("m", 2),), "㎥": (("m", 3),), "㎤": (("cm", 3),), "℃": (("°C", 1),), "℉": (("°F", 1),),
}  # fmt: skip
"""Spellings that stand for more than one plain unit: symbol → factors with their exponents."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit without exponent or company."""

    symbol: str
    """How we write it; also its identity."""
    registry: str
    """What pint calls it."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    symbols: dict[str, Atom]
    """Case kept."""
    names: dict[str, Atom]
    """Case folded; a hyphen stands for the space or hyphen between words."""
    firsts: frozenset[str]
    """First words of the names of several words."""
    longest_name: int
    """Words in the longest name."""


@cache
def lexicon() -> Lexicon:
    """The tables, built at first use (about 5 ms)."""
    symbols: dict[str, Atom] = {}
    names: dict[str, Atom] = {}
    rows = [[cell.strip() for cell in row.split("|")] for row in _ROWS.strip().splitlines()]
    for registry, _, row_symbols, row_names in rows:
        atom = Atom((row_symbols.split() or [registry])[0], registry)
        for symbol in row_symbols.split():
            symbols.setdefault(symbol, atom)
        _add_names(names, row_names.split(), "", atom)
    for registry, prefixes, row_symbols, row_names in rows:
        for prefix in prefixes.split():
            _add_prefixed(symbols, names, prefix, registry, row_symbols.split(), row_names.split())
    for shout in _CAPITALS.split():
        small = symbols.get(shout.lower()) or symbols.get(shout.lower().replace("w", "W").replace("v", "V"))
        if small is not None:
            symbols.setdefault(shout, small)
    several = [name for name in names if "-" in name]
    firsts = frozenset(name.partition("-")[0] for name in several)
    return Lexicon(symbols, names, firsts, max(name.count("-") for name in several) + 1)


def _add_names(names: dict[str, Atom], words: list[str], prefix: str, atom: Atom) -> None:
    for word in words:
        names.setdefault(prefix + word, atom)
        if not word.endswith("s"):
            names.setdefault(prefix + word + "s", atom)


def _add_prefixed(
    symbols: dict[str, Atom], names: dict[str, Atom], prefix: str, registry: str, own: list[str], words: list[str]
) -> None:
    long = _PREFIX_NAMES[prefix]
    atom = Atom(prefix + own[0] if own else long + registry, long + registry)
    for symbol in own:
        symbols.setdefault(prefix + symbol, atom)
        if prefix == "µ":
            symbols.setdefault("u" + symbol, atom)
        if prefix == "µ" and symbol == "g":
            symbols.setdefault("mcg", atom)
    _add_names(names, words, long, atom)
    _add_names(names, words, {"micro": "mikro", "kilo": "quilo", "deca": "deka"}.get(long, long), atom)
