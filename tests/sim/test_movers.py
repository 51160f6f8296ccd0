"""Members that go on with another key, over bad networks, crashes and sleeps, and members that misuse that."""

from __future__ import annotations

import pytest
from volume import GATE, VOLUME, seeds

from p2p.testing.movers import MOVERS, Mover
from p2p.testing.simulator import Simulation
from p2p.testing.trials import moving


def moved(table: Simulation) -> int:
    """The number of members that hold their seats with another key at the end."""
    movers = [peer for peer in table.peers if isinstance(peer, Mover) and peer.old is not None]
    others = [peer for peer in table.peers if not isinstance(peer, Mover)]
    owners = others[0].lockstep.position.owner.values()
    return sum(mover.me in owners for mover in movers)


@pytest.mark.parametrize("kind", sorted({*MOVERS} - {"Trusting"}))
def test_whoever_moves_and_whatever_its_old_key_says_then_all_others_end_alike(kind: str) -> None:
    """Nobody honest is convicted, no card changes, and a judge of the log finds nothing."""
    moves = 0
    for seed in seeds(2, 300):
        moves += moved(moving(seed, kind))
        if moves and VOLUME == GATE:
            break
    assert moves > 0


def test_what_an_old_key_says_beyond_its_end_convicts_nobody_together_with_what_it_said_before() -> None:
    """A second copy answers again, just behind the end, what the last entry before it has answered."""
    assert moved(moving(52_000_010, "Lingering")) == 1
