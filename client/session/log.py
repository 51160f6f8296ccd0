# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a session in words: events of the game, chat and notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.proposals import lost_by
from client.session.shown_table import ShownTable
from client.system.names import shown
from client.table.notice_words import notice_text
from client.table.notices import ChatSaid, HistoryRewound, TableNotice, VoteNotice, VoteStage
from client.words import DisplayNames, event_text, seat_arguments
from engine.core.events import Event

KEPT: Final = 5000
"""Most events, and most messages, that are kept."""


def logged(height: int, event: Event, names: Sequence[str], display_names: DisplayNames) -> LoggedEvent:
    """An event in words, with the seats in it."""
    seated = seat_arguments(display_names.game)
    named = [value for name, value in event.args.items() if name in seated]
    flat = {seat for value in named for seat in (value if isinstance(value, tuple | list) else (value,))}
    seats = tuple(sorted(seat for seat in flat if isinstance(seat, int) and seat >= 0))
    return LoggedEvent(height, event_text(event, names, display_names), event.id, seats)


class SessionLog:
    """The events, messages and notices of a session so far.

    Attributes:
        told: the events of the game.
        chat: the messages.
    """

    def __init__(self, table: ShownTable) -> None:
        self.entries: list[LoggedEvent] = []
        self.chat: list[ChatMessage] = []
        self._table = table

    def begin(self) -> None:
        """Put all events of the game into words, in the language in use."""
        controls = self._table.controls
        assert controls is not None
        told = [self.worded(at, event) for at, events in controls.history for event in events][-KEPT:]
        self.entries = [replace(each, undone=not controls.stands(each.height)) for each in told]

    def worded(self, height: int, event: Event) -> LoggedEvent:
        """An event in words, with the seats and spaces in it."""
        controls = self._table.controls
        assert controls is not None
        places = tuple(dict.fromkeys(self._table.pictures.documents.happened(controls.match.g, event)))
        return replace(logged(height, event, self._table.names, self._table.display_names), places=places)

    def add(self, told: Sequence[LoggedEvent]) -> None:
        """Add events of the game."""
        self.entries += told
        del self.entries[:-KEPT]

    def heard(self, notice: TableNotice) -> ChatMessage | Announced:
        """A notice of the table in words. A chat message is kept; events that were taken back are marked or removed."""
        match notice:
            case ChatSaid(name, str() as text):
                said = ChatMessage(name, shown(text))
                self.chat.append(said)
                del self.chat[:-KEPT]
                return said
            case HistoryRewound(height):
                self.entries = [each for each in self.entries if each.height < height]
            case VoteNotice(stage, kind, terms=terms):
                lost = lost_by(kind, terms, self.entries)
                worded = partial(notice_text, notice, lost)
                if stage is VoteStage.AGREED and self._table.controls is not None:
                    stands = self._table.controls.stands
                    self.entries = [replace(each, undone=not stands(each.height)) for each in self.entries]
                return Announced(notice, worded)
        return Announced(notice, partial(notice_text, notice))
