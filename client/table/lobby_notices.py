# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices of a lobby, as frozen values: its terms, who sits in it, its ticket, and other tables of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from engine.core.dataclass import dataclass

if TYPE_CHECKING:
    from p2p.reach.verdict import Cause


@dataclass(frozen=True, slots=True)
class LobbyTerms:
    """The game of the lobby. options: values by name; rules: their version; content: the beginning of its digest."""

    code: ClassVar = "lobby/terms"
    game: str
    seats: int
    options: Mapping[str, object]
    rules: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat before the table begins, or a spectator.

    Attributes:
        seat: the number of the seat, -1 for a spectator.
        name: the name of the player, "" for a free seat or a spectator.
        mine, bot: True for this person's seats, and for those that a bot plays.
        words: the words of the identity, which two people compare aloud.
        way: "direct", "relay", "libp2p", the name of the friend who relays, or "" without a link from here.
        link: the way in words, such as "through Bob", "" without a link from here and in a notice.
        rtt: the round trip in milliseconds, None if it is not known.
        ready, wish: True if they say that the table may begin; what they would like to play, by its id, "" for nothing.
        machine, holds: the name of the machine that holds the seat, and how many seats it holds.
        inviter: the name of the machine that let that one in, "" for the inviter itself and for this machine.
        met: False if this home has never sat at a table with that machine's identity.
    """

    seat: int
    name: str = ""
    mine: bool = False
    bot: bool = False
    words: str = ""
    way: str = ""
    link: str = ""
    rtt: int | None = None
    ready: bool = False
    wish: str = ""
    machine: str = ""
    holds: int = 1
    inviter: str = ""
    met: bool = True


@dataclass(frozen=True, slots=True)
class LobbyRoom:
    """The taken seats in their order, the number of free seats, and the spectators, with names as received."""

    code: ClassVar = "lobby/room"
    places: tuple[LobbySeat, ...]
    free: int
    watching: tuple[LobbySeat, ...] = ()


@dataclass(frozen=True, slots=True)
class LobbyTicket:
    """The ticket that others need to join. cause: why others can reach this home or not, a `Cause` of
    `p2p.reach.verdict`, "" if that is not known."""

    code: ClassVar = "lobby/ticket"
    ticket: str
    cause: Cause | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class LobbyNearby:
    """The other open tables on this network, each as one line."""

    code: ClassVar = "lobby/nearby"
    tables: tuple[str, ...]


LobbyNotice: TypeAlias = LobbyTerms | LobbyRoom | LobbyTicket | LobbyNearby
