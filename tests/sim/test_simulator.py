"""Whole tables on a seeded network, disk and clock. A failure names the number that replays it: simulate(number)."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from random import Random

import pytest
from ends import heads
from volume import gated, seeds

from p2p.lockstep.pacts import threshold
from p2p.testing.hostile import STRATEGIES
from p2p.testing.plans import FaultPlan, Violation, random_plan
from p2p.testing.simpeer import SimPeer
from p2p.testing.simulator import Simulation, simulate
from p2p.testing.trials_hostile import hostile


@pytest.mark.parametrize("batch", seeds(1))
def test_honest_tables_end_alike_whatever_the_network_and_the_disks_do(batch: int) -> None:
    for seed in range(5 * batch, 5 * (batch + 1)):
        assert len({peer.lockstep.position.head for peer in simulate(seed).peers}) == 1


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(56, id="entries after a back, read while their author was still out"),
        pytest.param(80, id="votes of somebody left out bind nobody"),
        pytest.param(5125, id="a game that ends for one who was left out meanwhile"),
        pytest.param(5298, id="an opening given in time counts, in whatever order pact and opening are read"),
    ],
)
def test_what_once_went_wrong_stays_right(seed: int) -> None:
    assert len({peer.lockstep.position.head for peer in simulate(seed).peers}) == 1


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_hostile_peer_stops_nobody_and_is_convicted_where_that_is_possible(name: str) -> None:
    for seed in seeds(1, 1002):
        assert heads(hostile(seed, name)) == 1


@pytest.mark.parametrize(
    ("members", "forger"),
    gated([(3, False), (4, True), (5, True), (6, False), (3, True), (4, False), (5, False), (6, True)], 3),
)
def test_a_table_goes_on_without_all_that_it_can_spare_whenever_they_die(members: int, forger: bool) -> None:
    """Votes about one are open when the next dies, whose word they take; one of them may sign two histories first."""
    for seed in seeds(1):
        random = Random(seed * 7 + members)
        lost = random.sample(range(members), members - threshold(members))
        hostile = dict.fromkeys(lost, "Mortal") | ({lost[0]: "Equivocator"} if forger else {})
        plan = FaultPlan(
            tuple((number,) for number in range(members)), rounds=2, delay=random.choice((0.05, 0.3, 2.0)),
            draws=random.choice(("sealed", "open")), calm=random.choice((20.0, 60.0)), limit=1500.0, hostile=hostile,
        )  # fmt: skip
        honest = [peer for peer in simulate(seed, plan, STRATEGIES).peers if peer.honest]
        assert len({peer.lockstep.position.head for peer in honest}) == 1


@pytest.mark.soak
def test_the_plans_lead_through_pacts_takebacks_crashes_and_rebuilds() -> None:
    """The tables above mean something only if they get into trouble."""
    met: Counter[str] = Counter()
    wanted = ("absent", "back", "takeback", "crash")
    for seed in range(60):
        simulation = simulate(seed)
        peer = simulation.peers[0].lockstep
        for height in peer.position.past:
            met.update(pact.kind for pact in peer.applied(height))
        met["crash"] += random_plan(seed).crashes - sum(p.crashes for p in simulation.peers)
        if all(met[name] for name in wanted):
            break
    assert [name for name in wanted if not met[name]] == [], met


@pytest.mark.parametrize("batch", seeds(1))
def test_a_disk_that_loses_its_tail_convicts_nobody_and_stops_no_table(batch: int) -> None:
    """Damaged logs and older copies put back: what was signed once comes back from the others, and is not signed
    differently."""
    for seed in range(4 * batch, 4 * (batch + 1)):
        plan = replace(random_plan(seed), torn=2 + seed % 3)
        assert len({peer.lockstep.position.head for peer in simulate(seed, plan).peers}) == 1


def test_a_plan_with_one_tail_to_lose_loses_it() -> None:
    """The tables above mean something only if it is lost."""
    plan = FaultPlan(((0,), (1,), (2,)), rounds=4, torn=1)
    assert any(not any(peer.torn for peer in simulate(seed, plan).peers) for seed in range(20))


@pytest.mark.parametrize("crashes", [0, 1, 3])
def test_a_plan_has_no_more_crashes_than_it_names(crashes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed, crash = list[int](), SimPeer.crash

    def counted(peer: SimPeer) -> None:
        crashed.append(peer.number)
        crash(peer)

    monkeypatch.setattr(SimPeer, "crash", counted)
    simulate(3, FaultPlan(((0,), (1,), (2,)), rounds=4, crashes=crashes))
    assert len(crashed) <= crashes


def test_two_members_pause_with_a_reason_when_one_falls_silent() -> None:
    plan = FaultPlan(((0,), (1,)), hostile={1: "Silent"}, limit=200.0)
    simulation = Simulation(5, plan, STRATEGIES)
    simulation.run()
    with pytest.raises(Violation, match="not finished"):
        simulation.check_end()
    honest, silent = simulation.peers
    assert list(honest.lockstep.owing()) == [silent.me]


def test_one_number_replays_a_table_exactly() -> None:
    first, second = simulate(11), simulate(11)
    assert first.messages == second.messages
    assert [p.lockstep.feeds.have() for p in first.peers] == [p.lockstep.feeds.have() for p in second.peers]


class Forgetful(SimPeer):
    """Sends before it stores: the mistake that the simulator must catch."""

    def boot(self) -> None:
        del self.disk.commits[len(self.disk.commits) // 2 :]
        super().boot()


def test_a_disk_that_forgets_what_was_sent_is_caught() -> None:
    plan = FaultPlan(((0,), (1,), (2,)), rounds=4, crashes=6, hostile={0: "Forgetful"})
    with pytest.raises(Violation, match="lost an entry"):
        deque((simulate(seed, plan, {"Forgetful": Forgetful}) for seed in range(3, 13)), 0)


class Trusting(SimPeer):
    """Takes its disk for the newest: the mistake that convicts it when the disk has lost its tail."""

    def boot(self) -> None:
        self.booted = False
        super().boot()


def test_a_peer_that_trusts_a_disk_that_has_lost_its_tail_is_convicted() -> None:
    plan = FaultPlan(((0,), (1,), (2,)), rounds=4, torn=3, hostile=dict.fromkeys(range(3), "Trusting"))
    with pytest.raises(Violation, match=r"convicted of|stopped"):
        deque((simulate(seed, plan, {"Trusting": Trusting}) for seed in range(40)), 0)
