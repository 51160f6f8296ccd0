"""Files of the user."""

from __future__ import annotations

from pathlib import Path

from client.errors import UserError
from client.texts import _


def read_at_most(path: Path, most: int) -> bytes:
    """The bytes of a file, of one that is longer than `most` bytes one byte more.  UserError `file/unreadable`."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise UserError(
            "file/unreadable",
            _("The file {path} cannot be read: {reason}.").format(path=path, reason=error.strerror or error),
            _("Check its name and whose file it is."),
        ) from error
