"""Expected and actual: the lines that only one has are marked, and hostile words stay words."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from reviewapp.web.block_test_form import written
from reviewapp.web.side_by_side import side_by_side


def test_what_only_one_has_is_marked():
    one, other = side_by_side("equals", {"total": 1, "date": "a"}, {"total": 1, "date": "b", "vat": 2})
    assert one == '{\n  "total": 1,\n  <ins class="ok">&#34;date&#34;: &#34;a&#34;</ins>\n}'.replace(
        '"total"', "&#34;total&#34;"
    )
    assert re.findall("<del[^>]*>(.*)</del>", other) == ["&#34;date&#34;: &#34;b&#34;,", "&#34;vat&#34;: 2"]


def test_a_last_comma_is_no_difference():
    assert "<ins" not in side_by_side("equals", {"a": 1}, {"a": 1, "b": 2})[0]


def test_plain_values_and_very_long_ones_stand_as_they_are():
    assert side_by_side("equals", 1, {"a": 1}) == ("1", '{\n  "a": 1\n}')
    assert "<" not in "".join(side_by_side("equals", list(range(201)), []))


def test_of_a_part_the_rest_is_no_fault():
    one, other = side_by_side("object_contains", {"a": 1}, {"a": 2, "b": 3})
    assert re.findall("<ins[^>]*>(.*)</ins>", one) == ["&#34;a&#34;: 1"]
    assert "<" not in other
    assert "<" not in "".join(side_by_side("array_contains", {"a": 1}, [{"a": 2}]))


def test_hostile_words_stay_words():
    for side in side_by_side("equals", {"<script>": 1}, {"<img src=x>": 1}):
        assert "<script>" not in side
        assert "<img" not in side


VALUES = st.recursive(
    st.integers(0, 2) | st.sampled_from("<&a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab<", max_size=2), inner, max_size=3),
    max_leaves=8,
)
LISTS = st.lists(VALUES, max_size=3)


@given(LISTS | st.dictionaries(st.text("ab<", max_size=2), VALUES, max_size=3), LISTS)
def test_without_its_marks_a_side_is_the_value(expected, actual):
    one, other = side_by_side("equals", expected, actual)
    assert (one.striptags().split(), other.striptags().split()) == (
        written(expected).split(),
        written(actual).split(),
    )
