"""Members who come back from what they had read before, at tables where all goes wrong, stay honest members."""

from __future__ import annotations

from dataclasses import replace

import pytest
from volume import seeds

from client.table.snapshot import packed, unpacked
from p2p.lockstep.effects import More, Work
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import maker
from p2p.testing.machine import TestMachine
from p2p.testing.plans import random_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import simulate


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
        back.restore([each for each in self.disk.entries if each[0].id not in known], proven=self.disk.proven)
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


@pytest.mark.parametrize("batch", seeds(1))
def test_who_comes_back_from_a_snapshot_stands_where_its_disk_leads_and_harms_nobody(batch: int) -> None:
    used = 0
    for seed in range(4 * batch, 4 * (batch + 1)):
        plan = random_plan(seed)
        everybody = dict.fromkeys(range(len(plan.holdings)), "Keeper")
        plan = replace(plan, crashes=4, torn=1, hostile=everybody)
        peers = simulate(seed, plan, {"Keeper": Keeper}).peers
        assert len({peer.lockstep.position.head for peer in peers}) == 1
        used += sum(peer.used for peer in peers if isinstance(peer, Keeper))
    assert used > 0
