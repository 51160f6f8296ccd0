"""What can go wrong: a refusal is a value, a local bug is an exception."""

from __future__ import annotations

from engine.core.dataclass import dataclass

__all__ = ["LocalError", "Refusal"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an input, an option value or a position is not accepted.

    ``code`` is stable kebab-case such as ``build/not-controlled``; ``path`` names the place inside the input
    (``seats.discs.1``); ``detail`` carries names and numbers that the client puts into words.  Never raised across
    packages.
    """

    code: str
    path: str = ""
    detail: tuple[int | str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.code}" + (f" ({', '.join(map(str, self.detail))})" if self.detail else "")


class LocalError(Exception):
    """A fault of this program or its caller, never of a peer or a person: a rule broke its own contract."""
