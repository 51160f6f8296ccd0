# SPDX-License-Identifier: GPL-3.0-or-later
"""A forger whose other history one member alone gets, which the network then keeps away from the others for a time. So
they go on and leave that one out, perhaps before they know that there are two histories."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Equivocator, Hostile
from p2p.testing.plans import FaultPlan, unsteady_plan
from p2p.wire.messages import Push

PARTED_AFTER: Final = 5.0
"""The most seconds from the first such answer until the network parts."""
PARTED: Final = 400.0
"""The most seconds for which it is parted."""


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


def divided_plan(seed: int) -> FaultPlan:
    """Return the plan of a number: five or six members, of which one divides the others; the disks of some fail."""
    random = Random(f"divided {seed}")
    members = random.choice((5, 6))
    return replace(
        unsteady_plan(random, members),
        draws=random.choice(("open", "sealed")),
        crashes=random.choice((0, 0, 1)),
        hostile={random.randrange(members): "Divider"},
    )
