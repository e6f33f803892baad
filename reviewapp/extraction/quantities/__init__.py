"""Quantities: numbers with unit, kind, bound and hedge, found in one pass over a text."""

from reviewapp.extraction.quantities.find import find_quantities
from reviewapp.extraction.quantities.model import Bound, Kind, Quantity

__all__ = ["Bound", "Kind", "Quantity", "find_quantities"]
