"""From the JSON of an eval set's file to its model."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from reviewapp.domain.eval_sets import EvalSet, OldEvalSet
from reviewapp.evals.eval_sets.faults import Fault, refused


def is_old(content: Any) -> bool:
    """Whether an eval set is taken for the old format: no version, or one below 1. Raises Fault."""
    version = content.get("version") if isinstance(content, dict) else None
    if isinstance(version, bool) or not isinstance(version, int | float | str):
        return not isinstance(version, bool) or not version
    try:
        return float(version) < 1
    except ValueError as error:
        raise Fault("load", f'The version is {version!r}; the text "1.0" was expected.', type="ValueError") from error


def read_eval_set(content: Any) -> EvalSet:
    """An eval set out of its JSON; the old format in the new form. Raises Fault (stage ``load``)."""
    if not isinstance(content, dict):
        raise Fault("load", "An eval set is a JSON object with id, name and evaluations.", type="ValueError")
    try:
        if is_old(content):
            return OldEvalSet.model_validate(content).renewed()
        return EvalSet.model_validate(content)
    except ValidationError as error:
        fault = refused("load", error, type="ValueError")
        # The alternatives of a reference read better without the name of the one that is a plain text.
        fault.fields = tuple(
            dict.fromkeys(f.replace(".str:", ":") if f.startswith("evaluatorConfigs") else f for f in fault.fields)
        )
        raise fault from error
