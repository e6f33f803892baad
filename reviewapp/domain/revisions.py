"""What one revision of a workflow has that another has not."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.base import Model
from reviewapp.domain.workflows import ExtractorChoice, RulesExtractor, WorkflowSettings


class Difference(Model):
    """One thing that was changed."""

    about: str
    """Of which property; empty: of the workflow."""
    what: str
    """The field, with its place: ``unit``, ``rules.date_order``; ``property`` for one that came, went or moved."""
    before: str
    """As it is written in a file; empty: there was none."""
    after: str


def differences(before: WorkflowSettings, after: WorkflowSettings) -> list[Difference]:
    """What changed, properties first: those that came or went, then fields that differ, then their order.

    Empty for equal settings.
    """
    found: list[Difference] = []
    old = {p.name: p for p in before.properties}
    new = {p.name: p for p in after.properties}
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in new:
            found.append(Difference(about=name, what="property", before=old[name].value_type, after=""))
        elif name not in old:
            found.append(Difference(about=name, what="property", before="", after=new[name].value_type))
        else:
            found += _fields(name, old[name].model_dump(mode="json"), new[name].model_dump(mode="json"))
    stayed = ([n for n in old if n in new], [n for n in new if n in old])
    if stayed[0] != stayed[1]:
        found.append(Difference(about="", what="order", before=", ".join(stayed[0]), after=", ".join(stayed[1])))
    rest: Any = {"properties": True, "extractor": {"learnt", "learnt_from"}}
    found += _fields("", before.model_dump(mode="json", exclude=rest), after.model_dump(mode="json", exclude=rest))
    return found + _learnt(before.extractor, after.extractor)


def _learnt(before: ExtractorChoice, after: ExtractorChoice) -> list[Difference]:
    """What was learnt is weights and hashes of texts: only from how many texts is told."""
    old, new = (e if isinstance(e, RulesExtractor) else RulesExtractor() for e in (before, after))
    if (old.learnt, old.learnt_from) == (new.learnt, new.learnt_from):
        return []
    counts = [len(e.learnt_from) for e in (old, new)]
    told = [f"from {count} text{'s' * (count > 1)}" if count else "" for count in counts]
    if told[0] == told[1]:
        told[1] += ", other answers"
    return [Difference(about="", what="learnt from answers", before=told[0], after=told[1])]


def _fields(about: str, before: dict[str, Any], after: dict[str, Any], path: str = "") -> list[Difference]:
    found: list[Difference] = []
    for key in [*before, *(key for key in after if key not in before)]:
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found += _fields(about, old, new, f"{path}{key}.")
        else:
            found.append(Difference(about=about, what=f"{path}{key}", before=_written(old), after=_written(new)))
    return found


def _written(value: object) -> str:
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(_written(each) for each in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_written(each)}" for key, each in value.items())
    return str(value)
