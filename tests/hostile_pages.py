"""A workspace in which every field of people and files holds hostile strings, and what every page must keep to."""

from __future__ import annotations

import json
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from reviewapp import accounts, answers, datasets, keys, records, tests, workflows
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Outcome, Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.formats.readers import read_files
from reviewapp.store import DataFolder, Workspace
from tests.hostile import SCRIPTS, STRINGS
from tests.web import world

NAMES = tuple(dict.fromkeys(" ".join(s.split()) for s in STRINGS))
"""As names of records are kept: on one line."""
PROPERTIES = 12
INPUTS = 30
OUTCOMES: tuple[Outcome, ...] = (
    "written",
    "review",
    "weak_support",
    "quote_not_found",
    "invalid_value",
    "unknown_property",
)


def fill(data: DataFolder, folder: Path) -> Test:
    """Records from a file, properties, values, quotes, reasons, answers, notes, people, keys, a dataset, a trail."""
    workspace = data.workspace("default", create=True)
    people = add_people(data)
    file = folder / "records.jsonl"
    texts = [f"{name}\n{STRINGS[n % len(STRINGS)]}" for n, name in enumerate(NAMES)]
    lines = (json.dumps({"name": n, "text": t}) for n, t in zip(NAMES, texts, strict=True))
    file.write_text("\n".join(lines), encoding="utf-8")
    records.import_records(workspace, "tenders", read_files([file]).records, by=people[0])
    workflows.put_workflow(workspace, definition(), by=people[1], note=SCRIPTS[2])
    everything = tests.start_test(workspace, workflow="sinks", everything=True, by=people[2])
    test = world.run(workspace, everything, [result(workspace, everything, n) for n in range(INPUTS)])
    answer(workspace, test, people)
    datasets.save_dataset(workspace, test.id, name=SCRIPTS[5], by=people[3])
    return test


def add_people(data: DataFolder) -> list[str]:
    names = []
    for string in STRINGS:
        try:
            names.append(accounts.add_person(data, string, None, by=SCRIPTS[0]).name)
        except (InvalidInput, Conflict):  # no name for a person, or one too like another
            continue
    for string in STRINGS[:40]:
        keys.create_key(data, f"key {string}"[:200], by=names[0])
    return names


def definition() -> WorkflowDefinition:
    usable = [s for s in STRINGS if 0 < len(s.strip()) <= 100]
    step = len(usable) // PROPERTIES
    properties = tuple(
        Property(
            name=usable[n * step].strip(),
            value_type="text",
            description=usable[n * step + 1],
            aliases=tuple(usable[n * step + 2 : n * step + 4]),
        )
        for n in range(PROPERTIES)
    )
    return WorkflowDefinition(name="sinks", collection="tenders", properties=properties, context=SCRIPTS[9])


def result(workspace: Workspace, test: Test, position: int) -> InputResult:
    """Values with their strings as value, quote and reason; every tenth input fails with one."""
    if position % 10 == 9:
        return InputResult(failed=STRINGS[position], raw=STRINGS[position + 1])
    text = tests.input_text(workspace, tests.get_input(workspace, test.id, position))
    quote = text.partition("\n")[0]
    return InputResult(
        values=tuple(
            world.value(
                text, prop.name, STRINGS[(position * PROPERTIES + n) % len(STRINGS)], quote,
                OUTCOMES[n % len(OUTCOMES)],
                support=None if n % len(OUTCOMES) > 2 else 0.7, detail=STRINGS[-1 - n],
            )
            for n, prop in enumerate(test.settings.properties[: PROPERTIES - 4])
        )
    )  # fmt: skip


def answer(workspace: Workspace, test: Test, people: list[str]) -> None:
    for n, string in enumerate(STRINGS):
        position, prop = n % 9, test.settings.properties[n % PROPERTIES].name
        by = people[n % len(people)]
        visible = any(character.isprintable() and not character.isspace() for character in string)
        value = string if visible else f"x{string}"  # a value that nobody can see is refused
        answers.save_answer(workspace, test.id, position, prop, "correct", by=by, value=value, note=string)


def faults(html: str) -> list[str]:
    """What a page has that none of ours may have: markup that came out of somebody's text."""
    tree = LexborHTMLParser(html)
    found = [f"<{tag}>" for tag in ("iframe", "object", "embed", "base", "style", "template") if tree.css(tag)]
    for node in tree.css("*"):
        attributes = {name: value or "" for name, value in node.attributes.items()}
        found += [f"{node.tag} {name}" for name in attributes if name.startswith(("on", "data-hx-", "srcdoc", "style"))]
        found += [f"{node.tag} {name}" for name in attributes if name.startswith("hx-on")]
        for name in ("href", "src", "action", "formaction", "xlink:href"):
            address = attributes.get(name, "").strip().lower()
            if address and not address.startswith(("/", "#", "?", "http://localhost/")):
                found.append(f"{node.tag} {name}={address[:60]}")
        if node.tag == "script" and not attributes.get("src", "").startswith("/static/"):
            found.append("script without our address")
        if node.tag == "meta" and "http-equiv" in attributes:
            found.append("meta http-equiv")
    return found
