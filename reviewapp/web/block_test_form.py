"""The form of a block test: from fields to an assertion and inputs, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from reviewapp.block_tests.wording import WORDS, key_of
from reviewapp.domain.block_tests import BlockTest, RunStepSource
from reviewapp.domain.blocks import FILE_IN, JSON_IN, Block, FunctionBlock, input_handles
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.misfits import misfit
from reviewapp.errors import InvalidInput

OTHER = "other"
_OFFERED = (
    "equals",
    "not_equals",
    "exists",
    "not_exists",
    "number_compare gte",
    "number_compare lte",
    "number_compare gt",
    "number_compare lt",
    "contains",
    "not_contains",
    "starts_with",
    "ends_with",
    "matches_regex",
    "object_contains",
    "array_contains",
    "length_compare eq",
    "length_compare gte",
)
CHOICES = (*((key, WORDS[key]) for key in _OFFERED), (OTHER, "another condition, as JSON"))
"""Kind (and its op) → in words, behind the name of the value."""
_TEXTS = ("starts_with", "ends_with", "matches_regex")
_BARE = ("exists", "not_exists")


@dataclass
class BlockTestForm:
    """What stands in the form."""

    block: str = ""
    text: str = ""
    """The input, as a text or as JSON."""
    as_json: bool = False
    file_id: str = ""
    """The input is a file that was kept; `file_name` shows it. Then `text` does not count."""
    file_name: str = ""
    run_id: str = ""
    """The inputs are those of a step of this run; `text` then only shows them."""
    step_id: str = ""
    handle: str = ""
    """Empty: the block's first output."""
    path: str = ""
    choice: str = "equals"
    expected: str = ""
    """JSON; a text may stand without its quotes."""
    name: str = ""
    faults: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> BlockTestForm:
        return cls(
            block=fields.get("block", ""),
            text=fields.get("text", "").replace("\r\n", "\n"),
            as_json="as_json" in fields,
            file_id=fields.get("file_id", ""),
            file_name=fields.get("file_name", ""),
            run_id=fields.get("run_id", ""),
            step_id=fields.get("step_id", ""),
            handle=fields.get("handle", "").strip(),
            path=fields.get("path", "").strip(),
            choice=fields.get("choice", "equals"),
            expected=fields.get("expected", "").replace("\r\n", "\n"),
            name=fields.get("name", ""),
        )

    @classmethod
    def of_test(cls, test: BlockTest) -> BlockTestForm:
        condition = test.assertion.condition.model_dump(mode="json", by_alias=True)
        kind, choice = condition["kind"], key_of(test.assertion.condition)
        simple = choice in _OFFERED
        shown = condition.get("pattern", condition.get("expected")) if simple else condition
        return cls(
            block=test.block,
            handle=test.assertion.target.output_handle_id,
            path=test.assertion.target.path or "",
            choice=choice if simple else OTHER,
            expected="" if simple and kind in _BARE else written(shown),
            name=test.name or "",
        )

    def assertion(self) -> Assertion:
        """Raises InvalidInput; `param` is a field of the form."""
        target = {"output_handle_id": self.handle, "path": self.path or None}
        given = {"target": target, "condition": self._condition()}
        try:
            return Assertion.model_validate(given)
        except ValidationError as error:
            said = misfit(error, given).sentence
            raise InvalidInput(f"This does not fit the condition: {said}.", param="expected") from None

    def _condition(self) -> dict[str, Any]:
        if self.choice == OTHER:
            found = _read(self.expected, strict=True)
            if not isinstance(found, dict):
                raise InvalidInput('Write a condition as JSON, such as {"kind": "exists"}.', param="expected")
            return found
        kind, _, op = self.choice.partition(" ")
        if kind in _BARE:
            return {"kind": kind}
        if not self.expected.strip():
            raise InvalidInput('Say what is expected; an empty text is written "".', param="expected")
        if kind in _TEXTS:
            text = _read(self.expected) if self.expected.startswith('"') else self.expected
            return {"kind": kind, "pattern" if kind == "matches_regex" else "expected": text}
        return {"kind": kind, "expected": _read(self.expected), **({"op": op} if op else {})}

    def source(self, block: Block | None) -> dict[str, Any]:
        """What `make_test` takes; `block`: the one that is tested, where there is one. Raises InvalidInput."""
        if self.run_id:
            return {"step": RunStepSource(run_id=self.run_id, step_id=self.step_id or None)}
        handles = input_handles(block) if isinstance(block, FunctionBlock) else ()
        if self.file_id:
            return {"inputs": {handles[0] if handles else FILE_IN: {"type": "file", "file_id": self.file_id}}}
        if not self.text.strip():
            raise InvalidInput("Paste the text or the JSON that the block is to get, or choose a file.", param="text")
        data = _read(self.text, strict=True, param="text") if self.as_json else self.text
        if len(handles) < 2:
            return {"inputs": {handles[0] if handles else JSON_IN: {"type": "json", "data": data}}}
        if not isinstance(data, dict) or not data or data.keys() - set(handles):
            said = (
                f"This block has several inputs; give an object with a value for each of {', '.join(handles)}, as JSON."
            )
            raise InvalidInput(said, param="text")
        return {"inputs": {handle: {"type": "json", "data": value} for handle, value in data.items()}}


def _read(text: str, *, strict: bool = False, param: str = "expected") -> Any:
    """JSON; what is none is a text, unless `strict`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if strict:
            raise InvalidInput(f"This is not JSON: {error}.", param=param) from None
        return text


def written(value: Any) -> str:
    """A value as the form shows it: texts that read as themselves without quotes, the rest as JSON."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return value if value and not value.startswith('"') else json.dumps(value, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict | list) else None)
