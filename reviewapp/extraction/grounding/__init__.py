"""Where a quote stands in a text: exactly, after folding, or with small slips that change no meaning."""

from reviewapp.extraction.grounding.locate import locate, nearest

__all__ = ["locate", "nearest"]
