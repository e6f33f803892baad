"""``python -m reviewapp`` is ``reviewapp``."""

from reviewapp.cli import main

main()
