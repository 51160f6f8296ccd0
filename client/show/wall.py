# SPDX-License-Identifier: GPL-3.0-or-later
"""Contains faults in drawings: a substitute is shown, and the fault is logged."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from client.system.journal import Journal, no_log
from engine.core.dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wall:
    """Runs the drawing functions of a game. log: receives the faults."""

    log: Journal = no_log

    def drawn(self, draw: Callable[[], T], instead: T) -> T:
        """The drawing, or `instead` if drawing fails."""
        try:
            return draw()
        except Exception as error:  # noqa: BLE001  # a fault in a drawing must not end the table
            self.log("drawing/failed", error=repr(error))
            return instead
