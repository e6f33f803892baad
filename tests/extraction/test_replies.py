"""What models and programs write instead of what they were asked for: read, or unreadable with a sentence."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property
from reviewapp.extraction.reply_shapes import Unreadable, readings_of
from reviewapp.extraction.reply_text import read_reply

WEIGHT = Property(name="net_weight", value_type="f64", unit="kg")
CLIENT = Property(name="client")
ASKED = '{"readings":[{"property":"net_weight","value":"12 kg","quote":"Net 12 kg"}]}'
READ = [("net_weight", "12 kg", "Net 12 kg")]


def read(reply: str, *properties: Property) -> list[tuple[str, object, str]]:
    return [(r.property, r.value, r.quote) for r in read_reply(reply, properties or (WEIGHT, CLIENT))]


@pytest.mark.parametrize(
    "reply",
    [
        ASKED,
        f"```json\n{ASKED}\n```",
        f"```\n{ASKED}\n```",
        f"\ufeff  {ASKED}\n",
        f"Sure! Here it is:\n\n```json\n{ASKED}\n```\nAnything else?",
        f"The answer is {ASKED} as [stated] in the text.",
        f"<think>[1] maybe {{}}, hm</think>\n{ASKED}",
        json.dumps(ASKED),
        ASKED.replace("}]}", "},]}"),
        ASKED.replace('"', "'"),
        '[{"property":"net_weight","value":"12 kg","quote":"Net 12 kg"}]',
        '{"property":"net_weight","value":"12 kg","quote":"Net 12 kg"}',
        '{"property":"net_weight","value":"12 kg","quote":"Net 12 kg"}\n'
        '{"property":"client","value":null,"quote":null}',
        '{"values":[{"name":"Net weight","answer":"12 kg","evidence":"Net 12 kg"}]}',
        '{"net_weight":{"value":"12 kg","quote":"Net 12 kg"},"client":{"value":null,"quote":null}}',
        '{"result":"x","readings":[{"property":"NET-WEIGHT","value":{"value":12,"unit":"kg"},"quote":"Net 12 kg"}]}',
        '{"readings":[{"property":"net_weight","value":12,"unit":"kg","quote":{"text":"Net 12 kg"}}]}',
        '{"readings":[{"property":"net_weight","value":"12 kg","quote":"Net 12 kg","support":7}]}',
        '{"readings":[{"property":"net_weight","value":["12 kg"],"quote":["Net 12 kg"]}]}',
        ASKED.replace("readings", "Readings").replace("property", "PROPERTY").replace("value", "Value"),
        '{"answer": {"reply": ' + ASKED + "}}",
        '{"readings":[{"property":["net_weight"],"value":"12 kg","quote":"Net 12 kg"}]}',
        '{"readings":[{"property":"Net weight (kg)","value":"12 kg","quote":"Net 12 kg"}]}',
        f'hm {{"readings": []}} no</think>\n{ASKED}',
        f'{{"readings":[{{"property":"…","value":"…","quote":"…"}}]}}\n\n{ASKED}',
        f'{ASKED}\n\nNote: I used {{"a": 1}} for it.',
        f"I will call the tool.\n{ASKED}",
        'As in the example {"readings":[{"property":"client","value":"Acme Ltd","quote":"Acme Ltd"}]}, so:\n' + ASKED,
    ],
)
def test_read(reply: str) -> None:
    assert read(reply) == READ


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('[{"value":"12 kg"}]', [("net_weight", "12 kg", "12 kg")]),
        ('{"net_weight":"12 kg"}', [("net_weight", "12 kg", "12 kg")]),
        ('{"net_weight":12}', [("net_weight", 12, "12")]),
        ('{"net_weight":12,"net_weight":15}', [("net_weight", 12, "12"), ("net_weight", 15, "15")]),
        ('{"readings":[{"property":"net_weight","value":12,"quote":"12"}],"readings":[]}', [("net_weight", 12, "12")]),
        ('{"net_weight":12.0}', [("net_weight", 12.0, "12")]),
        ('{"net_weight":true}', [("net_weight", True, "")]),
        ('{"readings":null}', []),
        (
            '{"readings":[{"property":"net_weight","value":"1","quote":"<think> 1"}]}',
            [("net_weight", "1", "<think> 1")],
        ),
        ('{"net_weight":["12 kg","13 kg"]}', [("net_weight", "12 kg", "12 kg"), ("net_weight", "13 kg", "13 kg")]),
        (
            '{"readings":[{"property":"net_weight","value":"12","quote":["Net","12"]}]}',
            [("net_weight", "12", "Net … 12")],
        ),
        ('{"readings":[{"property":"colour","value":"red","quote":"red"}]}', [("colour", "red", "red")]),
        ('{"readings":[{"property":"net_weight","value":"","quote":""}]}', []),
        ('{"readings":[{"property":"net_weight","value":"n/a","quote":null}]}', []),
        ('{"readings":[{"property":"net_weight","value":NaN,"quote":"x"}]}', [("net_weight", "nan", "x")]),
        ('{"readings":[{"property":"net_weight","value":"a\nb","quote":"x"}]}', [("net_weight", "a\nb", "x")]),
        ('{"readings":[]}', []),
        ("{}", []),
        ("[]", []),
    ],
)
def test_read_with_one_property(reply: str, expected: list[tuple[str, object, str]]) -> None:
    assert read(reply, WEIGHT) == expected


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "The reply is empty."),
        (
            '{"readings":[{"property":"net_weight","quote":"12 kg"}]}',
            'The reply\'s {"property": "net_weight", "quote": "12 kg"} has a quote and no value; expected one, or null '
            "for none.",
        ),
        (" \n", "The reply is empty."),
        ("<think>well</think>", "The reply ends among the model's thoughts."),
        (f"<think>Is it {ASKED}? But", "The reply ends among the model's thoughts."),
        (f'{ASKED}\n\n{{"readings": []}}', "gives readings and then none"),
        ('{"error": {}}', "names no property and no value"),
        ('{"error": []}', "names no property and no value"),
        ('{"error": {"message": "too long"}}', "names no property and no value"),
        ("Sure! Here it is:", "holds no JSON"),
        ('{"value":"12 k', "may be cut off"),
        ('{"readings":[{"property":"net_weight","value":"12 kg","quote":"x"},{"property":"cl', "may be cut off"),
        ("null", "holds no JSON"),
        ("12 kg", "holds no JSON"),
        ('{"error":"overloaded"}', "names no property and no value"),
        ('[{"value":"12 kg"}]', "names no property and no value"),
        ("[1, 2]", "A reading in the reply is 1"),
        ("[" * 5_000, "cannot be read"),
    ],
)
def test_unreadable(reply: str, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(reply)
    assert why in str(refused.value)


def test_a_property_by_an_alias_that_only_it_has() -> None:
    width = Property(name="width", aliases=("Breite", "Maß"), unit="cm", value_type="f64")
    height = Property(name="height", aliases=("Höhe", "Maß"), unit="cm", value_type="f64")
    rows = [{"property": said, "value": "1", "quote": "1"} for said in ("breite", "Höhe", "Maß", "height, cm", "depth")]
    assert [r.property for r in readings_of(rows, (width, height))] == ["width", "height", "Maß", "height", "depth"]


@pytest.mark.parametrize(
    ("said", "confidence"),
    [(0.9, 0.9), (1, 1.0), ("0.5", 0.5), ("90%", 0.9), (7, None), (-1, None), ("high", None), (True, None), ([], None)],
)
def test_confidence_out_of_range_says_nothing(said: object, confidence: float | None) -> None:
    document = {"readings": [{"property": "client", "value": "A", "quote": "A", "confidence": said}]}
    assert readings_of(document, (CLIENT,))[0].confidence == confidence


@pytest.mark.parametrize(
    ("place", "hint"),
    [
        ({"start": 3, "end": 8}, Span(start=3, end=8)),
        ({"char_interval": {"start_pos": 3, "end_pos": 8}}, Span(start=3, end=8)),
        ({"start": 8, "end": 3}, None),
        ({"start": None, "end": 4}, None),
        ({"start": "3", "end": "8"}, None),
    ],
)
def test_where_the_quote_is_said_to_stand(place: dict[str, object], hint: Span | None) -> None:
    document = [{"property": "client", "value": "A", "quote": "A", **place}]
    assert readings_of(document, (CLIENT,))[0].hint == hint


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["property", "value", "quote", "readings", "client", "unit", "x"]), inner)
    ),
    max_leaves=12,
)


@given(anything)
def test_any_json_is_read_or_refused(document: object) -> None:
    with contextlib.suppress(Unreadable):  # nothing else is raised
        assert len(read_reply(json.dumps(document), (WEIGHT, CLIENT))) <= 1_000


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(reply: str) -> None:
    with contextlib.suppress(Unreadable):
        read_reply(reply, (WEIGHT, CLIENT))
