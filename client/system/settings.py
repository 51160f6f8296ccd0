# SPDX-License-Identifier: GPL-3.0-or-later
"""The folders of starlock for data, settings and logs, at the places that the operating system recommends."""

from __future__ import annotations

import os
from pathlib import Path

from client.system.errors import UserError
from client.system.system_troubles import reason
from client.system.texts import _
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of this home.

    Attributes:
        data: the store and the games.
        config: the identity and settings.
        logs: reports of errors.
    """

    data: Path
    config: Path
    logs: Path

    @classmethod
    def of_system(cls) -> Folders:
        """The folders of this user, or those inside STARLOCK_HOME when it is set (relative to the current folder).
        UserError `home/unknown`."""
        home = os.environ.get("STARLOCK_HOME")
        try:
            if home:
                return cls.of_home(Path(home).expanduser().absolute())
            from platformdirs import PlatformDirs

            dirs = PlatformDirs("starlock", appauthor=False)
            return cls(Path(dirs.user_data_dir), Path(dirs.user_config_dir), Path(dirs.user_log_dir))
        except (RuntimeError, OSError, ValueError) as error:  # no such user, no current folder, an impossible name
            raise UserError(
                "home/unknown",
                _("The folder {folder} cannot be found: no user of that name.").format(folder=home)
                if home and home.startswith("~")
                else _("The folder for your games cannot be found: {reason}.").format(reason=error),
                _("Set STARLOCK_HOME to the whole path of a folder of yours."),
            ) from error

    @classmethod
    def of_home(cls, home: Path) -> Folders:
        """The folders inside a STARLOCK_HOME."""
        return cls(home / "data", home / "config", home / "logs")

    @property
    def identity(self) -> Path:
        """The file of the identity's private key."""
        return self.config / "identity.pem"


def made(folder: Path) -> Path:
    """The folder, created readable for its owner alone if it does not exist. UserError when that is not permitted."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            "home/unusable",
            _("The folder {folder} cannot be made: {reason}.").format(folder=folder, reason=reason(error)),
            _("Make it writable, or set STARLOCK_HOME to a folder that is."),
        ) from error
    return folder
