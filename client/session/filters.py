# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of the log: battles, dice, what concerns this person's seats, the chat, and each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from client.session.news import LoggedEvent
from client.session.session import Session
from client.texts import _
from engine.core.dataclass import dataclass

__all__ = ["LogFilter", "log_filters"]

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


def log_filters(session: Session) -> list[LogFilter]:
    """The filters that this game and this person have, the whole log first."""
    return [*_kinds(session), *_seats(session)]


def _kinds(session: Session) -> Iterator[LogFilter]:
    yield LogFilter("all", _("all"), lambda _told: True)
    controls = session.controls
    if controls is not None:
        fights = session.pictures.battles
        if fights is not None:
            belonging = fights.belonging
            yield LogFilter(
                "battles", _("battles"), lambda told: bool({told.event, told.event.partition("/")[0]} & belonging)
            )
        rolls = {id for id, arguments in controls.match.spec.events.items() if ROLLED & {*arguments}}
        if rolls:
            yield LogFilter("dice", _("dice"), lambda told: told.event in rolls)
        mine = {*controls.seats}
        if mine:
            yield LogFilter("mine", _("mine"), lambda told: bool(mine & {*told.seats}))
    yield LogFilter("chat", _("chat"), None)


def _seats(session: Session) -> Iterator[LogFilter]:
    def about(seat: int) -> Callable[[LoggedEvent], bool]:
        return lambda told: seat in told.seats

    for seat, name in enumerate(session.names if session.controls is not None else ()):
        yield LogFilter(chr(ord("A") + seat), name, about(seat), seat)
