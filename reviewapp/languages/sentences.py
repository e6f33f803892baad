"""Sentences that the program says, read back from English and said in the language in use.

The domain and the use cases speak English: the API, the command line and the log hand their sentences out as they are,
and results keep them for good. A page cannot ask them for an identifier, so it recognises a sentence by its form. The
catalogue has each under the context ``said``, with a placeholder wherever a value stands::

    msgid "{printed} is below the minimum {minimum}."
    msgstr "{printed} liegt unter dem Mindestwert {minimum}."

A placeholder of the translation that ends in ``!t`` holds words of ours, which are translated in turn
(``{kind!t}``: "record" is "Eintrag"); all others hold what people or texts said and stay as they are. One of the
sentence that ends in ``!r`` holds what Python puts in quotes. Of several forms that fit, the one with the most words of
its own counts. What no form fits stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from markupsafe import Markup

from reviewapp.languages.catalogue import ENGLISH, read_catalogue
from reviewapp.languages.speaking import language

CONTEXT = "said"
"""Of the catalogue's entries that are recognised by their form."""
LONGEST, MOST_CLAUSES, MOST_LINES = 1_000, 24, 60
"""Characters and clauses of a line, and lines, that are looked for: what we say has no more, what others say may have
any number."""

_PLACEHOLDER = re.compile(r"\{(\w+)(![tr])?\}")
_QUOTED = r"'.*?'|\".*?\"|[\[{(].*?[\])}]|[^\s'\"]+?"
"""What ``!r`` prints: a text in its quotes, a list, or a number."""
_BREAK = re.compile(r"(?<=[.!?;:…,]) (?=\S)")
"""Between what may be sentences, or parts of one, of their own."""
_END = re.compile(r"[.!?;:]\s+\w")
_END_OF_OURS = re.compile(r"[.!?]\s+\w")
"""What no value holds at first sight: the end of a sentence or a clause; a clause of ours may have clauses."""
_WORD = re.compile(r"[^\W\d_]{2,}")
FEW = 2
"""Words of its own with which a sentence could be almost any: its values are then single words, or stand in quotes."""


@dataclass(frozen=True)
class Form:
    """A sentence with places for values."""

    pattern: re.Pattern[str]
    anchor: str
    """Its longest stretch between values: what lacks that need not be matched."""
    translation: str
    own: int
    """Characters that are not values."""
    translated: frozenset[str]
    """Values that are words of ours, of a form that begins with its own: no other could begin as it does by chance."""

    def fits(self, text: str, *, tight: bool) -> dict[str, str] | None:
        """The values that make the form this text; `tight`: none of them holds the end of a sentence or a clause."""
        found = self.pattern.fullmatch(text) if self.anchor in text else None
        if found is None:
            return None
        values = found.groupdict()
        ends = ((_END_OF_OURS if name in self.translated else _END).search(values[name]) for name in values)
        return None if tight and any(ends) else values

    def fill(self, values: dict[str, str], tag: str) -> str:
        def value(match: re.Match[str]) -> str:
            found = values[match[1]]
            return _said(tag, found) if match[2] == "!t" else found

        return "".join(
            value(piece) if isinstance(piece, re.Match) else _unescaped(piece) for piece in _pieces(self.translation)
        )


def said(sentence: str) -> str:
    """`sentence` in the language in use; the parts that are not in its catalogue stay English, markup as it is."""
    if language() == ENGLISH or isinstance(sentence, Markup) or not sentence:
        return sentence
    lines = sentence.split("\n")
    return "\n".join([*(_said(language(), line) for line in lines[:MOST_LINES]), *lines[MOST_LINES:]])


def values_of(form: str) -> set[str]:
    """The names of the values that stand in a sentence."""
    return {name for name, _ in _PLACEHOLDER.findall(form)}


def form_of(msgid: str, translation: str) -> Form:
    """The form that a catalogue entry stands for."""
    pieces = _PLACEHOLDER.split(msgid)
    literals, names, kinds = pieces[::3], pieces[1::3], pieces[2::3]
    own = " ".join(literals)
    is_clear = len(_WORD.findall(own)) > FEW or any(sign in own for sign in ",:;(")
    pattern, seen = re.escape(_unescaped(literals[0])), set[str]()
    for name, kind, before, after in zip(names, kinds, literals[:-1], literals[1:], strict=True):
        quoted = kind == "!r"
        alone = before.endswith(" ") and after.startswith(" ")  # a word of its own is there
        value = _QUOTED if quoted else f".{'+' if alone else '*'}?" if is_clear else _QUOTED + r"|\S*?"
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{value})"
        pattern += re.escape(_unescaped(after))
        seen.add(name)
    anchor = _unescaped(max(literals, key=len))
    ours = (name for name, kind in _PLACEHOLDER.findall(translation) if kind == "!t")
    translated = frozenset(ours if literals[0] else ())
    return Form(re.compile(pattern, re.DOTALL), anchor, translation, sum(map(len, literals)), translated)


def _pieces(translation: str) -> Iterator[str | re.Match[str]]:
    """Its words and its placeholders, in order."""
    at = 0
    for place in _PLACEHOLDER.finditer(translation):
        yield translation[at : place.start()]
        yield place
        at = place.end()
    yield translation[at:]


def _bare(text: str) -> str:
    """Without what joins it to a sentence before or behind it."""
    return text.strip().lstrip(";, ")


def _unescaped(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


@cache
def _forms(tag: str) -> tuple[dict[str, str], tuple[Form, ...]]:
    """(sentences without values, forms with values by how much they say themselves) of a language.

    What templates say too is known as they say it, where it has no values.
    """
    whole: dict[str, str] = {}
    forms = []
    for message in read_catalogue(tag):
        sentence, translation = (_bare(str(text)) for text in (message.id, message.string))
        if not translation or not values_of(translation) <= values_of(sentence):
            continue
        if message.context is None and "%" not in sentence:
            whole.setdefault(sentence, translation)
        elif message.context != CONTEXT:
            continue
        elif _PLACEHOLDER.search(sentence):
            forms.append(form_of(sentence, translation))
        else:
            whole[_unescaped(sentence)] = _unescaped(translation)
    return whole, tuple(sorted(forms, key=lambda form: (-form.own, -form.pattern.groups)))


@lru_cache(maxsize=4_096)
def _said(tag: str, text: str) -> str:
    if len(text) > LONGEST or not (words := _bare(text)):
        return text
    if words != text:
        before, _, after = text.partition(words)
        return before + _said(tag, words) + after
    breaks = [found.start() for found in _BREAK.finditer(text)]
    if len(breaks) > MOST_CLAUSES:
        return text
    if (whole := _whole(tag, text, tight=True)) is not None:
        return whole
    for at in breaks:
        if (head := _whole(tag, text[:at], tight=True)) is not None:
            return f"{head} {_said(tag, text[at + 1 :])}"
    if (whole := _whole(tag, text, tight=False)) is not None:
        return whole
    return f"{text[: breaks[0]]} {_said(tag, text[breaks[0] + 1 :])}" if breaks else text


def _whole(tag: str, text: str, *, tight: bool) -> str | None:
    """The translation of the whole text, also where a clause of ours was made a sentence; None: no form fits.

    `tight`: no value of it may hold the end of a sentence or a clause.
    """
    clause = text[:1].lower() + text[1:]
    fitting = [_fitting(tag, text, tight=tight)]
    for end in {"", clause[-1:] if clause.endswith((".", ":", ";", ",")) else ""}:
        own, found = _fitting(tag, clause.removesuffix(end), tight=tight)
        fitting.append((own, (found[:1].upper() if text[:1].isupper() else found[:1]) + found[1:] + end))
    own, found = max(fitting, key=lambda each: each[0])
    return found if own else None


def _fitting(tag: str, text: str, *, tight: bool) -> tuple[int, str]:
    """(characters of its own, translation) of the form that fits; (0, ""): none does."""
    whole, forms = _forms(tag)
    if text in whole:
        return len(text), whole[text]
    for form in forms:
        if (values := form.fits(text, tight=tight)) is not None:
            return form.own, form.fill(values, tag)
    return 0, ""
