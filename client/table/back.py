# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways back to a running table after addresses have changed: its ticket, made and read here, and answers to it."""

from __future__ import annotations

import time
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio

from client.system.texts import _, ngettext
from client.table.answering import Answering, Asked
from client.table.answers import Answers, wanted_at
from client.table.carrying import show_answer
from client.table.gossip import Gossip
from client.table.player import Player
from client.table.record import Record
from client.table.runtime import RunningTable
from p2p.identity.keys import SigningKey
from p2p.link.meet import table_meeting
from p2p.link.pulse import pulse
from p2p.reach.lines import TicketError
from p2p.reach.opened import Reach
from p2p.reach.whereabouts import TableTicket, make_table_ticket, parse_table_ticket

__all__ = ["WayBack"]

LASTS: Final = 7 * 24 * 3600
PATIENCE: Final = 15.0
"""Seconds in which members find each other by the addresses of last time."""
LOOK_EVERY: Final = 1.0


class WayBack:
    """See the module. given: the ticket that this home was called with, None without one."""

    def __init__(
        self,
        reach: Reach,
        identity: SigningKey,
        folder: Path,
        nursery: trio.Nursery,
        table: RunningTable,
        gossip: Gossip,
        player: Player,
        record: Record,
        given: TableTicket | None,
    ) -> None:
        self._reach, self._identity, self._folder, self._nursery = reach, identity, folder, nursery
        self._table, self._gossip, self._player, self._given = table, gossip, player, given
        wanted = wanted_at(record.genesis, record.ticket)
        self._answers = Answers(reach, identity, nursery, lambda: wanted, player.show)
        self._answering = trio.CancelScope()
        self._lines = Answering(reach, identity, folder, partial(show_answer, player), player.show)
        table.kept_here = self.keep
        if table.voice is not None and gossip.signs:
            table.way_back = self.text

    @property
    def _id(self) -> bytes:
        return self._table.lockstep.genesis.table

    def keep(self, text: str) -> bool:
        """True if a text is meant for this home: a ticket of this table, or an answer to one of its tickets."""
        try:
            ticket = parse_table_ticket(text, time.time())
        except TicketError:
            return self._answers.take(text)
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
        known = sorted(self._gossip.known.values(), key=lambda each: each.key != table.me)
        while True:
            made = make_table_ticket(self._gossip.signature, table.me, self._id, known, int(time.time()) + LASTS)
            try:
                str(made)
            except ValueError:
                known.pop()
            else:
                return made

    def text(self) -> str:
        """The ticket of this table, with what to do with it."""
        told = _(
            "By this line a member who cannot find the others comes back to this table: send it, and they type: "
            "starlock resume TICKET. It tells the members' addresses, gives nobody a seat and lets nobody watch."
        )
        return f"{told}\n{self.ticket()}"

    async def run(self) -> None:
        """Show the ticket if somebody is missing after a while, and answer the one that this home was called with."""
        given = self._given
        if given is not None:
            self.take(given)
        await trio.sleep(PATIENCE)
        missing = [key for key in self._table.others() if not self._table.linked(key)]
        if missing and self._table.way_back is not None and not self._table.lockstep.position.over:
            self._player.show(self._table.way_back)
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
                asked = Asked(self._id, table_meeting(self._id), identity, places)
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
