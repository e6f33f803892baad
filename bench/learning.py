"""Answers as a reviewer would give them, made from the gold of a real set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reviewapp.extraction.rules.learn import AnsweredExample, learn

if TYPE_CHECKING:
    from bench.extraction import RealSet


def answers_of(real: RealSet, names: Sequence[str], *, closed: bool) -> list[AnsweredExample]:
    """What somebody who knows the gold answers for the named records; in a closed set also "none stated"."""
    answers = []
    for name in names:
        for prop in real.properties:
            gold = real.gold[name].get(prop.name)
            if gold is None and not closed:
                continue
            verdict = "none" if gold is None else "right"
            answers.append(AnsweredExample(real.texts[name], prop.name, verdict, gold))  # type: ignore[arg-type]
    return answers


def learn_from(real: RealSet, names: Sequence[str], *, closed: bool) -> dict[str, Any]:
    """What is learnt from these records' answers."""
    return learn(real.settings(), answers_of(real, names, closed=closed), real.evidence)
