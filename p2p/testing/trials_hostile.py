# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of hostile members: of a strategy, a trick, a flood of entries or a misuse of votes, alone and in twos."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.lockstep.allowance import allowed, of_member
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import MAX_PROPOSALS, NEWCOMERS
from p2p.lockstep.unreachable import MOST
from p2p.testing.dividers import Divider, Rambler, divided_plan
from p2p.testing.drifters import Repairer
from p2p.testing.hostile import STRATEGIES, Equivocator, Hostile, Vanished
from p2p.testing.hostile_draws import ANEW, CHEATS
from p2p.testing.hostile_floods import FLOODS, Inviter, LeftOut, Wordy
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_voters import BESIDE_FORGERS, VOTERS, Doubletalker
from p2p.testing.kinds import KINDS as PAIRED
from p2p.testing.plans import FaultPlan, paired_plan, seats, tricking_plan, unsteady_plan
from p2p.testing.put_back import PUT_BACK, filled_plan, put_back_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, played, simulate
from p2p.wire.shapes import MAX_ENTRY

TRICKS: Final[dict[str, type[Hostile]]] = {**CHEATS, **SILENCES}
REFUSALS: Final = 4
"""The most votes that one honest member refuses in a game with one hostile member: the more members a fork has parted,
the more of them propose at the same moment."""
PARTING: Final[dict[str, type[Hostile]]] = {
    **{name: kind for name, kind in SILENCES.items() if kind.convicting},
    "Equivocator": Equivocator,
}
"""Those that sign two histories."""
PARTED: Final[dict[str, type[Hostile]]] = {
    **PARTING,
    "Doubletalker": Doubletalker,
    "Divider": Divider,
    "Rambler": Rambler,
}
"""The same, and those that part the others by it."""
MOST_KEPT: Final = 3_000_000
"""Bytes of one flooder's entries that a peer keeps at most."""


def hostile(seed: int, name: str = "") -> Simulation:
    """One of three to five follows a strategy, and is convicted where signed entries prove it. name: "" for one by
    lot."""
    kinds: dict[str, type[Hostile]] = {**STRATEGIES, "Repairer": Repairer}
    name = name or Random(f"strategy {seed}").choice(sorted(kinds))
    members = 3 + seed % 3
    culprit = seed % members
    table = simulate(seed, FaultPlan(seats(members), delay=0.3, hostile={culprit: name}), kinds)
    if kinds[name].convicting:
        demand_convicted(table, table.peers[culprit])
    return table


def lied_to(seed: int, name: str = "") -> Simulation:
    """One of three lies about newer entries or second copies, while the others sleep, crash and lose what they stored.
    name: the liar, "" for one by lot."""
    liar = name or Random(f"liar {seed}").choice(("Boaster", "Gossip"))
    plan = FaultPlan(
        seats(3), rounds=4, delay=0.3, crashes=2, torn=1, sleeps=2, cuts=2, draws=("open", "sealed")[seed % 2],
        limit=1500.0, hostile={seed % 3: liar},
    )  # fmt: skip
    return simulate(seed, plan, STRATEGIES)


def tricked(seed: int, name: str = "") -> Simulation:
    """One cheats with dice, cards or choices, or is silent at the worst moment. name: "" for a trick by lot."""
    name = name or Random(f"trick {seed}").choice(sorted(TRICKS))
    table = simulate(seed, tricking_plan(seed, name), TRICKS)
    culprit = next(peer for peer in table.peers if isinstance(peer, Hostile))
    if TRICKS[name].convicting and culprit.played:
        demand_convicted(table, culprit)
    judge = next(peer.lockstep for peer in table.peers if peer.honest)
    for peer in (peer for peer in table.peers if peer.honest):
        refused = sum(entry.kind == "refuse" for entry in judge.feeds.feed(peer.me))
        table.demand(refused <= REFUSALS, f"peer {peer.number} has refused {refused} votes")
    return table


def tricked_anew(seed: int, name: str = "") -> Simulation:
    """One of six vanishes; another one cheats when the deck is dealt anew for that. name: "" for a trick by lot."""
    plan = FaultPlan(
        seats(6), rounds=2, draws="sealed", hostile={1: name or sorted(ANEW)[seed % len(ANEW)], 5: "Vanished"}
    )
    table = simulate(seed, plan, {**ANEW, "Vanished": Vanished})
    cheat, vanished = table.peers[1], table.peers[5]
    if isinstance(cheat, Hostile) and cheat.played:
        demand_convicted(table, cheat)
        for peer in (peer for peer in table.peers if peer.honest):
            table.demand(peer.lockstep.position.membership.gone == {cheat.me, vanished.me}, "others are given up")
    return table


def demand_convicted(table: Simulation, culprit: SimPeer) -> None:
    """Demand that all honest members have convicted this one."""
    free = [peer.number for peer in table.peers if peer.honest and culprit.me not in peer.lockstep.faults]
    table.demand(not free, f"peer {culprit.number} is not convicted by {free}")


def flooded(seed: int, name: str = "") -> Simulation:
    """One of three to five says too much: of what nothing needs little is kept, passed on and exported. name: "" for a
    flood by lot."""
    name = name or Random(f"flood {seed}").choice(sorted(FLOODS))
    members = 3 + seed % 3
    table = simulate(seed, FaultPlan(seats(members), delay=0.3, hostile={seed % members: name}), FLOODS)
    culprit = table.peers[seed % members]
    for peer in (peer for peer in table.peers if peer.honest):
        if isinstance(culprit, Wordy):
            _demand_little(table, peer, culprit)
        if isinstance(culprit, Inviter):
            _demand_little_of_guests(table, peer.lockstep)
    return table


def _demand_little(table: Simulation, peer: SimPeer, culprit: Wordy) -> None:
    lockstep = peer.lockstep
    after_cut = isinstance(culprit, LeftOut)
    position = lockstep.position
    most = allowed(lockstep.hearing, position, culprit.me) if after_cut else of_member(position, named=True)
    kept = lockstep.feeds.spent(culprit.me)
    stored = sum(len(entry.raw) for entry, _ in peer.disk.entries if entry.author == culprit.me)
    exported = sum(len(entry.raw) for entry in lockstep.hearing.log if entry.author == culprit.me)
    table.demand(kept.others <= most.others, f"{kept.others} other entries are kept, of {most.others}")
    table.demand(kept.size <= min(most.size + MAX_ENTRY, MOST_KEPT), f"{kept.size} bytes are kept, of {most.size}")
    table.demand(stored <= exported <= kept.size + 100_000, f"stored {stored}, exported {exported} bytes, chats apart")
    passed = peer.passed_on[culprit.me]
    table.demand(passed <= 3 * len(table.peers) * kept.size, f"{passed} bytes are passed on")


def _demand_little_of_guests(table: Simulation, lockstep: Lockstep) -> None:
    """Demand that little is kept of keys that somebody proposes and nobody gives a seat."""
    hearing, position = lockstep.hearing, lockstep.position
    guests = {entry.author for entry in hearing.log} - position.roster.keys()
    table.demand(len(guests) <= NEWCOMERS, f"{len(guests)} guests are kept")
    for guest in guests:
        kept, most = hearing.feeds.spent(guest), allowed(hearing, position, guest)
        table.demand(kept.size <= most.size + MAX_ENTRY, f"{kept.size} bytes of a guest are kept, of {most.size}")


def voted(seed: int, name: str = "") -> Simulation:
    """One of four misuses votes. name: "" for a way by lot."""
    name = name or Random(f"voter {seed}").choice(sorted(VOTERS))
    return simulate(seed, FaultPlan(seats(4), delay=0.3, hostile={seed % 4: name}), VOTERS)


def foretold(seed: int, name: str = "") -> Simulation:
    """One of five signs two histories, and another one votes at heights that nobody has reached: the others refuse few
    of these votes. name: of the first one, "" for one by lot."""
    table = _beside_a_forger(seed, Random(f"foretold {seed}"), name, "Foreteller")
    for me, lockstep in ((peer.me, peer.lockstep) for peer in table.peers if peer.honest):
        refused = [entry for entry in lockstep.feeds.feed(me) if entry.kind == "refuse"]
        known = [pact for pact in lockstep.ballots.pacts.values() if lockstep.ballots.refused(pact, me)]
        later = [pact for pact in known if pact.at > lockstep.position.height]
        table.demand(len(later) <= MOST, f"{len(later)} votes of later heights are refused")
        most = MOST + MAX_PROPOSALS * (lockstep.position.height + 1)
        table.demand(len(refused) <= most, f"{len(refused)} votes are refused")
    return table


def hesitant(seed: int) -> Simulation:
    """One of five signs two histories, and another one keeps back its word on going on without it."""
    return _beside_a_forger(seed, Random(f"hesitant {seed}"), "", "Hesitant")


def _beside_a_forger(seed: int, random: Random, name: str, beside: str) -> Simulation:
    name, first, second = name or random.choice(sorted(PARTING)), *random.sample(range(5), 2)
    plan = replace(unsteady_plan(random, 5), draws=random.choice(("open", "sealed")))
    return played(seed, replace(plan, hostile={first: name, second: beside}), {**PARTING, **BESIDE_FORGERS})


def resumed(seed: int) -> Simulation:
    """One of four to six signs two histories, and all others quit and come back: they know of that still."""
    random = Random(f"resumed {seed}")
    members = random.choice((4, 5, 6))
    plan = replace(
        unsteady_plan(random, members),
        evenings=random.choice((1, 1, 2)),
        draws=random.choice(("open", "sealed")),
        hostile={random.randrange(members): random.choice(sorted(PARTED))},
    )
    return played(seed, plan, PARTED)


def doubletalk(seed: int) -> Simulation:
    """One of four to six shows its votes in two ways, perhaps beside another hostile one of five or six."""
    random = Random(f"doubletalk {seed}")
    members = random.choice((4, 5, 5, 6))
    first, second = random.sample(range(members), 2)
    beside = {second: random.choice(sorted(PAIRED))} if members > 4 and random.random() < 0.5 else {}
    plan = replace(
        unsteady_plan(random, members),
        draws=random.choice(("open", "sealed")),
        crashes=random.choice((0, 0, 1)),
        sleeps=random.choice((0, 0, 1, 2)),
        hostile={**beside, first: "Doubletalker"},
    )
    return played(seed, plan, {**PAIRED, "Doubletalker": Doubletalker})


def divided(seed: int) -> Simulation:
    """One gives another history to one member alone, which is away until the others have gone on."""
    return played(seed, divided_plan(seed), {"Divider": Divider})


def rambling(seed: int) -> Simulation:
    """The same, and it says more there, in all ways that lead nowhere."""
    return played(seed, divided_plan(seed, "Rambler"), {"Rambler": Rambler})


def paired(seed: int) -> Simulation:
    """Two of five are hostile, beside all other faults but disks that lose what they stored."""
    return played(seed, paired_plan(seed, sorted(PAIRED)), PAIRED)


def put_back(seed: int) -> Simulation:
    """One or two put old copies of their homes back beside one or two that keep back what they have lost, perhaps
    beside another hostile one. Every fourth table is one of many words."""
    plan = put_back_plan(seed, sorted(PAIRED)) if seed % 4 else filled_plan()
    return played(seed, plan, {**PAIRED, **PUT_BACK})
