# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of the terminal for a front."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Host"]


class Host(Protocol):
    """The terminal that shows a front."""

    def type(self, text: str) -> None:
        """Start the input line at the foot with this text."""

    def drop(self) -> None:
        """End the input line, whatever was typed."""

    def redraw(self) -> None:
        """Draw everything again."""

    def suspend(self) -> None:
        """Suspend to the shell."""

    def copy(self, text: str) -> None:
        """Put a text on the clipboard, if the terminal can."""

    def forget(self) -> None:
        """Clear the history of typed lines."""

    def notify(self, text: str) -> None:
        """Get the attention of a person who is not looking."""

    def invalidate(self) -> None:
        """Draw the changes."""
