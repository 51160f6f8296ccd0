# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors that people read, and the exit codes of every command."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
CHECK_FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 3


class UserError(Exception):
    """An error that a person can correct.

    Attributes:
        code: stable, for programs ("cli/unknown-command").
        message: what was wrong and where.
        hint: what to do next.
        exit_code: CHECK_FAILED when a check did not hold, USAGE (the default) for unusable input.
    """

    def __init__(self, code: str, message: str, hint: str = "", exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.exit_code = code, message, hint, exit_code

    @property
    def whole(self) -> str:
        """What was wrong, and what to do next, in one line."""
        return f"{self.message} {self.hint}".strip()
