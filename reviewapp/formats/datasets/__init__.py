"""Datasets in the forms of other programs: one module per form, all of them in `FORMATS`."""

from reviewapp.formats.datasets.form import DatasetForm, Head, Imported, Losses
from reviewapp.formats.datasets.table import FORMATS

__all__ = ["FORMATS", "DatasetForm", "Head", "Imported", "Losses"]
