# SPDX-License-Identifier: GPL-3.0-or-later
"""A lock that admits one process at a time to a home folder, on every system.

The system's lock on an open file (`flock`, `LockFileEx`) ends with its process, so there is never a stale lock. The
file stays. It contains the process number, for the error message of a second process.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: int) -> None:
        """Lock an open file for this process until it is closed. Raises OSError if another one holds it."""
        # Far beyond the text, because on Windows locked bytes cannot be read by others.
        os.lseek(handle, 1 << 30, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def try_lock(handle: int) -> None:
        """Lock an open file for this process until it is closed. Raises OSError if another one holds it."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockedError(Exception):
    """Another process holds the lock.

    Attributes:
        path: the lock file.
        holder: number of the process that holds it, 0 if unknown.
    """

    def __init__(self, path: Path, holder: int) -> None:
        super().__init__(f"{path} is held by process {holder or 'unknown'}")
        self.path = path
        self.holder = holder


class FileLock:
    """Holds the lock from construction until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        """Take the lock at `path` without waiting. Raises LockedError, or OSError if the file cannot be created."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            try_lock(self._handle)
        except OSError:
            holder = _number(self._handle)
            os.close(self._handle)
            raise LockedError(path, holder) from None
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Release the lock by closing the file."""
        os.close(self._handle)


def _number(handle: int) -> int:
    os.lseek(handle, 0, os.SEEK_SET)
    text = os.read(handle, 32).strip()
    return int(text) if text.isdigit() else 0
