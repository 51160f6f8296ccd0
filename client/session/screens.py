# SPDX-License-Identifier: GPL-3.0-or-later
"""The screens that show a session, and the times since when members keep the table waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from client.session.screen import Screen
from client.session.shown_table import ShownTable

Tell: TypeAlias = Callable[[Screen], None]


class Screens:
    """Passes news to every screen.

    Attributes:
        since: by seat that keeps the table waiting, since when it owes what it owes now, in seconds since 1970.
        lost: by seat whose link is lost, the time since when.
    """

    def __init__(self, table: ShownTable, clock: Callable[[], float]) -> None:
        """clock: seconds since 1970."""
        self.since: dict[int, float] = {}
        self.lost: dict[int, float] = {}
        self._debts: Mapping[int, str] = {}
        self._table, self._clock = table, clock
        self._screens: list[Screen] = []

    def append(self, screen: Screen) -> None:
        """Attach a screen to the session."""
        self._screens.append(screen)

    def remove(self, screen: Screen) -> None:
        """Detach a screen."""
        self._screens.remove(screen)

    def _times(self, seats: Iterable[int], known: Mapping[int, float]) -> dict[int, float]:
        """Since when each of these has been named, in seconds since 1970. known: the times told before."""
        return {seat: known.get(seat) or self._clock() for seat in seats}

    def anew(self) -> None:
        """Let every wait begin now: the game has moved."""
        self.since = {}

    def seconds(self, since: float) -> int:
        """The whole seconds from a time until now."""
        return max(int(self._clock() - since), 0)

    def tell(self, news: Tell | None = None) -> None:
        """Tell each screen the news, if any, and that anything may have changed."""
        before, self._debts = self._debts, self._table.debts
        known = {seat: since for seat, since in self.since.items() if before.get(seat) == self._debts.get(seat)}
        self.since = self._times(self._debts, known)
        self.lost = self._times((seat for seat, linked in self._table.linked.items() if not linked), self.lost)
        for screen in tuple(self._screens):
            if news is not None:
                news(screen)
            screen.changed()
