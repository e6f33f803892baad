import struct
import zlib

import pytest
from fpdf import FPDF
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.pdf import render_page
from reviewapp.formats.pdf_layout import NO_GAP, WORD_GAP, Glyph, page_text
from tests.formats.making import pdf
from tests.formats.reading import faults, incoming, records

TABLE = [(20, 20, "Net weight"), (80, 20, "Gross weight"), (20, 27, "12 kg"), (80, 27, "15 kg")]


def words(record):
    return {record.text[w.start : w.end]: w.region for page in record.pages for w in page.words}


def test_columns_stand_below_each_other():
    [record] = records("r.pdf", pdf(TABLE))
    first, second = record.text.split("\n")
    assert first.split() == ["Net", "weight", "Gross", "weight"]
    assert abs(first.index("Gross") - second.index("15 kg")) <= 1
    assert "Net weight  " in first
    assert "12 kg  " in second


def test_every_word_is_what_stands_in_its_box():
    [record] = records("r.pdf", pdf(TABLE, [(100, 148.5, "Middle")]))
    found = words(record)
    assert set(found) == {"Net", "weight", "Gross", "12", "kg", "15", "Middle"}
    net, gross, middle = found["Net"], found["Gross"], found["Middle"]
    assert (net.page, middle.page) == (0, 1)
    assert net.x0 == pytest.approx(20 / 210, abs=0.005)
    assert gross.x0 == pytest.approx(80 / 210, abs=0.005)
    assert net.y0 < 20 / 297 < net.y1 + 0.005
    assert middle.y1 == pytest.approx(0.5, abs=0.01)
    assert net.x1 < gross.x0


def test_pages_are_parted_by_a_form_feed():
    [record] = records("r.pdf", pdf([(20, 20, "one")], [(20, 20, "two")]))
    assert record.text == "one\ftwo"
    assert [(p.number, record.text[p.start : p.end]) for p in record.pages] == [(0, "one"), (1, "two")]
    assert record.pages[0].width == pytest.approx(595.28, abs=0.01)
    assert record.file is not None
    assert record.file.startswith(b"%PDF-")


def test_the_order_is_that_of_the_page_not_of_the_file():
    [record] = records("r.pdf", pdf([(20, 100, "below"), (20, 20, "above"), (60, 20, "beside")]))
    assert record.text.split() == ["above", "beside", "below"]


def test_words_that_touch_nearly_are_kept_apart():
    sheet = FPDF()
    sheet.add_page()
    sheet.set_font("Helvetica", size=11)
    x = 20.0
    for word in ("Total:9.00", "Cash:10.00"):
        sheet.text(x, 20, word)
        x += sheet.get_string_width(word) + 1.2
    [record] = records("r.pdf", bytes(sheet.output()))
    assert record.text == "Total:9.00 Cash:10.00"


PROSE = [
    "the quick brown fox jumps over the lazy",
    "dog and runs away from the hunter who is",
    "standing at the river with his old rifle",
    "while the sun goes down over the distant",
    "hills and the birds are singing their last",
    "songs of the day before the night is here",
    "and the stars begin to shine over the land",
    "in the valley nobody hears the river flow",
]


def test_prose_in_two_columns_is_read_column_by_column():
    placed = [(15, 60 + 6 * n, line) for n, line in enumerate(PROSE)]
    placed += [(110, 60 + 6 * n, line.replace("the", "a")) for n, line in enumerate(PROSE)]
    [record] = records(
        "r.pdf",
        pdf([*TABLE, (15, 45, "A heading that runs over the whole page, from left to right, as they do"), *placed]),
    )
    text = record.text
    assert "\n".join(PROSE) in text
    assert text.index("in the valley") < text.index("a quick brown fox")
    assert text.splitlines()[0].split() == ["Net", "weight", "Gross", "weight"]


def test_a_table_of_words_is_read_row_by_row():
    rows = [(f"Article {n}", f"{n} pcs", f"{n}.00 EUR") for n in range(1, 12)]
    placed = [(x, 20 + 6 * n, cell) for n, row in enumerate(rows) for x, cell in zip((20, 90, 150), row, strict=True)]
    [record] = records("r.pdf", pdf(placed))
    assert [line.split() for line in record.text.splitlines()] == [" ".join(row).split() for row in rows]


def test_turned_pages_and_turned_words():
    def adjust(sheet):
        sheet.set_page_background(None)

    sheet = FPDF(orientation="landscape")
    adjust(sheet)
    sheet.add_page()
    sheet.set_font("Helvetica", size=11)
    sheet.text(20, 20, "upright words")
    with sheet.rotation(90, 10, 150):
        sheet.text(10, 150, "stamp on the margin")
    [record] = records("r.pdf", bytes(sheet.output()))
    assert record.text == "upright words\n\nstamp on the margin"


def turned(data, degrees):
    """The same file with every page turned clockwise when shown."""
    return data.replace(b"/Type /Page\n", b"/Type /Page\n/Rotate %d\n" % degrees)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_boxes_follow_the_page_as_it_is_shown(degrees):
    plain = pdf([(20, 20, "corner")])
    data = turned(plain, degrees)
    assert data != plain
    [record] = records("r.pdf", data)
    region = words(record)["corner"]
    across = {90: (277 / 297, 20 / 210), 180: (190 / 210, 277 / 297), 270: (20 / 297, 190 / 210)}[degrees]
    assert region.x0 - 0.02 < across[0] < region.x1 + 0.02
    assert region.y0 - 0.02 < across[1] < region.y1 + 0.02


def encrypted():
    def adjust(sheet):
        sheet.set_encryption(owner_password="owner", user_password="user")

    return pdf([(20, 20, "secret")], adjust=adjust)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (encrypted(), "r.pdf: is locked with a password; save it without one"),
        (pdf([]), "r.pdf: has no text layer (a scan?); run it through a text recognition (OCR) first"),
        (b"%PDF-1.7\nbroken", "r.pdf: is damaged or no PDF file"),
        (b"", "r.pdf: is damaged or no PDF file"),
        (b"\x00" * 1_000, "r.pdf: is damaged or no PDF file"),
        (pdf(*[[(20, 20, "x")]] * 501), "r.pdf: has 501 pages; at most 500. Split it"),
    ],
)
def test_what_cannot_be_read_is_one_fault(data, expected):
    [fault] = faults("r.pdf", data)
    assert fault.startswith(expected)


def test_pages_without_text_are_told():
    brought = incoming("r.pdf", pdf([(20, 20, "one")], [], []))
    assert brought.notes == ("r.pdf: 2 of 3 pages have no text (pictures or empty).",)


def decoded(png):
    """Width, height and rows of a PNG as `write_png` makes it."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    length = struct.unpack(">I", png[33:37])[0]
    assert png[37:41] == b"IDAT"
    rows = zlib.decompress(png[41 : 41 + length])
    stride = 3 * width + 1
    assert len(rows) == stride * height
    return width, height, [rows[y * stride + 1 : (y + 1) * stride] for y in range(height)]


def test_a_page_is_a_picture_with_its_words_in_their_boxes():
    def adjust(sheet):
        sheet.set_text_color(255, 0, 0)

    data = pdf([(20, 20, "MMMM")], size=40, adjust=adjust)
    width, height, rows = decoded(render_page(data, 0, 1.0))
    assert (width, height) == (596, 842)
    region = words(records("r.pdf", data)[0])["MMMM"]
    marked = [(x / width, y / height) for y, row in enumerate(rows) for x in range(width) if row[3 * x + 1] < 128]
    assert marked
    assert all(region.x0 - 0.01 <= x <= region.x1 + 0.01 and region.y0 <= y <= region.y1 for x, y in marked)
    reds = {row[3 * x : 3 * x + 3] for row in rows for x in range(width) if row[3 * x + 1] < 20}
    assert b"\xff\x00\x00" in reds


def test_pictures_have_a_largest_size():
    width, height, _ = decoded(render_page(pdf([(20, 20, "x")]), 0, 1_000.0))
    assert width * height < 12_100_000


def test_a_page_that_is_not_there():
    with pytest.raises(NotFound, match="counted from 0"):
        render_page(pdf([(20, 20, "x")]), 1)
    with pytest.raises(InvalidInput, match="no PDF file"):
        render_page(b"nothing", 0)


def glyphs_of(text, x, y, size=10.0):
    """A word's glyphs, each half as wide as high, beginning at (x, y)."""
    return [
        Glyph(char, x + 5 * i, y, x + 5 * i + 5, y + size, NO_GAP if i == 0 else WORD_GAP, upright=True)
        for i, char in enumerate(text)
    ]


def test_right_to_left_lines_are_read_from_the_right():
    def from_the_right(text, x):
        return [
            Glyph(c, x - 5 * i, 0, x - 5 * i + 5, 10, NO_GAP if i == 0 else WORD_GAP, upright=True)
            for i, c in enumerate(text)
        ]

    glyphs = [
        *from_the_right("משקל", 300),
        *from_the_right("נטו:", 277),
        *glyphs_of("12.5", 226, 0),
        *glyphs_of("kg", 249, 0),
        *from_the_right("סוף", 218),
    ]
    assert page_text(glyphs)[0] == "משקל נטו: 12.5 kg סוף"


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.text("abcdefgh0123456789.,:€", min_size=1, max_size=9),
            st.floats(0, 500),
            st.floats(0, 800),
            st.floats(4, 30),
        ),
        max_size=40,
    )
)
def test_spans_are_their_words_wherever_they_stand(placed):
    glyphs = [glyph for text, x, y, size in placed for glyph in glyphs_of(text, x, y, size)]
    text, found = page_text(glyphs)
    assert all(text[start:end] == word.text for start, end, word in found)
    assert sorted("".join(word.text for _, _, word in found)) == sorted("".join(p[0] for p in placed))
    assert [start for start, _, _ in found] == sorted(start for start, _, _ in found)
    assert "".join(text.split()) == "".join(word.text for _, _, word in found)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([("10", "LINE"), ("3", "SUP"), (" kg", "LINE")], "10³ kg"),
        ([("5 s", "LINE"), ("-12", "SUP")], "5 s⁻¹²"),
        ([("5", "LINE"), ("1", "NOM"), ("/", "LINE"), ("2", "DENOM"), (" in", "LINE")], "5¹/₂ in"),
        ([("H", "LINE"), ("2", "SUB"), ("O", "LINE")], "H2O"),
        ([("5", "LINE"), ("th", "SUP")], "5th"),
    ],
)
def test_raised_digits_stay_raised(runs, text):
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica", size=12)
    for words, place in runs:
        document.char_vpos = place
        document.write(text=words)
    [record] = records("r.pdf", bytes(document.output()))
    assert record.text == text
    assert [record.text[w.start : w.end] for page in record.pages for w in page.words] == text.split()


def test_smaller_digits_on_the_line_are_no_exponent():
    document = FPDF()
    document.add_page()
    for size, words in ((20, "100"), (12, "50")):
        document.set_font("Helvetica", size=size)
        document.text(x=20 + 12 * (size < 20), y=20, text=words)
    assert records("r.pdf", bytes(document.output()))[0].text == "10050"
