"""All forms of a dataset, in the order in which people are offered them. A further one is a module and a row here."""

from __future__ import annotations

from collections.abc import Mapping

from reviewapp.formats.datasets import (
    answer_key,
    csv_sheet,
    huggingface,
    jsonl,
    label_studio,
    langextract,
    promptfoo,
    pydantic_evals,
    xlsx_sheet,
)
from reviewapp.formats.datasets.form import DatasetForm

_HEAD_LOST = ("the workflow's context and lines about the dataset", "properties without any value")
_SHEET_LOST = (*_HEAD_LOST, "texts beyond 32,767 characters (a cell's limit; they are cut)", "control characters")

_CSV, _ZIP = "text/csv; charset=utf-8", "application/zip"
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_JSON, _JSONL, _YAML = "application/json", "application/x-ndjson", "application/yaml"

_ALL = (
    DatasetForm("answer-key", "records.json and expected.json", ".zip", _ZIP, answer_key.write, answer_key.read),
    DatasetForm("jsonl", "an item a line, for programs", ".jsonl", _JSONL, jsonl.write, jsonl.read, _HEAD_LOST),
    DatasetForm("csv", "a row per value", ".csv", _CSV, csv_sheet.write, csv_sheet.read, _HEAD_LOST),
    DatasetForm(
        "csv-excel",
        "the same, to open in Excel with a double click",
        ".csv",
        _CSV,
        csv_sheet.write_for_excel,
        csv_sheet.read,
        _HEAD_LOST,
    ),
    DatasetForm(
        "csv-excel-semicolon",
        "the same, where Excel has semicolons and decimal commas",
        ".csv",
        _CSV,
        csv_sheet.write_for_excel_with_semicolons,
        csv_sheet.read,
        _HEAD_LOST,
    ),
    DatasetForm(
        "xlsx", "a row per value, for spreadsheets", ".xlsx", _XLSX, xlsx_sheet.write, xlsx_sheet.read, _SHEET_LOST
    ),
    DatasetForm(
        "huggingface",
        "a folder with a data card, for `datasets.load_dataset`",
        ".zip",
        _ZIP,
        huggingface.write,
        huggingface.read,
    ),
    DatasetForm(
        "pydantic-evals",
        "YAML for `pydantic_evals.Dataset.from_file`",
        ".yaml",
        _YAML,
        pydantic_evals.write,
        pydantic_evals.read,
    ),
    DatasetForm("promptfoo", "a YAML list of tests", ".yaml", _YAML, promptfoo.write, promptfoo.read, _HEAD_LOST),
    DatasetForm(
        "langextract",
        "annotated documents, JSONL",
        ".jsonl",
        _JSONL,
        langextract.write_documents,
        langextract.read_documents,
        (*langextract.CANNOT_HOLD, *_HEAD_LOST),
    ),
    DatasetForm(
        "langextract-examples",
        "examples for its prompts",
        ".json",
        _JSON,
        langextract.write_examples,
        None,
        (*langextract.CANNOT_HOLD, "values without a quote in one piece"),
    ),
    DatasetForm("label-studio", "tasks with annotations", ".json", _JSON, label_studio.write, label_studio.read),
)

FORMATS: Mapping[str, DatasetForm] = {form.name: form for form in _ALL}
