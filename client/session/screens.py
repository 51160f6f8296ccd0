# SPDX-License-Identifier: GPL-3.0-or-later
"""The table as a session shows it, and the screens that show a session: their interface, what tells them all, and since
when members keep the table waiting.

Every method of a screen returns at once; a screen reads everything else from the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Reversible, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from client.session.draft import Draft
from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.orders import Moment
from client.show.pictures import Frame, Pictures, pictures
from client.show.styled import Glyphs
from client.table.player import TableControls
from client.words import PLAIN, DisplayNames, display_names_at
from client.words.rounds import round_told
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.views import View

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

NOBODY: Final = Seat(-1)
"""The seat of a view that shows only what everybody may see."""

RECENT: Final = 12
"""Heights whose events are recent."""


class StandingEvents(Reversible[tuple[int, Sequence[Event]]]):
    """The events of a table by height, without those that were taken back: not listed, since most readers begin at the
    latest and stop soon."""

    def __init__(self, controls: TableControls) -> None:
        self._controls = controls

    def __iter__(self) -> Iterator[tuple[int, Sequence[Event]]]:
        return (told for told in self._controls.history if self._controls.stands(told[0]))

    def __reversed__(self) -> Iterator[tuple[int, Sequence[Event]]]:
        return (told for told in reversed(self._controls.history) if self._controls.stands(told[0]))


class ShownTable:
    """A table, with what is needed to draw and to word it.

    Attributes:
        glyphs: the characters that the screen can draw.
        controls: the table; None before it begins.
        pictures: the pictures of the game.
        display_names: the display names at this table.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.controls: TableControls | None = None
        self.pictures: Pictures = pictures("")
        self.display_names: DisplayNames = PLAIN

    def begin(self, controls: TableControls) -> None:
        """The table begins or goes on."""
        self.controls, self.pictures = controls, pictures(controls.genesis.game)
        self.reword()

    def reword(self) -> None:
        """Update the display names after a change of language."""
        if self.controls is not None:
            self.display_names = display_names_at(self.controls.match.spec)

    @property
    def running(self) -> TableControls:
        """The table, for what there is only once it has begun."""
        assert self.controls is not None
        return self.controls

    @property
    def names(self) -> list[str]:
        """The names of all seats, safe to show."""
        return [self.controls.name(seat) for seat in range(self.controls.genesis.seats)] if self.controls else []

    @property
    def shared(self) -> bool:
        """True if several people share this screen, who must not see each other's hands."""
        return self.controls is not None and len(self.controls.seats) > 1

    @property
    def recent(self) -> Sequence[Event]:
        """The recent events of the game, the oldest first."""
        latest = [*islice(reversed(self.told), RECENT)]
        return [event for _height, told in reversed(latest) for event in told]

    @property
    def told(self) -> Reversible[tuple[int, Sequence[Event]]]:
        """The events of the game by height, without those that were taken back."""
        return () if self.controls is None else StandingEvents(self.controls)

    def undone(self, height: int) -> bool:
        """True if what was given at a height counts no more, because it was taken back."""
        return self.controls is not None and height < self.controls.height and not self.controls.stands(height)

    @property
    def debts(self) -> Mapping[int, str]:
        """By seat, what keeps the table waiting."""
        return self.controls.debts() if self.controls is not None else {}

    @property
    def linked(self) -> Mapping[int, bool]:
        """By seat of each other member, whether it is linked."""
        return self.controls.linked() if self.controls is not None else {}

    def frame(self, draft: Draft | None, words: Sequence[str] = (), width: int = 80) -> Frame:
        """The frame to draw pictures of: the draft if there is one, else the present table."""
        view = self._seen() if draft is None else draft.view()
        return Frame(view, self.names, self.glyphs, words, width, self.display_names, self.told)

    def _seen(self) -> View:
        match, seats = self.running.match, self.running.seats
        if len(seats) == 1:
            return match.view(seats[0], self.running.lens(seats[0]), copy=False)
        # Several people share the screen: show no secrets, from the first person's seat.
        return replace(match.view(NOBODY, copy=False), seat=Seat(seats[0] if seats else NOBODY))

    def moment(self, match: Match) -> Moment:
        """The phase and the round of a game at this table."""
        round = round_told(event for _height, events in self.told for event in events)
        return {"phase": repr(self.pictures.questions.phase(match.g)), "round": str(round), "game": ""}


class Screen(Protocol):
    """One of the screens of a person: line mode, full screen or page."""

    def begun(self) -> None:
        """The table begins or goes on: `session.table.controls` is set."""

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins. told: returns them in the language in use. plain: True for lines that a
        drawn lobby shows anyway, such as the ticket."""

    def questioned(self) -> None:
        """One of `session.questions` waits for yes or no."""

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


class Screens(list[Screen]):
    """The screens of a session, each of which is passed the news.

    Attributes:
        since: by seat that keeps the table waiting, since when it owes what it owes now, in seconds since 1970.
        lost: by seat whose link is lost, the time since when.
    """

    def __init__(self, table: ShownTable, clock: Callable[[], float]) -> None:
        """clock: seconds since 1970."""
        super().__init__()
        self.since: dict[int, float] = {}
        self.lost: dict[int, float] = {}
        self._debts: Mapping[int, str] = {}
        self._table, self._clock = table, clock

    def _times(self, seats: Iterable[int], known: Mapping[int, float]) -> dict[int, float]:
        """Since when each of these has been named, in seconds since 1970. known: the times told before."""
        return {seat: known.get(seat) or self._clock() for seat in seats}

    def seconds(self, since: float) -> int:
        """The whole seconds from a time until now."""
        return max(int(self._clock() - since), 0)

    def tell(self, news: Callable[[Screen], None] | None = None) -> None:
        """Tell each screen the news, if any, and that anything may have changed."""
        before, self._debts = self._debts, self._table.debts
        known = {seat: since for seat, since in self.since.items() if before.get(seat) == self._debts.get(seat)}
        self.since = self._times(self._debts, known)
        self.lost = self._times((seat for seat, linked in self._table.linked.items() if not linked), self.lost)
        for screen in tuple(self):
            if news is not None:
                news(screen)
            screen.changed()
