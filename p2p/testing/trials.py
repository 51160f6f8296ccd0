# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of simulated table, by name: a trial plays the table of a number and demands what is promised there.

Each demands at least the invariants of `p2p.testing.simulator`. What is broken raises a `Violation` with the number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.lockstep.allowance import allowed, of_member
from p2p.lockstep.audit import audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import LEAVING, MAX_PROPOSALS, NEWCOMERS
from p2p.lockstep.unreachable import MOST
from p2p.log.feeds import Feeds
from p2p.testing.between import BETWEEN, between_plan
from p2p.testing.copies import Lidded, copied_plan
from p2p.testing.dividers import Divider, divided_plan
from p2p.testing.drifters import Drifter, DriftingTable, Repairer, Repairing, drifting_table
from p2p.testing.endings import Confirmed, last_word_plan, undoing_plan
from p2p.testing.hostile import STRATEGIES, Equivocator, Hostile, Silent, Vanished
from p2p.testing.hostile_draws import ANEW, CHEATS
from p2p.testing.hostile_floods import FLOODS, Inviter, LeftOut, Wordy
from p2p.testing.hostile_repairs import LATE_READERS
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_voters import BESIDE_FORGERS, VOTERS, Doubletalker
from p2p.testing.hostile_votes import VOTERS as CHOOSERS
from p2p.testing.kinds import KINDS as PAIRED
from p2p.testing.leavers import LEAVERS, leaving_plan
from p2p.testing.machine import Brief, TestMachine
from p2p.testing.movers import MOVERS, Mover, moving_plan
from p2p.testing.persons import PERSONS
from p2p.testing.plans import FaultPlan, paired_plan, random_plan, sleepy_plan, tricking_plan, unsteady_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate
from p2p.wire.shapes import MAX_ENTRY
from seeds.hashing import H

TRICKS: Final[dict[str, type[Hostile]]] = {**CHEATS, **SILENCES}
REFUSALS: Final = 4
"""The most votes that one honest member refuses in a game with one hostile member: the more members a fork has parted,
the more of them propose at the same moment."""
PARTING: Final[dict[str, type[Hostile]]] = {
    **{name: kind for name, kind in SILENCES.items() if kind.convicting},
    "Equivocator": Equivocator,
}
"""Those that sign two histories."""
MOST_KEPT: Final = 3_000_000
"""Bytes of one flooder's entries that a peer keeps at most."""


def seats(members: int) -> tuple[tuple[int, ...], ...]:
    """Return the holdings of so many members with one seat each."""
    return tuple((number,) for number in range(members))


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
    return drifting(seed, Random(f"drifting beside {seed}").choice(sorted(STRATEGIES)))


def copied(seed: int, members: int = 0) -> Lidded:
    """A home that runs twice for a time: nobody is convicted. members: 0 for 2 to 4."""
    table = Lidded(seed, copied_plan(seed, members or 2 + seed // 2 % 3))
    table.run()
    table.check_end()
    table.demand(not any(peer.lockstep.faults for peer in table.peers), "a copy is convicted")
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


def played(seed: int, plan: FaultPlan, strategies: Mapping[str, type[SimPeer]]) -> Simulation:
    """Play a table to its end. It may pause where fewer than t of the members of its height are honest and there: an
    honest one that was away until it was left out may be one too many beside those who are not."""
    table = Simulation(seed, plan, strategies)
    table.run()
    if table.lacking:
        owing = all(peer.lockstep.owing() for peer in table.peers if peer.honest)
        table.demand(owing and plan.sleeps + plan.crashes + plan.cuts > 0, "it pauses without a reason")
    else:
        table.check_end()
    return table


def last_words(seed: int) -> Confirmed:
    """One shows its last entry in two ways: all honest members have one end, and it is final."""
    table = Confirmed(seed, last_word_plan(seed), SILENCES)
    table.run()
    demand_one_end(table)
    return table


def demand_one_end(table: Confirmed) -> None:
    """Demand that all honest members have one end, and that it is final for each."""
    table.check_end()
    there = {peer.number for peer in table.peers if peer.honest}
    table.demand(there == set(table.final) and len(set(table.final.values())) == 1, "the end is not final for all")


def between(seed: int, kind: str = "") -> Confirmed:
    """One of five leads two parts of a table, which hear nothing of each other, to two ends: one of these is final for
    all when they meet, also for a judge of the log and for somebody who hears the feeds one by one. kind: when it signs
    what leads to the second end, "" for one by lot."""
    kind = kind or Random(f"between {seed}").choice(sorted(BETWEEN))
    table = Confirmed(seed, between_plan(seed, kind), BETWEEN, Brief)
    table.run()
    demand_one_end(table)
    demand_end_stands(table)
    return table


def undoing(seed: int, kind: str = "") -> Confirmed:
    """More than half vote against the end that all have signed: it stays, also for a judge of the log and for somebody
    who hears the feeds one by one. kind: how they do it, "" for a way by lot."""
    kind = kind or Random(f"undoer {seed}").choice(("Undoer", "Continuer"))
    table = Confirmed(seed, undoing_plan(seed, kind), {**CHOOSERS, "Silent": Silent})
    table.run()
    demand_end_stands(table)
    return table


def demand_end_stands(table: Confirmed) -> None:
    """Demand that a judge of each honest member's log, and somebody who hears its feeds one by one, come to the end
    that was final for it."""
    for peer in (peer for peer in table.peers if peer.honest):
        feeds = peer.lockstep.feeds
        found = audit(feeds.entries, lambda genesis: type(table.fresh)(genesis.seats, 1))
        late = Follower(table.genesis, type(table.fresh)(table.genesis.seats, 1))
        hear_feeds(late, feeds, sorted(feeds.authors, key=lambda author: H("order", table.seed, author)))
        for head in (found.head, late.position.head):
            table.demand(table.final.get(peer.number) == head, "an end that was final is undone")


def hear_feeds(late: Follower, feeds: Feeds, authors: Sequence[bytes]) -> None:
    """Let a follower take of each feed in turn what it takes, until it takes no more."""
    known = -1
    while known < len(late.feeds.entries):
        known = len(late.feeds.entries)
        for author in authors:
            for entry in feeds.feed(author)[len(late.feeds.feed(author)) :]:
                late.feed(entry)
                late.settled()
        late.compared()
        late.settled()


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


def state_lying(seed: int, members: int = 0) -> Simulation:
    """One names states that nobody computes and asks to read on: that undoes no roll. members: 0 for 3 to 5."""
    members = members or 3 + seed // 5 % 3
    liar = seed % members
    hostile = {number: "StateLiar" if number == liar else "Repairing" for number in range(members)}
    table = simulate(seed, FaultPlan(seats(members), rounds=3, hostile=hostile), {**CHOOSERS, "Repairing": Repairing})
    demand_rolls(table)
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


def demand_convicted(table: Simulation, culprit: SimPeer) -> None:
    """Demand that all honest members have convicted this one."""
    free = [peer.number for peer in table.peers if peer.honest and culprit.me not in peer.lockstep.faults]
    table.demand(not free, f"peer {culprit.number} is not convicted by {free}")


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


def paired(seed: int) -> Simulation:
    """Two of five are hostile, beside all other faults but disks that lose what they stored."""
    return played(seed, paired_plan(seed, sorted(PAIRED)), PAIRED)


TRIALS: Final[dict[str, Callable[[int], Simulation]]] = {
    "honest": honest,
    "sleepy": sleepy,
    "drifting": drifting,
    "drifting-hostile": drifting_beside,
    "copies": copied,
    "liars": lied_to,
    "movers": moving,
    "movers-hostile": moving_beside,
    "movers-guests": moving_among_guests,
    "leavers": leaving,
    "last-words": last_words,
    "between": between,
    "undoers": undoing,
    "choosers": choosing,
    "late-readers": late_reading,
    "state-liars": state_lying,
    "hostile": hostile,
    "tricks": tricked,
    "tricks-anew": tricked_anew,
    "floods": flooded,
    "voters": voted,
    "foretold": foretold,
    "hesitant": hesitant,
    "doubletalk": doubletalk,
    "divided": divided,
    "paired": paired,
}
"""Kind of table → its trial."""
