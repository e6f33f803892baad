import pytest

from reviewapp.domain.texts import CleanText, clean_text, refused_character

KEPT = [
    ("A\r\nB\nC\rTotal 5 kg", "A\nB\nC\nTotal 5 kg", ()),
    ("a\r\r\nb", "a\n\nb", ()),
    ("one\u2028two\u2029three\x85four\vfive", "one\ntwo\nthree\nfour\nfive", ()),
    ("tab\tand\fpage", "tab\tand\fpage", ()),
    ("\ufeff\ufeffname", "name", ()),
    ("in\ufeffside", "in\ufeffside", ()),
    ("a\x01b\x08c\x01", "a b c ", ("\x01", "\x08")),
    ("\x7f\x80", "  ", ("\x7f", "\x80")),
    ("max. tempera\u00adture: 85\u202f°C", "max. tempera\u00adture: 85\u202f°C", ()),
    ("", "", ()),
]


@pytest.mark.parametrize(("raw", "text", "replaced"), KEPT)
def test_texts_have_one_form(raw, text, replaced):
    assert clean_text(raw) == CleanText(text, replaced)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("plain \U0001f4a9", None),
        ("a\0", (1, "a NUL character (U+0000)")),
        ("bad \ud83d end", (4, "half of a surrogate pair (U+D83D), which is no character")),
    ],
)
def test_what_no_text_may_hold(raw, expected):
    assert refused_character(raw) == expected
