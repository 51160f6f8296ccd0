# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of members that want a roll again: every seed that an honest member has opened counts in the end, and where
two of three can undo a roll, the account lists it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2p.lockstep.audit import audit
from p2p.testing.drifters import Repairing
from p2p.testing.hostile_repairs import LATE_READERS
from p2p.testing.hostile_votes import VOTERS as CHOOSERS
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan, seats
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate


def choosing(seed: int, draws: str = "", kind: str = "") -> Simulation:
    """Two of three want a roll again: none of the third is undone, and its seat stays its own. draws: "" for both in
    turn. kind: the way in which they try, "" for one by lot."""
    kind = kind or Random(f"chooser {seed}").choice(("Chooser", "Rereader", "Pledger"))
    return _choosing(seed, draws, (kind, kind))


def late_reading(seed: int, draws: str = "", beside: str = "") -> Simulation:
    """The same by reading on from a height before the roll, over states of which one at least names its own only then.
    beside: the other one, "" for one by lot."""
    beside = beside or Random(f"late reader {seed}").choice(sorted(LATE_READERS))
    return _choosing(seed, draws, ("LateReader", beside))


def late_differing(seed: int, draws: str = "") -> Simulation:
    """Both have named another state in time, so that they can undo rolls by reading on later: the account lists each
    with them as its voters."""
    table = _two_of_three(seed, draws, ("Differer", "Differer"))
    third = table.peers[seed % 3]
    voters = {peer.me for peer in table.peers if peer is not third}
    found = audit(third.lockstep.feeds.entries, lambda genesis: TestMachine(genesis.seats, 3))
    listed = {each.said.height for each in found.undone if {*each.voters} == voters}
    for height in undone_rolls(third):
        table.demand(height in listed, f"the account does not list the roll at {height} that they have undone")
    return table


def state_lying(seed: int, members: int = 0) -> Simulation:
    """One names states that nobody computes and asks to read on: that undoes no roll. members: 0 for 3 to 5."""
    members = members or 3 + seed // 5 % 3
    liar = seed % members
    hostile = {number: "StateLiar" if number == liar else "Repairing" for number in range(members)}
    table = simulate(seed, FaultPlan(seats(members), rounds=3, hostile=hostile), {**CHOOSERS, "Repairing": Repairing})
    demand_rolls(table)
    return table


def _choosing(seed: int, draws: str, kinds: Sequence[str]) -> Simulation:
    table = _two_of_three(seed, draws, kinds)
    demand_rolls(table)
    alone = table.peers[seed % 3]
    table.demand(alone.lockstep.position.owner[seed % 3] == alone.me, "a seat is taken from its player")
    return table


def _two_of_three(seed: int, draws: str, kinds: Sequence[str]) -> Simulation:
    third = seed % 3
    first, second = (number for number in range(3) if number != third)
    draws = draws or ("open", "sealed")[seed // 3 % 2]
    hostile = {third: "Repairing" if kinds[0] in LATE_READERS else "", first: kinds[0], second: kinds[1]}
    plan = FaultPlan(seats(3), rounds=3, draws=draws, limit=300.0, hostile=hostile)
    table = Simulation(seed, plan, {**CHOOSERS, **LATE_READERS, "Repairing": Repairing})
    table.run()
    return table


def demand_rolls(table: Simulation) -> None:
    """Demand that every seed that an honest member has opened counts in the end."""
    for peer in (peer for peer in table.peers if peer.honest):
        for height in undone_rolls(peer):
            table.demand(False, f"a roll of peer {peer.number} at {height} is undone")


def undone_rolls(peer: SimPeer) -> list[int]:
    """Return the heights of the rolls for which a member has opened its seed, and which do not count."""
    position = peer.lockstep.position
    opened = [entry for entry in peer.lockstep.feeds.feed(peer.me) if entry.kind == "open"]
    counts = (
        position.held(each.height, each.head) is not None and position.history.stands(each.height) for each in opened
    )
    return [entry.height for entry, stands in zip(opened, counts, strict=True) if not stands]
