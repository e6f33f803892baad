"""Datasets: answers kept as texts with the values a correct run writes."""

from reviewapp.datasets.editing import get_item, set_accept, set_case
from reviewapp.datasets.exchange import (
    answer_key,
    export_dataset,
    export_file,
    export_tasks,
    find_form,
    forms,
    import_items,
)
from reviewapp.datasets.keeping import (
    add_items,
    create_dataset,
    dataset_of_test,
    delete_dataset,
    get_dataset,
    import_dataset,
    items,
    list_datasets,
    remove_items,
    save_dataset,
)
from reviewapp.datasets.merging import add_answers, merge_datasets, plan_answers, plan_merge
from reviewapp.datasets.splitting import DuplicateGroup, find_duplicates, plan_split, split_dataset
from reviewapp.datasets.versions import diff, list_versions

__all__ = [
    "DuplicateGroup",
    "add_answers",
    "add_items",
    "answer_key",
    "create_dataset",
    "dataset_of_test",
    "delete_dataset",
    "diff",
    "export_dataset",
    "export_file",
    "export_tasks",
    "find_duplicates",
    "find_form",
    "forms",
    "get_dataset",
    "get_item",
    "import_dataset",
    "import_items",
    "items",
    "list_datasets",
    "list_versions",
    "merge_datasets",
    "plan_answers",
    "plan_merge",
    "plan_split",
    "remove_items",
    "save_dataset",
    "set_accept",
    "set_case",
    "split_dataset",
]
