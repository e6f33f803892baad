import io
import json
import zipfile
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.datasets import Dataset, Expected, Install, Item, ItemSource
from reviewapp.domain.places import Span, cut_out
from reviewapp.errors import ImportFaults
from reviewapp.formats.answer_key import read_answer_key, read_zip
from reviewapp.formats.datasets.answer_key import dataset_files, write
from reviewapp.formats.datasets.form import Head, Losses
from tests.formats.reading import pairs

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DATASET = Dataset(
    id="ds_" + "0" * 32,
    name="Doors",
    created=NOW,
    changed=NOW,
    about=("from a test",),
    install=Install(properties={"width": "f64", "colour": "text"}, units={"width": "cm"}, context="Doors."),
)
ITEMS = (
    Item(
        name="e1",
        text="💩 Net weight: 12 kg",
        iri="record:doors/e1",
        source=ItemSource(kind="test", id="wtest_1"),
        values=(Expected(property="weight", value=12, quote="12 kg", spans=(Span(start=14, end=19),)),),
        leave_out=(Expected(property="width", value=None, reason="typo"),),
    ),
    Item(name="重置昵称", text="A\nB", values=(Expected(property="code", value="02138", accept=("02138", "2138")),)),
    Item(
        name="zeroes",
        text="Defects found: 0\nCertified: no\nOffset 0.0 mm",
        values=(
            Expected(property="defects", value=0),
            Expected(property="certified", value=False),
            Expected(property="offset", value=0.0),
            Expected(property="big", value=2**62 + 1),
        ),
    ),
)


def test_the_files_have_the_shapes_of_an_answer_key():
    files = dataset_files(DATASET, ITEMS[:1])
    assert files.records == [{"name": "e1", "text": "💩 Net weight: 12 kg", "iri": "record:doors/e1"}]
    assert files.expected == {
        "about": ["from a test"],
        "install": {"properties": {"width": "f64", "colour": "text"}, "units": {"width": "cm"}, "context": "Doors."},
        "positions": "code points from the beginning of the text; start inclusive, end exclusive",
        "records": [
            {
                "name": "e1",
                "source": {"kind": "test", "id": "wtest_1"},
                "values": [{"property": "weight", "value": 12, "quote": "12 kg", "spans": [{"start": 14, "end": 19}]}],
                "leave_out": [{"property": "width", "value": None, "reason": "typo"}],
            }
        ],
    }
    assert files.records[0]["text"][14:19] == "12 kg"


def zipped(items=ITEMS, dataset=DATASET) -> bytes:
    head = Head(name=dataset.name, about=dataset.about, install=dataset.install)
    return b"".join(write(head, items, Losses()))


def files_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_a_dataset_without_header_has_an_empty_install():
    files = dataset_files(DATASET.model_copy(update={"about": (), "install": Install()}), [])
    assert files.expected["install"] == {}
    assert "about" not in files.expected


def test_the_files_are_readable_and_strict():
    files = files_of(zipped())
    assert list(files) == ["records.json", "expected.json"]
    assert "重置昵称" in files["records.json"].decode()
    assert '\n  {\n    "name": "e1",\n' in files["records.json"].decode()
    values = json.loads(files["expected.json"], parse_constant=pytest.fail)["records"][2]["values"]
    assert [v["value"] for v in values] == [0, False, 0.0, 2**62 + 1]
    assert [type(v["value"]) for v in values] == [int, bool, float, int]


def test_the_zip_is_the_same_whenever_it_is_made():
    first = zipped()
    assert zipped(list(ITEMS), DATASET.model_copy(update={"changed": NOW.replace(year=2030)})) == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert [(i.filename, i.date_time, i.external_attr) for i in archive.infolist()] == [
            ("records.json", (1980, 1, 1, 0, 0, 0), 0o100644 << 16),
            ("expected.json", (1980, 1, 1, 0, 0, 0), 0o100644 << 16),
        ]
    as_data = dataset_files(DATASET, ITEMS)
    assert {name: json.loads(content) for name, content in files_of(first).items()} == {
        "records.json": as_data.records,
        "expected.json": as_data.expected,
    }


def test_our_records_file_can_be_imported():
    assert pairs("records.json", files_of(zipped())["records.json"]) == [(i.name, i.text) for i in ITEMS]


def test_a_foreign_answer_key_is_read():
    key = read_answer_key(
        b'[{"name":"a","text":"x"},{"name":"b","text":"y"}]',
        b'{"install":{},"records":[{"name":"b","values":[{"property":"p","value":1.5,"accept":["a"]}]}]}',
    )
    assert [(i.name, len(i.values)) for i in key.items] == [("a", 0), ("b", 1)]
    assert key.items[1].values[0].value == 1.5


RECORDS = b'[{"name":"a","text":"x"}]'
REFUSED = [
    (b"[", b"{}", ["records.json: is not valid JSON"]),
    (b'{"a":1}', b"{}", ["records.json: expected a list of records, found an object"]),
    (RECORDS, b"[]", ['expected.json: expected {"install"']),
    (RECORDS, b'{"records":[{"name":"z"}]}',
     ["expected.json, record 'z': there is no record of this name in records.json"]),
    (RECORDS, b'{"records":[{"name":"a"},{"name":"a"}]}', ["expected.json, record 'a': stands twice"]),
    (RECORDS, b'{"records":[{"values":[]}]}', ["expected.json: 1 records have no name"]),
    (b'[{"name":"a","text":"x"},{"name":"a","text":"y"}]', b'{"records":[]}',
     ["records.json, record 2: the name 'a' stands twice"]),
    (b'[{"text":"x"}]', b'{"records":[]}', ["records.json, record 1: expected name and text"]),
    (b'[{"name":"a"}]', b'{"records":[]}', ["expected.json, record 'a': text is missing"]),
    (RECORDS, b'{"records":[{"name":"a","values":[{"property":"p"}]}]}',
     ["expected.json, record 'a': values.1.value is missing"]),
    (RECORDS, b'{"records":[{"name":"a","value":[]}]}',
     ["expected.json, record 'a': value unknown field 'value'; did you mean 'values'?"]),
    (RECORDS, b'{"records":[{"name":"a","values":[{"property":"p","value":NaN}]}]}', ["expected.json: holds NaN"]),
    (RECORDS, b'{"records":[{"name":"a","values":[{"property":"p","value":1e999}]}]}', ["expected.json: holds 1e999"]),
    (b'[{"name":"a","text":"x\\u0000"}]', b'{"records":[{"name":"a","values":[{"property":"p","value":"9"}]}],'
     b'"install":{"properties":{"p":"i64"}}}',
     ["expected.json, record 'a': text holds a NUL character", "expected.json, record 'a': values.1.value found '9'"]),
    (RECORDS, b'{"install":{"units":5},"records":[]}',
     ["expected.json: install.units found 5, expected fields with values"]),
    (b'[{"name":"a","text":"\xff"}]', b"{}", ["records.json: is not UTF-8; save it as UTF-8"]),
    (RECORDS, b'{"records":[{"name":"a","values":[{"property":"p","value":1,"spans":[{"start":5,"end":2}]}]}]}',
     ["expected.json, record 'a': values.1.spans.1 span 5:2 is empty"]),
]  # fmt: skip


@pytest.mark.parametrize(("records", "expected", "faults"), REFUSED)
def test_faults_are_told_with_file_and_record(records, expected, faults):
    with pytest.raises(ImportFaults) as refused:
        read_answer_key(records, expected)
    found = [str(fault) for fault in refused.value.faults]
    assert len(found) == len(faults), found
    assert all(fault.startswith(start) for fault, start in zip(found, faults, strict=True)), found


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", zipped()[:-30]])
def test_a_zip_that_is_none(data):
    with pytest.raises(ImportFaults, match=r"dataset\.zip: is damaged or no zip file"):
        read_zip(data)


def test_a_zip_without_the_files():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("records.json", "[]")
    with pytest.raises(ImportFaults, match=r"expected records\.json and expected\.json in it"):
        read_zip(buffer.getvalue())


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAMES = TEXTS.map(str.strip).filter(bool)
VALUES = st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS


@st.composite
def expected(draw, text, *, nothing):
    starts = sorted(draw(st.lists(st.integers(0, len(text) - 1), max_size=2))) if text else []
    spans = tuple(Span(start=start, end=draw(st.integers(start + 1, len(text)))) for start in starts)
    return Expected(
        property="of an item: " + draw(TEXTS),
        value=draw(st.none() | VALUES) if nothing else draw(VALUES),
        quote=cut_out(text, spans) if spans else draw(st.none() | TEXTS),
        stated=draw(st.none() | TEXTS),
        spans=spans,
        accept=draw(st.none() | st.lists(TEXTS, max_size=2).map(tuple)),
        reason=draw(st.none() | TEXTS),
    )


@st.composite
def items_with_places(draw):
    text = draw(TEXTS)
    return Item(
        name=draw(NAMES),
        text=text,
        iri=draw(st.none() | TEXTS),
        case=draw(st.none() | TEXTS),
        source=draw(st.none() | st.builds(ItemSource, kind=st.sampled_from(["test", "review"]), id=st.none() | TEXTS)),
        values=tuple(draw(st.lists(expected(text, nothing=False), max_size=3))),
        leave_out=tuple(draw(st.lists(expected(text, nothing=True), max_size=2))),
    )


INSTALL = st.builds(
    Install,
    properties=st.dictionaries(NAMES, st.sampled_from(["text", "f64"]), max_size=2),
    units=st.dictionaries(NAMES, TEXTS, max_size=2),
    context=st.none() | TEXTS,
)


@given(
    st.lists(items_with_places(), max_size=4, unique_by=lambda item: item.name), INSTALL, st.lists(TEXTS, max_size=2)
)
def test_items_come_back_from_their_files(items, install, about):
    dataset = DATASET.model_copy(update={"install": install, "about": tuple(about)})
    key = read_zip(zipped(items, dataset))
    assert key.items == tuple(items)
    assert [repr(v.value) for i in key.items for v in i.values] == [repr(v.value) for i in items for v in i.values]
    assert (key.install, key.about) == (install, tuple(about))
