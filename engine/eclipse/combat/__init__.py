# SPDX-License-Identifier: GPL-3.0-or-later
"""The combat phase (rule document, 5; rules notes, Combat; rulings of combat).

The phase is in the agenda: each step that a battle may repeat is a segment, and its arguments are the loop variables of
the phase::

    combat                                  sectors with opposing ships, the highest number first
    battle sector                           the last to enter against the one before, then again
    strike sector attacker defender round acted
                                            the next ship type by initiative fires or retreats; round 0 is the missile
                                            volley, acted a mask of the types that have had their turn this round
    stalemate sector seat ship              no cannons left: a type of the attacker withdraws or is destroyed
    draw-reputation sector seat took-part destroyed
                                            draws of one participant, booked here while the battles run
    return-hand seat                        in any phase: the tiles go back of a seat whose owner leaves for good
    aftermath                               for every sector with ships, the highest first:
    bombard sector                          attack population
    control-lost sector, control sector     influence sectors
    find sector                             discoveries
    repair                                  damage is repaired, players without pieces are out

Modules: ``order`` (opponents and initiative), ``dice`` (hits; pure), ``strike`` (one initiative step), ``retreat`` (and
stalemate), ``reroll``, ``reputation``, ``bombard``, ``aftermath``; ``odds`` (probabilities of a battle, not used by
rules). Neutral ships belong to NOBODY, -1, also in arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.eclipse.combat import reputation
from engine.eclipse.combat.aftermath import aftermath, control, control_lost, find, repair
from engine.eclipse.combat.bombard import bombard
from engine.eclipse.combat.order import battle, combat
from engine.eclipse.combat.retreat import stalemate
from engine.eclipse.combat.strike import strike

__all__ = ["SEGMENTS"]

SEGMENTS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "combat": combat,
        "battle": battle,
        "strike": strike,
        "stalemate": stalemate,
        "draw-reputation": reputation.draw_reputation,
        "return-hand": reputation.return_hand,
        "aftermath": aftermath,
        "bombard": bombard,
        "control-lost": control_lost,
        "control": control,
        "find": find,
        "repair": repair,
    }
)
"""Segments of the combat phase by name."""
