"""The log of a session: the events of the game, the chat and what the table announces, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from client.names import shown
from client.notices import ChatSaid, HistoryRewound, TableNotice, VoteNotice, VoteStage
from client.player import TableControls
from client.session.news import Announced, ChatMessage, Told
from client.session.proposals import lost_by
from client.show.pictures import Pictures
from client.table.notice_words import notice_text
from client.wording import DisplayNames, event_text, seat_arguments
from engine.core.events import Event

__all__ = ["SessionLog"]

KEPT: Final = 5000
"""Events and messages that are kept."""


class SessionLog:
    """What a session has been told so far.

    Attributes:
        told: the events of the game.
        chat: the messages.
    """

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.chat: list[ChatMessage] = []
        self._controls: TableControls | None = None

    def begin(self, controls: TableControls, pictures: Pictures, called: DisplayNames) -> None:
        """Word all that the game of a table has told, in the language in use."""
        self._controls = controls
        told = [self.worded(at, event, pictures, called) for at, events in controls.history for event in events][-KEPT:]
        self.told = [replace(each, undone=not controls.stands(each.height)) for each in told]

    def worded(self, height: int, event: Event, pictures: Pictures, called: DisplayNames) -> Told:
        """An event in words, with the seats and spaces that it names."""
        controls = self._controls
        assert controls is not None
        names = [controls.name(seat) for seat in range(controls.genesis.seats)]
        seated = seat_arguments(called.game)
        named = [value for name, value in event.args.items() if name in seated]
        flat = {seat for value in named for seat in (value if isinstance(value, tuple | list) else (value,))}
        seats = tuple(sorted(seat for seat in flat if isinstance(seat, int) and seat >= 0))
        places = tuple(dict.fromkeys(pictures.happened(controls.match.g, event)))
        return Told(height, event_text(event, names, called), event.id, seats, places=places)

    def add(self, told: Sequence[Told]) -> None:
        """Keep what the game has just told."""
        self.told += told
        del self.told[:-KEPT]

    def heard(self, notice: TableNotice) -> ChatMessage | Announced:
        """A notice of the table in words. A chat message is kept, and what is taken back is marked or forgotten."""
        match notice:
            case ChatSaid(name, str() as text):
                said = ChatMessage(name, shown(text))
                self.chat.append(said)
                del self.chat[:-KEPT]
                return said
            case HistoryRewound(height):
                self.told = [each for each in self.told if each.height < height]
            case VoteNotice(stage, kind, terms=terms):
                text = notice_text(notice, lost_by(kind, terms, self.told))
                if stage is VoteStage.AGREED and self._controls is not None:
                    stands = self._controls.stands
                    self.told = [replace(each, undone=not stands(each.height)) for each in self.told]
                return Announced(notice, text)
        return Announced(notice, notice_text(notice))
