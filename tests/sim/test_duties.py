"""The rule for bots itself, at simulated tables: what peers without a person do about silence, forgers and returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from volume import seeds

from client.table.duties import Duties
from p2p.lockstep.pacts import threshold
from p2p.testing.hostile import STRATEGIES
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.plans import Plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation
from p2p.wire.codec import Value


class SimTable:
    """As much of a table as its duties look at."""

    def __init__(self, peer: DutifulPeer) -> None:
        self.peer = peer
        self.after_change: list[object] = []
        self.on_tick: list[object] = []

    @property
    def who(self) -> list[int]:
        sim = self.peer.sim
        return [other for other in range(len(sim.peers)) if sim.linked(self.peer.number, other)]

    def others(self) -> list[bytes]:
        position = self.peer.lockstep.position
        return [key for key in position.members if key != self.peer.me and key not in position.cut]

    def reached(self, key: bytes) -> bool:
        sim, there = self.peer.sim, self.peer.sim.numbers[key]
        friends = [sim.numbers[friend] for friend in self.others()]
        return there in self.who or any(friend in self.who and sim.linked(friend, there) for friend in friends)

    def unreached(self, keys: Sequence[bytes]) -> list[bytes]:
        return [key for key in keys if key != self.peer.me and not self.reached(key)]

    def log(self, event: str, **fields: object) -> None:
        """Nobody reads it."""


class DutifulPeer(SimPeer):
    """An honest peer with the duties of the client instead of the manners of the simulation."""

    def boot(self) -> None:
        super().boot()
        self.duties = Duties(SimTable(self), self.lockstep, None, None, person=False)  # type: ignore[arg-type]

    def manners(self) -> None:
        self._watch()
        self.duties.consent()

    def give(self, seat: int, values: list[Value]) -> None:
        self.duties._let_in()
        super().give(seat, values)


@pytest.fixture
def dutiful(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tables whose honest peers are dutiful: plays one of a number and a plan to its end."""

    def play(seed: int, plan: Plan) -> Simulation:
        sim = Simulation(seed, plan, {**STRATEGIES, **SILENCES})
        monkeypatch.setattr("trio.current_time", lambda: sim.now)
        sim.run()
        sim.check_end()
        return sim

    monkeypatch.setattr("p2p.testing.simulator.SimPeer", DutifulPeer)
    return play


@pytest.mark.parametrize("name", ["Mortal", "Equivocator", *(name for name in SILENCES if name.startswith("TwoFaced"))])
def test_bots_go_on_without_who_dies_or_tells_each_of_them_another_thing(dutiful: Any, name: str) -> None:
    for seed in seeds(2):
        members = 3 + seed % 2
        plan = Plan(
            tuple((number,) for number in range(members)), rounds=2, delay=0.3, draws="sealed", calm=30.0, limit=300.0,
            hostile={seed % members: name},
        )  # fmt: skip
        sim = dutiful(seed, plan)
        honest = [peer for peer in sim.peers if peer.honest]
        assert all(isinstance(peer, DutifulPeer) for peer in honest)
        assert len({peer.lockstep.position.head for peer in honest}) == 1


def test_bots_go_on_without_all_that_five_can_spare(dutiful: Any) -> None:
    for seed in seeds(2):
        lost = [seed % 5, (seed + 2) % 5]
        assert 5 - len(lost) == threshold(5)
        plan = Plan(
            tuple((number,) for number in range(5)), rounds=2, delay=0.3, draws="sealed", calm=30.0, limit=600.0,
            hostile=dict.fromkeys(lost, "Mortal"),
        )  # fmt: skip
        sim = dutiful(seed, plan)
        heads = {peer.lockstep.position.head for peer in sim.peers if peer.honest}
        assert len(heads) == 1
