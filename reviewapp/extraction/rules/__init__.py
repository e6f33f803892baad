"""The embedded extractor: reads values by cues, forms and weights, and learns from answers."""

from reviewapp.extraction.rules.reader import RulesReader

__all__ = ["RulesReader"]
