"""Answers as a reviewer would give them, made from the gold of a real set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.rules.learn import AnsweredExample, learn

if TYPE_CHECKING:
    from bench.extraction import RealSet


def answers_of(real: RealSet, names: Sequence[str], *, closed: bool) -> list[AnsweredExample]:
    """What somebody who knows the gold answers for the named records, looking at what the defaults read there.

    A right value is accepted with its quote, any other one corrected; in a closed set also "none stated".
    """
    from bench.extraction import equal

    settings, evidence = real.settings(), real.evidence
    reader = make_extractor(settings)
    answers = []
    for name in names:
        read = {v.property: v for v in extract(real.texts[name], settings, evidence, reader).values}
        for prop in real.properties:
            gold = real.gold[name].get(prop.name)
            value = read.get(prop.name)
            if gold is None:
                if closed:
                    answers.append(AnsweredExample(real.texts[name], prop.name, "none"))
                continue
            accepted = value is not None and value.value is not None and equal(value.value, gold)
            quote = value.quote if accepted and value is not None else None
            answers.append(AnsweredExample(real.texts[name], prop.name, "right", gold, quote))
    return answers


def learn_from(real: RealSet, names: Sequence[str], *, closed: bool) -> dict[str, Any]:
    """What is learnt from these records' answers."""
    return learn(real.settings(), answers_of(real, names, closed=closed), real.evidence)
