"""Datasets through the API."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from reviewapp import datasets as dataset_keeping
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ById, ListOf, Scope
from reviewapp.api.shapes.datasets import (
    DatasetCreate,
    DatasetDelete,
    DatasetDeleted,
    DatasetExport,
    DatasetQuery,
    DatasetShape,
    ExpectedShape,
    InstallShape,
    ItemIn,
    ItemShape,
    ItemsPost,
    ItemsRemove,
    SourceShape,
)
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.domain.misfits import misfit
from reviewapp.errors import InvalidInput


def create(call: Call[Scope, DatasetCreate]) -> DatasetShape:
    """Save a test's answers (`source`), or make a dataset of your own items.

    The first save of a test makes its dataset; every later save, with any key, rewrites that dataset and answers the
    same id. After a delete the next save makes a new one.
    """
    body = call.body
    if body.source is None:
        dataset = dataset_keeping.create_dataset(
            call.workspace,
            body.name,
            items=[_item(item, at) for at, item in enumerate(body.items or ())],
            install=_install(body.install),
            about=tuple(body.about or ()),
            by=call.by,
        )
        return show(call, dataset)
    if body.source.kind != "test" or body.source.id is None:
        message = '`source` must name a test: {"kind": "test", "id": "wtest_…"}.'
        raise InvalidInput(message, param="source")
    if body.items is not None or body.install is not None:
        raise InvalidInput("`items` and `install` are not sent with a test as `source`; leave them out.", param="items")
    return show(call, dataset_keeping.save_dataset(call.workspace, body.source.id, name=body.name, by=call.by))


def list_(call: Call[DatasetQuery, None]) -> ListOf[DatasetShape]:
    """Datasets, newest first, without their items."""
    query = call.query
    after = decode_cursor("datasets", query.cursor)
    rows = dataset_keeping.list_datasets(
        call.workspace, after=None if after is None else str(after), limit=query.limit + 1
    )
    return page("datasets", rows, query.limit, lambda row: row.id, show_row)


def get(call: Call[ById, None]) -> DatasetShape:
    """A dataset with its items."""
    return show(call, dataset_keeping.get_dataset(call.workspace, call.query.id))


def add_items(call: Call[Scope, ItemsPost]) -> DatasetShape:
    """Add items; one of the same name is replaced in its place, the others are appended in the order sent."""
    items = [_item(item, at) for at, item in enumerate(call.body.items)]
    return show(call, dataset_keeping.add_items(call.workspace, call.body.id, items, by=call.by))


def remove_items(call: Call[Scope, ItemsRemove]) -> DatasetShape:
    """Remove items by name; names that are not there are passed over."""
    return show(call, dataset_keeping.remove_items(call.workspace, call.body.id, call.body.names, by=call.by))


def export(call: Call[ById, None]) -> DatasetExport:
    """The files `records.json` and `expected.json` as one answer."""
    files = dataset_keeping.answer_key(call.workspace, call.query.id)
    return DatasetExport(records=files.records, expected=files.expected)


def delete(call: Call[DatasetDelete, None]) -> DatasetDeleted:
    """Delete a dataset and its items; again gives the same answer. The test's answers stay."""
    dataset_keeping.delete_dataset(call.workspace, call.query.id, by=call.by)
    return DatasetDeleted(id=call.query.id)


# -- reading and showing ---------------------------------------------------------------------------------------


def _item(item: ItemIn, at: int) -> Item:
    fields = {
        **item.model_dump(exclude={"values", "leave_out"}),
        "values": [_expected(e) for e in item.values or ()],
        "leave_out": [_expected(e) for e in item.leave_out or ()],
    }
    try:
        return Item.model_validate(fields)
    except ValidationError as error:
        raise InvalidInput(f"items.{at}.{misfit(error, fields).sentence}.", param="items") from None


def _expected(expected: ExpectedShape) -> dict[str, Any]:
    return expected.model_dump()


def _install(install: InstallShape | None) -> Install:
    if install is None:
        return Install()
    return Install(properties=install.properties or {}, units=install.units or {}, context=install.context)


def show_row(dataset: Dataset) -> DatasetShape:
    """A dataset in a list."""
    install = dataset.install
    return DatasetShape(
        id=dataset.id,
        created=dataset.created,
        changed=dataset.changed,
        name=dataset.name,
        kind=dataset.kind,
        about=list(dataset.about),
        install=InstallShape(
            properties=install.properties or None, units=install.units or None, context=install.context
        ),
        item_count=dataset.item_count,
        test=dataset.test,
        version=dataset.version,
    )


def show(call: Call[Any, Any], dataset: Dataset) -> DatasetShape:
    """A dataset whole."""
    items = [show_item(item) for _, item in dataset_keeping.items(call.workspace, dataset.id)]
    return show_row(dataset).model_copy(update={"items": items, "item_count": len(items)})


def show_item(item: Item) -> ItemShape:
    return ItemShape(
        name=item.name,
        text=item.text,
        iri=item.iri,
        case=item.case,
        source=None if item.source is None else SourceShape(kind=item.source.kind, id=item.source.id),
        values=[_show_expected(expected) for expected in item.values],
        leave_out=[_show_expected(expected) for expected in item.leave_out],
    )


def _show_expected(expected: Expected) -> ExpectedShape:
    return ExpectedShape(
        property=expected.property,
        value=expected.value,
        quote=expected.quote,
        stated=expected.stated,
        accept=None if expected.accept is None else list(expected.accept),
        reason=expected.reason,
    )


def _present(call: Call[Any, Any], stored: dict[str, Any]) -> DatasetShape:
    return show(call, dataset_keeping.get_dataset(call.workspace, stored["id"]))


PATH = "/evals/datasets"
_GONE = ((404, "not_found"),)
ENDPOINTS = (
    Endpoint(
        "POST",
        PATH,
        "author",
        create,
        DatasetShape,
        body=DatasetCreate,
        tag="Datasets",
        summary="Save a test, or make a dataset",
        keyed=True,
        present=_present,
        refusals=_GONE,
    ),
    Endpoint(
        "GET", PATH, "viewer", list_, ListOf[DatasetShape], query=DatasetQuery, tag="Datasets", summary="List datasets"
    ),
    Endpoint("GET", f"{PATH}/get", "viewer", get, DatasetShape, query=ById, tag="Datasets", summary="A dataset"),
    Endpoint(
        "POST",
        f"{PATH}/items",
        "author",
        add_items,
        DatasetShape,
        body=ItemsPost,
        tag="Datasets",
        summary="Add items",
        keyed=True,
        present=_present,
        refusals=_GONE,
    ),
    Endpoint(
        "POST",
        f"{PATH}/items/remove",
        "author",
        remove_items,
        DatasetShape,
        body=ItemsRemove,
        tag="Datasets",
        summary="Remove items",
        keyed=True,
        present=_present,
        refusals=_GONE,
    ),
    Endpoint(
        "GET", f"{PATH}/export", "viewer", export, DatasetExport, query=ById, tag="Datasets", summary="Export a dataset"
    ),
    Endpoint(
        "DELETE",
        PATH,
        "author",
        delete,
        DatasetDeleted,
        query=DatasetDelete,
        tag="Datasets",
        summary="Delete a dataset",
        keyed=True,
        refusals=_GONE,
    ),
)
