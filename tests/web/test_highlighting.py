"""Highlighting: the page's text is the record's text, and every span is marked."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from reviewapp.web.highlighting import Mark, find_marks, highlight
from tests.conftest import SharedSet

TEXTS = st.text(alphabet=st.one_of(st.sampled_from("ab <>&\"'\n\t\f\r 💩ذ́"), st.characters(codec="utf-8")))


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Mark]]:
    text = draw(TEXTS)
    spans = draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, len(text) + 3)), max_size=8))
    tones = st.sampled_from(["ok", "warn", "bad", "none", "found"])
    return text, [Mark(s, e, str(i), draw(tones), f'"{i}" <b>') for i, (s, e) in enumerate(spans)]


def strip(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@given(marked_texts())
def test_stripping_tags_gives_the_text_back(case: tuple[str, list[Mark]]) -> None:
    text, marks = case
    assert strip(highlight(text, marks)) == text.replace("\0", "\N{REPLACEMENT CHARACTER}")


@given(marked_texts())
def test_a_browser_like_parser_gives_the_text_back(case: tuple[str, list[Mark]]) -> None:
    text, marks = case
    page = LexborHTMLParser(f"<!doctype html><article>{highlight(text, marks)}</article>")
    article = page.css_first("article")
    assert article is not None
    assert article.text() == text.replace("\0", "\N{REPLACEMENT CHARACTER}")


@given(marked_texts())
def test_every_span_is_marked_and_nothing_else(case: tuple[str, list[Mark]]) -> None:
    text, marks = case
    text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    covered: dict[str, set[int]] = {}
    at = 0
    for keys, inner, plain in re.findall(
        r'<mark [^>]*data-values="([^"]*)"[^>]*>(.*?)</mark>|((?:(?!<mark ).)+)', highlight(text, marks), re.S
    ):
        length = len(strip(inner or plain))
        for key in keys.split():
            covered.setdefault(key, set()).update(range(at, at + length))
        at += length
    for mark in marks:
        assert covered.get(mark.key, set()) == set(range(mark.start, min(mark.end, len(text))))


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        ("plain & <simple>", [], "plain &amp; &lt;simple&gt;"),
        ("abc", [Mark(1, 2, "0", "ok", "x: Checks passed")],
         'a<mark class="ok" id="quote-0" data-values="0" title="x: Checks passed">b</mark>c'),
        ("abc", [Mark(0, 2, "0", "ok", "x"), Mark(1, 3, "1", "bad", "y", current=True)],
         '<mark class="ok" id="quote-0" data-values="0" title="x">a</mark>'
         '<mark class="bad several" id="quote-1" data-values="0 1" title="x; y" aria-current="true">b</mark>'
         '<mark class="bad" data-values="1" title="y" aria-current="true">c</mark>'),
        ("ab ab", [Mark(0, 2, "0", "ok", "x"), Mark(3, 5, "0", "ok", "x")],
         '<mark class="ok" id="quote-0" data-values="0" title="x">ab</mark> '
         '<mark class="ok" data-values="0" title="x">ab</mark>'),
        ("a\fb", [], 'a<span class="page-end">\f</span>b'),
    ],
)  # fmt: skip
def test_markup(text: str, marks: list[Mark], expected: str) -> None:
    assert highlight(text, marks) == expected


@pytest.mark.parametrize(
    ("text", "words", "spans"),
    [
        ("Total total TOTAL", "total", [(0, 5), (6, 11), (12, 17)]),
        ("İİ total", "TOTAL", [(3, 8)]),
        ("nothing", "total", []),
        ("anything", "", []),
    ],
)
def test_find_marks(text: str, words: str, spans: list[tuple[int, int]]) -> None:
    assert [(m.start, m.end) for m in find_marks(text, words)] == spans


@pytest.mark.parametrize("name", ["kleister-nda", "sroie", "invoices"])
def test_real_texts_come_back_letter_for_letter(shared_set: Callable[[str], SharedSet], name: str) -> None:
    for record in shared_set(name).lines("records")[:60]:
        text = str(record["text"]).replace("\0", " ")
        marks = [Mark(at, at + 40, str(at), "ok", "every hundredth") for at in range(0, len(text), 100)]
        article = LexborHTMLParser(f"<article>{highlight(text, marks)}</article>").css_first("article")
        assert article is not None
        assert article.text() == text
