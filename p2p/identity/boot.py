"""The boot counter: a small file beside the store that tells whether the store is an older copy.

Every start adds one to a number that is kept twice, inside the store and in this file. Who restores the store alone
from a backup finds the two different, and must not sign before another member confirms the feed.

A start writes "about to be n", the caller then puts n into the store, and `finish` writes "is n": a crash between these
steps leaves one of two states, both of which the next start accepts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2p.identity.private import write_private


@dataclass(frozen=True, slots=True)
class Boot:
    """number: what the store must hold from now on; whole: whether the store is the one of the last start."""

    number: int
    whole: bool


def begin(path: Path, stored: int | None) -> Boot:
    """Start once more. stored: the number in the store, None in a new one. Raises OSError."""
    beside, pending = _read(path)
    accepted = {beside, beside - 1} if pending else {beside}
    number = max(beside, stored or 0) + 1
    _write(path, number, pending=True)
    return Boot(number, (stored or 0) in accepted)


def finish(path: Path, number: int) -> None:
    """Say that the store holds `number` durably. Raises OSError."""
    _write(path, number, pending=False)


def _read(path: Path) -> tuple[int, bool]:
    """A file that is missing or damaged counts as 0, which fits a new store and no other."""
    try:
        words = path.read_text("ascii").split()
        return int(words[0]), words[1:] == ["pending"]
    except (FileNotFoundError, UnicodeDecodeError, ValueError, IndexError):
        return 0, False


def _write(path: Path, number: int, *, pending: bool) -> None:
    write_private(path, f"{number} pending\n".encode() if pending else f"{number}\n".encode())
