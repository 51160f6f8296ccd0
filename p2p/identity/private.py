# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that only their owner can read, written atomically."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

OWNER_ONLY: Final = 0o600
OTHERS: Final = 0o077


def write_private(path: Path, content: bytes) -> None:
    """Write `content` to `path` atomically and durably, readable by the owner only.

    After a crash the file is the old or the new one. On Windows a file inherits the access list of its folder, and a
    profile folder belongs to its owner. Raises OSError; then nothing has changed.
    """
    _write(path, content, os.replace)


def write_first(path: Path, content: bytes) -> None:
    """Write `content` as `write_private` does, where no file is there. Raises FileExistsError if there is one: of two
    processes at the same moment one writes, and the other finds that file."""
    _write(path, content, _take)


def _write(path: Path, content: bytes, name: Callable[[Path, Path], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        name(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        _sync_folder(path.parent)


def _take(made: Path, path: Path) -> None:
    """Give a file a name that no file has. FileExistsError if one has it."""
    if os.name != "posix":
        made.rename(path)  # refuses a taken name there
        return
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system: an empty file takes the name, for a moment
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        os.replace(made, path)
    else:
        made.unlink()


def permissive_mode(path: Path) -> int | None:
    """Return the mode of `path` if others than its owner may use it, else None. Always None on Windows."""
    if os.name != "posix":
        return None
    mode = stat.S_IMODE(path.stat().st_mode)
    return mode if mode & OTHERS else None


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
