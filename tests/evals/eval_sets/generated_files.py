"""Files of eval sets and evaluators made from a seed: right ones with one thing changed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

from pydantic.alias_generators import to_snake

from reviewapp.evals.eval_sets.table import TYPES
from tests.evals.eval_sets.generated import Job

# fmt: off
_ITEM: Job = {
    "id": "AAAAAAAA-0000-0000-0000-000000000001", "name": "i", "inputs": {"a": 1}, "expectedOutput": {"x": 1},
    "expectedAgentBehavior": "b", "evaluationCriterias": {"E": {"expectedOutput": {"x": 1}}, "F": None}, "purpose": "x",
    "mockingStrategy": {"type": "mockito", "behaviors": [
        {"function": "f", "arguments": {"args": [1], "kwargs": {"k": 2}}, "then": [{"type": "return", "value": 1}]},
    ]},
    "inputMockingStrategy": {"prompt": "p", "model": {"model": "m", "temperature": 0.1, "maxTokens": 5}},
}
_LLM_ITEM: Job = {
    "id": "2", "name": "j", "inputs": {}, "evaluationCriterias": {},
    "mockingStrategy": {"type": "llm", "prompt": "p", "toolsToSimulate": [{"name": "t"}], "model": {"model": "m"}},
}
_SET: Job = {
    "version": "1.0", "id": "s", "name": "S", "evaluatorRefs": ["E"], "evaluations": [_ITEM, _LLM_ITEM], "more": 1,
    "evaluatorConfigs": ["E", {"ref": "F", "weight": 2}], "agentMemoryEnabled": True,
    "modelSettings": [{"id": "m", "modelName": "x", "temperature": 0.5}],
    "agentMemorySettings": [{"id": "q", "resultCount": "3"}],
}
_OLD_SET: Job = {
    "id": "s", "fileName": "f", "name": "S", "evaluatorRefs": ["E"], "createdAt": "", "updatedAt": "", "batchSize": 3,
    "timeoutMinutes": 4, "evaluations": [{
        "id": "1", "name": "n", "inputs": {}, "expectedOutput": {}, "expectedAgentBehavior": "", "evalSetId": "s",
        "createdAt": "", "updatedAt": "", "simulateTools": True, "simulationInstructions": "x",
        "toolsToSimulate": [{"name": "t"}], "simulateInput": True, "inputGenerationInstructions": "g",
    }],
}
_CONFIG: Job = {
    "name": "E", "description": "d", "targetOutputKey": "a", "lineByLineEvaluator": False, "lineDelimiter": "x",
    "caseSensitive": False, "negated": False, "classes": ["a", "b"], "positiveClass": "p", "metricType": "recall",
    "fValue": 1, "averaging": "macro", "strict": True, "subset": False, "model": "m", "temperature": 0.5,
    "maxTokens": 4, "prompt": "p", "defaultEvaluationCriteria": {
        "expectedOutput": {"a": 1}, "searchText": "x", "expectedClass": "a", "expectedAgentBehavior": "x",
        "toolCallsOrder": ["a"], "toolCallsCount": {"a": ["=", 1]}, "toolCalls": [{"name": "a", "args": {}}],
        "toolOutputs": [{"name": "a", "output": "x"}],
    },
}
_AGGREGATORS = [{"type": "fscore", "averaging": "macro", "fValue": 2}, {"type": "confusion_matrix"}]
_ODD: tuple[Any, ...] = (
    None, 3, -1, 1.5, "", "x", "1.0", "true", True, [], {}, [1], ["x"], {"a": 1}, [None], 10**30, "5", [{}], "0.9",
    {"type": "llm"}, {"type": "mockito"}, " 1.0",
)
# fmt: on


def file_jobs(number: int, seed: int) -> list[Job]:
    """Eval sets and evaluators with one thing of each changed, taken out, or named another way."""
    draw = random.Random(seed)
    made = []
    for _ in range(number):
        made.append({"do": "set", "file": _changed(draw, draw.choice((_SET, _SET, _OLD_SET)))})
        kind = draw.choice(list(TYPES))
        config = _CONFIG | ({"aggregators": _AGGREGATORS} if kind == "uipath-exact-match" else {})
        file = {"version": "1.0", "id": "E", "evaluatorTypeId": kind, "evaluatorConfig": config, "name": "top"}
        made.append({"do": "evaluator", "file": _changed(draw, file)})
    copied: list[Job] = json.loads(json.dumps(made))
    return copied


def _changed(draw: random.Random, file: Job) -> Job:
    copied: Job = json.loads(json.dumps(file))
    *way, last = draw.choice([steps for steps in _ways(copied) if steps])
    holder: Any = copied
    for step in way:
        holder = holder[step]
    chance = draw.random()
    if chance < 0.65:
        holder[last] = draw.choice(_ODD)
    elif chance < 0.85:
        del holder[last]
    elif isinstance(last, str):
        holder[to_snake(last)] = holder.pop(last)
    return copied


def _ways(given: Any) -> Iterable[tuple[Any, ...]]:
    yield ()
    inner = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for step, value in inner:
        yield from ((step, *way) for way in _ways(value))
