"""Results that another system made, as files: ours (JSONL, JSON), tables (CSV), langextract's, Label Studio's."""

from reviewapp.formats.replays.files import read_replay
from reviewapp.formats.replays.rows import ReplayRow

__all__ = ["ReplayRow", "read_replay"]
