import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.formats.encodings import LATIN_9_NOTE, WESTERN_NOTE, Undecodable, decode, detect
from tests.formats.reading import faults, incoming, pairs

GERMAN = "Länge 5 m, Größe über 12 °C"
SAMPLES_TOLD_APART = [
    (GERMAN, "utf-8"),
    (GERMAN, "utf-8-sig"),
    (GERMAN, "utf-16"),
    (GERMAN, "utf-16-le"),
    (GERMAN, "utf-16-be"),
    (GERMAN, "utf-32"),
    ("正味重量 12 kg", "utf-8"),
    ("正味重量 12 kg", "utf-16"),
    ("plain", "ascii"),
    ("", "utf-8"),
]


@pytest.mark.parametrize(("text", "codec"), SAMPLES_TOLD_APART)
def test_unicode_encodings_are_told_apart_without_a_note(text, codec):
    assert decode(text.encode(codec)) == (text, None)


WESTERN = [
    (GERMAN, "latin-1"),
    (GERMAN, "cp1252"),
    ("Preis 5 € – „gut“ für Möbel", "cp1252"),
    ("Le café est fermé à 18 h, l’été déjà payé 12 £ ±3", "cp1252"),
    ("5 µm", "latin-1"),
    ("El año pasado ¿qué pasó, señor?", "latin-1"),
    ("Längd å ö Ä räksmörgås", "latin-1"),
    ("name;text\na;Temperatur 37 °C\nb;5 kg\n", "latin-1"),
    ("Þingvellir: hæð 103 m, lengd á ánni", "latin-1"),
    ("½ inch × 3, 20 m²", "latin-1"),
    ("Länge×Breite×Höhe, §§§§ 5, ¯¯¯¯¯ ÄÖÜ", "latin-1"),
]


@pytest.mark.parametrize(("text", "codec"), WESTERN)
def test_western_european_bytes_are_read_with_a_note(text, codec):
    assert decode(text.encode(codec)) == (text, WESTERN_NOTE)


def test_the_euro_sign_of_latin_9_is_known_by_the_numbers_beside_it():
    assert decode("Größe 5 € für Œuvre".encode("iso8859-15")) == ("Größe 5 € für Œuvre", LATIN_9_NOTE)


FOREIGN = [
    ("重量 12 公斤", "big5"),
    ("무게 12 kg", "euc_kr"),
    ("משקל 12", "cp1255"),
    ("Zażółć gęślą jaźń, łóżko świetne", "cp1250"),
    ("Zażółć gęślą jaźń, łóżko świetne", "iso8859_2"),
    ("Привет, масса нетто двенадцать кг", "cp1251"),
    ("Привет, масса нетто двенадцать кг", "koi8_r"),
    ("正味重量 12 kg です。温度は高い", "shift_jis"),
    ("正味重量 12 kg です。温度は高い", "euc_jp"),
    ("重量 十二 公斤 重置昵称", "gb18030"),
    ("Βάρος δώδεκα κιλά", "cp1253"),
    ("Ağırlık şu kadar İyi", "cp1254"),
    ("El año pasado ¿qué pasó, señor? café", "mac_roman"),
]


@pytest.mark.parametrize(("text", "codec"), FOREIGN)
def test_other_single_byte_encodings_are_refused_by_line(text, codec):
    with pytest.raises(Undecodable) as refused:
        decode(b"first line\n" + text.encode(codec))
    line, message = refused.value.lines[0]
    assert line == 2
    assert "not UTF-8" in message
    assert "save the file as UTF-8" in message


def test_damaged_utf8_names_every_line():
    data = "Größe\n".encode() + b"Gr\xf6\xdfe\n" + "Höhe\n".encode() + b"M\xfcll\n"
    with pytest.raises(Undecodable) as refused:
        decode(data)
    assert [line for line, _ in refused.value.lines] == [2, 4]
    assert "0xF6" in refused.value.lines[0][1]


def test_many_damaged_lines_are_counted():
    with pytest.raises(Undecodable) as refused:
        decode("ä\n".encode() * 30 + b"\xff\n" * 25)
    assert len(refused.value.lines) == 21
    assert refused.value.lines[-1] == (None, "5 more lines hold bytes that are not UTF-8")


@pytest.mark.parametrize("data", [b"\xff\xfea\x00b", b"\xfe\xff\xd8\x00\x00a"])
def test_damaged_utf16_is_refused(data):
    with pytest.raises(Undecodable, match="UTF-8"):
        decode(data)


def test_a_declared_encoding_counts_where_the_bytes_fit_it():
    text, note = decode("Вес 12 кг".encode("cp1251"), "windows-1251")
    assert text == "Вес 12 кг"
    assert "windows-1251" in note
    assert decode("Вес".encode(), "windows-1251") == ("Вес", None)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_utf8_text_is_read_as_it_is(text):
    if text.startswith("\ufeff") or "\0" in text:
        return
    assert decode(text.encode()) == (text, None)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_text_or_a_refusal(data):
    try:
        encoding = detect(io.BytesIO(data))
    except Undecodable as refused:
        messages = [message for _, message in refused.lines]
    else:
        data.decode(encoding.codec)
        messages = [encoding.note or "Unicode"]
    assert messages
    assert all(messages)


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", BOM + b"name,text\r\na,5 kg\r\n"),
        ("a.csv", BOM + BOM + b"name,text\r\na,5 kg\r\n"),
        ("a.csv", "\ufeffname,text\na,5 kg\n".encode("utf-16-le")),
        ("a.jsonl", BOM + b'{"name":"a","text":"5 kg"}\n'),
        ("a.jsonl", '{"name":"a","text":"5 kg"}\n'.encode("utf-16")),
        ("a.json", BOM + b'[{"name":"a","text":"5 kg"}]'),
        ("a.txt", BOM + b"5 kg"),
        ("a.md", "5 kg".encode("utf-16")),
        ("a.html", BOM + b"<p>5 kg</p>"),
    ],
)
def test_a_byte_order_mark_never_sticks(name, content):
    assert pairs(name, content) == [("a", "5 kg")]


def test_the_note_names_the_file():
    brought = incoming("preise.csv", "name;text\na;Größe 5 m\n".encode("cp1252"))
    assert brought.notes == (f"preise.csv {WESTERN_NOTE}.",)
    assert next(iter(brought.records)).text == "Größe 5 m"


def test_undecodable_lines_are_faults_of_the_file():
    content = '{"name":"a","text":"ok ä"}\n'.encode() + b'{"name":"b","text":"bad \xe4 5 kg"}\n'
    [fault] = faults("r.jsonl", content)
    assert fault.startswith("r.jsonl, line 2: the byte 0xE4 is not UTF-8")
