# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the operating system that a person can correct, in words: a full disk, too few open files, permissions."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from typing import Final

from client.system.errors import UserError
from client.system.texts import N_, _

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
PLACE: Final = re.compile(r"line (\d+),? column (\d+)")
"""Where a parser of TOML or JSON found a mistake."""

# What Linux, SQLite and the reader of key files say, for the catalogue; it is translated where it is shown.
_SAID: Final = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Operation not permitted"),
    N_("File exists"),
    N_("Not a directory"),
    N_("Is a directory"),
    N_("Read-only file system"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("File too large"),
    N_("File name too long"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("Too many open files in system"),
    N_("Input/output error"),
    N_("Text file busy"),
    N_("No such device or address"),
    N_("Invalid argument"),
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("no plain file"),
    N_("attempt to write a readonly database"),
    N_("database disk image is malformed"),
    N_("disk I/O error"),
    N_("file is not a database"),
    N_("unable to open database file"),
)


def reason(error: Exception | str) -> str:
    """What the system or a parser says, in the language in use as far as it is known. A text: what the system said."""
    if isinstance(error, OSError):
        error = error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return _("it is no text in UTF-8")
    place = PLACE.search(str(error)) if isinstance(error, ValueError) else None
    if place is not None:
        return _("there is a mistake in line {line}, column {column}").format(line=place[1], column=place[2])
    return _(str(error))


def system_trouble(error: BaseException) -> UserError | None:
    """The error in words, also of one inside an exception group; None for another error."""
    for part in parts(error):
        if not isinstance(part, OSError):
            continue
        if part.errno in FULL:
            return UserError(
                "disk/full", _("The disk is full."), _("Free some space and start again; nothing was lost.")
            )
        if part.errno in FILES:
            return too_few_files()
        if part.errno in FORBIDDEN and part.filename is not None:
            return UserError(
                "file/forbidden",
                _("{path} cannot be used: {reason}.").format(path=part.filename, reason=reason(part)),
                _("Check whose file it is, or set STARLOCK_HOME to a folder of your own."),
            )
    return None


def too_few_files() -> UserError:
    """The error where the system lets this process open too few files."""
    return UserError(
        "system/files",
        _("The system lets starlock open too few files and connections."),
        _("Allow more, for example with: ulimit -n 1024"),
    )


def parts(error: BaseException) -> Iterator[BaseException]:
    """The error, or those in a group of errors."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from parts(part)
    else:
        yield error
