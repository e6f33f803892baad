"""What a clause of running text says of a period or a day: what runs so long, what paper it dates.

"The term of this Agreement shall be two years, unless terminated upon 30 days' notice", "the obligations under this
Agreement shall survive for five years", "for a period of one year neither party will solicit": of all the periods of an
agreement only the verb before each and what governs it tell which one is its term. Of its days "the Merger Agreement
dated as of 1 May" is another paper's.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import regex

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import Concept, word_set
from reviewapp.extraction.rules.words import split_words

RUNS, DATES = "runs", "dates"
"""Traits of a concept: it states how long something runs; it dates the paper itself."""
VERB_REACH = 25
"""How far before the period, in words, its verb may stand."""
SUBJECT_REACH, SUBJECT_REACH_OF_SECOND_VERB = 22, 60
"""How far before the verb what governs it may stand; further where it governs another verb before ("and shall …")."""
DENIAL_REACH, BEHIND_REACH = 60, 45
NAMED_BEFORE, COUNTED_BEFORE, COUNTED_BEHIND, ENDED_BEHIND = 6, 3, 3, 6
PAPER_REACH, WHICH_REACH = 20, 8
"""How far before the day, in words, the paper that it dates may stand, and before that the word that says which."""
_NAMED_BEHIND = regex.compile(r"[^.;()]{0,120}?\([^()\"“”„«]{0,20}[\"“”„«]+\s*([^\"“”„«»]+?)[,\s]*[\"“”»]")
"""``1 May 2013 (the "Merger Agreement")``."""
_NAME_REACH = 170
_QUOTES = '"“”„«('


def clause_features(concept: Concept, candidate: Candidate, view: View) -> dict[str, float]:
    """What the clause of a period says of it, and how many words of the clause go with the concept or against it.

    What stands behind "unless" or "provided" is of something else where the period has its verb; where it has none yet,
    what governs it may stand there ("for one year, unless invited by the other party, neither party will …").
    """
    words, layout = view.layout.words, view.layout
    begin, end = view.sentences.around(min(candidate.first_word, len(words) - 1), len(words))
    before = words[begin : candidate.first_word]
    scope = view.scope(candidate)
    behind: Sequence[str] = words[candidate.last_word : min(end, candidate.last_word + BEHIND_REACH)]
    features: dict[str, float] = {}
    governed = _governed_by(before) if candidate.line.prose or len(before) > 1 else None
    if governed is not None:
        behind = _up_to_a_condition(behind)
        features[f"how long {governed} runs"] = 1.0
    elif _one_of(before[-DENIAL_REACH:], "denials") or _one_of(behind, "denials"):
        features["how long something may not be done"] = 1.0
    if _one_of(before[-COUNTED_BEFORE:], "back_before") or _one_of(behind[:COUNTED_BEHIND], "back_behind"):
        features["counts back from a day"] = 1.0
    if _one_of(behind[:ENDED_BEHIND], "endings"):
        features["counts from an end"] = 1.0
    clause = {*layout.words[scope.left[0] : candidate.last_word], *behind[: scope.right[1] - candidate.last_word]}
    features["words that go with it in its sentence"] = min(len(clause & concept.near), 4) / 4
    features["words that go against it in its sentence"] = min(len(clause & concept.far), 4) / 4
    return features


def _governed_by(before: Sequence[str]) -> str | None:
    """What runs as long as the period behind these words: ``the agreement``, ``a duty``; None: nothing known."""
    reach = range(len(before) - 1, max(0, len(before) - VERB_REACH) - 1, -1)
    verb = next((i for i in reach if _runs(before, i)), None)
    if verb is None:
        return None
    first = verb
    while first and before[first - 1] in word_set("auxiliaries"):
        first -= 1
    second = first > 0 and before[first - 1] in word_set("joins")
    subject = before[max(0, verb - (SUBJECT_REACH_OF_SECOND_VERB if second else SUBJECT_REACH)) : verb]
    if _one_of(subject, "duties") or before[verb] in word_set("outlasts"):
        return "a duty"
    return "the agreement" if _one_of(subject, "agreements") else None


def _runs(words: Sequence[str], index: int) -> bool:
    """Whether a word is the verb of something that runs; ``become effective`` is where it begins."""
    word = words[index]
    if word in word_set("is_so_long"):
        return _one_of(words[max(0, index - NAMED_BEFORE) : index], "terms")
    return word in word_set("running") and not (index and words[index - 1] in word_set("becoming"))


def _up_to_a_condition(words: Sequence[str]) -> Sequence[str]:
    conditions: Set[str] = word_set("conditions")
    return words[: next((i for i, word in enumerate(words) if word in conditions), len(words))]


def _one_of(words: Sequence[str], key: str) -> bool:
    return not word_set(key).isdisjoint(words)


def paper_features(candidate: Candidate, view: View) -> dict[str, float]:
    """Whether a day dates the paper it stands in or another one that is only spoken of."""
    layout = view.layout
    words = layout.words
    sentence, _ = view.sentences.around(min(candidate.first_word, len(words) - 1), len(words))
    begin = max(sentence, candidate.first_word - PAPER_REACH)
    features: dict[str, float] = {}
    for index in range(candidate.first_word - 1, begin - 1, -1):
        if words[index] in word_set("papers") and not _is_quoted(layout.text, layout.starts[index]):
            which = reversed(words[max(begin, index - WHICH_REACH) : index])
            said = next((word for word in which if word in word_set("this") or word in word_set("another")), None)
            if said is not None:
                features["dates this paper" if said in word_set("this") else "dates another paper"] = 1.0
            break
    named = _NAMED_BEHIND.match(layout.text, candidate.end, candidate.end + _NAME_REACH)
    name = split_words(named[1]) if named else ()
    if len(name) > 1 and name[-1] in word_set("papers"):
        features["named behind it as another paper"] = 1.0
    return features


def _is_quoted(text: str, start: int) -> bool:
    """``(the "Agreement")`` is what this paper calls itself."""
    return start > 0 and text[start - 1] in _QUOTES
