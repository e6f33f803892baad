"""Files that want to do harm, or are simply broken: each gives one clear fault, quickly and in little memory."""

import io
import random
import re
import resource
import zipfile

import pytest

from reviewapp.errors import ImportFaults, InvalidInput
from reviewapp.formats.datasets import xlsx_sheet
from reviewapp.formats.pdf import render_page
from reviewapp.formats.readers import read_files
from reviewapp.formats.sources import KINDS, Upload
from tests.formats.making import docx, pdf, pdf_stream, raw_pdf, with_part, xlsx
from tests.formats.reading import faults, pairs

DOCX = docx(lambda document: document.add_paragraph("5 kg"))
XLSX = xlsx([["name", "text"], ["a", "5 kg"]])
LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol">""" + b"".join(
    b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12)
)
FILE_ENTITY = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]>'


def prefixed(prolog, use=b"&f;"):
    """The part with a prolog of ours and the entity somewhere in its text."""

    def change(part):
        body = part[part.index(b"?>") + 2 :] if part.startswith(b"<?xml") else part
        return prolog + body.replace(b"5 kg", use)

    return change


@pytest.mark.parametrize(
    ("name", "archive", "part"),
    [
        ("r.docx", DOCX, "word/document.xml"),
        ("r.docx", DOCX, "word/_rels/document.xml.rels"),
        ("r.docx", DOCX, "[Content_Types].xml"),
        ("r.xlsx", XLSX, "xl/worksheets/sheet1.xml"),
        ("r.xlsx", XLSX, "xl/sharedStrings.xml"),
        ("r.xlsx", XLSX, "xl/workbook.xml"),
        ("r.xlsx", XLSX, "xl/styles.xml"),
    ],
)
@pytest.mark.parametrize("prolog", [LAUGHS + b"]>", FILE_ENTITY], ids=["laughs", "file"])
def test_entities_are_refused(name, archive, part, prolog):
    use = b"&m;" if b"lolz" in prolog else b"&f;"
    [fault] = faults(name, with_part(archive, part, prefixed(prolog, use)))
    assert fault == f"{name}: declares a document type in {part}, which {name[2:].upper()} files never need"


def test_entities_in_utf16_are_refused():
    def change(part):
        return (
            (FILE_ENTITY + part[part.index(b"?>") + 2 :])
            .decode()
            .replace('"1.0"', '"1.0" encoding="UTF-16"')
            .encode("utf-16")
        )

    [fault] = faults("r.docx", with_part(DOCX, "word/document.xml", change))
    assert "declares a document type" in fault


def test_a_doctype_behind_a_long_comment_is_refused():
    prolog = b'<?xml version="1.0"?><!--' + b"x" * 200_000 + b"-->" + FILE_ENTITY[FILE_ENTITY.index(b"<!") :]
    for name, archive, part in (("r.docx", DOCX, "word/document.xml"), ("r.xlsx", XLSX, "xl/worksheets/sheet1.xml")):
        [fault] = faults(name, with_part(archive, part, prefixed(prolog)))
        assert "damaged" in fault


def bomb(archive, part, size):
    """The archive with a part that unpacks to `size` bytes of white space."""
    buffer = io.BytesIO(archive)
    with (
        zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as opened,
        opened.open(part, "w", force_zip64=True) as content,
    ):
        for _ in range(size // 10_000_000):
            content.write(b" " * 10_000_000)
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "archive"), [("r.docx", DOCX), ("r.xlsx", XLSX)])
def test_zip_bombs_are_refused_before_they_are_unpacked(name, archive):
    packed = bomb(archive, "xl/bomb.xml", 400_000_000)
    assert len(packed) < 1_000_000
    [fault] = faults(name, packed)
    assert fault.startswith(f"{name}: unpacks to 400.")
    assert fault.endswith("at most 300.0 MB")


def test_an_archive_of_very_many_parts_is_refused():
    buffer = io.BytesIO(DOCX)
    with zipfile.ZipFile(buffer, "a") as archive:
        for n in range(10_001):
            archive.writestr(f"x{n}", b"")
    [fault] = faults("r.docx", buffer.getvalue())
    assert "parts; at most 10,000" in fault


def test_xml_nested_without_end_is_refused():
    deep = b"<w:sdt>" * 50_000
    document = b'<w:document xmlns:w="x"><w:body>' + deep + b"</w:sdt>" * 50_000 + b"</w:body></w:document>"
    [fault] = faults("r.docx", with_part(DOCX, "word/document.xml", lambda _: document))
    assert fault.startswith("r.docx: ")


WORDS = b"BT /F1 12 Tf 10 10 Td (Width 600 mm) Tj ET"


def laughing_pdf(depth):
    """Of two kilobytes; drawing it draws a picture ten times, each of which draws another ten times, and so on."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>/XObject<</X %d 0 R>>>>"
    forms = [pdf_stream(b"/X Do " * 10, form % (7 + n)) for n in range(depth)]
    return raw_pdf(b"/X Do", *forms, pdf_stream(WORDS, form % 5))


def test_a_pdf_that_unfolds_without_end_is_refused_and_ends_nothing_else():
    bomb = laughing_pdf(8)
    assert len(bomb) < 3_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    [fault] = faults("r.pdf", bomb)
    assert fault == (
        "r.pdf: takes more than a document does to be read (the limits are 60 s and 1,000 MB); print it to PDF again"
    )
    with pytest.raises(InvalidInput, match=r"The file takes more than .* 20 s and 1,000 MB"):
        render_page(bomb, 0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
    [(_, text)] = pairs("r.pdf", laughing_pdf(1))
    assert text.count("Width") == 10


def test_a_page_of_very_many_letters_is_refused_before_it_is_read():
    [fault] = faults("r.pdf", raw_pdf(b"BT /F1 1 Tf " + b"(Width 600 mm 600 mm) Tj " * 13_200 + b"ET"))
    assert re.fullmatch(r"r.pdf: has 25\d,\d\d\d characters on page 1; at most 250,000. Split it", fault)


STYLES = b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts>%s</fonts></styleSheet>'


def more_styles(styles: bytes) -> bytes:
    """What a workbook collects that others are copied into, a million times."""
    return styles.replace(
        b"</cellXfs>", b'<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' * 1_000_000 + b"</cellXfs>"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.xlsx", with_part(XLSX, "xl/styles.xml", lambda _: STYLES % (b"<font/>" * 8_000_000))),
        ("r.xlsx", with_part(XLSX, "xl/styles.xml", more_styles)),
        ("r.html", b"<b><i><p>" * 2_000_000),
        ("r.html", b"<table><tr><td>" * 1_300_000),
    ],
)
def test_a_document_that_unfolds_to_gigabytes_costs_this_process_little_and_ends_nothing(name, content):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (fault,) = faults(name, content)
    assert fault.startswith(f"{name}: takes more than a document does to be read (the limits are 60 s and 1,000 MB)")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB
    assert pairs("a.docx", DOCX) == [("a", "5 kg")]  # the next one is read
    assert pairs("a.xlsx", XLSX) == [("a", "5 kg")]


def test_a_dataset_of_a_sheet_that_unfolds_is_refused_too():
    bloated = with_part(XLSX, "xl/styles.xml", lambda _: STYLES % (b"<font/>" * 8_000_000))
    with pytest.raises(ImportFaults) as refused:
        xlsx_sheet.read(bloated)
    (fault,) = refused.value.faults
    assert fault.message.startswith("takes more than a document does")


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv"])
def test_a_line_of_a_hundred_megabytes_is_refused_in_little_memory(name, tmp_path):
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(b'{"name":"a","text":"' if name == "r.jsonl" else b"name,text\na,")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"name":"b"}\n')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ImportFaults) as refused:
        read_files([path])
    assert "the line is longer than 24.0 MB" in str(refused.value.faults[0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 250_000  # KiB


def test_lines_after_one_that_is_too_long_are_still_read(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"text":"' + b"x" * 25_000_000 + b'"}\n{"name":"b"}\n{"name":"c","text":"ok"}\n')
    with pytest.raises(ImportFaults) as refused:
        read_files([path])
    assert [fault.place for fault in refused.value.faults] == ["r.jsonl, line 1", "r.jsonl, line 2"]


def outcome(name, content):
    """``taken``, or the places of all faults; anything else that is raised is a bug."""
    try:
        list(read_files([Upload(name, content)]).records)
    except ImportFaults as refused:
        return {fault.place.partition(",")[0] for fault in refused.faults}
    return "taken"


def test_random_bytes_of_every_ending():
    chance = random.Random(7)
    starts = [b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"<html>", b"\xd0\xcf\x11\xe0"]
    for ending in KINDS:
        contents = [start + chance.randbytes(chance.choice([0, 1, 50, 3_000])) for start in starts for _ in range(3)]
        outcomes = [outcome(f"r{ending}", content) for content in contents]
        assert all(found in ("taken", {f"r{ending}"}) for found in outcomes)
        assert {f"r{ending}"} in outcomes


@pytest.mark.parametrize(("name", "content"), [("r.docx", DOCX), ("r.xlsx", XLSX), ("r.pdf", pdf([(20, 20, "5 kg")]))])
def test_damaged_files_never_end_in_a_traceback(name, content):
    chance = random.Random(11)
    outcomes = []
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(chance.choice([1, 5, 60])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        outcomes.append(outcome(name, bytes(damaged)))
    assert all(found in ("taken", {name}) for found in outcomes)
    assert {name} in outcomes


def test_markup_in_names_and_texts_is_only_text():
    name = "https://></a><img src=# onerror=alert(1) />"
    assert pairs("r.csv", f'name,text\n"{name}","<script>alert(1)</script>"\n') == [(name, "<script>alert(1)</script>")]


def test_sizes_are_refused_before_reading(tmp_path):
    path = tmp_path / "r.pdf"
    with path.open("wb") as file:
        file.truncate(100_000_001)
    with pytest.raises(ImportFaults, match=r"the file has 100\.0 MB; at most 100\.0 MB"):
        read_files([path])


def test_a_cell_at_the_far_corner_costs_little():
    def change(part):
        return part.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>')

    assert pairs("r.xlsx", with_part(XLSX, "xl/worksheets/sheet1.xml", change)) == [("a", "5 kg")]
