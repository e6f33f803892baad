"""From a text to values with outcomes: read, ground, normalise, check, support, decide."""
