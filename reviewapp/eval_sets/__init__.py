"""Use cases of eval-set projects: open, score, loop, edit, exchange with datasets."""
