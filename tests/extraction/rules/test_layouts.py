"""The same numbers with their labels, laid out in every way that papers have; each property reads its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract

Row = tuple[str, int, str]
"""Label, value, unit."""

SHEETS: dict[str, list[Row]] = {
    "sizes": [("height", 180, "mm"), ("width", 90, "mm"), ("depth", 40, "mm")],
    "flows": [("flow tank", 5, "l/min"), ("flow mixer", 6, "l/min"), ("flow spare", 7, "l/min")],
    "supply": [("supply voltage", 24, "V"), ("test voltage", 500, "V"), ("current", 2, "A")],
    "weights": [("net weight", 3, "kg"), ("gross weight", 4, "kg"), ("volume", 12, "l")],
    "Maße": [("Länge", 300, "mm"), ("Breite", 200, "mm"), ("Höhe", 100, "mm")],
}


def table(rows: list[Row], gap: str, width: int, *, unit_in_head: bool) -> str:
    heads = [f"{label} ({unit})" if unit_in_head else label for label, _, unit in rows]
    cells = [str(value) if unit_in_head else f"{value} {unit}" for _, value, unit in rows]
    return gap.join(h.ljust(width) for h in heads) + "\n" + gap.join(c.ljust(width) for c in cells)


def sentence(pieces: list[str], end: str = ".") -> str:
    return ", ".join(pieces[:-1]) + f" and {pieces[-1]}{end}"


LAYOUTS: dict[str, Callable[[list[Row]], str]] = {
    "labels before, a line each": lambda rows: "\n".join(f"{n}: {v} {u}" for n, v, u in rows),
    "labels before, glued": lambda rows: "\n".join(f"{n}:{v}{u}" for n, v, u in rows),
    "labels before, side by side": lambda rows: "; ".join(f"{n}: {v} {u}" for n, v, u in rows),
    "bullets and equals": lambda rows: "\n".join(f"• {n} = {v} {u}" for n, v, u in rows),
    "dashes": lambda rows: "\n".join(f"- {n} – {v} {u}" for n, v, u in rows),
    "labels behind, a line each": lambda rows: "\n".join(f"{v} {u} {n}" for n, v, u in rows),
    "labels behind, side by side": lambda rows: "; ".join(f"{v} {u} {n}" for n, v, u in rows) + ".",
    "labels behind in brackets": lambda rows: ", ".join(f"{v} {u} ({n})" for n, v, u in rows),
    "labels behind, two lines": lambda rows: "{1} {2} {0}, {4} {5} {3}\n{7} {8} {6}".format(
        *(part for row in rows for part in row)
    ),
    "labels behind in a sentence": lambda rows: "It offers " + sentence([f"{v} {u} {n}" for n, v, u in rows]),
    "labels before in a sentence": lambda rows: "It has a " + sentence([f"{n} of {v} {u}" for n, v, u in rows]),
    "sentences": lambda rows: " ".join(f"The {n} is {v} {u}." for n, v, u in rows),
    "labels above": lambda rows: "\n".join(f"{n}\n{v} {u}" for n, v, u in rows),
    "labels above, blank lines between": lambda rows: "\n\n".join(f"{n}\n{v} {u}" for n, v, u in rows),
    "labels below, blank lines between": lambda rows: "\n\n".join(f"{v} {u}\n{n}" for n, v, u in rows),
    "columns": lambda rows: table(rows, "   ", 16, unit_in_head=False),
    "columns, units in the heads": lambda rows: table(rows, "  ", 20, unit_in_head=True),
    "semicolons, units in the heads": lambda rows: table(rows, ";", 0, unit_in_head=True),
    "rows": lambda rows: "\n".join(f"{n:20}{v:>8} {u}" for n, v, u in rows),
    "rows, units before": lambda rows: "\n".join(f"{n:20}{u:8}{v:>8}" for n, v, u in rows),
    "tabs": lambda rows: "\n".join(f"{n}\t{v}\t{u}" for n, v, u in rows),
    "bars": lambda rows: "| name | value |\n|---|---|\n" + "\n".join(f"| {n} | {v} {u} |" for n, v, u in rows),
    "bars, in columns": lambda rows: (
        f"| {' | '.join(n for n, _, _ in rows)} |\n|---|---|---|\n| {' | '.join(f'{v} {u}' for _, v, u in rows)} |"
    ),
}


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_number_goes_to_its_own_label(layout: str, sheet: str) -> None:
    rows = SHEETS[sheet]
    properties = tuple(Property(name=n.replace(" ", "_").lower(), value_type="f64", unit=u) for n, _, u in rows)
    settings = WorkflowSettings(collection="any", properties=properties)
    values = extract(LAYOUTS[layout](rows), settings, Evidence()).values
    read = {v.property: v.value for v in values if v.outcome in ("written", "review")}
    assert read == {prop.name: value for prop, (_, value, _) in zip(properties, rows, strict=True)}
