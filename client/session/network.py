# SPDX-License-Identifier: GPL-3.0-or-later
"""The last check of the network that a person asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Heard: TypeAlias = Callable[[Sequence[str]], None]
Look: TypeAlias = Callable[[Heard], None]


class Network:
    """A check of the network, which takes some seconds.

    Attributes:
        looking: True during the check.
        lines: one line for each step, with its cause and advice; None before the first check.
    """

    def __init__(self) -> None:
        self.looking = False
        self.lines: Sequence[str] | None = None
        self._heard: list[Heard] = []

    def look(self, examine: Look, changed: Callable[[], None], heard: Heard = lambda _lines: None) -> None:
        """Check again, unless a check is under way.

        examine: starts the check and calls its argument with the findings.
        changed: called when the findings are known.
        heard: called with them.
        """
        self._heard.append(heard)

        def told(lines: Sequence[str]) -> None:
            self.looking, self.lines = False, tuple(lines)
            waiting, self._heard = self._heard, []
            for each in waiting:
                each(self.lines)
            changed()

        if not self.looking:
            self.looking = True
            examine(told)
        changed()
