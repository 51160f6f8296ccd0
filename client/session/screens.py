# SPDX-License-Identifier: GPL-3.0-or-later
"""The screens that show a session: their interface, what tells them all, and since when members keep the table waiting.

Every method of a screen returns at once; a screen reads everything else from the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.shown_table import ShownTable

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike


class Screen(Protocol):
    """One of the screens of a person: line mode, full screen or page."""

    def begun(self) -> None:
        """The table begins or goes on: `session.table.controls` is set."""

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins. told: returns them in the language in use. plain: True for lines that a
        drawn lobby shows anyway, such as the ticket."""

    def questioned(self) -> None:
        """`session.questions.text` waits for yes or no."""

    def asked(self, refusal: RefusalLike | None) -> None:
        """A draft begins, or the person of `awaited` should take the screen. refusal: why the last answer to the same
        question was refused."""

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """The draft has changed. caused: the events that the last pick would cause; none after an undo."""

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent]) -> None:
        """Events of the game. news: those of them that no sent draft has shown."""

    def noticed(self, news: ChatMessage | Announced) -> None:
        """A chat message or a notice of the table."""

    def changed(self) -> None:
        """Anything may have changed. Called after each of the other methods, and after an answer was sent."""


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
