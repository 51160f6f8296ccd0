"""The lobby as data: what a person sees before the table begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from client.names import BOT, clipped, shown
from client.notices import LobbyMember, LobbyNearby, LobbyNotice, LobbyRoom, LobbyTerms, LobbyTicket
from client.player import LobbyControls
from client.reference import Article, entries
from client.table.words import way_text
from client.texts import _, ngettext
from client.wording import term
from client.wording.options import option_title, value_title
from engine.core.dataclass import dataclass, replace
from engine.core.registry import GAMES, game

__all__ = ["Gathering", "Lobby", "LobbyOption", "LobbySeat", "heard", "waited_for", "wishes"]

PLAYED = ("species", "faction")
"""Kinds of entries of the reference that one may wish to play."""


class LobbyOption(NamedTuple):
    """An option of the table.

    Attributes:
        about: what it does.
        title, text: what option and value are called.
    """

    name: str
    value: str
    about: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat before the table begins, or somebody who watches.

    Attributes:
        seat: its number, -1 for a spectator.
        name: who sits there, "" for nobody.
        mine: True if it is this person's own.
        bot: True if a bot sits there.
        words: of the identity, which two people compare aloud.
        way: "direct", "relay", "libp2p", the name of the friend who relays, or "" without a link from here.
        link: the way in words, such as "through Bob", or "" without a link from here.
        rtt: the round trip in milliseconds, None where it is not known.
        ready: True if the player there says that the table may begin.
        wish: what they would like to play, by its id, "" for nothing.
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


@dataclass(frozen=True, slots=True)
class Lobby:
    """What is known so far.  All texts are safe to show.

    Attributes:
        game: id of the game, "" before it is known.
        seats: how many may play.
        options: what is played, by name.
        names: who sits there.
        free: seats that nobody has taken, None before that is known.
        ticket: what others need to come, "" for a guest.
        places: every taken seat, in their order.
        watching: the spectators.
        nearby: other tables that are open on this network.
    """

    game: str = ""
    seats: int = 0
    options: Sequence[LobbyOption] = ()
    names: Sequence[str] = ()
    free: int | None = None
    ticket: str = ""
    places: Sequence[LobbySeat] = ()
    watching: Sequence[LobbySeat] = ()
    nearby: Sequence[str] = ()


class Gathering:
    """A lobby and what this person may do in it.

    Attributes:
        lobby: what is known; None where nothing is.
        door: what may be done; None where there is no lobby, and once the table has begun.
        wish: what the person said that they would like to play, by its id, "" for nothing.
    """

    def __init__(self) -> None:
        self.lobby: Lobby | None = None
        self.door: LobbyControls | None = None
        self.wish = ""

    def open(self, door: LobbyControls) -> None:
        """The lobby is open."""
        self.door, self.lobby = door, self.lobby or Lobby()

    def close(self) -> None:
        """The table begins."""
        self.lobby = self.door = None

    def heard(self, notice: LobbyNotice) -> None:
        """The table tells something about the lobby."""
        self.lobby = heard(self.lobby or Lobby(), notice)

    def wish_for(self, word: str) -> None:
        """Say what one would like to play, by its id; "" for nothing."""
        self.wish = word
        if self.door is not None:
            self.door.wish(word)


def heard(lobby: Lobby, notice: LobbyNotice) -> Lobby:
    """The lobby after a notice about it."""
    match notice:
        case LobbyTerms(named, seats, given):
            options = tuple(_option(named, name, str(value)) for name, value in sorted(given.items()))
            return replace(lobby, game=shown(named), seats=seats, options=options)
        case LobbyRoom(members, free, watching):
            return replace(
                lobby,
                names=tuple(clipped(each.name) for each in members),
                free=free,
                places=tuple(_places(members)),
                watching=tuple(
                    LobbySeat(-1, words=each.words, way=each.way, link=_link(each.way), rtt=each.rtt)
                    for each in watching
                ),
            )
        case LobbyNearby(tables):
            return replace(lobby, nearby=tables)
        case LobbyTicket(ticket):
            return replace(lobby, ticket=ticket)


def _option(named: str, name: str, value: str) -> LobbyOption:
    known = {option.name: option for option in game(named).options} if named in GAMES else {}
    about = term(known[name].help, named) if name in known else ""
    titles = option_title(name, named), value_title(name, value, named)
    return LobbyOption(shown(name), shown(value), about, *map(shown, titles))


def _places(members: Sequence[LobbyMember]) -> Iterator[LobbySeat]:
    """Every taken seat, in their order."""
    taken = {seat: member for member in members for seat in member.seats}
    for seat, each in sorted(taken.items()):
        yield LobbySeat(
            seat,
            clipped(each.name),
            each.mine,
            each.name.endswith(BOT),
            each.words,
            each.way,
            _link(each.way),
            each.rtt,
            each.ready,
            shown(each.wish),
        )


def _link(way: str) -> str:
    return shown(way_text(way)) if way else ""


def waited_for(lobby: Lobby) -> list[str]:
    """What the table waits for before it begins, in words: free seats, and the names of those who are not ready."""
    free = lobby.free or 0
    seats = [ngettext("{n} free seat", "{n} free seats", free).format(n=free)] if free else []
    late = [place.name for place in lobby.places if not place.ready]
    return seats + late or [_("the table to begin")]


def wishes(name: str) -> list[Article]:
    """What one may wish to play in a game, such as its factions; [] where all are alike."""
    return [entry for entry in entries(name) if entry.kind in PLAYED] if name in GAMES else []
