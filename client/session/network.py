# SPDX-License-Identifier: GPL-3.0-or-later
"""The last check of the network that a person asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Network"]


class Network:
    """A check of the network, which takes some seconds.

    Attributes:
        looking: True during the check.
        lines: one line for each step, with its cause and advice; None before the first check.
    """

    def __init__(self) -> None:
        self.looking = False
        self.lines: Sequence[str] | None = None

    def look(self, examine: Callable[[Callable[[Sequence[str]], None]], None], changed: Callable[[], None]) -> None:
        """Check again.

        examine: starts the check and calls its argument with the findings.
        changed: called when the findings are known.
        """

        def told(lines: Sequence[str]) -> None:
            self.looking, self.lines = False, tuple(lines)
            changed()

        if not self.looking:
            self.looking = True
            examine(told)
        changed()
