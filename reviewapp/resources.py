"""The files that belong to the program but are not Python: templates, static files, the sample workspace."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
IN_CHECKOUT = {"templates": "templates", "static": "static", "sample": "data/sample"}


def folder(name: str) -> Path:
    """Where ``templates``, ``static`` or ``sample`` lies: in the installed package, else in the checkout beside it.

    Raises KeyError for another name and FileNotFoundError when the installation is incomplete.
    """
    checkout = PACKAGE.parent / IN_CHECKOUT[name]
    packaged = PACKAGE / "resources" / name
    for path in (packaged, checkout):
        if path.is_dir():
            return path
    raise FileNotFoundError(f"{name!r} is neither in {packaged} nor in {checkout}; install reviewapp again")
