# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of the log: battles, dice, what concerns this person's seats, the chat, and each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from client.session.news import ChatMessage, LoggedEvent, chat_document, events_document
from client.session.session import Session
from client.show.document import Document, Note
from client.show.pictures import pictures
from client.system.texts import _
from engine.core.dataclass import dataclass
from engine.core.registry import GameSpec

ROLLED: Final = frozenset({"dice", "die", "faces", "face"})
"""Arguments of events that name dice."""


@dataclass(frozen=True, slots=True)
class LogFilter:
    """One way to read the log.

    Attributes:
        word: its name in commands; the letter for a seat.
        title: its name in the language in use; the name for a seat.
        keeps: True for an event to show; None for the chat, which is shown in place of events.
        seat: the seat that it is about, -1 for none.
    """

    word: str
    title: str
    keeps: Callable[[LoggedEvent], bool] | None
    seat: int = -1

    def document(self, told: Sequence[LoggedEvent], said: Sequence[ChatMessage], names: Sequence[str]) -> Document:
        """What it keeps of a log, or the chat."""
        if self.keeps is None:
            return chat_document(said)
        nothing = _("The log has nothing like that.") if told else _("Nothing has happened yet.")
        return events_document([*filter(self.keeps, told)], names) or [Note(nothing)]


def log_filters(session: Session) -> list[LogFilter]:
    """The filters that this game and this person have, the whole log first."""
    controls = session.table.controls
    if controls is None:
        return [*game_filters(None, (), ())]
    return [*game_filters(controls.match.spec, session.table.names, controls.seats)]


def game_filters(spec: GameSpec | None, names: Sequence[str], mine: Sequence[int]) -> Iterator[LogFilter]:
    """The filters of a game, the whole log first. spec: None before it begins; mine: the seats of this person."""
    yield LogFilter("all", _("all"), lambda _told: True)
    if spec is not None:
        belonging, own = pictures(spec.id).fights.belonging, {*mine}
        rolls = {id for id, arguments in spec.events.items() if ROLLED & {*arguments}}
        if belonging:
            yield LogFilter(
                "battles", _("battles"), lambda told: bool({told.event, told.event.partition("/")[0]} & belonging)
            )
        if rolls:
            yield LogFilter("dice", _("dice"), lambda told: told.event in rolls)
        if own:
            yield LogFilter("mine", _("mine"), lambda told: bool(own & {*told.seats}))
    yield LogFilter("chat", _("chat"), None)
    for seat, name in enumerate(names):
        yield LogFilter(chr(ord("A") + seat), name, partial(_about, seat), seat)


def _about(seat: int, told: LoggedEvent) -> bool:
    return seat in told.seats
