"""What a front needs of the terminal that shows it."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Host"]


class Host(Protocol):
    """The terminal that shows a front."""

    def type(self, text: str) -> None:
        """Begin the line at the foot with this text."""

    def redraw(self) -> None:
        """Draw everything again."""

    def suspend(self) -> None:
        """Give the terminal back to the shell for a while."""

    def copy(self, text: str) -> None:
        """Put a text on the clipboard, where the terminal can."""

    def forget(self) -> None:
        """Forget the lines that were typed."""

    def notify(self, text: str) -> None:
        """Tell a person who looks elsewhere."""

    def invalidate(self) -> None:
        """Draw what has changed."""
