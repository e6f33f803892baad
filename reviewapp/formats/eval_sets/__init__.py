"""Eval-set projects on disk: finding their files, reading them, patching them in place."""
