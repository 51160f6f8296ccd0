# SPDX-License-Identifier: GPL-3.0-or-later
"""The log that `--log FILE` writes: one JSON object per line, for finding faults, without secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO, Protocol

from client.system.errors import UserError
from client.system.system_troubles import reason
from client.system.texts import _, ngettext

SECRET_NAMES = ("secret", "seed", "nonce", "passphrase", "private", "password", "ticket")
"""A field whose name contains one of these is written as "(kept secret)"."""

Field = None | bool | int | float | str | bytes | Path | Sequence["Field"] | Mapping[str, "Field"]


class Journal(Protocol):
    """Writes one event: a stable name such as "link/up" and its fields."""

    def __call__(self, event: str, /, **fields: Field) -> None: ...


def no_log(event: str, /, **fields: Field) -> None:
    """The log of a run without `--log`."""


@contextmanager
def open_log(path: Path, told: Callable[[str], None] = lambda _text: None) -> Iterator[Journal]:
    """Append to the file at `path`, line by line. UserError if it or its first line cannot be written. A later line
    that cannot be written is lost, because a game goes on without a log; `told` is called with their number at the
    end."""
    from datetime import UTC, datetime  # loads slowly, and most commands keep no log

    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from error

    lines = _Lines(file)

    def log(event: str, /, **fields: Field) -> None:
        line = {"time": datetime.now(UTC).isoformat(timespec="microseconds"), "event": event, **_plain(fields)}
        lines.write(json.dumps(line, ensure_ascii=False).encode())
        if lines.trouble is not None and not lines.written:
            raise _unwritable(path, lines.trouble) from lines.trouble

    with file:
        yield log
        if lines.lost and lines.written and lines.trouble is not None:
            text = ngettext(
                "{count} line of the log {path} was lost", "{count} lines of the log {path} were lost", lines.lost
            )
            told(text.format(count=lines.lost, path=path) + f": {reason(lines.trouble)}.")


class _Lines:
    """Writes whole lines to an unbuffered file.

    Attributes:
        written: the number of whole lines.
        lost: the number of lines that were not, or only in part.
        trouble: the last error.
    """

    def __init__(self, file: BinaryIO | RawIOBase) -> None:
        self._file, self._torn = file, False
        self.written, self.lost = 0, 0
        self.trouble: OSError | None = None

    def write(self, line: bytes) -> None:
        data = b"\n" * self._torn + line + b"\n"
        try:
            done = self._file.write(data) or 0
            if done < len(data):  # the last block of a disk
                done += self._file.write(data[done:]) or 0
        except OSError as error:
            self.trouble, done = error, 0
        if done == len(data):
            self.written, self._torn = self.written + 1, False
        else:
            self.lost, self._torn = self.lost + 1, True


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(
        "log/unwritable",
        _("The log {path} cannot be written: {reason}.").format(path=path, reason=reason(error)),
        _("Name another file with --log."),
    )


def _plain(fields: Mapping[str, Field]) -> dict[str, object]:
    return {
        name: "(kept secret)" if any(word in name.lower() for word in SECRET_NAMES) else _value(value)
        for name, value in fields.items()
    }


def _value(value: Field) -> object:
    if isinstance(value, bytes | bytearray):
        return f"({len(value)} bytes)"  # ids are logged as text; raw bytes may be anything
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return _plain(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_value(item) for item in value]
    return value
