# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest members that vote like persons instead of bots. They must not harm anybody."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.consent import unreached
from p2p.lockstep.voting import Vote
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Value


class Person(SimPeer):
    """Votes at random, at any moment: leaves out members that think, refuses without a reason, comes back at any time.
    Probabilities are for each second."""

    hasty, willing, contrary = 0.03, 0.3, 0.03

    def give(self, seat: int, values: list[Value]) -> None:
        if self.lockstep.answer(seat, values) is not None:
            self.lockstep.answer(seat, values[:1])

    def manners(self) -> None:
        table, random = self.lockstep, self.sim.random
        if self.me in table.position.cut:
            if random.random() < self.willing:
                table.propose("back")
            return
        for vote in table.votes():
            if self.me in vote.missing:
                self._say(vote)
        others = [key for key in table.position.roster if key != self.me]
        if random.random() < self.hasty:
            self._leave_out(random.choice(("absent", "absent", "gone")), random.choice(others))

    def _say(self, vote: Vote) -> None:
        chance = self.sim.random.random()
        if chance < self.contrary:
            self.lockstep.refuse(vote.pact.id, "pact/declined")
        elif chance < self.contrary + self.willing and not self._unreached(vote.missing):
            self.lockstep.sign(vote.pact.id)

    def _leave_out(self, kind: str, key: bytes) -> None:
        position = self.lockstep.position
        words = [other for other in position.members if other != key and other not in position.cut]
        if not self._unreached(words):
            self.lockstep.propose(kind, [key])

    def _unreached(self, keys: tuple[bytes, ...] | list[bytes]) -> list[bytes]:
        return unreached(self.exchange, self.me, keys)


class Hasty(Person):
    """Always proposes to leave out a member."""

    hasty = 0.5


class Startled(Person):
    """Does so mostly right after it has slept, before it knows anything."""

    def wake(self) -> None:
        self.asleep = False
        for other in self.sim.peers:
            self._leave_out("absent", other.me)
        self.asleep = True
        super().wake()


class Contrary(Person):
    """Refuses half of all proposals."""

    contrary = 0.2


class Mute(Person):
    """Never votes, and proposes nothing."""

    hasty = willing = contrary = 0.0


PERSONS: Final[dict[str, type[Person]]] = {kind.__name__: kind for kind in (Person, Hasty, Startled, Contrary, Mute)}
