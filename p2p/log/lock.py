"""One process at a time in a home folder, on every system.

The system's own lock on an open file (`flock`, `LockFileEx`) ends with its process, however that ends, so no stale lock
is ever left behind. The file stays; it holds the number of the process for the message to the second one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> None:
        # Far beyond the text, because Windows keeps others from reading locked bytes.
        os.lseek(handle, 1 << 30, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockedError(Exception):
    """Another process holds the lock.

    Attributes:
        path: the lock file.
        holder: its process number, 0 when unknown.
    """

    def __init__(self, path: Path, holder: int) -> None:
        super().__init__(f"{path} is held by process {holder or 'unknown'}")
        self.path = path
        self.holder = holder


class FileLock:
    """Holds the lock from its making until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        """Take the lock at `path` at once. Raises LockedError, or OSError when the file cannot be made."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            _try_lock(self._handle)
        except OSError:
            holder = _number(self._handle)
            os.close(self._handle)
            raise LockedError(path, holder) from None
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let the next process in. Closing the file gives the lock back."""
        os.close(self._handle)


def _number(handle: int) -> int:
    os.lseek(handle, 0, os.SEEK_SET)
    text = os.read(handle, 32).strip()
    return int(text) if text.isdigit() else 0
