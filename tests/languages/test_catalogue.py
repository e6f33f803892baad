"""The catalogue has every text of the source, each translated, with the same values and the same markup."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from reviewapp.languages import LANGUAGES
from reviewapp.languages.catalogue import ENGLISH, read_catalogue
from reviewapp.languages.sentences import CONTEXT, values_of
from reviewapp.languages.texts import Text, all_texts, as_po, faults, update

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_source_is_translated(language: str):
    assert "\n".join(faults(language, all_texts())) == ""


def test_bringing_it_up_to_date_keeps_what_is_translated_and_drops_what_is_gone():
    catalogue = Catalog(locale="de")
    catalogue.add("Save", "Speichern")
    catalogue.add("Gone", "Weg")
    texts = [Text("Save", "a.html"), Text("Savé", "a.html"), Text(("%(num)s a", "%(num)s as"), "b.html")]
    fresh = read_po(io.BytesIO(as_po(update(catalogue, texts))), locale="de")
    assert {message.id: message.string for message in fresh if message.id} == {
        "Save": "Speichern", "Savé": "", ("%(num)s a", "%(num)s as"): ("", "")
    }  # fmt: skip
    assert as_po(update(fresh, texts)) == as_po(fresh)


def forms() -> list[Any]:
    """(entry, English, translation) of every form of every text that has one."""
    found = []
    for language in OTHERS:
        for message in filter(lambda message: message.id, read_catalogue(language)):
            english = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            pairs = zip(english, said, strict=True)
            found += [pytest.param(message, e, s, id=f"{language}: {e[:50]}") for e, s in pairs if s]
    return found


@pytest.mark.parametrize(("message", "english", "translation"), forms())
def test_a_translation_has_the_values_and_the_markup_of_its_text(message: Message, english: str, translation: str):
    assert sorted(re.findall(r"<[^>]+>", translation)) == sorted(re.findall(r"<[^>]+>", english))
    assert (translation[:1] == " ", translation[-1:] == " ") == (english[:1] == " ", english[-1:] == " ")
    if message.context == CONTEXT:
        assert values_of(translation) <= values_of(english)
        return
    assert set(re.findall(r"%\(\w+\)s", translation)) == set(re.findall(r"%\(\w+\)s", english))
    assert translation.count("%%") == english.count("%%")
    assert '"' not in re.sub(r"<[^>]+>", "", translation.replace('{"expectedOutput"', "")), (
        "it may stand in an attribute"
    )
