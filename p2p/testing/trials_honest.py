# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of what befalls honest members: faults of the network and of disks, sleep, engines that differ, second copies
of a home, moves to another key, and leaving. A hostile one may sit beside them."""

from __future__ import annotations

from random import Random

from engine.core.dataclass import replace
from p2p.lockstep.audit import audit
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.pacts import LEAVING
from p2p.testing.copies import Lidded, copied_plan
from p2p.testing.drifters import BESIDE, Drifter, DriftingTable, drifting_table
from p2p.testing.hostile import STRATEGIES
from p2p.testing.hostile_floods import Inviter
from p2p.testing.kinds import KINDS as PAIRED
from p2p.testing.leavers import LEAVERS, leaving_plan
from p2p.testing.machine import TestMachine
from p2p.testing.movers import MOVERS, Mover, moving_plan
from p2p.testing.persons import PERSONS
from p2p.testing.plans import random_plan, sleepy_plan
from p2p.testing.simulator import Simulation, played, simulate


def honest(seed: int) -> Simulation:
    """Honest members, all faults of the network, and disks that lose their last writes."""
    return simulate(seed, replace(random_plan(seed), torn=seed % 4))


def sleepy(seed: int) -> Simulation:
    """Members that sleep, persons who act at random, and sometimes one that hinders votes."""
    return played(seed, sleepy_plan(seed), {**STRATEGIES, **PERSONS})


def drifting(seed: int, hostile: str = "") -> DriftingTable:
    """A member whose engine differs until it is mended: all read on then, and the log is complete. A judge finds
    nothing in it but the word over another state of a member that the others have left out for that.

    hostile: the strategy of another one.
    """
    table = drifting_table(seed, hostile)
    judged = table.judged()
    table.demand(judged.complete, "the log is not complete")
    lockstep = next(peer.lockstep for peer in table.peers if peer.honest)
    log, heights = lockstep.hearing.log, lockstep.position.past
    leaving = (pact for at in heights for pact in lockstep.applied(at) if pact.kind in LEAVING)
    left_out = {author for pact in leaving for author in pact.named}
    differed = {peer.me for peer in table.peers if isinstance(peer, Drifter)} & left_out
    for problem in judged.problems if not hostile else ():
        author = None if problem.entry is None else log[problem.entry].author
        table.demand(problem.code == "entry/other-state" and author in differed, f"the log has a problem: {problem}")
    return table


def drifting_beside(seed: int) -> DriftingTable:
    """The same beside a hostile member."""
    return drifting(seed, Random(f"drifting beside {seed}").choice(sorted(BESIDE)))


def copied(seed: int, members: int = 0) -> Lidded:
    """A home that runs twice for a time: nobody is convicted. members: 0 for 2 to 4."""
    table = Lidded(seed, copied_plan(seed, members or 2 + seed // 2 % 3))
    table.run()
    table.check_end()
    table.demand(not any(peer.lockstep.faults for peer in table.peers), "a copy is convicted")
    return table


def moving(seed: int, kind: str = "", beside: str = "") -> Simulation:
    """One goes on with another key, whatever its old key says, or lets seats pass on: a judge of the log finds no fault
    but of those that cheat by more than that. kind: how it moves, "" for a way by lot. beside: the strategy of another
    one."""
    plan = moving_plan(seed, kind or Random(f"mover {seed}").choice(sorted({*MOVERS} - {"Trusting"})), beside)
    table = simulate(seed, plan, {**PAIRED, **MOVERS, "Inviter": Inviter})

    def machine(genesis: Genesis) -> TestMachine:
        return TestMachine(genesis.seats, plan.rounds)

    judge = next(peer for peer in table.peers if peer.honest and not isinstance(peer, Mover)).lockstep
    cheats = [peer for peer in table.peers if plan.hostile[peer.number] in ("TwoAnswers", beside)]
    theirs = {key for peer in cheats for key in (peer.me, getattr(peer, "old", None))}
    log = judge.hearing.log
    found = audit(log, machine).problems
    problems = [each for each in found if each.entry is None or log[each.entry].author not in theirs]
    table.demand(not problems, f"the log has problems: {problems[:3]}")
    return table


def moving_beside(seed: int) -> Simulation:
    """The same beside a hostile member."""
    return moving(seed, beside=Random(f"moving beside {seed}").choice(sorted(PAIRED)))


def moving_among_guests(seed: int) -> Simulation:
    """The same beside one who proposes seats for more keys than a log has room for."""
    return moving(seed, beside="Inviter")


def leaving(seed: int, kind: str = "") -> Simulation:
    """A minority, or one of two, leaves by a signature. kind: how, "" for a way by lot."""
    plan = leaving_plan(seed, kind or Random(f"leaver {seed}").choice(sorted(LEAVERS)))
    return played(seed, plan, {**STRATEGIES, **PERSONS, **LEAVERS})
