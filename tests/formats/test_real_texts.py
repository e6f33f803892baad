import csv
import io
import json

import pytest

from reviewapp.domain.texts import clean_text
from tests.formats.making import xlsx
from tests.formats.reading import pairs, records

SETS = ["invoices", "kleister-nda", "measeval", "quantities", "sofc-papers", "sofc-sentences", "sroie"]


@pytest.mark.parametrize("name", SETS)
def test_real_texts_come_in_unchanged(shared_set, name):
    lines = shared_set(name).lines("records")
    content = (shared_set(name).folder / "records.jsonl").read_bytes()
    expected = [(line["name"], clean_text(line["text"]).text) for line in lines]
    assert pairs("records.jsonl", content) == expected
    assert [r.source for r in records("records.jsonl", content)] == ["records.jsonl"] * len(lines)


@pytest.mark.parametrize("name", ["invoices", "sroie", "quantities"])
def test_the_same_texts_in_every_table_format(shared_set, name):
    lines = shared_set(name).lines("records")
    expected = [(line["name"], clean_text(line["text"]).text) for line in lines]
    assert pairs("r.json", json.dumps(lines)) == expected
    for delimiter in (",", ";", "\t"):
        table = io.StringIO(newline="")
        csv.writer(table, delimiter=delimiter).writerows([("name", "text"), *((r["name"], r["text"]) for r in lines)])
        assert pairs("r.csv", table.getvalue()) == expected
    book = xlsx(
        [["name", "text"], *([r["name"], r["text"].replace("\f", "\n")] for r in lines)]
    )  # XML has no form feed
    assert [(n, t.split()) for n, t in pairs("r.xlsx", book)] == [(n, t.split()) for n, t in expected]
