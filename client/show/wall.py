"""A fault in a drawing ends nothing: something plain is shown instead, and the log is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from client.journal import Journal, no_log
from engine.core.dataclass import dataclass

__all__ = ["Wall"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wall:
    """Stands around what a game draws and words.  log: told of what failed."""

    log: Journal = no_log

    def drawn(self, draw: Callable[[], T], instead: T) -> T:
        """What is drawn; `instead` where drawing fails."""
        try:
            return draw()
        except Exception as error:  # noqa: BLE001  # a fault in a drawing must not end the table
            self.log("drawing/failed", error=repr(error))
            return instead
