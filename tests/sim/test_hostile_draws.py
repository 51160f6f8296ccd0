"""Who cheats with dice, cards or choices, falls silent at the worst moment or pools what he knows, at sealed tables.

Everybody honest ends in the same place, who can be convicted is, and nobody else.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from volume import GATE, VOLUME, gated

from p2p.testing.hostile import Vanished
from p2p.testing.hostile_draws import ANEW, CHEATS
from p2p.testing.hostile_silence import SILENCES, Coalition
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation, simulate

TRICKS = {**CHEATS, **SILENCES}


def plan_of(seed: int, name: str) -> FaultPlan:
    """3 to 6 members, of whom one plays tricks; every second table on a bad network."""
    members, culprit, rough = 3 + seed // 4 % 4, 1 + seed % 2, seed // 2 % 2
    plan = FaultPlan(tuple((number,) for number in range(members)), rounds=2, draws="sealed", hostile={culprit: name})
    return replace(plan, delay=0.3 + rough, loss=0.02 * rough, twice=0.05 * rough, one_way=2 * rough)


def culprit_of(simulation: Simulation) -> bytes:
    return next(peer.me for peer in simulation.peers if not peer.honest)


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_stops_nobody_and_convicts_its_author_alone(name: str) -> None:
    """In the gate one table at which the trick is played, on a good network or a bad one in turn."""
    played, first = 0, 2 * (list(TRICKS).index(name) % 2)
    for seed in range(first, first + 20 * VOLUME, 2):
        simulation = simulate(seed, plan_of(seed, name), TRICKS)
        culprit = next(peer for peer in simulation.peers if not peer.honest)
        judges = [peer.lockstep for peer in simulation.peers if peer.honest]
        played += culprit.played  # type: ignore[attr-defined]
        refusals = sum(entry.kind == "refuse" for entry in judges[0].feeds.entries)
        assert refusals <= 12, "nobody proposes again and again what others have refused"
        if TRICKS[name].convicting and culprit.played:  # type: ignore[attr-defined]
            assert all(culprit.me in judge.faults for judge in judges), seed
        assert all(set(judge.faults) <= {culprit.me} for judge in judges)
        if played and VOLUME == GATE:
            break
    assert played, "the trick was never played"


@pytest.mark.parametrize("name", gated(ANEW, 1))
def test_who_cheats_while_a_deck_is_dealt_anew_is_convicted_and_left_out_as_well(name: str) -> None:
    """One member of six vanishes for good; a second one cheats when the deck is dealt anew for that."""
    seats = tuple((number,) for number in range(6))
    plan = FaultPlan(seats, rounds=2, draws="sealed", hostile={1: name, 5: "Vanished"})
    simulation = simulate(3, plan, {**ANEW, "Vanished": Vanished})
    judges = [peer.lockstep for peer in simulation.peers if peer.honest]
    for judge in judges:
        assert set(judge.faults) == {simulation.peers[1].me}
        assert judge.position.membership.gone == {simulation.peers[1].me, simulation.peers[5].me}


@pytest.mark.parametrize("kind", ["open", "partial"])
def test_dice_go_on_without_the_silent_and_are_never_rolled_again(kind: str) -> None:
    """Every roll of the game has one number and one value, whoever keeps silent when."""
    for seed in (2, 8)[:VOLUME]:
        plan = replace(plan_of(seed, f"Withholding_{kind}"), rounds=3)
        simulation = simulate(seed, plan, TRICKS)
        silent = culprit_of(simulation)
        peer = next(peer.lockstep for peer in simulation.peers if peer.honest)
        rolls = peer.position.chance.rolls
        assert len(rolls) == plan.rounds
        assert len({rolled.roll.k for rolled in rolls}) == len(rolls)
        absent = [member for rolled in rolls for member, seed_k in rolled.roll.seeds if seed_k is None]
        assert absent == ([silent] if kind == "open" else [])
        assert silent not in [member for rolled in rolls for member in rolled.lifted] or kind == "open"


def test_a_withheld_partial_changes_no_face() -> None:
    """The lock has one value, whichever t members lift it; the same table without the trick rolls the same."""
    plan = plan_of(1, "Withholding_partial")
    told = [simulate(1, one, TRICKS) for one in (plan, replace(plan, hostile={}))]
    first = [simulation.peers[0].lockstep.position.chance.rolls[0] for simulation in told]
    assert first[0].roll.value == first[1].roll.value
    assert first[0].faces == first[1].faces


@pytest.mark.parametrize("members", gated([3, 6, 4, 5], 2))
def test_fewer_than_t_members_who_pool_all_they_have_know_nothing_before_it_opens(members: int) -> None:
    t = members // 2 + 1
    plan = FaultPlan(tuple((number,) for number in range(members)), rounds=2, draws="sealed")
    plan = replace(plan, hostile=dict.fromkeys(range(t - 1), "Coalition"))
    simulation = simulate(members, plan, TRICKS)
    (first, *_) = (peer for peer in simulation.peers if isinstance(peer, Coalition))
    assert first.looks >= 8


def test_with_cuts_and_crashes_too_nobody_honest_is_convicted_and_no_histories_part() -> None:
    """Who is cut off and wrongly left out while another never votes can make a table wait; it is never wrong."""
    for number, name in list(enumerate(TRICKS))[:: 4 if VOLUME > GATE else 11]:
        plan = replace(plan_of(number, name), cuts=2, crashes=1, limit=150.0)
        simulation = Simulation(number, plan, TRICKS)
        simulation.run()
        honest = {peer.me: peer for peer in simulation.peers if peer.honest}
        assert not any(peer.lockstep.faults.keys() & honest.keys() for peer in honest.values()), name
