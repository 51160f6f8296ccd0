# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the operating system that a person can correct, in words: a full disk, too few open files, permissions."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Final

from client.system.errors import UserError
from client.system.texts import _

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


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
                _("{path} cannot be used: {reason}.").format(path=part.filename, reason=part.strerror),
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
