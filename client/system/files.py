# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the user."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from client.system.errors import UserError
from client.system.system_troubles import reason
from client.system.texts import _


def place(text: str) -> Path:
    """A file to be written, as an argument's `type`. Its folder must exist: none is made, because the name may be
    mistyped. UserError `file/no-folder` or `file/unwritable`."""
    path = Path(text)
    try:
        there = path.parent.is_dir()
        path.exists()
    except OSError as error:
        raise unwritable(path, error) from error
    if not there:
        raise UserError(
            "file/no-folder",
            _("There is no folder {folder} to write {name} to.").format(folder=path.parent, name=path.name),
            _("Make the folder first, or name another file."),
        )
    return path


def unwritable(path: Path, error: OSError, hint: str = "") -> UserError:
    """The error for a file that cannot be written. hint: replaces the advice to name another file."""
    text = _("The file {path} cannot be written: {reason}.").format(path=path, reason=reason(error))
    return UserError("file/unwritable", text, hint or _("Name another file."))


def keep_existing(path: Path, force: bool) -> None:
    """Raise UserError `file/exists` if the file exists, unless it may be overwritten."""
    if there(path) and not force:
        raise UserError(
            "file/exists",
            _("There is a file {path} already; nothing was written.").format(path=path),
            _("Name another file, or write over it with --force."),
        )


def there(path: Path) -> bool:
    """True if something exists at the path. False also for an impossible name and a folder without permission."""
    return os.path.lexists(path)


def too_long(path: Path | str, most: int) -> UserError:
    """The error for a file that is longer than any that could be meant."""
    return UserError(
        "file/too-long",
        _("{path} is longer than the {most} bytes that it may have; it was not read.").format(path=path, most=most),
        _("Check that it is the file you mean."),
    )


def read_at_most(path: Path, most: int, *, whole: bool = False) -> bytes:
    """The bytes of a file; for a file longer than `most` bytes, the first `most` + 1, or with `whole` the UserError
    `file/too-long` before anything is read. UserError `file/unreadable`, and `file/endless` for a device or a pipe,
    which may never end."""
    try:
        facts = path.stat()
        if whole and facts.st_size > most:
            raise too_long(path, most)
        if not (stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode)):
            raise UserError(
                "file/endless",
                _("{path} is a device or a pipe, and no file that can be read to its end.").format(path=path),
                _("Save it to a file first, and name that."),
            )
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise UserError(
            "file/unreadable",
            _("The file {path} cannot be read: {reason}.").format(path=path, reason=reason(error)),
            _("Check its name and whose file it is."),
        ) from error


def bug_bundle(star: Path, report: Path) -> Path:
    """Write a saved game and a report on two programs that differ to a .zip file beside the report, for whoever looks
    for the fault, and return its path. It holds nothing that is hidden in the game. UserError when that fails."""
    from zipfile import ZIP_DEFLATED, ZipFile

    path = report.with_name(f"{star.stem}-{report.stem.rpartition('-')[2]}.zip")
    try:
        with ZipFile(path, "w", ZIP_DEFLATED) as bundle:
            for each in (star, report):
                bundle.write(each, each.name)
    except OSError as error:
        raise unwritable(path, error, _("Free some space, or make the folder writable.")) from error
    return path
