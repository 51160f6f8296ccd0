# SPDX-License-Identifier: GPL-3.0-or-later
"""Fire and losses as pure functions on counts of units (rule document, 5 Combat; rulings of combat).

``counts`` are fighters, cruisers, undamaged Dreadnoughts, Empires, Starbases and damaged Dreadnoughts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.emperor.tables import Unit
from engine.emperor.terms import ALL_UNITS, DAMAGED, DREADNOUGHT, EMPIRE, STARBASE

__all__ = ["Counts", "capacity", "hits", "suffer", "targets", "volley"]

Counts = tuple[int, ...]
BECOMES = {DREADNOUGHT: DAMAGED, STARBASE: EMPIRE}
"""The unit that results from the first hit, if that does not destroy it."""


def volley(
    counts: Counts, units: Sequence[Unit], phase: int, extra: int = -1, better: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """What each die of one side must show at least; phase 0: all units fire.

    ``extra``: the kind of which one ship rolls a die more. ``better``: kinds that hit more easily.
    """
    dice: list[int] = []
    for kind in ALL_UNITS:
        unit = units[kind]
        if counts[kind] and phase in (0, unit.phase):
            more = kind == extra or (kind == DAMAGED and extra == DREADNOUGHT and not counts[DREADNOUGHT])
            dice += [min(unit.hits, (better or {}).get(kind, unit.hits))] * (counts[kind] * unit.dice + more)
    return tuple(dice)


def hits(faces: Sequence[int], wanted: Sequence[int]) -> int:
    """Return the number of dice that hit."""
    return sum(face >= least for face, least in zip(faces, wanted, strict=True))


def targets(counts: Counts) -> list[int]:
    """Kinds of units that a hit can go to."""
    return [kind for kind in ALL_UNITS if counts[kind]]


def suffer(counts: Counts, kind: int) -> Counts:
    """The counts after a hit on a unit of that kind."""
    after = list(counts)
    after[kind] -= 1
    if kind in BECOMES:
        after[BECOMES[kind]] += 1
    return tuple(after)


def capacity(counts: Counts) -> int:
    """Return the number of hits that destroy everything."""
    return sum(counts) + counts[DREADNOUGHT] + counts[STARBASE]
