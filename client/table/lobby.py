# SPDX-License-Identifier: GPL-3.0-or-later
"""Connects the lobby of `p2p.lobby` with the router of links and with the person or bot at this peer."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import trio

from client.system.errors import UserError
from client.system.names import bot_name, free_names, member_name, seat_name, skeleton
from client.system.texts import _
from client.table.reception import Reception
from client.table.router import LinkRouter
from client.table.words import lobby_trouble
from engine.core.dataclass import dataclass, field
from p2p.link.live import LiveLink
from p2p.lobby.effects import Close, Dealt, Effect, Heard, Knocked, RoomChanged, Say, TurnedAway
from p2p.lobby.invite import Invite
from p2p.lobby.messages import MAX_FREE_NAMES, Seated, Sitter, Terms
from p2p.lockstep.genesis import NONCE, Genesis
from p2p.lockstep.machine import TableRefusal
from p2p.reach.find import TableOffer
from p2p.wire.address import Address
from p2p.wire.codec import Value
from p2p.wire.messages import Lobby, pack

Places = dict[bytes, tuple[Address, ...]]
Examine = Callable[[Callable[[Sequence[str]], None]], None]

LINKS_TOLD = 2.0
"""Seconds between two updates of round-trip times."""


def fresh_nonce() -> bytes:
    """A nonce from the operating system's random source."""
    return secrets.token_bytes(NONCE)


def judge_name(sitter: Sitter, room: tuple[Seated, ...]) -> TableRefusal | None:
    """Refuse a name that looks like another at the table. The refusal names it, and some that are free."""
    taken = [name for each in room for name in (member_name(each.rows), *map(seat_name, each.rows))]
    rows = sitter.rows(range(sitter.count))
    for place, row in enumerate(rows):
        others = [*taken, *(seat_name(each) for each in rows[:place])]
        if skeleton(seat_name(row)) in map(skeleton, others):
            free = islice(free_names(row.name, [*others, row.name]), MAX_FREE_NAMES)
            return TableRefusal("lobby/name-taken", "", (row.name, *free))
    if skeleton(member_name(rows)) in map(skeleton, taken):
        return TableRefusal("lobby/name-taken", "", (sitter.players[0][0],))
    return None


@dataclass(slots=True)
class Room:
    """What both sides share: carrying out effects and waiting for the end.

    nearby: returns the tables announced on this network.
    examine: checks the network, None without one.
    """

    router: LinkRouter
    reception: Reception
    nursery: trio.Nursery
    dealt: Dealt | None = None
    failed: UserError | None = None
    nearby: Callable[[], Sequence[TableOffer]] = tuple
    examine: Examine | None = None
    over: trio.Event = field(default_factory=trio.Event)

    async def wait(self) -> tuple[Genesis, Places]:
        """The agreed table. UserError when there is none."""
        await self.over.wait()
        if self.dealt is None:
            raise self.failed or lobby_trouble("lobby/closed", ())
        return self.dealt.genesis, self.dealt.places

    def settle(self, effect: Effect) -> None:
        match effect:
            case Say(link, kind, body):
                known = self.router.links.get(link)
                if known is not None:
                    known.send(pack(Lobby(kind, body)))  # type: ignore[arg-type]  # what is packed is plain data
            case Close(link, code):
                self.nursery.start_soon(self.router.close, link, code)
            case Heard(name, text):
                self.reception.said(name, text)
            case Dealt():
                self.dealt = effect
                self.over.set()

    def linked(self) -> dict[bytes, LiveLink]:
        """The links to others, by identity."""
        return {link.peer_id: link for link in self.router.links.values()}

    async def tell_links(self, tell: Callable[[], None], lobby: bytes) -> None:
        """Report regularly how everybody is linked, and other tables, until this table begins."""
        while not self.over.is_set():
            with trio.move_on_after(LINKS_TOLD):
                await self.over.wait()
            tell()
            self.reception.nearby([offer for offer in self.nearby() if offer.lobby != lobby])

    def fail(self, error: UserError) -> None:
        if not self.over.is_set():
            self.failed = error
            self.over.set()


class Hosting:
    """The inviter's lobby. It stays open while the table plays, for members who missed the start and for spectators.
    `client.table.player.LobbyControls` says what else each method does.

    levels: the levels of the bots that sit down here, in turn.
    terms_of: the terms of this table with other seats and options, raises UserError; None if they cannot change.
    keep: takes a text that is meant for this home; False for any other text.
    admitted: the players of each guest that was let in, by identity: nobody is asked about them again.
    announced: the name of the meeting of those who have heard this table announced; empty if it is not announced."""

    inviting = True
    announced = b""

    def __init__(
        self,
        invite: Invite,
        meeting: bytes,
        room: Room,
        levels: Sequence[str] = (),
        terms_of: Callable[[int, Mapping[str, str]], Terms] | None = None,
        keep: Callable[[str], bool] = lambda _text: False,
        admitted: dict[bytes, tuple[tuple[str, str | None], ...]] | None = None,
    ) -> None:
        self._invite, self._meeting, self._room, self._levels = invite, meeting, room, levels
        self._terms_of, self.keep, self.examine = terms_of, keep, room.examine
        self._knocking: dict[str, trio.CancelScope] = {}
        self._admitted = {} if admitted is None else admitted
        self.noted: Callable[[], None] = lambda: None
        """Called when who sits here, who was let in, or what is offered may have changed."""
        self._one_by_one = trio.Lock()

    async def gather(self) -> tuple[Genesis, Places]:
        """Wait until all seats are taken and everybody is ready."""
        self._room.reception.open(self)
        self._room.reception.own_content(self._invite.terms.game, self._invite.content)
        self.ready(True)
        self._room.nursery.start_soon(self._room.tell_links, self._look_around, self._invite.lobby)
        return await self._room.wait()

    def ready(self, yes: bool) -> None:
        self._invite.ready(yes=yes)
        self._act()

    def wish(self, word: str) -> None:
        self._invite.wish(word)
        self._act()

    def change(self, seats: int, options: Mapping[str, str]) -> str:
        if self._terms_of is None:
            return _("This table does not change any more.")
        try:
            terms = self._terms_of(seats, options)
        except UserError as error:
            return error.whole
        refusal = self._invite.change(terms)
        if refusal is not None:
            return lobby_trouble(refusal.code, refusal.detail).message
        self._room.reception.terms(terms)
        self._act()
        return ""

    def say(self, text: str) -> TableRefusal | None:
        """Send a chat message to all; keep what is meant for this home, such as an answer to the ticket."""
        if self.keep(text):
            return None
        self._invite.say(text)
        self._act()
        return None

    def add_bot(self, seat: int, level: str = "") -> bool:
        """Let a bot of this machine take a free seat, at a level or at the one whose turn it is."""
        seated = self._invite.seat_bot(seat, bot_name(seat), level or self._levels[seat % len(self._levels)])
        self._act()
        return seated

    def remove(self, seat: int) -> None:
        """Remove the player from a seat."""
        self._invite.unseat_bot(seat)
        for row in self._invite.room[1:]:
            if seat in row.seats:
                self._admitted.pop(row.identity, None)
                self._invite.remove(row.identity)
        self._act()

    def _look_around(self) -> None:
        invite = self._invite
        room, links = self._room, self._room.linked()
        room.reception.room(invite.room, len(invite.free), invite.me.identity, links, invite.watchers)

    def came(self, name: str, link: LiveLink) -> None:
        """A peer that knows the ticket is linked; a member of the table may use the table's own meeting instead."""
        met, ticket = link.pipe.meeting, link.pipe.meeting == self._meeting
        if ticket or met == self.announced:
            self._invite.opened(name, link.peer_id, link.pipe.binding, link.pipe.dial_back, ticket=ticket)
            self._act()

    def went(self, name: str, code: str) -> None:
        self._drop(name)
        self._invite.closed(name)
        self._act()

    def word(self, name: str, kind: str, body: Value) -> None:
        self._invite.heard(name, kind, body)
        self._act()
        if self.watched_by(name):
            self._room.router.introduce(name)

    def watched_by(self, name: str) -> bool:
        """True if this link is to a spectator with the ticket, linked before or after the start."""
        return self._invite.watched_by(name)

    def trouble(self, expected: bytes | None, code: str, detail: tuple[object, ...]) -> None:
        """Nothing: the inviter dials nobody before the table plays."""

    def _act(self) -> None:
        for effect in self._invite.effects():
            match effect:
                case Knocked(link, sitter) if self._admitted.get(sitter.identity) == sitter.players:
                    self._invite.approve(link, yes=True)  # back over another link
                    self._act()
                case Knocked(link, sitter):
                    self._knocking[link] = trio.CancelScope()
                    self._room.nursery.start_soon(self._ask, link, sitter, self._knocking[link])
                case TurnedAway(code, who=who):
                    self._room.reception.turned_away(who, code)
                case RoomChanged():
                    self._look_around()
                case _:
                    self._room.settle(effect)
        self.noted()

    async def _ask(self, link: str, sitter: Sitter, scope: trio.CancelScope) -> None:
        with scope:
            async with self._one_by_one:
                known = self._admitted.get(sitter.identity) == sitter.players
                yes = known or await self._room.reception.approve(sitter)
            if yes:
                self._admitted[sitter.identity] = sitter.players
            self._invite.approve(link, yes=yes)
            self._act()

    def _drop(self, name: str) -> None:
        scope = self._knocking.pop(name, None)
        if scope is not None:
            scope.cancel()
