"""Filters, progress of several people and their agreement, as the pages tell them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from reviewapp import answers, disputes, reviewers
from reviewapp.domain.answers import Decision
from reviewapp.domain.tests import InputResult, Test
from tests.field_cases.product import Product, prop
from tests.web import world
from tests.web.reviewing import parsed, path
from tests.web.test_reviewers import as_person, shown


def made(product: Product, count: int, names: tuple[str, ...], support: list[tuple[float, ...]] | None = None) -> Test:
    """A test of so many texts, each property of which was read."""
    text = "Width 5 cm"
    properties = [prop(name, unit="cm") for name in names]
    test = world.fill(product.workspace, [(f"r{n}", f"{text} {n}") for n in range(1, count + 1)], properties)
    results = [
        InputResult(
            values=tuple(
                world.value(text, name, 5.0, text, support=support[n][at] if support else 0.9)
                for at, name in enumerate(names)
            )
        )
        for n in range(count)
    ]
    return world.run(product.workspace, test, results)


def give(product: Product, test: Test, by: str, position: int, decisions: dict[str, Decision]) -> None:
    for name, decision in decisions.items():
        answers.save_answer(product.workspace, test.id, position, name, decision, by=by)


def rows(client: FlaskClient, test: Test, page: str) -> list[list[str]]:
    found = parsed(client.get(path(test, page))).css("tbody tr")
    return [[" ".join(cell.text().split()) for cell in row.css("th, td")] for row in found]


def test_92_each_person_has_a_count_of_inputs_and_of_values_and_the_team_one_apart(product: Product) -> None:
    test = made(product, 10, ("width", "height", "depth"))
    for position in range(4):
        give(product, test, "Ann", position, dict.fromkeys(("width", "height", "depth"), "accept"))
    for position in (4, 5):
        give(product, test, "Bob", position, dict.fromkeys(("width", "height", "depth"), "reject"))
    told = {row[0]: row[2:4] for row in rows(product.client, test, "reviewers/")}
    assert told == {"Ann": ["12 of 30", "4 of 10"], "Bob": ["6 of 30", "2 of 10"]}
    assert "18 of 30 answered" in product.client.get(path(test)).text


def test_94_cannot_tell_is_an_answer_and_what_was_passed_over_comes_again(product: Product) -> None:
    test = made(product, 3, ("width",))
    give(product, test, "Ann", 0, {"width": "cant_tell"})
    give(product, test, "Ann", 2, {"width": "cant_tell"})
    assert "2 of 3 answered" in product.client.get(path(test)).text
    assert shown(product.client.get(path(test, "?show=unanswered")))[0] == "r2"
    mine = product.client.get(path(test, "?by=Ann"))
    listed = [link.text().split()[0] for link in parsed(mine).css("#inputs li a")]
    assert listed == ["r1", "r3"]


@pytest.mark.parametrize(
    ("people", "percent", "kappa", "fleiss"),
    [
        ({"Ann": "aarr", "Bob": "arrr"}, "75 %", "0.50", "0.47"),
        ({"Ann": "aaaa", "Bob": "aaaa"}, "100 %", "not defined", "not defined"),
        ({"Ann": "aarr", "Bob": "aarr"}, "100 %", "1.00", "1.00"),
    ],
)
def test_97_agreement_has_numbers(
    product: Product, people: dict[str, str], percent: str, kappa: str, fleiss: str
) -> None:
    test = made(product, 4, ("width",))
    said: dict[str, Decision] = {"a": "accept", "r": "reject"}
    for by, letters in people.items():
        for position, letter in enumerate(letters):
            give(product, test, by, position, {"width": said[letter]})
    of_property, *_ = (row for row in rows(product.client, test, "reviewers/agreement") if row[0] == "width")
    assert of_property[3:] == [percent, fleiss]
    of_pair = next(row for row in rows(product.client, test, "reviewers/agreement") if row[0] == "Ann and Bob")
    assert of_pair[4:] == [percent, kappa]


def test_98_a_third_person_gets_what_two_disagree_on_and_nothing_else(product: Product) -> None:
    test = made(product, 2, ("width",))
    reviewers.set_overlap(product.workspace, test.id, 2, by="Eve")
    give(product, test, "Ann", 0, {"width": "accept"})
    give(product, test, "Bob", 0, {"width": "reject"})
    for by in ("Ann", "Bob"):
        give(product, test, by, 1, {"width": "accept"})
    assert [d.label for d in disputes.list_disputes(product.workspace, test.id)] == ["r1"]
    third = as_person(product.app, "Cy")
    decided = third.get(path(test, "reviewers/disputes"))
    assert [" ".join(h.text().split()) for h in parsed(decided).css("section h2")] == ["r1 · width in cm"]
    form = {"position": 0, "name": "width", "decision": "accept"}
    form |= {"seen": str(parsed(decided).css_first("input[name=seen]").attributes["value"])}  # type: ignore[union-attr]
    assert third.post(path(test, "reviewers/disputes"), data=form).status_code == 303
    assert "No disputes" in third.get(path(test, "reviewers/disputes")).text


def test_113_a_range_of_support_is_that_of_the_property_asked_for(product: Product) -> None:
    test = made(product, 2, ("a", "b"), [(0.2, 0.9), (0.8, 0.1)])
    page = parsed(product.client.get(path(test, "?property=a&below=0.5")))
    assert [link.text().split()[0] for link in page.css("#inputs li a")] == ["r1"]
    assert " ".join(page.css_first("#chip-all").text().split()) == "All 1"  # type: ignore[union-attr]
    assert page.css("a[rel=next], a[rel=prev]") == []
