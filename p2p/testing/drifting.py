# SPDX-License-Identifier: GPL-3.0-or-later
"""A member whose engine computes another state from some input on, until it is mended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Self

from engine.core.dataclass import dataclass
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import Given, GivenAnswer, GivenOutcome
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member


@dataclass(slots=True)
class Drift:
    """Where an engine differs.

    Attributes:
        at: the first step of the first round with another state.
        odd: True if only an odd input of the step before leads there.
        mended: True if it differs no more.
    """

    at: int
    odd: bool = False
    mended: bool = False

    def leads(self, given: Given) -> bool:
        """True if this input leads to another state."""
        value = given.value if isinstance(given, GivenAnswer | GivenOutcome) else None
        number = sum(each for each in value if isinstance(each, int)) if isinstance(value, list) else value
        return not self.mended and (not self.odd or (isinstance(number, int) and number % 2 == 1))


class Drifting(TestMachine):
    """The test machine with a fault: it gives seat 0 a point too many."""

    def __init__(self, usual: TestMachine, drift: Drift) -> None:
        self.state, self.known, self.drift = usual.state, usual.known, drift

    def apply(self, given: Given) -> Sequence[object]:
        events = super().apply(given)
        if (self.state["round"], self.state["at"]) == (0, self.drift.at) and self.drift.leads(given):
            self.state["scores"][0] += 1
        return events

    def clone(self) -> Self:
        other = type(self)(TestMachine(self.state["seats"]), self.drift)
        other.state = json.loads(json.dumps(self.state))
        other.known = {seat: dict(faces) for seat, faces in self.known.items()}
        return other


def drifted(seats: int, drifter: int, step: int, seed: int = 3, draws: str = "open") -> tuple[DirectTable, Drift]:
    """Play a table until two engines differ. step: how many steps after the seats' draws one of them drifts."""
    table = DirectTable([[seat] for seat in range(seats)], seed, options={"draws": draws})
    drift = Drift(seats + step)
    table.peers[drifter] = member(table.genesis, table.keys[drifter], Drifting(TestMachine(seats, 1), drift))
    table.start()
    while not finders(table) and table.step():
        pass
    return table, drift


def finders(table: DirectTable) -> list[Lockstep]:
    """Return the members that hold an entry over another state."""
    return [peer for peer in table.peers if peer.reading.differing()]


def mended(table: DirectTable, drift: Drift, drifter: int) -> None:
    """Mend the engine of a member, which reads its store again."""
    drift.mended = True
    before, seats = table.peers[drifter], table.genesis.seats
    again = member(table.genesis, table.keys[drifter], TestMachine(seats, 1), before.member_secrets.choices)
    again.restore((entry, None) for entry in before.feeds.entries)
    again.start(new=True)
    table.peers[drifter] = again
    table.settle()


def repaired(table: DirectTable, proposer: Lockstep | None = None) -> int | None:
    """Let all read on from where their engines differed, once they agree. Return its height, None if nothing had been
    signed over another state."""
    there = [peer.position.height for peer in finders(table)]
    if not there:
        return None
    first = proposer or table.peers[0]
    for peer in (first, *(each for each in table.peers if each is not first)):
        refusal = peer.repair(min(there))
        assert refusal is None, refusal
        table.settle()
    return min(there)
