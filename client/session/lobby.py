"""The lobby as data: what a person sees before the table begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from client.names import clipped, shown
from client.player import TableNotice
from client.reference import option_entry
from engine.core.dataclass import dataclass
from engine.core.registry import GAMES, game

__all__ = ["LOBBY", "Lobby", "heard"]

LOBBY = "lobby/"
"""Codes of notices that concern the lobby begin like this."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """What is known so far.  All texts are safe to show.

    Attributes:
        game: id of the game, "" before it is known.
        seats: how many may play.
        options: name, value and meaning of each option of the table.
        names: who sits there.
        free: seats that nobody has taken, None before that is known.
        ticket: what others need to come, "" for a guest.
    """

    game: str = ""
    seats: int = 0
    options: Sequence[tuple[str, str, str]] = ()
    names: Sequence[str] = ()
    free: int | None = None
    ticket: str = ""


def heard(lobby: Lobby, notice: TableNotice) -> Lobby:
    """The lobby after a notice about it."""
    fields = notice.fields
    match notice.code:
        case "lobby/terms":
            named = str(fields["game"])
            known = {option.name: option for option in game(named).options} if named in GAMES else {}
            options = tuple(
                (shown(name), shown(str(value)), option_entry(known[name], named).text if name in known else "")
                for name, value in sorted(fields["options"].items())
            )
            return replace(lobby, game=shown(named), seats=int(fields["seats"]), options=options)
        case "lobby/room":
            return replace(lobby, names=tuple(map(clipped, fields["names"])), free=int(fields["free"]))
        case "lobby/ticket":
            return replace(lobby, ticket=str(fields["ticket"]))
    return lobby
