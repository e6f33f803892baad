"""Learning from answers: the next test reads better, in the same way every time, and says why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, RulesExtractor, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.rules.learn import AnsweredExample, learn
from reviewapp.extraction.rules.learnt import Learnt, explain

SLIP = """\
Werk Nord  Schicht {shift}
KENNUNG  {number}-{shift}
Los  {other}-9
Gemessen  {value} mm
Toleranz  {tolerance} mm
Soll  {target} mm
"""
"""A slip whose labels say nothing of what the properties are called."""

PROPERTIES = (
    Property(name="deviation", value_type="f64", unit="mm", description="How far it is off."),
    Property(name="sample_id", value_type="keyword"),
)


def slips(count: int) -> list[dict[str, Any]]:
    return [
        {"shift": 1 + i % 3, "number": f"K{1000 + 7 * i}", "other": f"L{300 + i}", "value": 10 + i / 10,
         "tolerance": round(0.05 * (1 + i % 4), 2), "target": 10}
        for i in range(count)
    ]  # fmt: skip


def settings(learnt: dict[str, Any] | None = None) -> WorkflowSettings:
    return WorkflowSettings(collection="slips", properties=PROPERTIES, extractor=RulesExtractor(learnt=learnt))


def answers(rows: list[dict[str, Any]]) -> list[AnsweredExample]:
    found = []
    for row in rows:
        words = SLIP.format(**row)
        found.append(AnsweredExample(words, "deviation", "right", row["tolerance"], f"Toleranz  {row['tolerance']} mm"))
        number = f"{row['number']}-{row['shift']}"
        found.append(AnsweredExample(words, "sample_id", "right", number, f"KENNUNG  {number}"))
    return found


def share_right(rows: list[dict[str, Any]], learnt: dict[str, Any] | None) -> float:
    right = 0
    for row in rows:
        result = extract(SLIP.format(**row), settings(learnt), Evidence())
        wanted: dict[str, Value] = {"deviation": row["tolerance"], "sample_id": f"{row['number']}-{row['shift']}"}
        right += sum(v.value == wanted[v.property] and (v.support or 0) >= 0.5 for v in result.values)
    return right / (2 * len(rows))


def test_thirty_answers_teach_what_the_labels_mean() -> None:
    rows = slips(60)
    learnt = learn(settings(), answers(rows[:30]), Evidence())
    assert share_right(rows[30:], None) < 0.3
    assert share_right(rows[30:], learnt) > 0.95


def test_the_same_answers_teach_the_same() -> None:
    found = answers(slips(12))
    first = learn(settings(), found, Evidence())
    assert json.dumps(first) == json.dumps(learn(settings(), found, Evidence()))


IN_ANOTHER_PROCESS = """
import json
import os
import subprocess
import sys
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.rules.learn import AnsweredExample, learn
firms = ["Alpha Timber Ltd", "Birch & Sons", "Cedar Supply Co", "Delta Paint Shop", "Elm Street Bakery", "Fir Tools"]
texts = [f"{f}\\nYard {i}, Mill Lane {i}\\nseller\\n{f} Branch\\nTotal {i}.50" for i, f in enumerate(firms * 2)]
found = [AnsweredExample(t, "shop", "right", f"{t.splitlines()[0]} Branch") for t in texts]
settings = WorkflowSettings(collection="any", properties=(Property(name="shop"),))
print(json.dumps(learn(settings, found, Evidence())))
"""


def test_every_process_learns_the_same() -> None:
    """Sets of words come in another order in every process; no sum may depend on it."""
    learnt = {
        subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(learnt) == 1
    assert json.loads(learnt.pop())["properties"]["shop"]["answers"] == 12


@pytest.mark.parametrize(("before", "cues"), [("LOT ", {}), ("Premises:  ", {"address": ["premises"]})])
def test_a_word_before_words_is_a_label_only_where_something_parts_them(before: str, cues: dict[str, Any]) -> None:
    prop = Property(name="address")
    texts = [f"Shop {i}\n{before}{i} Mill Lane, 4320{i} Kajang\n" for i in range(1, 4)]
    found = [AnsweredExample(t, "address", "right", f"{i} Mill Lane, 4320{i} Kajang") for i, t in enumerate(texts, 1)]
    quoted = [replace(one, quote=str(one.value)) for one in found]
    assert learn(WorkflowSettings(collection="any", properties=(prop,)), quoted, Evidence())["cues"] == cues


def test_what_was_learnt_is_told_in_words() -> None:
    rows = explain(learn(settings(), answers(slips(30)), Evidence()))
    told = {(row.property, row.cue) for row in rows}
    assert ("deviation", "new label: toleranz") in told
    assert ("sample_id", "new label: kennung") in told


def test_none_stated_teaches_to_abstain() -> None:
    prop = Property(name="weight", value_type="f64", unit="kg")
    texts = [f"Batch {i}\nWeight limit of the hoist {100 + i} kg" for i in range(20)]
    before = WorkflowSettings(collection="x", properties=(prop,))
    taught = learn(before, [AnsweredExample(t, "weight", "none") for t in texts], Evidence())
    after = before.model_copy(update={"extractor": RulesExtractor(learnt=taught)})
    words = "Batch 77\nWeight limit of the hoist 177 kg"
    assert extract(words, before, Evidence()).values[0].value == 177
    supports = [v.support or 0 for v in extract(words, after, Evidence()).values]
    assert not supports or supports[0] < 0.5
    assert any(row.weight < 0 and row.example.endswith(" kg") for row in explain(taught))


def test_rejected_values_lose_support() -> None:
    prop = Property(name="weight", value_type="f64", unit="kg")
    before = WorkflowSettings(collection="x", properties=(prop,))
    texts = [f"Weight limit {100 + i} kg\nIt weighs {i + 1} kg" for i in range(20)]
    rejected = [AnsweredExample(t, "weight", "wrong", 100.0 + i) for i, t in enumerate(texts)]
    after = before.model_copy(update={"extractor": RulesExtractor(learnt=learn(before, rejected, Evidence()))})
    value = next(iter(extract("Weight limit 177 kg\nIt weighs 78 kg", after, Evidence()).values), None)
    assert value is None or value.value != 177


def test_no_answers_teach_nothing() -> None:
    learnt = learn(settings(), [], Evidence())
    words = SLIP.format(**slips(1)[0])
    assert extract(words, settings(learnt), Evidence()).values == extract(words, settings(), Evidence()).values


def test_answers_of_unknown_values_are_left_out() -> None:
    learnt = learn(settings(), [AnsweredExample("nothing here", "deviation", "right", 3.5)], Evidence())
    assert learnt["properties"]["deviation"]["usable"] == 0


def test_json_round_trip() -> None:
    raw = learn(settings(), answers(slips(8)), Evidence())
    assert Learnt.from_json(json.loads(json.dumps(raw))).as_json() == raw


@pytest.mark.parametrize(
    "raw", [{"version": 2}, {"version": 1}, {"version": 1, "cues": {}, "properties": {"a": {"weights": {"x": "much"}}}}]
)
def test_what_cannot_be_read_is_refused_with_a_sentence(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"[Ll]earn again"):
        Learnt.from_json(raw)


def test_learning_leaves_alone_what_reads_well() -> None:
    prop = Property(name="weight", value_type="f64", unit="kg")
    before = WorkflowSettings(collection="x", properties=(prop,))
    texts = [f"Weight: {10 + i} kg\nLoad: {100 + i} kg" for i in range(12)]
    taught = learn(before, [AnsweredExample(t, "weight", "right", 10 + i) for i, t in enumerate(texts)], Evidence())
    assert taught["properties"]["weight"]["weights"] == {}
    assert [row.cue for row in explain(taught)] == ["read as before: answers held out in turn bear nothing else out"]


def test_few_texts_without_a_value_silence_a_property_only_as_far_as_held_out_ones_bear_out() -> None:
    prop = Property(name="weight", value_type="f64", unit="kg")
    before = WorkflowSettings(collection="x", properties=(prop,))
    answers = [AnsweredExample(f"Weight {10 + i} kg", "weight", "right", 10 + i) for i in range(18)]
    answers += [AnsweredExample(f"Weight {50 + i} kg", "weight", "none") for i in range(2)]
    after = before.model_copy(update={"extractor": RulesExtractor(learnt=learn(before, answers, Evidence()))})
    (value,) = extract("Weight 99 kg", after, Evidence()).values
    assert value.value == 99
    assert (value.support or 0) < (extract("Weight 99 kg", before, Evidence()).values[0].support or 0)


def test_a_value_that_was_no_candidate_lowers_support() -> None:
    prop = Property(name="weight", value_type="f64", unit="kg")
    before = WorkflowSettings(collection="x", properties=(prop,))
    answers = [AnsweredExample(f"Weight {10 + i} kg", "weight", "right", 500.5) for i in range(12)]
    after = before.model_copy(update={"extractor": RulesExtractor(learnt=learn(before, answers, Evidence()))})
    assert (extract("Weight 99 kg", after, Evidence()).values[0].support or 0) < 0.8
