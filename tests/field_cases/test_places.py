"""Where quotes stand: positions in code points, several places, invisible characters, scripts of all directions."""

from __future__ import annotations

import pytest

from tests.field_cases.product import Product, Said, prop

FAMILY = "👩\u200d❤\ufe0f\u200d👩"
ARABIC = "الوزن الصافي: ١٢٫٥ كغ (12.5 kg)"
HEBREW = "משקל נטו: 250 גרם, תאריך 03/04/2024"
PUMPS = "Pump A: flow 5 l/min.\nPump B: flow 5 l/min."
THIN = "n\u2009=\u200942, Δ\u202f=\u202f−3.5\u00a0K (pre\u2011test)"


@pytest.mark.parametrize(
    ("row", "text", "unit", "said", "value", "start", "end"),
    [
        (1, "💩 Net weight: 12 kg", "kg", ("12 kg", "12 kg"), 12.0, 14, 19),
        (1, "🇩🇪👍🏽 Net 12 kg, 💩 12 t", "kg", ("12 kg", "12 kg"), 12.0, 9, 14),
        (2, f"{FAMILY} Temp 37.2 °C", "°C", ("37.2 °C", "37.2 °C"), 37.2, 12, 19),
        (4, "A\r\nB\nC\rTotal 5 kg", "kg", ("5 kg", "5 kg"), 5.0, 12, 16),
        (4, "A\u2028B\u0085C\r\n\r\nTotal 5 kg", "kg", ("5 kg", "5 kg"), 5.0, 13, 17),
        (7, "齐鲁公司 保证金 5000元", "CNY", ("5000元", "5000元"), 5000.0, 9, 14),
        (10, "max. tempera\u00adture: 85 °C", "°C", ("85 °C", "temperature: 85 °C"), 85.0, 5, 24),
        (10, "max. tempera\u200bture: 85 °C", "°C", ("85 °C", "temperature: 85 °C"), 85.0, 5, 24),
        (10, "max. tempera-\nture: 85 °C", "°C", ("85 °C", "temperature: 85 °C"), 85.0, 5, 25),
        (11, THIN, None, (42, "n = 42"), 42.0, 0, 6),
        (11, THIN, "K", ("-3.5 K", "-3.5 K"), -3.5, 12, 18),
        (13, "Page 2 of 5\nOrder 2024-02\nQuantity: 2 pcs", None, (2, "2"), 2.0, 36, 37),
        (14, "Weight 12 kg", "kg", ("12 kg", "12 kg"), 12.0, 7, 12),
        (14, "Weight 12 kg", "kg", ("12 kg", "12 kg "), 12.0, 7, 12),
        (14, "Weight 12 kg   \n\n", "kg", ("12 kg", "12 kg"), 12.0, 7, 12),
        (14, "Weight 12 kg   \n\n", "kg", ("12 kg", "12 kg "), 12.0, 7, 12),
        (16, ARABIC, "kg", ("١٢٫٥ كغ", "١٢٫٥ كغ"), 12.5, 14, 21),
        (16, ARABIC, "kg", ("12.5 kg", "12.5 kg"), 12.5, 23, 30),
        (17, HEBREW, "g", ("250 גרם", "250 גרם"), 250.0, 10, 17),
    ],
)
def test_a_quote_is_marked_where_it_stands(
    product: Product, row: int, text: str, unit: str | None, said: tuple[str, str], value: float, start: int, end: int
) -> None:
    name = "quantity"
    product.read({"a": text}, [prop(name, unit=unit)], {"a": [(name, *said)]})
    found = product.values()["a", name]
    assert found.value == value, row
    assert product.spans("a", name) == [(start, end)], row
    assert product.text("a")[start:end] in product.marked("a"), row
    product.check_spans()
    assert product.answer("a", name, "accept") == 303
    (exported,) = product.export()["expected.json"]["records"][0]["values"]
    assert exported["spans"] == [{"start": start, "end": end}], row
    (line,) = product.table()
    assert (line["start"], line["end"]) == (str(start), str(end)), row


@pytest.mark.parametrize("reader", ["embedded", "stub"])
@pytest.mark.parametrize(
    ("text", "names", "places"),
    [
        (PUMPS, ("flow_a", "flow_b"), (13, 35)),
        ("Pumpe B: Durchfluss 5 l/min. Pumpe A: Durchfluss 5 l/min.", ("flow a", "flow b"), (49, 20)),
        ("flow tank 5 l/min\nflow mixer 5 l/min\nflow spare 5 l/min", ("mixer flow", "spare flow"), (29, 48)),
    ],
)
def test_5_a_value_stated_twice_is_marked_at_its_own_place_and_the_others_are_offered(
    product: Product, reader: str, text: str, names: tuple[str, str], places: tuple[int, int]
) -> None:
    properties = [prop(name, unit="l/min", aliases=(name.replace("flow", "Durchfluss Pumpe"),)) for name in names]
    said: list[Said] = [(name, "5 l/min", "5 l/min") for name in names]
    product.read({"a": text}, properties, {"a": said} if reader == "stub" else None)
    product.check_spans()
    for name, place in zip(names, places, strict=True):
        found = product.values()["a", name]
        (span,) = found.spans
        assert span.start <= place < span.end, name
        assert found.grounding is not None
        assert found.grounding.others or reader == "embedded", name


def test_5_places_in_one_line(product: Product) -> None:
    text = "flow tank 5 l/min; flow mixer 5 l/min; flow spare 5 l/min"
    said: list[Said] = [(name, "5 l/min", "5 l/min") for name in ("mixer flow", "spare flow")]
    product.read({"a": text}, [prop("mixer flow", unit="l/min"), prop("spare flow", unit="l/min")], {"a": said})
    assert [product.spans("a", name) for name, _, _ in said] == [[(30, 37)], [(50, 57)]]


def test_7_a_look_alike_character_is_found_or_its_nearest_place_is_offered(product: Product) -> None:
    said: list[Said] = [("company", "⻬鲁公司", "⻬鲁公司"), ("buyer", "⻬⻬⻬⻬", "⻬⻬⻬⻬")]
    product.read({"a": "齐鲁公司 保证金 5000元"}, [prop("company", "text"), prop("buyer", "text")], {"a": said})
    assert product.values()["a", "company"].quote == "齐鲁公司"
    assert product.values()["a", "buyer"].outcome == "quote_not_found"


def test_11_a_quote_with_plain_hyphen_finds_the_hard_one(product: Product) -> None:
    product.read({"a": THIN}, [prop("stage", "keyword")], {"a": [("stage", "pre-test", "pre-test")]})
    assert product.marked("a") == ["pre\u2011test"]


@pytest.mark.parametrize(
    "text", ["Page 2 of 5\nOrder 2024-02\nQuantity: 2 pcs", "Seite 3 von 7\nMenge: 3 Stück, Pos. 3"]
)
def test_13_the_place_that_names_the_property_is_proof(product: Product, text: str) -> None:
    product.read({"a": text}, [prop("quantity", "i64", aliases=("Menge",))])
    (span,) = product.values()["a", "quantity"].spans
    assert span.start > text.index("\n")


@pytest.mark.parametrize("text", [ARABIC, HEBREW, "وزن: 12 kg\nWeight 12 kg", "\u202e12 kg\u202c Weight"])
def test_16_texts_of_any_direction_come_out_as_they_came_in(product: Product, text: str) -> None:
    product.read({"a": text}, [prop("weight", unit="kg", aliases=("الوزن الصافي", "משקל נטו", "وزن"))])
    product.check_spans()
    article = product.page("a").css_first("article#text")
    assert article is not None
    assert article.attributes["dir"] == "auto"


@pytest.mark.parametrize(
    ("text", "value"),
    [("الوزن الصافي: ١٢٫٥ كغ", 12.5), ("وزن: ۱۲٫۵ kg", 12.5), ("वजन: १२.५ kg", 12.5), ("重量：１２．５ kg", 12.5)],
)
def test_16_digits_of_other_scripts_are_read(product: Product, text: str, value: float) -> None:
    product.read({"a": text}, [prop("weight", unit="kg", aliases=("الوزن الصافي", "وزن", "वजन", "重量"))])
    assert product.values()["a", "weight"].value == value
