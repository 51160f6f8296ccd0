# SPDX-License-Identifier: GPL-3.0-or-later
"""Axial coordinates of flat-top hexes; edges run clockwise, 0 = north."""

from __future__ import annotations

__all__ = ["EDGES", "distance", "neighbour", "opposite"]

EDGES = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def neighbour(q: int, r: int, edge: int) -> tuple[int, int]:
    """Return the hex across an edge."""
    dq, dr = EDGES[edge]
    return q + dq, r + dr


def opposite(edge: int) -> int:
    """Return the same edge as seen from the hex across it."""
    return (edge + 3) % 6


def distance(q: int, r: int) -> int:
    """Return the number of steps from the centre of the map."""
    return (abs(q) + abs(r) + abs(q + r)) // 2
