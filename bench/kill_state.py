"""What `bench.kill` finds in the files after a kill, by SQL of its own."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bench.kill_people import Given, Story

Key = tuple[str, int]
"""Test id, position."""


@dataclass(frozen=True)
class State:
    """What was in the file after a kill."""

    results: dict[Key, tuple[object, ...]] = field(default_factory=dict)
    """Inputs with a result, and all that was stored of it."""
    reads: int = 0
    """Lines in the file of reads."""
    open_tests: int = 0


def look(data: Path, reads: Path, before: State, story: Story, faults: list[str]) -> State:
    """The state of the files now; what should not be is added to `faults`."""
    with closing(sqlite3.connect(data / "workspaces" / "default.db", timeout=30)) as db:
        (verdict,) = db.execute("pragma quick_check").fetchone()
        if verdict != "ok":
            faults.append(f"the file is damaged: {verdict}")
        faults.extend(story.refused)
        story.refused.clear()
        faults.extend(_missing_answers(db, story))
        faults.extend(_missing_imports(db, story))
        statuses = dict(db.execute("select id, status from tests").fetchall())
        faults.extend(f"test {t} was acknowledged and is not there" for t in story.tests if t not in statuses)
        faults.extend(
            f"test {t} was cancelled and is {statuses.get(t)}"
            for t in story.cancelled
            if statuses.get(t) != "cancelled"
        )
        results = _results(db)
        faults.extend(
            f"the result of {key} is gone or another one"
            for key in before.results
            if results.get(key) != before.results[key]
        )
        lines = reads.read_text().splitlines() if reads.exists() else []
        keys = _keys_by_text(db)
        just_read = Counter(keys[line] for line in lines[before.reads :])
        faults.extend(f"{key} was read again though it had a result" for key in just_read if key in before.results)
        faults.extend(f"{key} was read {count} times in one life" for key, count in just_read.items() if count > 1)
    return State(results, len(lines), sum(status in ("queued", "running") for status in statuses.values()))


def _missing_answers(db: sqlite3.Connection, story: Story) -> list[str]:
    rows = db.execute(
        """select a.note, t.id, a.position, a.property, a.person, a.decision
            from answers a join tests t on t.number = a.test"""
    )
    there = {note: Given(*rest) for note, *rest in rows}
    return [f"{note} ({given}) is not there" for note, given in story.answers.items() if there.get(note) != given]


def _missing_imports(db: sqlite3.Connection, story: Story) -> list[str]:
    rows = db.execute("select collection, count(*) from records where collection like 'late-%' group by collection")
    there = dict(rows.fetchall())
    lost = [f"import {name} is not there" for name, count in story.imported.items() if there.get(name) != count]
    sizes = set(there.values())
    return lost + ([f"half an import is there: {sorted(sizes)} records"] if len(sizes) > 1 else [])


def _results(db: sqlite3.Connection) -> dict[Key, tuple[object, ...]]:
    inputs = db.execute(
        """select t.id, i.position, i.state, i.failed, i.error, i.milliseconds,
            (select group_concat(v.data, char(10)) from test_values v where v.test = i.test and v.position = i.position)
            from test_inputs i join tests t on t.number = i.test where i.state != 'queued'"""
    )
    return {(test, position): tuple(rest) for test, position, *rest in inputs}


def _keys_by_text(db: sqlite3.Connection) -> dict[str, Key]:
    rows = db.execute("select i.text_hash, t.id, i.position from test_inputs i join tests t on t.number = i.test")
    return {text: (test, position) for text, test, position in rows}
