# SPDX-License-Identifier: GPL-3.0-or-later
"""A forger whose other history one member alone gets, which the network then keeps away from the others for a time. So
they go on and leave that one out, perhaps before they know that there are two histories."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.log.feeds import HELD
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Equivocator, Hostile
from p2p.testing.hostile_voters import WORDS
from p2p.testing.plans import FaultPlan, unsteady_plan
from p2p.testing.simpeer import read_once
from p2p.wire.codec import Value
from p2p.wire.entry import Entry, make_entry
from p2p.wire.messages import Push, Sent

PARTED_AFTER: Final = 5.0
"""The most seconds from the first such answer until the network parts."""
PARTED: Final = 400.0
"""The most seconds for which it is parted."""
WAYS: Final = ("goes on", "leaves", "parts again", "follows nothing")
RAMBLED: Final = 5
"""Words of another history in a second."""
MOST_RAMBLED: Final = 400
"""Such words in a game."""


class Divider(Equivocator):
    """Gives one member other answers than all others, and is perhaps kept away from the others too."""

    away = -1

    def send(self, other: int, message: TableMessage) -> None:
        if self.away < 0:
            self.away = self.sim.random.choice([peer.number for peer in self.sim.peers if peer is not self])
        sent = message
        if isinstance(message, Push) and other == self.away:
            sent = Push(tuple(self._twist(each) for each in message.entries))
        if sent != message and not self.played:
            self.played = True
            self.sim.after(self.sim.random.uniform(0.0, PARTED_AFTER), self._divide)
        Hostile.send(self, other, sent)

    def _divide(self) -> None:
        random = self.sim.random
        seconds, gone = random.uniform(0.0, PARTED), [self.away, *([self.number] if random.random() < 0.5 else [])]
        there = [peer.number for peer in self.sim.peers if peer.number not in (self.away, self.number)]
        for one in gone:
            for other in there:
                self.sim.part(one, other, seconds)


class Rambler(Divider):
    """Says more on the history that one member alone gets: it goes on, leaves, or parts again and again, or what it
    says follows nothing. To the others it says more than can be held of a history before some of its answers."""

    way = ""

    def boot(self) -> None:
        self.told: list[Entry] = []
        self.way = self.way or self.sim.random.choice(WAYS)
        super().boot()

    def give(self, seat: int, values: list[Value]) -> None:
        """Answer, perhaps behind many words."""
        if self.sim.random.random() < 0.3 and len(self.lockstep.feeds.feed(self.me)) < WORDS:
            for _ in range(HELD + 6):
                self.sign("clock", [self.me])
        super().give(seat, values)

    def tick(self) -> None:
        """Ramble besides."""
        super().tick()
        if self.alive and self.told and len(self.told) < MOST_RAMBLED and self.sim.linked(self.number, self.away):
            said = [self._ramble() for _ in range(RAMBLED if self.way != "leaves" else len(self.told) == 1)]
            self.sim.send(self.number, self.away, Push(tuple(Sent(entry.raw) for entry in said)))

    def _ramble(self) -> Entry:
        random, last = self.sim.random, self.told[-1]
        after = random.choice(self.told) if self.way == "parts again" else last
        seq, prev = after.seq + 1, after.id
        if self.way == "follows nothing":
            seq, prev = random.randint(1, last.seq + 1), random.randbytes(32)
        kind, body = ("leave", None) if self.way == "leaves" else ("clock", [random.randbytes(32)])
        entry = make_entry(
            self.keys.key.private, table=last.table, seq=seq, prev=prev, epoch=last.epoch, height=last.height,
            head=last.head, state=last.state, kind=kind, body=body,
        )  # fmt: skip
        self.told.append(entry)
        return entry

    def _twist(self, sent: Sent) -> Sent:
        twisted = super()._twist(sent)
        if twisted != sent and not self.told:
            self.told.append(read_once(twisted.raw))
        return twisted


def divided_plan(seed: int, name: str = "Divider") -> FaultPlan:
    """Return the plan of a number: five or six members, of which one divides the others; the disks of some fail. name:
    how it does that."""
    random = Random(f"divided {seed}")
    members = random.choice((5, 6))
    return replace(
        unsteady_plan(random, members),
        draws=random.choice(("open", "sealed")),
        crashes=random.choice((0, 0, 1)),
        hostile={random.randrange(members): name},
    )
