"""Where quotes are found, and where they must not be."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reviewapp.domain.places import Grounding, Span
from reviewapp.extraction.grounding import locate, nearest
from reviewapp.extraction.prepared import PreparedText

JOINED = "👩\u200d❤\ufe0f\u200d👩"
TEMPERATURES = "".join(f"Nhiệt độ hoạt động {n} là 45,{n} °C. " for n in range(1, 401))

FOUND = [
    # name, text, quote, start, end, method
    ("emoji counts once", "💩 Net weight: 12 kg", "12 kg", 14, 19, "exact"),
    ("joined emoji counts its code points", f"{JOINED} Temp 37.2 °C", "37.2 °C", 12, 19, "exact"),
    ("several kinds of line end", "A\r\nB\nC\rTotal 5 kg", "5 kg", 13, 17, "exact"),
    ("last word", "Weight 12 kg", "12 kg", 7, 12, "exact"),
    ("quote with a space too many", "Weight 12 kg", "12 kg ", 7, 12, "exact"),
    ("text with spaces too many", "Weight 12 kg   \n\n", " 12 kg\n", 7, 12, "exact"),
    ("soft hyphen", "max. tempera\u00adture: 85 °C", "temperature: 85 °C", 5, 24, "normalised"),
    ("Arabic with its vowels", "اللغة ٱلْعَرَبِيَّة 12", "العربية", 6, 19, "normalised"),
    ("Hebrew with its points", "אמר שָׁלוֹם לכל", "שלום", 4, 11, "normalised"),
    ("a stretched Arabic word", "الوزن محمـــد 5", "محمد", 6, 13, "normalised"),
    ("thin spaces", "n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K (pre\u2011test)", "n = 42", 0, 6, "normalised"),
    ("real minus", "n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K (pre\u2011test)", "-3.5 K", 12, 18, "normalised"),
    (
        "non-breaking hyphen",
        "n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K (pre\u2011test)",
        "pre-test",
        20,
        28,
        "normalised",
    ),
    ("Arabic", "الوزن الصافي: ١٢٫٥ كغ (12.5 kg)", "١٢٫٥ كغ", 14, 21, "exact"),
    ("Latin in Arabic", "الوزن الصافي: ١٢٫٥ كغ (12.5 kg)", "12.5 kg", 23, 30, "exact"),
    ("Hebrew", "משקל נטו: 250 גרם, תאריך 03/04/2024", "250 גרם", 10, 17, "exact"),
    ("CJK radical by the stated table", "齐鲁公司 保证金 5000元", "⻬鲁公司", 0, 4, "normalised"),
    ("CJK inside a run of characters", "保证金5000元整", "5000元", 3, 8, "exact"),
    ("word split at a line end", "the tempera-\nture is", "temperature", 4, 17, "normalised"),
    ("hyphen kept that ends a line", "an X-\nray tube", "X-ray", 3, 9, "normalised"),
    ("whole ligature", "a ﬁne day", "fine", 2, 5, "normalised"),
    ("whole fraction", "add 2½ cups", "2 1/2 cups", 4, 11, "normalised"),
    ("decomposed letters", "un cafe\u0301 noir", "café", 3, 8, "normalised"),
    ("other case", "NET WEIGHT: 12 KG", "Net weight: 12 kg", 0, 17, "normalised"),
    ("curly quote marks", "the “Client” pays", '"Client" pays', 4, 17, "normalised"),
    ("quote marks of the model", "Weight 12 kg net", '"Weight 12 kg"', 0, 12, "exact"),
    ("emphasis of the model", "Weight 12 kg net", "**Weight** 12 kg", 0, 12, "exact"),
    ("emphasis of the text", "the **Weight** is", "**Weight**", 4, 14, "exact"),
    ("words and numbers run together", "Total:9.00Cash:10.00Change1.00", "9.00", 6, 10, "exact"),
    ("units run together", "Net 12 kgGross 15 kg", "12 kg", 4, 9, "exact"),
    ("currency run together", "Rounding 0.00 RM9.50", "9.50", 16, 20, "exact"),
    ("number before its unit", "Dose 12mg daily", "12", 5, 7, "exact"),
    ("footnote behind its unit", "run at 750 °C14,15).", "750 °C", 7, 13, "exact"),
    ("no space before the unit", "Net 12kg today", "12 kg", 4, 8, "normalised"),
    ("a space before the unit", "at 25 ° C", "25°C", 3, 9, "normalised"),
    ("no space behind the currency", "Total€12", "€ 12", 5, 8, "normalised"),
    ("spaces in brackets", "so ( 5 kg ) is", "(5 kg)", 3, 11, "normalised"),
    ("spaces at a colon", "Fire class :T30", "class: T30", 5, 15, "normalised"),
    ("spaces at a slash", "red / blue", "red/blue", 0, 10, "normalised"),
    ("a line end within Chinese", "保证\n金 5000元", "保证金5000 元", 0, 10, "normalised"),
    ("full stop behind slips", "between Gilead Sciences, Inc. and", "Gilead Sciences Inc.", 8, 29, "fuzzy"),
    ("slips", "The load is at least 50 kg in all cases.", "The lood is at least 50 kg in al cases", 0, 39, "fuzzy"),
    (
        "a word too few",
        "Payment is due within 30 days of receipt of invoice",
        "due within 30 days of the receipt of invoice",
        11,
        51,
        "fuzzy",
    ),
]


@pytest.mark.parametrize(("text", "quote", "start", "end", "method"), [c[1:] for c in FOUND], ids=[c[0] for c in FOUND])
def test_found(text: str, quote: str, start: int, end: int, method: str) -> None:
    grounding = locate(PreparedText(text), quote)
    assert grounding is not None
    assert grounding.place == (Span(start=start, end=end),)
    assert grounding.method == method
    assert grounding.others == ()
    assert (grounding.score == 100) is (method != "fuzzy")


NOT_FOUND = [
    ("number inside a number", "Order 2024", "2"),
    ("end of a number", "Weight 15 kg", "5 kg"),
    ("before the decimals", "Weight 12.5 kg", "12"),
    ("after the decimal mark", "Weight 12,5 kg", "5 kg"),
    ("bare decimals", "a ratio of .5 mm", "5 mm"),
    ("one group of thousands", "a total of 1,234 EUR", "234 EUR"),
    ("group after a narrow space", "a total of 12\u202f345 EUR", "345 EUR"),
    ("part of a mixed fraction", "18 1/4 in wide", "1/4 in"),
    ("whole of a mixed fraction", "18¼ in wide", "18"),
    ("without its power of ten", "k = 1.5 × 10⁻³ per s", "1.5"),
    ("without its exponent", "k = 1.5e-3", "1.5"),
    ("power read as digits", "10² m", "102 m"),
    ("without its minus", "Δ = −3.5 K", "3.5 K"),
    ("without its minus before the currency", "credit −$100.00", "$100.00"),
    ("tolerance as value", "10 mm ±0.5 mm", "0.5 mm"),
    ("minus out of a range dash", "at 12.8–13.0 TeV", "-13.0 TeV"),
    ("unit cut short", "a rate of 5 m² here", "5 m"),
    ("unit cut short, flattened", "a rate of 5 s-1 here", "5 s"),
    ("part of a code", "part no. 1A2B", "1"),
    ("number of a name", "bolt M8 zinc", "8"),
    ("part of a word", "Hamburger Hafen", "Hamburg"),
    ("part of a grapheme", "un cafe\u0301 noir", "cafe"),
    ("part of a joined emoji", f"ok {JOINED} ok", "❤"),
    ("half a ligature", "ﬁ", "f"),
    ("negated auxiliary", "it can't be opened", "can"),
    ("changed digit", "The tank holds exactly 120 litres of water", "The tank holds exactly 130 litres of water"),
    ("changed unit", "The tank holds about 120 kg of salt water", "The tank holds about 120 mg of salt water"),
    ("changed comparison", "The load is at least 50 kg in all cases", "The load is at most 50 kg in all cases"),
    ("changed sign", "limit value for leakage > 5 mA per unit", "limit value for leakage < 5 mA per unit"),
    ("dropped negation", "The device is not suitable for outdoor use", "The device is suitable for outdoor use"),
    ("made up negation", "The device is suitable for outdoor use", "The device is not suitable for outdoor use"),
    ("dropped minus", "the lowest temperature was −40 °C in winter", "the lowest temperature was 40 °C in winter"),
    ("other letter of a series", "Pump A: flow of the circuit", "Pump B: flow of the circuit"),
    ("other currency", "the fee amounts to € 500 per month", "the fee amounts to $ 500 per month"),
    ("made up opposite", "the card is valid until 2024", "the card is invalid until 2024"),
    ("made up opposite, in German", "zulässig bis 5 bar", "unzulässig bis 5 bar"),
    ("exchanged opposite", "inclusive of value added tax", "exclusive of value added tax"),
    ("other size", "weight in kilogram per piece", "weight in milligram per piece"),
    ("other person", "signed by Mr. Smith of London", "signed by Mrs. Smith of London"),
    ("digits run together", "weighs 5 000 kg", "5000 kg"),
    ("digits parted", "at 1,5 kg", "1, 5 kg"),
    ("a time parted", "at 12:30 h", "12: 30 h"),
    ("a sign joined", "from 2 - 3.5 K", "-3.5 K"),
    ("a letter joined", "Pump A 12", "A12"),
    ("digit of a paper size", "Paper: A4", "4"),
    ("digit of a code", "Size: S5", "5"),
    ("not there at all", "Weight 12 kg", "colour red"),
    ("value of the prompt's example", "Beta GmbH, 7 kg", "5 kg"),
    ("nothing", "Weight 12 kg", "  "),
    ("only marks", "Weight 12 kg", "..."),
    ("no text", "", "12 kg"),
]


@pytest.mark.parametrize(("text", "quote"), [c[1:] for c in NOT_FOUND], ids=[c[0] for c in NOT_FOUND])
def test_not_found(text: str, quote: str) -> None:
    assert locate(PreparedText(text), quote) is None


SEVERAL = [
    # name, text, quote, value, cues, chosen, others
    ("named in its line", "Pump A: flow 5 l/min.\nPump B: flow 5 l/min.", "5 l/min", None, ["flow_b"], 35, [13]),
    ("the first is right", "Pump A: flow 5 l/min.\nPump B: flow 5 l/min.", "5 l/min", None, ["flow_a"], 13, [35]),
    ("not the page number", "Page 2 of 5\nOrder 2024-02\nQuantity: 2 pcs", "2", 2, ["quantity"], 36, [5]),
    ("not the page number, unnamed", "Page 2 of 5\nOrder 2024-02\nQuantity: 2 pcs", "2", 2, ["count"], 36, [5]),
    ("by an alias", "Netto: 12 kg\nBrutto: 12 kg", "12 kg", None, ["gross", "Brutto"], 21, [7]),
    ("by the nearer label", "Net 12 kg Gross 12 kg", "12 kg", None, ["net_weight"], 4, [16]),
    ("by the nearer label, other", "Net 12 kg Gross 12 kg", "12 kg", None, ["grossWeight"], 16, [4]),
    (
        "by the column's head",
        "Net weight   Gross weight\n12 kg        12 kg",
        "12 kg",
        None,
        ["gross weight"],
        39,
        [26],
    ),
    (
        "by the column's head, other",
        "Net weight   Gross weight\n12 kg        12 kg",
        "12 kg",
        None,
        ["net weight"],
        26,
        [39],
    ),
    ("by the label above", "Width\n60 cm\nHeight\n60 cm", "60 cm", None, ["height"], 19, [6]),
    ("by the value beside it", "Total 5.00 RM\nTotal 7.00 RM", "Total", "7.00", [], 14, [0]),
    ("clean before glued", "Item12 here\nQuantity 12", "12", None, ["item"], 21, []),
]


@pytest.mark.parametrize(
    ("text", "quote", "value", "cues", "chosen", "others"), [c[1:] for c in SEVERAL], ids=[c[0] for c in SEVERAL]
)
def test_several_places(
    text: str, quote: str, value: str | int | None, cues: list[str], chosen: int, others: list[int]
) -> None:
    grounding = locate(PreparedText(text), quote, value=value, cues=cues)
    assert grounding is not None
    assert grounding.place[0].start == chosen
    assert [place[0].start for place in grounding.others] == others


def test_reader_hint_decides_between_places() -> None:
    text = "Width 60 cm, depth 60 cm"
    grounding = locate(PreparedText(text), "60 cm", hint=Span(start=19, end=24), cues=["width"])
    assert grounding is not None
    assert grounding.place == (Span(start=19, end=24),)


def test_wrong_hint_is_no_place() -> None:
    grounding = locate(PreparedText("Width 60 cm, depth"), "60 cm", hint=Span(start=13, end=18))
    assert grounding is not None
    assert grounding.place == (Span(start=6, end=11),)


ELLIPSES = [
    ("three dots", "The load of the shelf is 50 kg.", "The load ... is 50 kg", ["The load", "is 50 kg"]),
    ("one character", "The load of the shelf is 50 kg.", "The load … 50 kg", ["The load", "50 kg"]),
    ("in brackets", "The load of the shelf is 50 kg.", "load [...] shelf […] 50 kg", ["load", "shelf", "50 kg"]),
    ("at the ends", "The load of the shelf is 50 kg.", "... the shelf is ...", ["the shelf is"]),
    ("tightest pair", "load A, load B is 50 kg", "load ... is 50 kg", ["load", "is 50 kg"]),
    ("folded parts", "The LOAD of the shelf is 50\u00a0kg.", "The load ... 50 kg", ["The LOAD", "50\u00a0kg"]),
]


@pytest.mark.parametrize(("text", "quote", "pieces"), [c[1:] for c in ELLIPSES], ids=[c[0] for c in ELLIPSES])
def test_ellipsis_gives_several_spans(text: str, quote: str, pieces: list[str]) -> None:
    grounding = locate(PreparedText(text), quote)
    assert grounding is not None
    assert [span.cut(text) for span in grounding.place] == pieces


def test_tightest_pair_is_taken() -> None:
    grounding = locate(PreparedText("load A, load B is 50 kg"), "load ... is 50 kg")
    assert grounding is not None
    assert grounding.place[0].start == 8


def test_ellipsis_parts_out_of_order_are_not_found() -> None:
    assert locate(PreparedText("50 kg is the load"), "the load ... 50 kg") is None


def test_dots_that_stand_in_the_text_are_no_ellipsis() -> None:
    text = "Total ..... 5.00"
    grounding = locate(PreparedText(text), "Total ..... 5.00")
    assert grounding is not None
    assert grounding.place == (Span(start=0, end=16),)


NEAREST = [
    ("changed digit", "The tank holds exactly 120 litres", "holds exactly 130 litres", "holds exactly 120 litres"),
    ("no look-alike", "Weight 12 kg", "q" * 30, None),
    ("no quote", "Weight 12 kg", " ", None),
    ("no text", "", "12 kg", None),
    ("lone surrogate", "Weight 12 kg", "Weight \ud83d 12 kg", "Weight 12 kg"),
]


@pytest.mark.parametrize(("text", "quote", "cut"), [c[1:] for c in NEAREST], ids=[c[0] for c in NEAREST])
def test_nearest_place(text: str, quote: str, cut: str | None) -> None:
    span = nearest(PreparedText(text), quote)
    assert (span.cut(text) if span else None) == cut


@pytest.mark.timeout(120)
def test_quotes_alike_are_told_apart() -> None:
    prepared = PreparedText(TEMPERATURES)
    for n in range(1, 131):
        states = f"Nhiệt độ hoạt động {n} là 45,{n} °C"
        quote = states.replace("hoạt", "hoát") if n <= 40 else states
        grounding = locate(prepared, quote)
        assert grounding is not None
        assert grounding.place[0].start == TEMPERATURES.index(states)
        assert grounding.place[0].cut(TEMPERATURES) == states
        assert grounding.others == ()


@pytest.mark.timeout(120)
def test_a_million_characters() -> None:
    text = "All work and no play makes a dull day. " * 25_000 + "The rated voltage is 230 V."
    prepared = PreparedText(text)
    for quote in ("The rated voltage is 230 V", "THE RATED  VOLTAGE", "The rited voltage is 230 V"):
        grounding = locate(prepared, quote)
        assert grounding is not None
        assert grounding.place[0].start == 975_000
    assert locate(prepared, "The rated voltage is 240 V") is None
    assert nearest(prepared, "The rated voltage is 240 V") == Span(start=975_000, end=975_026)


HOSTILE = [
    ("a digit in a million", "2" * 1_000_000, "2"),
    ("half a word in a million", "ab" * 500_000, "ab"),
    ("quote marks without end", "Weight 12 kg", '"' * 20_000 + "x"),
    ("spaces without end", "Weight 12 kg", "a" + " " * 200_000 + "…" + " " * 200_000 + "b"),
    ("dots without end", "Weight 12 kg", "." * 200_000 + "x"),
    ("one long line", "Total " + "5.00 " * 200_000, "Total 6.00"),
    (
        "long quote that is not there",
        "Nothing to see here. " * 20_000,
        "Something else altogether, word for word. " * 40,
    ),
]


@pytest.mark.parametrize(("text", "quote"), [c[1:] for c in HOSTILE], ids=[c[0] for c in HOSTILE])
@pytest.mark.timeout(120)
def test_hostile_input_is_refused(text: str, quote: str) -> None:
    """How the time grows is measured by `bench.growth`."""
    prepared = PreparedText(text)
    assert locate(prepared, quote, value="5.00", cues=["total"]) is None
    nearest(prepared, quote)


# Properties: plant a quote in a text and find exactly it.

WORD = st.text(alphabet="abcdefghijklmnoprstuvwxyzäöüéèßñçøåабвгд", min_size=2, max_size=9)
NUMBER = st.integers(10, 99_999).map(str)
FILLER = st.lists(
    st.one_of(
        WORD, st.sampled_from(["💩", JOINED, "e\u0301t\u0301", "½", "ﬁn", "保证", "שלום", "١٢", "–", "\u00ad", "²"])
    ),
    max_size=12,
)
QUOTE = st.tuples(WORD, WORD, NUMBER, WORD).map(" ".join)


def planted(before: list[str], quote: str, after: list[str]) -> tuple[str, Span]:
    head = " ".join([*before, ""])
    return head + quote + " ".join(["", *after]), Span(start=len(head), end=len(head) + len(quote))


def must_hold(grounding: Grounding, text: str) -> None:
    for place in (grounding.place, *grounding.others):
        ends = [0]
        for span in place:
            assert ends[-1] <= span.start < span.end <= len(text)
            assert span.cut(text).strip() == span.cut(text)
            ends.append(span.end)


@given(FILLER, QUOTE, FILLER)
def test_planted_quote_is_found_exactly(before: list[str], quote: str, after: list[str]) -> None:
    text, span = planted(before, quote, after)
    assume(text.count(quote) == 1)
    grounding = locate(PreparedText(text), quote)
    assert grounding is not None
    assert (grounding.method, grounding.place, grounding.others) == ("exact", (span,), ())
    must_hold(grounding, text)


SLIPS = [
    ("case", str.upper),
    ("spaces", lambda q: q.replace(" ", " \n ")),
    ("no-break spaces", lambda q: q.replace(" ", "\u00a0")),
    ("soft hyphen", lambda q: q[0] + "\u00ad" + q[1:]),
    ("zero width space", lambda q: q[0] + "\u200b" + q[1:]),
]


@pytest.mark.parametrize("slip", [s[1] for s in SLIPS], ids=[s[0] for s in SLIPS])
@given(before=FILLER, quote=QUOTE, after=FILLER)
def test_planted_quote_with_other_writing_is_found(slip, before: list[str], quote: str, after: list[str]) -> None:  # type: ignore[no-untyped-def]
    text, span = planted(before, slip(quote), after)
    assume(PreparedText(text).norm.count(PreparedText(quote).norm) == 1)
    grounding = locate(PreparedText(text), quote)
    assert grounding is not None
    assert grounding.place == (span,)
    must_hold(grounding, text)


@given(FILLER, QUOTE, FILLER, st.integers(0, 9), st.integers(0, 4))
def test_a_changed_digit_is_never_found(before: list[str], quote: str, after: list[str], digit: int, at: int) -> None:
    number = next(w for w in quote.split() if w.isdecimal())
    at %= len(number)
    changed = f"{number[:at]}{digit}{number[at + 1 :]}"
    assume(changed != number and not changed.startswith("0"))
    text, _ = planted(before, quote, after)
    assume(changed not in PreparedText(text).norm)
    assert locate(PreparedText(text), quote.replace(number, changed)) is None


@given(FILLER, QUOTE, FILLER)
def test_twins_are_all_told(before: list[str], quote: str, between: list[str]) -> None:
    text = " ".join([*before, quote, *between, "und", quote])
    assume(text.count(quote) == 2)
    grounding = locate(PreparedText(text), quote)
    assert grounding is not None
    starts = sorted(place[0].start for place in (grounding.place, *grounding.others))
    assert starts == [text.index(quote), text.rindex(quote)]


@given(st.text(max_size=80), st.text(max_size=30))
@example("ﬁ ﬂ", "fi")
@example("a\u0301", "a")
@example("½", "1/2")
@example("...", "…")
def test_whatever_comes_spans_are_spans(text: str, quote: str) -> None:
    prepared = PreparedText(text)
    grounding = locate(prepared, quote, cues=["a b"])
    if grounding is not None:
        must_hold(grounding, text)
    near = nearest(prepared, quote)
    assert near is None or 0 <= near.start < near.end <= len(text)
