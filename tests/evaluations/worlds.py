"""Small datasets and workflows to grade, and a dataset of many items whose test was read by nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewapp.datasets import create_dataset
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import Workflow, WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.store import Workspace
from reviewapp.workflows import put_workflow

PROPERTIES = (
    Property(name="width", value_type="f64", unit="cm", aliases=("Breite",)),
    Property(name="quantity", value_type="i64", aliases=("Menge",)),
)
DOORS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "d1": ("Steel door\nWidth: 600 mm\nQuantity: 4", {"width": 60, "quantity": 4}),
    "d2": ("Oak door\nWidth: 88.5 cm\nQuantity: 2", {"width": 88.5, "quantity": 2}),
    "d3": ("Glass door\nWidth: 1 m\nQuantity: 12", {"width": 100, "quantity": 11}),  # a person says 11
    "d4": ("Roof hatch, see drawing A-204.", {"width": None}),
}
"""Name → text, what a correct run writes (None: nothing)."""


def doors(workspace: Workspace, *, units: Mapping[str, str] | None = None) -> Dataset:
    items = [
        Item(
            name=name,
            text=text,
            values=tuple(Expected(property=p, value=v) for p, v in values.items() if v is not None),
            leave_out=tuple(Expected(property=p, value=None) for p, v in values.items() if v is None),
        )
        for name, (text, values) in DOORS.items()
    ]
    install = Install(properties={"width": "f64", "quantity": "i64"}, units=dict(units or {"width": "cm"}))
    return create_dataset(workspace, "Doors", items=items, install=install, by="ann")


def workflow(workspace: Workspace, *properties: Property, gate: float = 0.8) -> Workflow:
    """The door workflow over a collection of the same texts."""
    records = [IncomingRecord(name=name, text=text) for name, (text, _) in DOORS.items()]
    import_records(workspace, "tenders", records, by="ann")
    definition = WorkflowDefinition(name="doors", collection="tenders", properties=properties or PROPERTIES, gate=gate)
    return put_workflow(workspace, definition, by="ann")
