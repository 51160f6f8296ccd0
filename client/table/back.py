# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways back to a running table after addresses have changed or a relay or friend is gone: its ticket, made and read
here, relays that are named at the table, and answers to tickets.

A friend that relays for two others may leave. Then both read what helps: one names a relay, and the other pastes the
line that this gives.
"""

from __future__ import annotations

import time
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio

from client.system.texts import _, ngettext
from client.table.answering import AnswerTo, TicketAnswering, address_text
from client.table.answers import Answers, wanted_at
from client.table.carrying import AnswerShown
from client.table.gossip import AddressGossip
from client.table.notices import AnswerMade
from client.table.player import Player
from client.table.record import Record
from client.table.relays import relay_named
from client.table.runtime import RunningTable
from client.words.ways import DO
from p2p.identity.keys import SigningKey
from p2p.link.meet import table_meeting
from p2p.link.pulse import pulse
from p2p.reach.answer import holds_answer
from p2p.reach.lines import TicketError
from p2p.reach.opened import Reach
from p2p.reach.whereabouts import TableTicket, make_table_ticket, parse_table_ticket
from p2p.wire.address import friend_of

LASTS: Final = 7 * 24 * 3600
PATIENCE: Final = 15.0
"""Seconds in which members find each other by the addresses of last time."""
LOOK_EVERY: Final = 1.0
CUT_OFF: Final = 10.0
"""Seconds without a friend who relayed, and without a way around, after which this is told."""


class WayBack:
    """See the module. given, answer: the ticket and the text with an answer that this home was called with, None and ""
    without one."""

    def __init__(
        self,
        reach: Reach,
        identity: SigningKey,
        folder: Path,
        nursery: trio.Nursery,
        table: RunningTable,
        gossip: AddressGossip,
        player: Player,
        record: Record,
        given: TableTicket | None,
        answer: str = "",
    ) -> None:
        self._reach, self._identity, self._folder, self._nursery = reach, identity, folder, nursery
        self._table, self._gossip, self._player, self._given = table, gossip, player, given
        self._answer_given = answer
        wanted = wanted_at(record.genesis, record.ticket)
        self._lines = TicketAnswering(reach, identity, folder, AnswerShown(player), player.show)
        self._answers = Answers(reach, identity, nursery, lambda: wanted, player.show, own=self._lines.sealed)
        self._answering, self._asks = trio.CancelScope(), False
        self._carriers: dict[bytes, bytes] = {}
        self._cut: dict[bytes, float] = {}
        table.kept_here = self.keep
        table.on_tick.append(self._look)
        gossip.found = reach.wait_also_at
        if table.voice is not None and gossip.signs:
            table.way_back = self.text

    @property
    def _id(self) -> bytes:
        return self._table.lockstep.genesis.table

    def keep(self, text: str) -> bool:
        """True if a text is meant for this home: a ticket of this table, an answer to one of its tickets, or this
        home's address where that is asked for."""
        if (self._asks or self._lines.asks) and self._lines.typed(text):
            if self._asks and self._reach.outer_hosts():
                self._asks = False
                self._player.show(self.text)
            return True
        try:
            ticket = parse_table_ticket(text, time.time())
        except TicketError:
            return self._answers.take(text)
        if ticket.maker == self._table.me and holds_answer(text):
            return self._answers.take(text)  # its own ticket is quoted above an answer to it
        self._player.show(partial(self._read_text, self.take(ticket)))
        self._nursery.start_soon(self._answer, ticket)
        return True

    def take(self, ticket: TableTicket) -> int:
        """Dial the addresses in a ticket. Return how many members they are of, -1 for a ticket of another table."""
        if not ticket.right(self._id):
            return -1
        self._gossip.take(ticket.whereabouts)
        return sum(each.key != self._table.me for each in ticket.whereabouts)

    def _read_text(self, members: int) -> str:
        if members < 0:
            return _("That ticket is of another table, or somebody has altered it.")
        return ngettext(
            "The ticket tells where {n} member is; trying there …",
            "The ticket tells where {n} members are; trying there …",
            members,
        ).format(n=members)

    def ticket(self) -> TableTicket:
        """The ticket of this table, with as many whereabouts as fit, the own ones in any case."""
        table = self._table
        assert table.me is not None
        self._gossip.sign_anew()
        known = sorted(self._gossip.known.values(), key=lambda each: each.key != table.me)
        while True:
            made = make_table_ticket(self._gossip.signature, table.me, self._id, known, int(time.time()) + LASTS)
            try:
                str(made)
            except ValueError:
                known.pop()
            else:
                return made

    def text(self, relay: str = "") -> str:
        """The ticket of this table, with what to do with it. relay: a relay at which to wait from now on, "" for none
        more. UserError if that is none."""
        if relay:
            self._reach.wait_also_at([relay_named(relay)])
        told = _(
            "By this line a member who cannot find the others comes back to this table: send it, and they type: "
            "starlock resume TICKET. It tells the members' addresses, gives nobody a seat and lets nobody watch."
        )
        return f"{told}\n{self.ticket()}"

    def _look(self) -> None:
        """Tell once who is cut off because the friend who relayed for both has left."""
        links, now = self._reach.supervisor.links, trio.current_time()
        linked = {peer for peer, _instance in links}
        for (peer, _instance), link in links.items():
            self._cut.pop(peer, None)
            self._carriers.pop(peer, None)
            if (friend := friend_of(link.pipe.via)) is not None:
                self._carriers[peer] = friend
        here = {self._table.identity(key): key for key in self._table.others()}
        for peer, friend in list(self._carriers.items()):
            if peer in linked or friend in linked or peer not in here or friend not in here:
                self._cut.pop(peer, None)
            elif now - self._cut.setdefault(peer, now) >= CUT_OFF:
                del self._carriers[peer], self._cut[peer]
                names = self._table.name(here[friend]), self._table.name(here[peer])
                self._player.show(partial(_cut_off, *names))

    async def run(self) -> None:
        """Show the ticket if somebody is missing after a while, and answer the one that this home was called with."""
        given = self._given
        if given is not None:
            self.take(given)
        if self._answer_given:
            self._answers.take(self._answer_given)
        await trio.sleep(PATIENCE)
        others = [key for key in self._table.others() if self._table.identity(key) != self._identity.public]
        missing = [key for key in others if not self._table.linked(key)]
        if missing and self._table.way_back is not None and not self._table.lockstep.position.over:
            self._player.show(partial(self._table.way_back, ""))
            if self._reach.lacks_outer_host():
                self._asks = True
                self._player.notice(AnswerMade("", asks=True))
                self._player.show(address_text)
        if given is not None:
            await self._answer(given)

    async def _answer(self, ticket: TableTicket) -> None:
        """Answer a ticket if its maker is not linked soon: show the answer and call the maker until it is."""
        maker = self._table.lockstep.position.roster.get(ticket.maker)
        if maker is None or not ticket.right(self._id) or ticket.maker == self._table.me:
            return
        places = next((each.places for each in ticket.whereabouts if each.key == ticket.maker), ())
        identity = maker.certificate.identity
        await self._linked(identity, PATIENCE)
        if self._reaches(identity):
            return
        self._answering.cancel()
        with trio.CancelScope() as self._answering:
            async with trio.open_nursery() as nursery:
                asked = AnswerTo(self._id, table_meeting(self._id), identity, places)
                nursery.start_soon(self._lines.run, asked)
                await self._linked(identity, None)
                nursery.cancel_scope.cancel()

    def _reaches(self, identity: bytes) -> bool:
        return any(peer == identity for peer, _ in self._reach.supervisor.links)

    async def _linked(self, identity: bytes, seconds: float | None) -> None:
        """Wait until a link to this member is up, for so many seconds at most."""
        until = inf if seconds is None else trio.current_time() + seconds
        while not self._reaches(identity) and trio.current_time() < until:
            await pulse(LOOK_EVERY)


def _cut_off(friend: str, name: str) -> str:
    return _(
        "{friend} passed on what you and {name} tell each other, and is gone. Until {friend} is back: name a relay "
        "that both of you can use ({do:reach}), and send the other the line that this shows, to be pasted at the "
        "table. Without a relay, go on by post: starlock post."
    ).format(friend=friend, name=name, do=DO)
