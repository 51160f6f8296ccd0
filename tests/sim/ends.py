"""Ends of simulated tables."""

from __future__ import annotations

from p2p.testing.simulator import Simulation


def heads(table: Simulation) -> int:
    """How many heads the honest members of a table have, all of whom are at its end."""
    there = [peer.lockstep.position for peer in table.peers if peer.honest]
    assert all(position.over for position in there)
    return len({position.head for position in there})
