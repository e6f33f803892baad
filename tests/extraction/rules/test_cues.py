from __future__ import annotations

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.cues import FULL, HEAD, PART, Hits, concept_key, property_key
from reviewapp.extraction.rules.layout import read_layout
from reviewapp.extraction.rules.reader import compile_queries


def find(text: str, *properties: Property) -> dict[str, Hits]:
    _, book = compile_queries(properties, {})
    return book.find(read_layout(text))


TOTAL = Property(name="total", value_type="f64")


def test_a_cue_inside_a_longer_one_does_not_count() -> None:
    hits = find("SUB TOTAL 8.00 TOTAL 9.00", TOTAL)
    assert [h[:2] for h in hits[property_key("total")].hits] == [(4, 5)]
    assert [h[:2] for h in hits[concept_key("subtotal")].hits] == [(0, 2)]


def test_cues_run_over_digits_but_not_over_cells_and_colons() -> None:
    tax = Property(name="tax", value_type="f64")
    assert find("including 6% GST", tax)[concept_key("inclusive")].hits[0][:2] == (0, 3)
    assert concept_key("due_date") not in find("Invoice Date:    Reference", tax)


def test_words_run_together_and_compounds_are_found() -> None:
    assert find("GRANDTOTAL 9.00", TOTAL)[property_key("total")].hits[0][2] == FULL
    assert find("Angebotssumme 9,00", TOTAL)[property_key("total")].hits[0][2] == HEAD


def test_parts_of_a_name_are_weaker_than_the_name() -> None:
    anode = Property(name="anode_material")
    hits = find("anode material, anode", anode)[property_key("anode_material")].hits
    assert [h[2] for h in hits] == [FULL, PART]


def test_aliases_in_any_language() -> None:
    prop = Property(name="width", value_type="f64", unit="cm", aliases=("lichte Weite", "Ширина"))
    assert find("Ширина 5 cm", prop)[property_key("width")].hits[0][2] == FULL
    assert find("LICHTE WEITE 5 cm", prop)[property_key("width")].hits[0][:2] == (0, 2)


def test_nearest_hits() -> None:
    hits = Hits.of([(1, 2, 1.0), (5, 7, 0.5)])
    assert hits.before(9, 0) == (5, 7, 0.5)
    assert hits.before(6, 0) == (1, 2, 1.0)
    assert hits.before(6, 2) is None
    assert hits.after(2, 7) == (5, 7, 0.5)
    assert hits.after(2, 6) is None
    assert hits.strongest(0, 7) == 1.0
    assert hits.within(3, 9) == [(5, 7, 0.5)]
