# SPDX-License-Identifier: GPL-3.0-or-later
"""The log that `--log FILE` writes: one JSON object per line, for finding faults, without secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from client.errors import UserError
from client.texts import _

SECRET_NAMES = ("secret", "seed", "nonce", "passphrase", "private", "password", "ticket")
"""A field whose name contains one of these is written as "(kept secret)"."""

Field = None | bool | int | float | str | bytes | Path | Sequence["Field"] | Mapping[str, "Field"]


class Journal(Protocol):
    """Writes one event: a stable name such as "link/up" and its fields."""

    def __call__(self, event: str, /, **fields: Field) -> None: ...


def no_log(event: str, /, **fields: Field) -> None:
    """The log of a run without `--log`."""


@contextmanager
def open_log(path: Path) -> Iterator[Journal]:
    """Append to the file at `path`, line by line. UserError if it cannot be opened."""
    from datetime import UTC, datetime  # loads slowly, and most commands keep no log

    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from error

    def log(event: str, /, **fields: Field) -> None:
        line = {"time": datetime.now(UTC).isoformat(timespec="microseconds"), "event": event, **_plain(fields)}
        try:
            file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        except OSError as error:
            raise _unwritable(path, error) from error

    with file:
        yield log


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(
        "log/unwritable",
        _("The log {path} cannot be written: {reason}.").format(path=path, reason=error.strerror),
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
