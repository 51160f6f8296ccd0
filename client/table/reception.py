# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions and notices of a lobby: its interface to the person or bot at this peer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final

from client.system.names import clipped, member_name, plain_name, seat_name, sitter_name
from client.system.texts import N_, _
from client.table.content import custom_of
from client.table.custom_content import changes_text
from client.table.lobby_notices import LobbyNearby, LobbyRoom, LobbySeat, LobbyTerms
from client.table.notices import ChatSaid
from client.table.offers import table_text
from client.table.player import LobbyControls, Player
from client.table.words import away_text, relay_trouble
from client.words.machines import place_lines, unnamed_text
from client.words.options import changes_title, game_title
from engine.core.dataclass import replace
from engine.core.registry import PATIENCE
from p2p.identity.words import fingerprint
from p2p.link.live import LiveLink
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.genesis import Row
from p2p.lockstep.pacts import threshold
from p2p.lockstep.randomness import LOCKED_FROM
from p2p.reach.find import TableOffer
from p2p.wire.address import Address, friend_of, way_of, without_credentials
from p2p.wire.codec import Value

DIGEST: Final = 4
"""Number of digits of the content's digest that people compare."""


def cautions(options: Mapping[str, Value], seats: int, members: int | None = None) -> list[str]:
    """One sentence for each option that weakens what the log of the table proves. members: how many machines hold the
    seats, None while that is open; the log of one machine proves nothing of dice and cards anyway."""
    if members == 1:
        return []
    told = []
    if options.get("draws") == "open":
        told.append(
            _("Draws are open: a changed program could read hidden tiles and cards from the log. Dice are proven.")
        )
    if options.get("dice") == "lock" and (seats if members is None else members) >= LOCKED_FROM:
        told.append(_locked(members))
    return told


def _locked(members: int | None) -> str:
    """Who can foresee dice that come from a lock."""
    if members is None:
        return _(
            "Dice come from a lock: more than half of the machines together can foresee them; nobody chooses them."
        )
    text = _("Dice come from a lock: {lock} of the {members} machines together can foresee them; nobody chooses them.")
    return text.format(lock=threshold(members), members=members)


def sit_down(terms: Terms, again: bool = False) -> str:
    """The question whether a guest wants to play this game with these options. again: True if other terms were offered
    before."""
    text = _("{game}, {seats} players. {options}. All else is as usual. Sit down?")
    if again:
        text = _("The inviter has changed the table: {game}, {seats} players. {options}. All else is as usual. Stay?")
    options = changes_title(terms.game, terms.options)
    return text.format(game=game_title(terms.game), seats=terms.seats, options=options)


def show_cautions(player: Player, options: Mapping[str, Value], seats: int, members: int | None = None) -> None:
    """Show the person what `cautions` says of the table."""
    if cautions(options, seats, members):
        player.show(lambda: "\n".join(cautions(options, seats, members)))


class Reception:
    """The lobby's interface to the person or bot at this peer.

    Attributes:
        unasked: True to admit everybody with the ticket and to be ready at once.
    """

    def __init__(self, player: Player, *, unasked: bool, met: Collection[bytes] | None = None) -> None:
        """met: the identities that this home has sat at a table with; None where nobody is told."""
        self._player, self.unasked, self._met = player, unasked, met
        self._shown: tuple[str, int] | None = None
        self._nearby: tuple[str, ...] = ()
        self._room: LobbyRoom | None = None
        self._named: dict[str, str] = {}

    def open(self, controls: LobbyControls) -> None:
        """The lobby is open."""
        self._player.gather(controls)

    async def approve(self, sitter: Sitter) -> bool:
        """True if a newcomer may sit. Cancelled when they leave."""
        name, words = sitter_name(sitter), fingerprint(sitter.identity)

        def question() -> str:
            return _("{name} wants to sit down ({words}). Let them in?").format(name=name, words=words)

        return self.unasked or await self._player.confirm(question)

    def own_content(self, game: str, content: bytes) -> None:
        """Tell how the content of this table differs from the built-in content, if it does."""
        own = custom_of(game, content)
        if own is not None:
            self._player.show(partial(changes_text, own))

    async def ready(self, terms: Terms, again: bool = False) -> bool:
        """True to begin as soon as all are seated; False to leave. again: True if other terms were offered before."""
        if self.unasked:
            return True
        show_cautions(self._player, terms.options, terms.seats)
        return await self._player.confirm(partial(sit_down, terms, again))

    def terms(self, terms: Terms) -> None:
        """Show the terms of the table."""
        options = {PATIENCE.name: PATIENCE.default, **terms.options}
        self._player.notice(LobbyTerms(terms.game, terms.seats, options, terms.rules, terms.content.hex()[:DIGEST]))

    def room(
        self,
        rows: tuple[Seated, ...],
        free: int,
        me: bytes = b"",
        links: Mapping[bytes, LiveLink] | None = None,
        watchers: Collection[bytes] = (),
    ) -> None:
        """Show the players of the lobby.

        rows: none for a guest who was not let in yet.
        me: the identity of this peer.
        links: the links to others by identity.
        watchers: the identities of spectators.
        """
        known = links or {}
        self._named = {row.name: member_name(row.rows) for row in rows}
        by_identity = {row.identity: member_name(row.rows) for row in rows}
        taken = sorted(((seat, row) for row in rows for seat in row.rows), key=lambda each: each[0].seat)
        told = LobbyRoom(
            tuple(
                replace(
                    _seat(seat, row, me, known.get(row.identity), by_identity),
                    inviter="" if row.identity in (me, rows[0].identity) else by_identity[rows[0].identity],
                    met=self._met is None or row.identity in self._met or row.identity == me,
                )
                for seat, row in taken
            ),
            free,
            tuple(_watcher(each, known.get(each), by_identity) for each in watchers),
        )
        if told != self._room:
            self._room = told
            self._player.notice(told)
        names = ", ".join(seat_name(seat) for row in rows for seat in row.rows)
        if (names, free) != self._shown:
            self._shown = names, free
            text = N_("At the table: {names}; free seats: {free}")

            def shown() -> str:
                if not rows:
                    return unnamed_text(free)
                about = [each for place in _first_seats(told) for each in _about(place)]
                return "\n".join([_(text).format(names=names, free=free), *about])

            self._player.show(shown, plain=True)

    def nearby(self, tables: Sequence[TableOffer]) -> None:
        """Show the other tables that are open on this network."""
        told = tuple(table_text(offer) for offer in tables if offer.free)
        if told != self._nearby:
            self._nearby = told
            self._player.notice(LobbyNearby(told))

    def said(self, name: str, text: str) -> None:
        """Show a chat message."""
        self._player.notice(ChatSaid(self._named.get(name, plain_name(name)), text))

    def waiting(self) -> None:
        """Show that the inviter is being asked."""
        self._player.show(lambda: _("The inviter is asked whether you may sit down …"))

    def tell(self, told: Callable[[], str]) -> None:
        """Show a text. told: returns it in the language in use."""
        self._player.show(told)

    def lost(self) -> None:
        """Show that the inviter is out of reach."""
        self._player.show(lambda: _("The connection to the inviter is lost; trying again …"))

    def relay_trouble(self, relay: Address, code: str) -> None:
        """Show that a relay of the ticket does not work."""
        self._player.show(partial(relay_trouble, without_credentials(relay), code))

    def turned_away(self, name: str, code: str) -> None:
        """Show that somebody was sent away or left."""
        if name:
            self._player.show(partial(away_text, clipped(name), code))


def _seat(seat: Row, row: Seated, me: bytes, link: LiveLink | None, names: Mapping[bytes, str]) -> LobbySeat:
    bot, words = seat.level is not None, fingerprint(row.identity)
    mine = row.identity == me and (not bot or all(each.level for each in row.rows))
    way, rtt = ("direct", None) if row.identity == me and not mine else _way(link, names)
    return LobbySeat(
        seat.seat,
        seat_name(seat),
        mine,
        bot,
        words,
        way,
        "",
        rtt,
        row.ready,
        row.wish,
        member_name(row.rows),
        len(row.rows),
    )


def _about(place: LobbySeat) -> list[str]:
    return place_lines(place.machine, place.holds, place.inviter, met=place.met)


def _first_seats(room: LobbyRoom) -> list[LobbySeat]:
    """The first seat of each machine, with names that are safe to show."""
    first: dict[str, LobbySeat] = {}
    for place in room.places:
        first.setdefault(place.words, place)
    return list(first.values())


def _watcher(identity: bytes, link: LiveLink | None, names: Mapping[bytes, str]) -> LobbySeat:
    way, rtt = _way(link, names)
    return LobbySeat(-1, words=fingerprint(identity), way=way, rtt=rtt)


def _way(link: LiveLink | None, names: Mapping[bytes, str]) -> tuple[str, int | None]:
    """How a member is linked, and the round trip in milliseconds. names: the names by identity."""
    if link is None:
        return "", None
    rtt = link.stats.rtt
    way = names.get(friend_of(link.pipe.via) or b"") or way_of(link.pipe.via)
    return way, None if rtt is None else round(rtt * 1000)
