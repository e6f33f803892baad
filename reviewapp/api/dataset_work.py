"""Work on datasets through the API: versions and what differs, merge, split."""

from __future__ import annotations

from itertools import islice

from reviewapp import datasets
from reviewapp.api.datasets import show, show_item
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ById, ListOf, Scope
from reviewapp.api.shapes.datasets import DatasetShape
from reviewapp.api.shapes.evaluations import (
    DiffQuery,
    DiffShape,
    ItemChangeShape,
    MergeBody,
    SplitBody,
    VersionList,
    VersionShape,
)

MOST_CHANGES = 1_000


def versions(call: Call[ById, None]) -> VersionList:
    """The versions of a dataset."""
    found = datasets.list_versions(call.workspace, call.query.id)
    return VersionList(data=[VersionShape(**version.model_dump()) for version in found])


def diff(call: Call[DiffQuery, None]) -> DiffShape:
    """Items that were added, changed or removed between two versions, or from another dataset."""
    query = call.query
    found = datasets.diff(call.workspace, (query.other or query.id, query.before), (query.id, query.after))
    told = list(islice(found, MOST_CHANGES + 1))
    shown = [
        ItemChangeShape(
            kind=change.kind,
            name=change.name,
            before=None if change.before is None else show_item(change.before),
            after=None if change.after is None else show_item(change.after),
        )
        for change in told[:MOST_CHANGES]
    ]
    return DiffShape(changes=shown, has_more=len(told) > MOST_CHANGES)


def merge(call: Call[Scope, MergeBody]) -> DatasetShape:
    """Make one dataset of several; items with the same text become one."""
    body = call.body
    made = datasets.merge_datasets(call.workspace, body.ids, body.name, prefer_last=body.prefer_last, by=call.by)
    return show(call, made)


def split(call: Call[Scope, SplitBody]) -> ListOf[DatasetShape]:
    """Make two datasets of one, by share or name pattern, so that no text is in both."""
    body = call.body
    made = datasets.split_dataset(
        call.workspace,
        body.id,
        (body.names[0], body.names[1]),
        share=body.share,
        pattern=body.pattern,
        seed=body.seed,
        by=call.by,
    )
    return ListOf(data=[show(call, dataset) for dataset in made], has_more=False)


PATH = "/evals/datasets"
_GONE = ((404, "not_found"),)

ENDPOINTS = (
    Endpoint(
        "GET",
        f"{PATH}/versions",
        "viewer",
        versions,
        VersionList,
        query=ById,
        tag="Datasets",
        summary="Versions of a dataset",
        refusals=_GONE,
    ),
    Endpoint(
        "GET",
        f"{PATH}/diff",
        "viewer",
        diff,
        DiffShape,
        query=DiffQuery,
        tag="Datasets",
        summary="What differs between two versions",
        refusals=_GONE,
    ),
    Endpoint(
        "POST",
        f"{PATH}/merge",
        "author",
        merge,
        DatasetShape,
        body=MergeBody,
        tag="Datasets",
        summary="Merge datasets",
        refusals=(*_GONE, (409, "contradiction")),
    ),
    Endpoint(
        "POST",
        f"{PATH}/split",
        "author",
        split,
        ListOf[DatasetShape],
        body=SplitBody,
        tag="Datasets",
        summary="Split a dataset without leaks",
        refusals=_GONE,
    ),
)
