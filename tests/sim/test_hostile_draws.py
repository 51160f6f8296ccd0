"""Who cheats with dice, cards or choices, falls silent at the worst moment or pools what he knows, at sealed tables.

Everybody honest ends in the same place, who can be convicted is, and nobody else.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from ends import heads
from volume import GATE, VOLUME, gated

from p2p.sync.exchange import TableMessage
from p2p.testing.hostile_draws import ANEW
from p2p.testing.hostile_silence import Coalition
from p2p.testing.plans import FaultPlan, tricking_plan
from p2p.testing.simulator import Simulation, simulate
from p2p.testing.trials_hostile import TRICKS, tricked, tricked_anew
from p2p.wire.messages import Push

MORE = (
    *(f"Withholding_{kind}" for kind in ("keys", "ok", "open", "shuffle", "remask", "reveal")),
    *(f"TwoFaced_{kind}" for kind in ("keys", "remask", "open", "seal", "partial", "reveal")),
    "LastWord",
)
"""More of a kind, for the soak: the gate withholds three kinds of messages and tells three in two ways."""


def culprit_of(simulation: Simulation) -> bytes:
    return next(peer.me for peer in simulation.peers if not peer.honest)


@pytest.mark.parametrize("name", gated(sorted(TRICKS, key=MORE.__contains__), len(TRICKS) - len(MORE)))
def test_a_trick_stops_nobody_and_convicts_its_author_alone(name: str) -> None:
    """In the gate one table at which the trick is played, on a good network or a bad one in turn."""
    played, first = 0, 2 * (list(TRICKS).index(name) % 2)
    for seed in range(first, first + 20 * VOLUME, 2):
        culprit = next(peer for peer in tricked(seed, name).peers if not peer.honest)
        played += culprit.played  # type: ignore[attr-defined]
        if played and VOLUME == GATE:
            break
    assert played, "the trick was never played"


def test_halves_that_two_histories_have_parted_agree_at_once() -> None:
    """Neither asks the other to leave out somebody at a head that it does not have."""
    assert heads(tricked(53_000_077)) == 1


@pytest.mark.parametrize("name", ["TwoFaced_seal", "LastWord"])
def test_a_trick_that_the_network_has_lost_for_good_convicts_nobody_and_is_not_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other half never gets its variant: all hold one history of the author."""
    send, lost = Simulation.send, list[Push]()

    def losing(table: Simulation, sender: int, receiver: int, message: TableMessage) -> None:
        variants = {variant.raw for variant in getattr(table.peers[sender], "variants", {}).values()}
        if isinstance(message, Push) and variants & {sent.raw for sent in message.entries}:
            lost.append(message)
        else:
            send(table, sender, receiver, message)

    monkeypatch.setattr(Simulation, "send", losing)
    table = tricked(58_000_146, name)
    assert lost
    assert not vars(next(peer for peer in table.peers if not peer.honest))["played"]
    assert not any(peer.lockstep.faults for peer in table.peers if peer.honest)


@pytest.mark.parametrize("name", gated(ANEW, 1))
def test_who_cheats_while_a_deck_is_dealt_anew_is_convicted_and_left_out_as_well(name: str) -> None:
    """One member of six vanishes for good; a second one cheats when the deck is dealt anew for that."""
    assert vars(tricked_anew(3, name).peers[1])["played"]


@pytest.mark.parametrize("kind", ["open", "partial"])
def test_dice_go_on_without_the_silent_and_are_never_rolled_again(kind: str) -> None:
    """Every roll of the game has one number and one value, whoever keeps silent when."""
    for seed in (2, 8)[:VOLUME]:
        plan = replace(tricking_plan(seed, f"Withholding_{kind}"), rounds=3)
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
    plan = tricking_plan(1, "Withholding_partial")
    told = [simulate(1, one, TRICKS) for one in (plan, replace(plan, hostile={}))]
    first = [simulation.peers[0].lockstep.position.chance.rolls[0] for simulation in told]
    assert first[0].roll.value == first[1].roll.value
    assert first[0].faces == first[1].faces


@pytest.mark.parametrize("members", gated([3, 4, 6, 5], 2))
def test_fewer_than_t_members_who_pool_all_they_have_know_nothing_before_it_opens(members: int) -> None:
    t = members // 2 + 1
    plan = FaultPlan(tuple((number,) for number in range(members)), rounds=2, draws="sealed")
    plan = replace(plan, hostile=dict.fromkeys(range(t - 1), "Coalition"))
    simulation = simulate(members, plan, TRICKS)
    (first, *_) = (peer for peer in simulation.peers if isinstance(peer, Coalition))
    assert first.looks >= 8


@pytest.mark.parametrize(("number", "name"), gated(list(enumerate(TRICKS))[::4], 1))
def test_with_cuts_and_crashes_too_nobody_honest_is_convicted_and_no_histories_part(number: int, name: str) -> None:
    """Who is cut off and wrongly left out while another never votes can make a table wait; it is never wrong."""
    plan = replace(tricking_plan(number, name), cuts=2, crashes=1, limit=150.0)
    simulation = Simulation(number, plan, TRICKS)
    simulation.run()
    honest = {peer.me: peer for peer in simulation.peers if peer.honest}
    assert not any(peer.lockstep.faults.keys() & honest.keys() for peer in honest.values())
