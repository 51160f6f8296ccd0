"""Members who come back from what they had read before, at tables where all goes wrong, stay honest members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from movedtables import welcome
from volume import GATE, VOLUME, seeds

from client.table.snapshot import packed, unpacked
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.account import pacts
from p2p.lockstep.effects import More, Work
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import moving_lobby
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import maker
from p2p.testing.drifters import Drifter, DriftingTable, Repairing
from p2p.testing.drifting import Drift
from p2p.testing.kinds import KINDS as PAIRED
from p2p.testing.leavers import LEAVERS, leaving_plan
from p2p.testing.machine import TestMachine
from p2p.testing.movers import MOVERS, Trusting, moving_plan
from p2p.testing.plans import FaultPlan, paired_plan, random_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, played, simulate
from p2p.testing.tables import DirectTable
from p2p.testing.trials_ends import undoing
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Attachment, Entry
from seeds.hashing import H


class Keeper(SimPeer):
    """Keeps now and then how far it has read, and goes on from there after a crash if its disk still holds all of it.
    used: how often; what it reads beside must lead to where reading all of its disk leads."""

    kept = b""
    used = 0

    def pump(self) -> None:
        super().pump()
        if self.alive and self.sim.random.random() < 0.1:
            secrets = self.lockstep.member_secrets
            self.kept = packed(self.lockstep.reading, {"genesis": self.sim.genesis, "member secrets": secrets})

    def restored(self) -> Lockstep:
        for one, other in zip(stands(self.back()), stands(super().restored()), strict=True):
            self.sim.demand(one == other, f"peer {self.number} came back elsewhere: {one} and not {other}")
        return self.back()

    def back(self) -> Lockstep:
        back = Lockstep(
            self.sim.genesis,
            TestMachine(self.sim.seats, self.sim.plan.rounds),
            me=self.me,
            make=maker(self.keys.key),
            secret=self.keys.secret,
            sign=self.keys.key.sign,
            choices=self.disk.choices,
            read=self.read,
        )
        known = {entry.id for entry in back.feeds.entries}
        further = [each for each in self.disk.entries if each[0].id not in known]
        back.restore(further, proven=self.disk.proven, forks=self.disk.forks)
        return back

    def read(self, secrets: MemberSecrets) -> Reading | None:
        if not self.kept:
            return None
        named = {"genesis": self.sim.genesis, "member secrets": secrets}
        reading: Reading = unpacked(self.kept, named)
        if not {entry.id for entry in reading.hearing.log} <= {entry.id for entry, _ in self.disk.entries}:
            return None
        self.used += 1
        return reading


def stands(member: Lockstep) -> list[object]:
    """Where a member stands when all work under way is done."""
    member.advance()
    while effects := member.effects():
        for effect in effects:
            if isinstance(effect, Work):
                member.worked(effect.job, effect.job.run())
            elif isinstance(effect, More):
                member.go_on()
    position = member.position
    return [
        position.height, position.head, position.state, position.outcomes, position.cut, position.membership.gone,
        member.owing(), member.debts(), member.feeds.have(), member.unconfirmed, member.machine.digest(),
    ]  # fmt: skip


class Trusted(Keeper, Trusting):
    """One that lets friends move to another key."""


class Repaired(Keeper, Repairing):
    """One that reads on wherever programs have differed."""


@pytest.mark.parametrize("batch", seeds(1))
def test_who_comes_back_from_a_snapshot_stands_where_its_disk_leads_and_harms_nobody(batch: int) -> None:
    used = 0
    for seed in range(4 * batch, 4 * (batch + 1)):
        plan = random_plan(seed)
        everybody = dict.fromkeys(range(len(plan.holdings)), "Keeper")
        plan = replace(plan, crashes=4, torn=1, takebacks=seed % 4, hostile=everybody)
        used += uses(simulate(seed, plan, {"Keeper": Keeper}))
    assert used > 0


def test_so_does_who_comes_back_to_a_table_where_somebody_has_moved_to_another_key() -> None:
    used, moves = 0, 0
    for seed in seeds(3, 700):
        plan = replace(moving_plan(seed, "Mover"), crashes=9, rounds=8)
        table = simulate(seed, plan, {**MOVERS, "Trusting": Trusted})
        used, moves = used + uses(table), moves + agreed(table, "moved")
        if used and moves and VOLUME == GATE:
            break
    assert used > 0
    assert moves > 0


def test_so_does_who_comes_back_to_a_table_that_somebody_has_left() -> None:
    used, left = 0, 0
    for seed in seeds(2, 800):
        plan = leaving_plan(seed, "Leaver")
        others = {number: "Keeper" for number in range(len(plan.holdings)) if number not in plan.hostile}
        plan = replace(plan, crashes=6, hostile={**others, **plan.hostile})
        table = simulate(seed, plan, {**LEAVERS, "Keeper": Keeper})
        used, left = used + uses(table), left + agreed(table, "leave")
        if used and left and VOLUME == GATE:
            break
    assert used > 0
    assert left > 0


@pytest.mark.soak
def test_so_does_who_comes_back_to_a_table_with_two_hostile_members() -> None:
    used = 0
    for seed in seeds(3, 920):
        plan = paired_plan(seed, sorted(PAIRED))
        others = {number: "Keeper" for number in range(len(plan.holdings)) if number not in plan.hostile}
        plan = replace(plan, crashes=6, hostile={**others, **plan.hostile})
        table = played(seed, plan, {**PAIRED, "Keeper": Keeper})
        used += sum(peer.used for peer in table.peers if isinstance(peer, Keeper))
    assert used > 0


def test_so_does_who_comes_back_to_a_table_that_was_repaired() -> None:
    used, repaired = 0, 0
    for seed in seeds(1, 910):
        members = 4
        kinds = {number: "Drifter" if number == 0 else "Repaired" for number in range(members)}
        plan = FaultPlan(tuple((number,) for number in range(members)), rounds=2, crashes=6, hostile=kinds)

        class Here(Drifter):
            drift, mends = Drift(members + 4, odd=True), 30.0

        table = DriftingTable(seed, plan, {"Drifter": Here, "Repaired": Repaired})
        table.run()
        table.check_end()
        used, repaired = used + uses(table), repaired + agreed(table, "repair")
    assert used > 0
    assert repaired > 0


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_who_has_kept_the_beginning_of_a_log_comes_back_to_the_end_that_all_had_signed(seed: int) -> None:
    """More than half have voted against that end, and signed another one."""
    table = undoing(seed, "Continuer")
    for peer in (peer for peer in table.peers if peer.honest):
        ordered = sorted(peer.lockstep.hearing.log, key=lambda entry: (entry.author, entry.seq))
        log = [(entry, None) for entry in ordered]
        before = reader(peer.lockstep, peer.keys, log[: len(log) // 10])
        data = packed(before.reading, {"genesis": table.genesis, "member secrets": before.member_secrets})
        after = reader(peer.lockstep, peer.keys, log, partial(read_again, table.genesis, data))
        stands(after)
        assert after.position.head == table.final[peer.number]


def uses(table: Simulation) -> int:
    """How often somebody went on from a snapshot. All members that know the end know the same."""
    assert len({peer.lockstep.position.head for peer in table.peers if not peer.lockstep.voting.left_out}) == 1
    return sum(peer.used for peer in table.peers if isinstance(peer, Keeper))


def agreed(table: Simulation, kind: str) -> int:
    """How many pacts of a kind took effect."""
    return sum(pact.kind == kind for pact in pacts(table.peers[-1].lockstep))


def test_from_any_point_of_a_log_with_a_move_a_take_back_and_a_leave_the_rest_leads_to_the_same() -> None:
    """Each member reads a part of the log, is packed and unpacked, and reads the rest."""
    made = with_all()
    first = partial(reader, made.peers[0], made.keys[0])
    log = [(entry, made.peers[0].texts.get(entry.id)) for entry in made.peers[0].hearing.log]
    whole = stands(first(log))
    kinds = {pact.kind for pact in pacts(made.peers[0])}
    assert kinds >= {"moved", "takeback", "leave"}
    for cut in sorted(Random(1).sample(range(1, len(log)), min(CUTS, len(log) - 1))):
        before = first(log[:cut])
        stands(before)
        data = packed(before.reading, {"genesis": made.genesis, "member secrets": before.member_secrets})
        after = first(log, partial(read_again, made.genesis, data))
        assert stands(after) == whole, cut


@pytest.mark.parametrize("holdings", [[[0, 2], [1]], [[0, 3], [1], [2]]], ids=["a hash alone", "sealed to the others"])
def test_who_comes_back_from_a_snapshot_opens_choices_that_its_store_has_lost(holdings: list[list[int]]) -> None:
    """They are read from the own entries, which lie before the snapshot."""
    made = DirectTable(holdings, rounds=1, options={"draws": "sealed"})
    made.start()
    made.play()
    first = partial(reader, made.peers[0], made.keys[0])
    log = made.log[: [entry.kind for entry, _ in made.log].index("reveal")]
    before = first(log)
    stands(before)
    data = packed(before.reading, {"genesis": made.genesis, "member secrets": before.member_secrets})
    after = first(log, partial(read_again, made.genesis, data))
    for peer in (before, after):
        peer.start(new=True)
        stands(peer)
        assert peer.mute is None
        assert "reveal" in [entry.kind for entry in peer.feeds.feed(peer.me or b"")]


def read_again(genesis: Genesis, data: bytes, secrets: MemberSecrets) -> Reading:
    found: Reading = unpacked(data, {"genesis": genesis, "member secrets": secrets})
    return found


CUTS = 12 * VOLUME
"""Points of a log from which it is read on."""
NEW = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)


def with_all() -> DirectTable:
    """A table of five: one moves to another key, all take back, one leaves; played to its end."""
    made = DirectTable([[seat] for seat in range(5)], seed=4, rounds=2)
    made.start()
    for _ in range(3):
        made.step()
    made.cut_off.add(4)
    old, owner = made.keys[4].key.public, SigningKey.from_seed(H("test identity", 4, 4))
    fields = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, old), "new").fields()
    agree(made, "moved", [old], decode(encode([fields, False])))
    welcome(made, NEW)
    while made.peers[0].position.owner[4] == old:
        assert made.step()
    since = made.peers[0].position.height
    while made.peers[0].position.height < since + 2:
        assert made.step()
    agree(made, "takeback", [], [made.peers[0].position.height - 1, True])
    made.step()
    assert made.peers[3].leave() is None
    made.play()
    made.settle()
    assert made.peers[0].position.over
    return made


def agree(made: DirectTable, kind: str, out: list[bytes], terms: Value) -> None:
    """Let all who are there agree."""
    refusal = made.peers[0].propose(kind, out, terms)
    assert refusal is None, refusal
    made.settle()
    for number, peer in enumerate(made.peers):
        for vote in peer.votes() if number not in made.cut_off else ():
            if peer.me in vote.missing:
                assert peer.sign(vote.pact.id) is None
    made.settle()


def reader(
    peer: Lockstep,
    keys: TableKeys,
    log: Sequence[tuple[Entry, Attachment | None]],
    read: Callable[[MemberSecrets], Reading | None] = lambda secrets: None,
) -> Lockstep:
    """The member of these keys, which has read so much of the table of a peer."""
    back = Lockstep(
        peer.genesis, peer.reading.fresh.clone(), me=keys.key.public, make=maker(keys.key), secret=keys.secret,
        sign=keys.key.sign, choices={}, read=read,
    )  # fmt: skip
    known = {entry.id for entry in back.feeds.entries}
    back.restore([each for each in log if each[0].id not in known])
    return back
