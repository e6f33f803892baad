"""Whose files are: what root made in the data folder of another account, the server of that account could not open."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path


def give_to_owner(folder: Path) -> None:
    """Give root's files and folders in it to the account that the folder belongs to; nothing where that is root's.

    Does something only for root. Follows no link and leaves alone what has a second name, so that nobody is given a
    file from somewhere else.
    """
    if sys.platform == "win32" or os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid == 0:
        return
    for _, folders, files, here in os.fwalk(folder):
        for name in (*folders, *files):
            with suppress(OSError):
                _give(name, here, owner)


def _give(name: str, here: int, owner: os.stat_result) -> None:
    opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    try:
        found = os.fstat(opened)
        ours = stat.S_ISDIR(found.st_mode) or (stat.S_ISREG(found.st_mode) and found.st_nlink == 1)
        if found.st_uid == 0 and ours:
            os.fchown(opened, owner.st_uid, owner.st_gid)
    finally:
        os.close(opened)
