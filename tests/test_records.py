"""Bringing records in, looking at them, removing them."""

from __future__ import annotations

import threading
import tracemalloc

import pytest

from reviewapp import records as use
from reviewapp.answers import answers_of_input, save_answer
from reviewapp.domain.places import Region
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord, Page, Word
from reviewapp.domain.workflows import Evidence
from reviewapp.errors import ImportFaults, InvalidInput, NotFound
from reviewapp.store import Workspace
from reviewapp.tests import get_input, input_text, text_state
from tests.builders import WIDTH, done, records, value

TEN = {f"Item {n}": f"Width {n} cm" for n in range(10)}


def test_the_same_file_twice_then_with_one_text_changed(workspace):
    first = use.import_records(workspace, "tenders", records(TEN), by="eva")
    assert (first.new, first.same, first.changed) == (10, 0, 0)
    assert first.iris[:2] == ("record:tenders/Item%200", "record:tenders/Item%201")
    again = use.import_records(workspace, "tenders", records(TEN), by="eva")
    assert (again.new, again.same, again.changed, again.iris) == (0, 10, 0, first.iris)
    third = use.import_records(workspace, "tenders", records({**TEN, "Item 3": "Width 33 cm"}), by="eva")
    assert (third.new, third.same, third.changed) == (0, 9, 1)
    assert use.count_records(workspace, "tenders") == 10
    assert use.get_record(workspace, first.iris[3]).text == "Width 33 cm"
    assert use.get_record(workspace, first.iris[3]).changed > use.get_record(workspace, first.iris[3]).created


def test_answers_on_a_changed_record_stay_and_say_so(workspace):
    test = done(workspace, TEN, {"Item 3": [value("width", 3.0)]})
    save_answer(workspace, test.id, "record:tenders/Item%203", "width", "accept", by="ann")
    use.import_records(workspace, "tenders", records({"Item 3": "Width 33 cm"}), by="eva")
    input = get_input(workspace, test.id, "record:tenders/Item%203")
    assert input_text(workspace, input) == "Width 3 cm"
    (answer,) = answers_of_input(workspace, test.id, 3)["width"]
    assert answer.decision == "accept"
    assert answer.text_hash == input.text_hash
    assert text_state(workspace, input) == "changed"
    assert text_state(workspace, get_input(workspace, test.id, 4)) == "current"
    use.delete_record(workspace, input.iri, "eva")
    assert text_state(workspace, input) == "gone"
    assert input_text(workspace, input) == "Width 3 cm"
    assert workspace.trail.latest()[0].did == "delete record"


def test_texts_that_nothing_uses_are_removed(workspace):
    use.import_records(workspace, "tenders", records({"a": "one", "b": "two", "c": "one"}), by="eva")
    digest = use.get_record(workspace, "record:tenders/a").text_hash
    use.import_records(workspace, "tenders", records({"a": "three"}), by="eva")
    assert workspace.records.text(digest) == "one"  # record c has it too
    use.delete_record(workspace, "record:tenders/c", "eva")
    assert workspace.records.text(digest) is None


@pytest.mark.parametrize(
    ("incoming", "place", "says"),
    [
        ([("a", "one", None), ("a", "two", None)], "record 2 ('a')", "name 'a' came before with another text"),
        ([("a", "one", "x"), ("b", "two", "x")], "record 2 ('b')", "IRI 'x' came before with another text"),
        ([("a", "5 kg\0", None)], "record 1", "its text holds a NUL character (U+0000) at position 4"),
        ([("a", "one", "record:other/z")], "record 1", "belongs to collection 'other'"),
    ],
)
def test_faults_import_nothing(workspace, incoming, place, says):
    use.import_records(workspace, "other", [IncomingRecord(name="z", text="z")], by="eva")
    with pytest.raises(ImportFaults) as caught:
        use.import_records(
            workspace, "tenders", (IncomingRecord(name=n, text=t, iri=i) for n, t, i in incoming), by="eva"
        )
    (fault,) = caught.value.faults
    assert fault.place == place
    assert says in fault.message
    assert [c.name for c in use.list_collections(workspace)] == ["other"]


def test_all_faults_are_told_at_once(workspace):
    twins = [IncomingRecord(name="a", text=str(n)) for n in range(4)]
    with pytest.raises(ImportFaults, match="3 faults; nothing was imported"):
        use.import_records(workspace, "tenders", twins, by="eva")


def test_a_reader_that_fails_half_way_imports_nothing(workspace):
    def broken():
        yield from records({"a": "one", "b": "two"})
        raise ImportFaults([])

    with pytest.raises(ImportFaults):
        use.import_records(workspace, "tenders", broken(), by="eva")
    assert use.list_collections(workspace) == []
    assert use.import_records(workspace, "tenders", records({"a": "one"}), by="eva").new == 1


def test_twins_with_equal_texts_are_taken_once_with_a_note(workspace):
    report = use.import_records(
        workspace, "tenders", [IncomingRecord(name="a", text="one")] * 3, by="eva", notes=("Read as UTF-8.",)
    )
    assert (report.new, report.iris) == (1, ("record:tenders/a",))
    assert report.notes == ("Read as UTF-8.", "2 records came again with the same text and were taken once: 'a', 'a'.")


def test_equal_names_with_iris_of_their_own_are_two_records(workspace):
    report = use.import_records(
        workspace, "tenders", [IncomingRecord(name="a", text=t, iri=i) for t, i in (("one", "x"), ("two", "y"))], by="e"
    )
    assert report.new == 2


@pytest.mark.parametrize(("raw", "kept"), [("A\r\nB\nC\rTotal 5 kg", "A\nB\nC\nTotal 5 kg"), ("\ufeffa\fb", "a\fb")])
def test_texts_are_kept_in_one_form(workspace, raw, kept):
    use.import_records(workspace, "tenders", [IncomingRecord(name="a", text=raw)], by="eva")
    assert use.get_record(workspace, "record:tenders/a").text == kept


@pytest.mark.parametrize("name", ["", "Tenders", "a/b", "-a", "a" * 64, "tenders\n"])
def test_collection_names_are_slugs(workspace, name):
    with pytest.raises(InvalidInput, match="is no collection name") as caught:
        use.import_records(workspace, name, records(TEN), by="eva")
    assert caught.value.param == "collection"


def test_no_records(workspace):
    with pytest.raises(InvalidInput, match="no records in it"):
        use.import_records(workspace, "tenders", [], by="eva")


def test_lists_go_on_behind_an_iri_and_search_names_and_texts(workspace):
    texts = {"Ä-Regal": "Breite 60 cm", "Kiste": "straße 5", "Tür": "Breite 90 cm"}
    use.import_records(workspace, "tenders", records(texts), by="eva")
    rows = use.list_records(workspace, "tenders", limit=2)
    rest = use.list_records(workspace, "tenders", after=rows[-1].iri, limit=2)
    assert [r.name for r in rows + rest] == ["Ä-Regal", "Kiste", "Tür"]  # by IRI: %C3 comes before K
    assert rows[1].characters == 8
    for words, names in [("BREITE", ["Ä-Regal", "Tür"]), ("ä-r", ["Ä-Regal"]), ("STRASSE", ["Kiste"]), ("90 kg", [])]:
        assert [r.name for r in use.list_records(workspace, "tenders", search=words)] == names
        assert use.count_records(workspace, "tenders", search=words) == len(names)


def test_what_is_not_there(workspace):
    use.import_records(workspace, "tenders", records(TEN), by="eva")
    with pytest.raises(NotFound, match="There are: tenders"):
        use.get_collection(workspace, "invoices")
    with pytest.raises(NotFound, match="There are: tenders"):
        use.list_records(workspace, "invoices")
    with pytest.raises(NotFound, match="There is no record 'x'"):
        use.get_record(workspace, "x")
    with pytest.raises(NotFound):
        use.delete_record(workspace, "x", "eva")
    with pytest.raises(NotFound, match="not read from a PDF"):
        use.page_image(workspace, "record:tenders/Item%200", 0)


def test_declared_properties_are_replaced_by_name(workspace):
    use.declare_properties(workspace, "tenders", [WIDTH, Property(name="colour")], "eva")
    found = use.declare_properties(
        workspace, "tenders", [Property(name="width", value_type="i64"), Property(name="age")], "eva"
    )
    assert [(p.name, p.value_type) for p in found.properties] == [("width", "i64"), ("colour", "text"), ("age", "text")]


def test_evidence_of_a_collection_adds_up(workspace):
    use.import_records(workspace, "bills", records({"a": "Summe 1.234,50 EUR", "b": "am 27.11.2017"}), by="eva")
    before = workspace.records.evidence("bills")
    assert before.decimal_comma >= 1
    use.import_records(workspace, "bills", records({"a": "nothing to see"}), by="eva")
    assert workspace.records.evidence("bills").decimal_comma < before.decimal_comma
    assert workspace.records.evidence("empty") == Evidence()


def _page(number: int, start: int, text: str) -> Page:
    words = (Word(start=start, end=start + len(text), region=Region(page=number, x0=0.1, y0=0.2, x1=0.3, y1=0.4)),)
    return Page(number=number, start=start, end=start + len(text), width=595, height=842, words=words)


def starts_of_pages(workspace, iri):
    return [page.start for page in workspace.records.pages(iri, use.get_record(workspace, iri).text_hash)]


def test_pages_and_file_belong_to_the_text(workspace):
    def pdf(text: str) -> IncomingRecord:
        first, second = text.split("\f")
        return IncomingRecord(
            name="p", text=text, file=text.encode(), pages=(_page(0, 0, first), _page(1, len(first) + 1, second))
        )

    use.import_records(workspace, "papers", [pdf("one\ftwo")], by="eva")
    record = use.get_record(workspace, "record:papers/p")
    assert record.page_count == 2
    assert starts_of_pages(workspace, record.iri) == [0, 4]
    use.import_records(workspace, "papers", [pdf("three\ffour")], by="eva")
    assert starts_of_pages(workspace, record.iri) == [0, 6]
    assert workspace.records.file(record.iri, record.text_hash) is None
    use.import_records(workspace, "papers", [pdf("three\ffour")], by="eva")
    assert use.get_record(workspace, record.iri).page_count == 2


def test_a_large_import_does_not_hold_up_answers(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, {"a": "Width 3 cm"}, {"a": [value("width", 3.0)]})

    def answer() -> None:
        for n in range(50):
            save_answer(workspace, test.id, 0, "width", "accept" if n % 2 else "cant_tell", by="ann")

    thread = threading.Thread(target=answer)
    body = "Width 3 cm, height 12,5 cm. " * 7_000

    def many():
        for n in range(40):
            if n == 5:
                thread.start()
            if n == 35:  # answers that waited for the end of the import would never come
                thread.join(60)
                assert not thread.is_alive()
            yield IncomingRecord(name=f"r{n}", text=f"{n} {body}")

    assert use.import_records(workspace, "large", many(), by="eva").new == 40
    assert len(answers_of_input(workspace, test.id, 0)["width"]) == 50


def test_memory_does_not_grow_with_the_file(tmp_path):
    def many():
        for n in range(60):
            yield IncomingRecord(name=f"r{n}", text=f"{n}" + "x" * 500_000)

    with Workspace("default", tmp_path / "w.db") as workspace:
        tracemalloc.start()
        use.import_records(workspace, "large", many(), by="eva")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 15_000_000  # 30 MB of text
