# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's side of a lobby over real links."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from client.system.errors import UserError
from client.table.lobby import Places, Room
from client.table.words import link_trouble, lobby_trouble
from p2p.link.contract import LinkRefusedError
from p2p.link.live import LiveLink
from p2p.lobby.effects import NameTaken, Offered, RoomChanged, TurnedAway, Waiting
from p2p.lobby.guest import Guest
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import TableRefusal
from p2p.reach.ticket import Ticket
from p2p.wire.codec import Value

REACHING = 15.0
"""Seconds for which a guest tries to reach an inviter who does not answer."""
LOADING = 30.0
"""Seconds for which a guest that shows no answer goes on where a way leads through the libp2p network, whose package
loads slowly."""
AGAIN = 60.0
"""Seconds for which a guest waits for an inviter whose link was lost."""
SOON = 2.0
"""Seconds within which another link replaces a closed one, because both sides had dialed."""
NO_END = frozenset({"bye/double", "bye/replaced", "bye/wait"})
"""Good-byes that end one link of several."""
HOPELESS = frozenset({"link/other-version", "link/other-identity", "link/bad-signature"})
"""Troubles that every further attempt would meet again, if there never was a link."""
NOBODY_THERE = frozenset({"link/hung-up", "link/unreachable"})
"""The same if the ticket names no relay and cannot be answered. Otherwise a later attempt may succeed."""


class Joining:
    """The guest's lobby. `client.table.player.LobbyControls` says what else each method does.

    sit: returns the seat to ask for, given the names at the table; None to watch only.
    rename: returns the same seat with another name, given the one that is taken and some that are free; UserError if
        the person chose the name.
    add_bot: None, because guests add no bots in the lobby.
    keep: takes a text that is meant for this home, which is not passed on; False for any other text.
    slow: a way leads through the libp2p network.
    content: the table's custom content once it was offered and validated; empty for the built-in content.
    """

    def __init__(
        self,
        ticket: Ticket,
        guest: Guest,
        room: Room,
        accept: Callable[[Terms, bytes, LiveLink], TableRefusal | None],
        sit: Callable[[tuple[str, ...]], Awaitable[Sitter | None]],
        rename: Callable[[Sitter, str, tuple[str, ...]], Sitter],
    ) -> None:
        self._rows: tuple[Seated, ...] = ()
        self._free: int | None = None
        self._me: Sitter | None = None
        self._ticket, self._guest, self._room, self._accept, self._sit = ticket, guest, room, accept, sit
        self._rename, self.examine = rename, room.examine
        self._link: LiveLink | None = None
        self.content, self.slow = b"", False
        self._trouble: UserError | None = None
        self._met = False
        self._seated: LiveLink | None = None  # the link on which seats were asked for
        self._asked: Terms | None = None  # the terms that the person was asked about
        self._question = trio.CancelScope()
        self._agreed = self._ready = False
        self._wish = ""
        self._answer: Callable[[], Awaitable[None]] | None = None
        self.keep: Callable[[str], bool] = lambda _text: False
        self._answering = trio.CancelScope()

    inviting = False
    add_bot = None
    change = None

    def answer_by(self, answer: Callable[[], Awaitable[None]]) -> None:
        """Answer the ticket instead of giving up, where no address leads to the inviter. answer: shows the answer and
        calls the inviter, until cancelled."""
        self._answer = answer

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
        self._wish = word
        if self._me is not None:
            self._guest.wish(word)
            self._act()

    def say(self, text: str) -> TableRefusal | None:
        """Send a chat message to all players and spectators; keep what is meant for this home."""
        if self.keep(text):
            return None
        if self._me is None:
            return TableRefusal("table/no-seat")
        refusal = self._guest.say(text)
        self._act()
        return refusal

    def remove(self, seat: int) -> None:
        """Nothing: only the inviter removes players."""

    def _look_around(self) -> None:
        if self._free is not None:
            me = b"" if self._me is None else self._me.identity
            self._room.reception.room(self._rows, self._free, me, self._room.linked())

    async def _give_up(self, seconds: float) -> None:
        await trio.sleep(seconds + (LOADING if self.slow and self._answer is None else 0))
        if self._link is not None or self._room.over.is_set():
            return
        if self._answer is None:
            self._room.fail(self._trouble or link_trouble(LinkRefusedError("link/timeout")))
            return
        with trio.CancelScope() as self._answering:
            await self._answer()

    def came(self, name: str, link: LiveLink) -> None:
        """The link to the inviter is up, perhaps again."""
        if link.peer_id == self._ticket.inviter:
            self._link, self._met = link, True
            self._answering.cancel()
            self._guest.opened(name)

    def went(self, name: str, code: str) -> None:
        """The inviter closed the lobby, or the link was lost and may come back."""
        if name != self._guest.link or self._room.over.is_set():
            return
        if code.startswith("bye/") and code not in NO_END:
            self._room.fail(lobby_trouble("lobby/full" if code == "bye/full" else "lobby/closed", ()))
        else:
            self._link = None
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
        hopeless = HOPELESS if self._ticket.relays or self._answer is not None else HOPELESS | NOBODY_THERE
        if code in hopeless and not self._met:
            self._room.fail(self._trouble)

    def _act(self) -> None:
        for effect in self._guest.effects():
            match effect:
                case Offered(terms, content) if self._link is not None:
                    self._room.nursery.start_soon(self._judge, terms, content, self._link)
                case Waiting():
                    self._room.reception.waiting()
                case NameTaken(name, free):
                    self._take_other_name(name, free)
                case TurnedAway(code, detail):
                    self._room.fail(lobby_trouble(code, detail))
                case RoomChanged(rows, free):
                    self._rows, self._free = rows, free
                    self._look_around()
                case _:
                    self._room.settle(effect)

    def _take_other_name(self, name: str, free: tuple[str, ...]) -> None:
        """Ask for the same seat with a free name, or leave if the person has to choose it."""
        link = self._link
        if self._me is None or link is None:
            return
        try:
            self._me = self._rename(self._me, name, free)
        except UserError as error:
            self._guest.leave("lobby/left")
            self._room.fail(error)
        else:
            self._guest.sit(self._me, self._ticket.proof(link.pipe.binding))
            if self._agreed:  # said before, of seats that this guest did not get
                self._guest.ready(yes=self._ready)
                self._guest.wish(self._wish)
        self._act()

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
        elif self._seated is not link:
            self._seated = link
            self._guest.sit(me, proof)
        if me is not None:
            self._room.nursery.start_soon(self._get_ready, terms)
        self._act()

    async def _get_ready(self, terms: Terms) -> None:
        """Ask the person about terms that were not asked about before; an open question about others is withdrawn."""
        if terms == self._asked and not self._agreed:
            return  # the open question's answer is sent on this link
        if terms != self._asked:
            again, self._asked, self._agreed = self._asked is not None, terms, False
            self._question.cancel()
            with trio.CancelScope() as self._question:
                self._agreed = self._ready = await self._room.reception.ready(terms, again=again)
            if self._asked is not terms:
                return
        if self._agreed:
            self._guest.ready(yes=self._ready)
            self._guest.wish(self._wish)
        else:
            self._guest.leave("lobby/left")
            self._room.fail(lobby_trouble("lobby/declined", ()))
        self._act()
