# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby as data, and as a document, for the screens before the table begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from client.session.view_records import LobbyRights
from client.show.document import Cell, Document, Note, TextTable
from client.show.styled import owner_letter, owner_shape, owner_style
from client.system.names import clipped, shown
from client.system.registry import GAMES, game_client
from client.system.texts import _, ngettext
from client.table.lobby_notices import LobbyNearby, LobbyNotice, LobbyRoom, LobbySeat, LobbyTerms, LobbyTicket
from client.table.player import LobbyControls
from client.table.verdict import reach_text
from client.table.words import way_text
from client.words import term
from client.words.machines import place_lines, unnamed_text
from client.words.options import option_title, value_title
from client.words.reference import Article, entries
from client.words.ways import DO
from engine.core.dataclass import dataclass, replace
from engine.core.registry import game


class LobbyOption(NamedTuple):
    """An option of the table.

    Attributes:
        about: what the option does.
        title, text: the texts of the option and of its value.
    """

    name: str
    value: str
    about: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class KnownLobby:
    """The known state of a lobby. All texts are safe to show.

    Attributes:
        game: id of the game, "" before it is known.
        seats: how many may play.
        options: the options of the table, by name.
        names: the names of the players.
        free: seats that nobody has taken, None before that is known.
        ticket: the ticket for others, "" for a guest.
        reach: who can reach this home, in a sentence; "" for a guest and before that is known.
        places: every taken seat, in their order.
        watching: the spectators.
        nearby: other open tables on this network.
        rules, content: version of the rules and the beginning of the digest of the content, which are the same for all
            who sit; "" before they are known.
    """

    game: str = ""
    seats: int = 0
    options: Sequence[LobbyOption] = ()
    names: Sequence[str] = ()
    free: int | None = None
    ticket: str = ""
    reach: str = ""
    places: Sequence[LobbySeat] = ()
    watching: Sequence[LobbySeat] = ()
    nearby: Sequence[str] = ()
    rules: str = ""
    content: str = ""

    @property
    def seated(self) -> bool:
        return any(place.mine for place in self.places)


class Gathering:
    """A lobby and what this person may do in it.

    Attributes:
        lobby: what is known; None where nothing is.
        door: what may be done; None where there is no lobby, and once the table has begun.
        wish: what the person said that they would like to play, by its id, "" for nothing.
    """

    def __init__(self) -> None:
        self.lobby: KnownLobby | None = None
        self.door: LobbyControls | None = None
        self.wish = ""

    def open(self, door: LobbyControls) -> None:
        self.door, self.lobby = door, self.lobby or KnownLobby()

    def heard(self, notice: LobbyNotice) -> None:
        self.lobby = heard(self.lobby or KnownLobby(), notice)

    def wish_for(self, word: str) -> None:
        """State what the person would like to play, by its id; "" for nothing."""
        self.wish = word
        if self.door is not None:
            self.door.wish(word)


def heard(lobby: KnownLobby, notice: LobbyNotice) -> KnownLobby:
    """The lobby after a notice about it."""
    match notice:
        case LobbyTerms(named, seats, given, rules, content):
            options = tuple(_option(named, name, str(value)) for name, value in sorted(given.items()))
            version = shown(rules.rpartition("/")[2])
            return replace(
                lobby, game=shown(named), seats=seats, options=options, rules=version, content=shown(content)
            )
        case LobbyRoom(places, free, watching):
            known = tuple(map(_safe, places))
            names = tuple(name for _words, name in dict.fromkeys((each.words, each.name) for each in known))
            return replace(lobby, names=names, free=free, places=known, watching=tuple(map(_safe, watching)))
        case LobbyNearby(tables):
            return replace(lobby, nearby=tables)
        case LobbyTicket(ticket, cause):
            return replace(lobby, ticket=ticket, reach=reach_text(cause) if cause else "")


def _option(named: str, name: str, value: str) -> LobbyOption:
    known = {option.name: option for option in game(named).options} if named in GAMES else {}
    about = term(known[name].help, named) if name in known else ""
    titles = option_title(name, named), value_title(name, value, named)
    return LobbyOption(shown(name), shown(value), about, *map(shown, titles))


def _safe(place: LobbySeat) -> LobbySeat:
    link = shown(way_text(place.way)) if place.way else ""
    return replace(
        place, name=clipped(place.name), link=link, wish=shown(place.wish), machine=clipped(place.machine),
        inviter=clipped(place.inviter),
    )  # fmt: skip


def waited_for(lobby: KnownLobby) -> list[str]:
    """What the lobby waits for, in words: free seats, and the names of players who are not ready."""
    free = lobby.free or 0
    seats = [ngettext("{n} free seat", "{n} free seats", free).format(n=free)] if free else []
    late = [place.name for place in lobby.places if not place.ready]
    return seats + late or [_("the table to begin")]


def wishes(name: str) -> list[Article]:
    """What a player may wish to play in a game, such as factions; [] if all seats are alike."""
    kind = game_client(name).played
    return [entry for entry in entries(name) if entry.kind == kind] if kind else []


def closed_seats(lobby: KnownLobby) -> Sequence[int]:
    """The seats that the game has and this table has not."""
    most = max(game(lobby.game).seats) if lobby.game in GAMES else 0
    return range(lobby.seats, most)


# As a document -------------------------------------------------------------------------------------------------------


class ShownSeat(NamedTuple):
    """A seat, all closed ones, or a spectator.

    Attributes:
        place: None for the closed ones.
        cells: its letter, who sits there, the wish, the link, the readiness and the words; of a free one two of them.
        about: what to know of who sits there, else what can be done with it; names deeds.
    """

    place: LobbySeat | None
    cells: Sequence[Cell]
    about: Sequence[str]

    @property
    def free(self) -> bool:
        return self.place is None or not (self.place.name or self.place.seat < 0)


def seat_heads() -> list[Cell]:
    """The headings of the cells."""
    return [Cell(text) for text in ("", _("who"), _("wish"), _("link"), "", _("words to compare"))]


def shown_seats(lobby: KnownLobby, rights: LobbyRights | None) -> list[ShownSeat]:
    """Every seat, the closed ones and every spectator, once it is known who has them."""
    bots = rights is not None and rights.bots
    taken = {place.seat: place for place in lobby.places}
    seats = [taken.get(seat, LobbySeat(seat)) for seat in range(max(lobby.seats, len(taken)))] if taken else []
    closed = closed_seats(lobby) if bots and taken else ()
    letters = "-".join(owner_letter(seat) for seat in sorted({*closed[:1], *closed[-1:]}))
    opens = _("{do:seats} opens another seat").format(do=DO)
    return [
        *(_sitting(lobby, place, bots=bots) if place.name else _open(lobby, place.seat, bots=bots) for place in seats),
        *([ShownSeat(None, (Cell(letters, look="faint"), Cell(_("closed"))), [opens])] if closed else []),
        *(_sitting(lobby, place, bots=bots) for place in lobby.watching),
    ]


def _open(lobby: KnownLobby, seat: int, *, bots: bool) -> ShownSeat:
    ways = [_("{do:bot} lets a bot sit here")] if bots else []
    ways += [_("{do:seats} closes it")] if bots and seat == lobby.seats - 1 else []
    cells = Cell(owner_letter(seat), look=owner_style(seat)), Cell(_("open"))
    return ShownSeat(LobbySeat(seat), cells, [each.format(do=DO) for each in ways])


def _sitting(lobby: KnownLobby, place: LobbySeat, *, bots: bool) -> ShownSeat:
    sits, name = place.seat >= 0, place.name or _("watches")
    link = place.link or _("by the inviter")
    away = link if place.rtt is None else _("{way} {n} ms").format(way=link, n=place.rtt)
    cells = (
        Cell(owner_letter(place.seat) + owner_shape(place.seat), look=owner_style(place.seat)) if sits else Cell(""),
        Cell(_("{name} (you)").format(name=name) if place.mine else name),
        Cell(term(place.wish, lobby.game) if place.wish else ""),
        Cell(_("here") if place.mine else away),
        Cell((_("ready") if place.ready else _("not ready")) if sits else ""),
        Cell(place.words),
    )
    return ShownSeat(place, cells, [*_about(lobby, place, bots=bots)])


def _about(lobby: KnownLobby, place: LobbySeat, *, bots: bool) -> Iterator[str]:
    """Whose machine it is, and which words to compare, where there is anybody to compare them with."""
    yield from place_lines(place.machine, place.holds, place.inviter, met=place.met)
    if not place.name:
        yield place.words
    elif place.words and any(not each.mine and not each.bot for each in (lobby.places if place.mine else [place])):
        read = _("You, when asked, read out: {words}")
        told = read if place.mine else _("{name} must read out the same words: {words}")
        yield told.format(name=place.name, words=place.words)
        if bots and not place.mine and place.seat >= 0:
            yield _("{do:remove} refuses the seat if they differ.").format(do=DO)


def options_document(lobby: KnownLobby) -> Document:
    """Each option with its meaning."""
    return [
        Note(f"{option.title}: {option.text}  {option.about}".rstrip(), indent="    ") for option in lobby.options
    ] or [Note(_("Nothing is known of the table yet."))]


def lobby_document(lobby: KnownLobby, rights: LobbyRights | None) -> Document:
    """Who sits and watches, and what is played."""
    shown = shown_seats(lobby, rights)
    about = [Note(text) for each in shown for text in each.about]
    unnamed = [Note(unnamed_text(lobby.free))] if lobby.free is not None and not shown else []
    table = [TextTable(seat_heads(), [each.cells for each in shown])] if shown else []
    return [*unnamed, *table, *about, *options_document(lobby)]
