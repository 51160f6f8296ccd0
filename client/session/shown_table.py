# SPDX-License-Identifier: GPL-3.0-or-later
"""The table as a session shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from client.session.draft import Draft
from client.session.orders import Moment, moment_of
from client.show.pictures import Frame, Pictures, pictures
from client.show.styled import Glyphs
from client.table.player import TableControls
from client.words import PLAIN, DisplayNames, display_names_at
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.views import View

NOBODY: Final = Seat(-1)
"""The seat of a view that shows only what everybody may see."""

RECENT: Final = 12
"""Heights whose events are recent."""


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
        return [event for _height, told in self.controls.history[-RECENT:] for event in told] if self.controls else ()

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
        history = self.controls.history if self.controls else ()
        return Frame(view, self.names, self.glyphs, words, width, self.display_names, history)

    def _seen(self) -> View:
        assert self.controls is not None
        match, seats = self.controls.match, self.controls.seats
        if len(seats) == 1:
            return match.view(seats[0], self.controls.lens(seats[0]), copy=False)
        # Several people share the screen: show no secrets, from the first person's seat.
        return replace(match.view(NOBODY, copy=False), seat=Seat(seats[0] if seats else NOBODY))

    def moment(self, match: Match) -> Moment:
        """The phase and the round of a game at this table."""
        return moment_of(self.pictures, match, self.controls.history if self.controls is not None else ())
