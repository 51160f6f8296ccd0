# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that want to read the cards of others: they vote to go back to before cards were dealt and choose otherwise,
so that another member is dealt them."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.pacts import Pact
from p2p.testing.hostile import Hostile
from p2p.testing.persons import Person
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Value

BACK: Final = 3
"""Times that the table goes back in a game."""
PROPOSALS: Final = 40
"""The most proposals of one of these."""


class HandReader(Hostile):
    """Goes back to the last choice before cards were dealt, whoever has read them, and chooses otherwise. It answers
    nothing before that, and signs whatever leads back."""

    proposed = 0

    @property
    def goal(self) -> int | None:
        """The height to go back to, None for none."""
        position = self.lockstep.position
        dealt = max((look.height for look in position.chance.looks), default=0)
        chosen = [at for at, wait in position.asked.items() if wait.kind == "choose" and position.history.stands(at)]
        before = max((at for at in chosen if at < dealt), default=-1)
        back = len(position.taken_back)
        all_here = self.lockstep.mute is None and position.members == tuple(position.roster)
        wanted = all_here and back < BACK and self.proposed < PROPOSALS and before >= position.chance.dealt_since
        return before if wanted else None

    def give(self, seat: int, values: list[Value]) -> None:
        if self.goal is None:
            other = len(self.lockstep.position.taken_back) % self.sim.seats
            super().give(seat, [other, *values[1:]])

    def manners(self) -> None:
        table, goal = self.lockstep, self.goal
        for vote in table.votes():
            if vote.pact.kind == "takeback" and self.me in vote.missing:
                table.sign(vote.pact.id)
        if goal is not None:
            self.proposed += 1
            pact = Pact("takeback", table.position.height, table.position.head, (), [goal, True])
            if not table.ballots.signed(pact, self.me):
                self.sign("pact", pact.body())
            table.advance()
        SimPeer.manners(self)


class Obliging(Person):
    """Signs every vote, as people do who trust each other."""

    hasty, willing, contrary = 0.0, 0.9, 0.0


READERS: Final[dict[str, type[SimPeer]]] = {kind.__name__: kind for kind in (HandReader, Obliging)}
