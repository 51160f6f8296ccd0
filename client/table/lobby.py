# SPDX-License-Identifier: GPL-3.0-or-later
"""Connects the lobby of `p2p.lobby` with the router of links and with the person or bot at this peer."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence

import trio

from client.errors import UserError
from client.names import people_of, skeleton
from client.table.reception import Reception
from client.table.router import LinkRouter
from client.table.words import link_trouble, lobby_trouble
from engine.core.dataclass import dataclass, field
from p2p.link.contract import LinkRefusedError
from p2p.link.live import LiveLink
from p2p.lobby.effects import Close, Dealt, Effect, Heard, Knocked, Offered, RoomChanged, Say, TurnedAway, Waiting
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.genesis import NONCE, Genesis
from p2p.lockstep.machine import Refusal
from p2p.reach.find import TableOffer
from p2p.reach.ticket import Ticket
from p2p.wire.address import Address
from p2p.wire.codec import Value
from p2p.wire.messages import Lobby, pack

Places = dict[bytes, tuple[Address, ...]]
Examine = Callable[[Callable[[Sequence[str]], None]], None]

REACHING = 15.0
"""Seconds for which a guest tries to reach an inviter who does not answer."""
LINKS_TOLD = 2.0
"""Seconds between two updates of round-trip times."""
AGAIN = 60.0
"""Seconds for which a guest waits for an inviter whose link was lost."""
SOON = 2.0
"""Seconds within which another link replaces a closed one, because both sides had dialed."""
NO_END = frozenset({"bye/double", "bye/replaced", "bye/wait"})
"""Good-byes that end one link of several."""
HOPELESS = frozenset({"link/other-version", "link/other-identity", "link/bad-signature"})
"""Troubles that every further attempt would meet again, if there never was a link."""
NOBODY_THERE = frozenset({"link/hung-up", "link/unreachable"})
"""The same if the ticket names no relay. With a relay the next attempt may succeed."""


def fresh_nonce() -> bytes:
    """A nonce from the operating system's random source."""
    return secrets.token_bytes(NONCE)


def judge_name(sitter: Sitter, room: tuple[Seated, ...]) -> Refusal | None:
    """Refuse a name that looks like another at the table."""
    taken = {skeleton(name) for row in room for name in (row.name, *people_of(row.name, len(row.seats)))}
    people = people_of(sitter.name, len(sitter.wants) or sitter.count)
    if not taken.isdisjoint(map(skeleton, (sitter.name, *people))):
        return Refusal("lobby/name-taken")
    return None


@dataclass(slots=True)
class _Room:
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

    add_bot: lets a bot take a seat; None where none can be started."""

    inviting = True

    def __init__(
        self, invite: Invite, meeting: bytes, room: _Room, add_bot: Callable[[int], None] | None = None
    ) -> None:
        self._invite, self._meeting, self._room, self.add_bot = invite, meeting, room, add_bot
        self._knocking: dict[str, trio.CancelScope] = {}
        self._one_by_one = trio.Lock()

    @property
    def examine(self) -> Examine | None:
        """Look at the network."""
        return self._room.examine

    async def gather(self) -> tuple[Genesis, Places]:
        """Wait until all seats are taken and everybody is ready."""
        self._room.reception.open(self)
        self._room.reception.own_content(self._invite.terms.game, self._invite.content)
        self.ready(True)
        self._room.nursery.start_soon(self._room.tell_links, self._look_around, self._invite.lobby)
        return await self._room.wait()

    def ready(self, yes: bool) -> None:
        """State whether the table may begin."""
        self._invite.ready(yes=yes)
        self._act()

    def wish(self, word: str) -> None:
        """State what this player would like to play."""
        self._invite.wish(word)
        self._act()

    def say(self, text: str) -> None:
        """Send a chat message to all."""
        self._invite.say(text)
        self._act()

    def remove(self, seat: int) -> None:
        """Remove the player from a seat."""
        for row in self._invite.room[1:]:
            if seat in row.seats:
                self._invite.remove(row.identity)
        self._act()

    def _look_around(self) -> None:
        invite = self._invite
        room, links = self._room, self._room.linked()
        room.reception.room(invite.room, len(invite.free), invite.me.identity, links, invite.watchers)

    def came(self, name: str, link: LiveLink) -> None:
        """A peer that knows the ticket is linked; a member of the table may use the table's own meeting instead."""
        if link.pipe.meeting == self._meeting:
            self._invite.opened(name, link.peer_id, link.pipe.binding, link.pipe.dial_back)
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
                case Knocked(link, sitter):
                    self._knocking[link] = trio.CancelScope()
                    self._room.nursery.start_soon(self._ask, link, sitter, self._knocking[link])
                case TurnedAway(code, who=who):
                    self._room.reception.turned_away(who, code)
                case RoomChanged():
                    self._look_around()
                case _:
                    self._room.settle(effect)

    async def _ask(self, link: str, sitter: Sitter, scope: trio.CancelScope) -> None:
        with scope:
            async with self._one_by_one:
                yes = await self._room.reception.approve(sitter)
            self._invite.approve(link, yes=yes)
            self._act()

    def _drop(self, name: str) -> None:
        scope = self._knocking.pop(name, None)
        if scope is not None:
            scope.cancel()


class Joining:
    """The guest's lobby.

    sit: returns the seat to ask for, given the names at the table; None to watch only.
    add_bot: None, because guests add no bots.
    content: the table's custom content once it was offered and validated; empty for the built-in content.
    """

    def __init__(
        self,
        ticket: Ticket,
        guest: Guest,
        room: _Room,
        accept: Callable[[Terms, bytes, LiveLink], Refusal | None],
        sit: Callable[[tuple[str, ...]], Awaitable[Sitter | None]],
    ) -> None:
        self._rows: tuple[Seated, ...] = ()
        self._free = 0
        self._me: Sitter | None = None
        self._ticket, self._guest, self._room, self._accept, self._sit = ticket, guest, room, accept, sit
        self._link: LiveLink | None = None
        self.content = b""
        self._trouble: UserError | None = None
        self._met = False
        self._asking = self._agreed = self._ready = False
        self._wish = ""

    inviting = False
    add_bot = None

    @property
    def examine(self) -> Examine | None:
        """Look at the network."""
        return self._room.examine

    async def gather(self) -> tuple[Genesis, Places]:
        """Wait for the table. UserError says why there is none."""
        self._room.reception.open(self)
        self._room.nursery.start_soon(self._room.tell_links, self._look_around, self._ticket.lobby)
        self._room.nursery.start_soon(self._give_up, REACHING)
        return await self._room.wait()

    def ready(self, yes: bool) -> None:
        """State whether the table may begin, after this guest has agreed to sit down."""
        if self._agreed:
            self._ready = yes
            self._guest.ready(yes=yes)
            self._act()

    def wish(self, word: str) -> None:
        """State what this player would like to play."""
        self._wish = word
        if self._me is not None:
            self._guest.wish(word)
            self._act()

    def say(self, text: str) -> None:
        """Send a chat message to all players and spectators."""
        if self._me is not None:
            self._guest.say(text)
            self._act()

    def remove(self, seat: int) -> None:
        """Nothing: only the inviter removes players."""

    def _look_around(self) -> None:
        if self._rows:
            me = b"" if self._me is None else self._me.identity
            self._room.reception.room(self._rows, self._free, me, self._room.linked())

    async def _give_up(self, seconds: float) -> None:
        await trio.sleep(seconds)
        if self._link is None:
            self._room.fail(self._trouble or link_trouble(LinkRefusedError("link/timeout")))

    def came(self, name: str, link: LiveLink) -> None:
        """The link to the inviter is up, perhaps again."""
        if link.peer_id == self._ticket.inviter:
            self._link = link
            self._guest.opened(name)

    def went(self, name: str, code: str) -> None:
        """The inviter closed the lobby, or the link was lost and may come back."""
        if name != self._guest.link or self._room.over.is_set():
            return
        if code.startswith("bye/") and code not in NO_END:
            self._room.fail(lobby_trouble("lobby/full" if code == "bye/full" else "lobby/closed", ()))
        else:
            self._link, self._met = None, True
            self._room.nursery.start_soon(self._miss)

    async def _miss(self) -> None:
        """Report that the inviter is out of reach unless another link is up soon; wait `AGAIN` seconds for one."""
        await trio.sleep(SOON)
        if self._link is None and not self._room.over.is_set():
            self._room.reception.lost()
            await self._give_up(AGAIN)

    def word(self, name: str, kind: str, body: Value) -> None:
        self._guest.heard(name, kind, body)
        self._act()

    def trouble(self, expected: bytes | None, code: str, detail: tuple[object, ...]) -> None:
        """The inviter cannot be reached. Another address or attempt may help, except against a wrong identity."""
        if expected != self._ticket.inviter or self._room.over.is_set():
            return
        self._trouble = link_trouble(LinkRefusedError(code, *detail))
        hopeless = HOPELESS if self._ticket.relays else HOPELESS | NOBODY_THERE
        if code in hopeless and not self._met:
            self._room.fail(self._trouble)

    def _act(self) -> None:
        for effect in self._guest.effects():
            match effect:
                case Offered(terms, content) if self._link is not None:
                    self._room.nursery.start_soon(self._judge, terms, content, self._link)
                case Waiting():
                    self._room.reception.waiting()
                case TurnedAway(code, detail):
                    self._room.fail(lobby_trouble(code, detail))
                case RoomChanged(rows, free):
                    self._rows, self._free = rows, free
                    self._look_around()
                case _:
                    self._room.settle(effect)

    async def _judge(self, terms: Terms, content: bytes, link: LiveLink) -> None:
        """Judge the offer in a thread, because the rules of the game have to be loaded."""
        refusal = await trio.to_thread.run_sync(self._accept, terms, content, link)
        if link is not self._link or self._room.over.is_set():
            return  # the inviter offers it again when there is another link
        if refusal is not None:
            self._guest.leave(refusal.code)
            self._room.fail(lobby_trouble(refusal.code, refusal.detail))
            return
        if content != self.content:
            self._room.reception.own_content(terms.game, content)
        self._room.reception.terms(terms)
        self.content = content
        await self._take_place(terms, link)

    async def _take_place(self, terms: Terms, link: LiveLink) -> None:
        me = self._me = self._me or await self._sit(tuple(row.name for row in self._rows))
        proof = self._ticket.proof(link.pipe.binding)
        if me is None:
            self._guest.watch(proof)
        else:
            self._guest.sit(me, proof)
            self._room.nursery.start_soon(self._get_ready, terms)
        self._act()

    async def _get_ready(self, terms: Terms) -> None:
        if self._asking:
            return  # agreed on an earlier link; the answer is sent on this one
        if not self._agreed:
            self._asking = True
            self._agreed = self._ready = await self._room.reception.ready(terms)
            self._asking = False
        if self._agreed:
            self._guest.ready(yes=self._ready)
            self._guest.wish(self._wish)
        else:
            self._guest.leave("lobby/left")
            self._room.fail(lobby_trouble("lobby/declined", ()))
        self._act()


def room(
    router: LinkRouter,
    reception: Reception,
    nursery: trio.Nursery,
    nearby: Callable[[], Sequence[TableOffer]] = tuple,
    examine: Examine | None = None,
) -> _Room:
    """What a lobby needs of this process; see `_Room`."""
    return _Room(router, reception, nursery, nearby=nearby, examine=examine)
