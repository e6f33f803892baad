"""The catalogue has every text of the source, each translated, with the same values and the same markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from reviewapp.languages import LANGUAGES
from reviewapp.languages.catalogue import ENGLISH, catalogue_path, read_catalogue
from reviewapp.languages.sentences import CONTEXT, values_of
from reviewapp.languages.texts import all_texts, as_po, complete, update

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


@pytest.fixture(scope="module")
def texts() -> list[Any]:
    return list(all_texts())


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_is_up_to_date(language: str, texts: list[Any]):
    with catalogue_path(language).open("rb") as file:
        fresh = update(read_po(file, locale=language), texts)
    missing = [message.id for message in fresh if message.id and not complete(message)]
    assert missing == [], "run `make texts`, then translate these"
    assert as_po(fresh) == catalogue_path(language).read_bytes(), "run `make texts`"


def forms() -> list[Any]:
    """(language, English, translation) of every form of every text."""
    found = []
    for language in OTHERS:
        for message in filter(lambda message: message.id, read_catalogue(language)):
            english = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            pairs = zip(english, said, strict=True)
            found += [pytest.param(language, message, e, s, id=f"{language}: {e[:50]}") for e, s in pairs]
    return found


@pytest.mark.parametrize(("language", "message", "english", "translation"), forms())
def test_a_translation_has_the_values_and_the_markup_of_its_text(
    language: str, message: Message, english: str, translation: str
):
    assert translation, language
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
