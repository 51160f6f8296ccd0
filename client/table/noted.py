# SPDX-License-Identifier: GPL-3.0-or-later
"""What this home notes about a table that it plays."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import time

from client.table.people import debts_of, names_of_seats
from client.table.record import Record
from client.table.router import Links
from client.table.runtime import RunningTable
from client.words.rounds import round_told
from engine.core.dataclass import dataclass, field, replace
from p2p.link.pulse import pulse
from p2p.reach.whereabouts import Whereabouts


@dataclass(slots=True)
class Notes:
    """Updates the record of a table now and then and at the end: what `tables` shows, and the addresses to dial next
    time."""

    links: Links
    table: RunningTable
    record: Record
    every: float = 10.0
    last: Record | None = field(default=None)
    whereabouts: Callable[[], Collection[Whereabouts]] = tuple

    async def run(self) -> None:
        while True:
            await pulse(self.every)
            noted = self.noted(self.record)
            if noted != self.last:
                self.last = noted
                await self.table.writer.note(noted.info())

    def noted(self, record: Record) -> Record:
        table = self.table
        addresses = dict(record.addresses)
        for link in self.links.links.values():
            if link.peer_id in addresses:
                worked = [link.pipe.dial_back] if link.pipe.dial_back is not None else []
                addresses[link.peer_id] = tuple(
                    dict.fromkeys([*worked, *link.dial_addresses, *addresses[link.peer_id]])
                )[:8]
        held = dict((self.last or record).held)
        for name, have in table.held.items():
            known, writer = {feed.author: feed.seq for feed in have.feeds}, have.writer
            if writer is None or not table.linked(writer) or table.identity(writer) != table.who.get(name):
                continue
            if known != held.get(writer, (0, {}))[1]:
                held[writer] = int(time()), known
        record = replace(record, since=(self.last or record).since)
        return replace(
            standing(table, record),
            addresses=addresses,
            held=held,
            by_post=False,
            whereabouts=tuple(self.whereabouts()),
        )


def standing(table: RunningTable, record: Record) -> Record:
    """The record with the round, who is waited for, and since when."""
    position = table.lockstep.position
    height, owing, debts = position.height, table.lockstep.owing(), debts_of(table.lockstep)
    return replace(
        record,
        round=round_told(event for at, events in table.history if position.history.stands(at) for event in events),
        to_move=tuple(name for key in owing if key in debts for name in names_of_seats(position, key, owing[key])),
        since=record.since if record.since[0] == height and record.since[1] else (height, int(time())),
    )
