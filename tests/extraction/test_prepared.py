"""The normalised form and the way back."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.extraction.prepared import PreparedText, normalised

CASES = [
    ("plain", "Net weight: 12 KG", "net weight: 12 kg"),
    ("white space", "a \t b\n\n c\u00a0d\u2009e", "a b c d e"),
    ("one line end", "a\r\nb\nc\rd\fe", "a b c d e"),
    ("dashes", "a\u2010b\u2011c–d—e−f", "a-b-c-d-e-f"),
    ("quote marks", "“a” „b“ «c» ‘d’ 5′10″", '"a" "b" "c" \'d\' 5\'10"'),
    ("soft hyphen", "tempera\u00adture", "temperature"),
    ("zero width and direction marks", "\ufeffa\u200bb\u200ec\u2066d\u2069", "abcd"),
    ("split word", "tempera-\nture and co-\r\n  op", "temperature and coop"),
    ("split at a soft hyphen", "tempera\u00ad\nture", "temperature"),
    ("no split word", "5-\n6, a -\nb, -\nc", "5- 6, a - b, - c"),
    ("ligatures", "ﬁne oﬀer Ǆ", "fine offer dž"),
    ("sharp s and dotted I", "Straße İ", "strasse i̇"),
    ("full width", "ＡＢ１２：", "ab12:"),
    ("fractions", "½ 2½ 18¼ 1⁄2", "1/2 2 1/2 18 1/4 1/2"),
    ("superscripts", "m² 10² 10⁻³ H₂O", "m2 10^2 10^-3 h2o"),
    ("digits of other scripts", "١٢٫٥ १२", "12.5 12"),
    ("decomposed letters", "e\u0301a\u0302\u0301", "éấ"),
    ("hangul jamo", "\u1112\u1161\u11ab", "한"),
    ("joined emoji", "👩\u200d❤\ufe0f\u200d👩 x", "👩❤👩 x"),
    ("flags", "🇩🇪🇫🇷", "🇩🇪🇫🇷"),
    ("CJK radicals", "⻬鲁⼀", "齐鲁一"),
    ("spacing accents", "a¨b¯c", "a¨b¯c"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("text", "norm"), [(t, n) for _, t, n in CASES], ids=[name for name, _, _ in CASES])
def test_normalised_form(text: str, norm: str) -> None:
    assert PreparedText(text).norm == norm


def test_quote_is_folded_like_its_text() -> None:
    assert normalised(" “Net  Weight”: 12\u00a0KG \n") == '"net weight": 12 kg'


SPANS = [
    ("soft hyphen inside", "max. tempera\u00adture: 85", "temperature", "tempera\u00adture"),
    ("soft hyphens beside stay out", "a \u00adab\u00ad c", "ab", "ab"),
    ("split word", "the tempera-\n  ture is", "temperature", "tempera-\n  ture"),
    ("whole ligature", "a ﬁne day", "fin", "ﬁn"),
    ("half a ligature widens", "a ﬁne day", "i", "ﬁ"),
    ("half a fraction widens", "2½ cups", "1/", "½"),
    ("letter with marks", "cafe\u0301 noir", "é", "e\u0301"),
    ("joined emoji", "ok 👩\u200d❤\ufe0f\u200d👩 x", "❤", "👩\u200d❤\ufe0f\u200d👩"),
    ("white space run", "a \n b", "a b", "a \n b"),
]


@pytest.mark.parametrize(("text", "part", "cut"), [s[1:] for s in SPANS], ids=[s[0] for s in SPANS])
def test_span_of_the_text_behind_a_part_of_the_norm(text: str, part: str, cut: str) -> None:
    prepared = PreparedText(text)
    start = prepared.norm.index(part)
    begin, end = prepared.to_text(start, start + len(part))
    assert text[begin:end] == cut


def test_positions_inside_a_character() -> None:
    prepared = PreparedText("ae\u0301ﬁ")
    assert [prepared.cuts_text(p) for p in range(5)] == [False, False, True, False, False]
    assert prepared.norm == "aéfi"
    assert [prepared.cuts_norm(p) for p in range(4)] == [False, False, False, True]


def test_lines_end_at_every_kind_of_line_end() -> None:
    text = "A\r\nB\nC\rTotal 5 kg\fE"
    prepared = PreparedText(text)
    assert [text[s:e] for s, e in prepared.lines] == ["A", "B", "C", "Total 5 kg", "E"]
    assert prepared.line_number(text.index("5 kg")) == 3


def test_once_computes_once() -> None:
    prepared = PreparedText("a b")
    calls: list[str] = []

    def make(p: PreparedText) -> list[str]:
        calls.append(p.text)
        return p.text.split()

    assert prepared.once("words", make) == ["a", "b"]
    assert prepared.once("words", make) is prepared.once("words", make)
    assert calls == ["a b"]


AWKWARD = st.sampled_from(
    list("aZé5 \n\t-–−½ﬁßİ²⁻10.,\u00ad\u200b\u200d\ufe0f\u0301\u0323👩❤🇩🇪각\u1100\u1161\u11a8١٫⻬″…\ufeff\u3000")
)


@given(st.text(alphabet=st.one_of(AWKWARD, st.characters(exclude_categories=["Cs"])), max_size=60))
def test_every_position_maps_to_whole_characters(text: str) -> None:
    prepared = PreparedText(text)
    boundaries = {0, len(text)}
    for match in regex.finditer(r"\X", text):
        boundaries.add(match.end())
    last = 0
    for position in range(len(prepared.norm)):
        begin, end = prepared.to_text(position, position + 1)
        assert 0 <= begin < end <= len(text)
        assert begin >= last or prepared.cuts_norm(position)
        last = begin
        assert prepared.to_norm(begin) <= position
        inside = text[begin:end]
        if not inside.isspace() and "\r\n" not in text:
            assert begin in boundaries or unicodedata.category(text[begin - 1]) in ("Cf", "Zs", "Cc")
    whole = prepared.to_text(0, len(prepared.norm)) if prepared.norm else (0, 0)
    assert normalised(text[whole[0] : whole[1]]) == prepared.norm.strip()


@given(st.text(max_size=40))
def test_normalised_form_is_stable_for_letters(text: str) -> None:
    letters = "".join(c for c in text if c.isalpha() and c.isascii())
    assert normalised(letters) == letters.lower()
