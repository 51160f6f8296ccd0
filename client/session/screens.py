"""The screens that show a session, and what keeps the table waiting since when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from client.session.screen import Screen
from client.session.shown_table import ShownTable

__all__ = ["Screens", "Tell"]

Tell: TypeAlias = Callable[[Screen], None]


class Screens:
    """Tells every screen what is new.

    Attributes:
        since: for each name that keeps the table waiting, since when, in seconds since 1970.
    """

    def __init__(self, table: ShownTable, clock: Callable[[], float]) -> None:
        """clock: seconds since 1970."""
        self.since: dict[str, float] = {}
        self._table, self._clock = table, clock
        self._screens: list[Screen] = []

    def append(self, screen: Screen) -> None:
        """Let one more screen show the session."""
        self._screens.append(screen)

    def remove(self, screen: Screen) -> None:
        """A screen shows the session no longer."""
        self._screens.remove(screen)

    def tell(self, news: Tell | None = None) -> None:
        """Tell each screen the news, if there are any, and that anything may have changed."""
        self.since = {name: self.since.get(name) or self._clock() for name in self._table.owing}
        for screen in tuple(self._screens):
            if news is not None:
                news(screen)
            screen.changed()
