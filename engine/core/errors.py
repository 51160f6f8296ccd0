# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors: a refusal is a value, a bug of this program is an exception."""

from __future__ import annotations

from engine.core.dataclass import dataclass

__all__ = ["LocalError", "Refusal"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an input, an option value or a position is not accepted.

    ``code`` is stable kebab-case such as ``build/not-controlled``; ``path`` names the place inside the input
    (``seats.discs.1``); ``detail`` contains names and numbers for the client's message. A refusal is returned, not
    raised.
    """

    code: str
    path: str = ""
    detail: tuple[int | str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.code}" + (f" ({', '.join(map(str, self.detail))})" if self.detail else "")


class LocalError(Exception):
    """A bug of this program or its caller, never the fault of a peer or a person."""
