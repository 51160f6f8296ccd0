# SPDX-License-Identifier: GPL-3.0-or-later
"""The special abilities of Magellan, Lyra and the Exiles: colony ships for resources, shrines, rerolled dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from client.games.eclipse.bot import worth
from engine.core.values import Value
from engine.core.views import View
from engine.eclipse.combat.reroll import Reroll, RerollDie
from engine.eclipse.free import Swap
from engine.eclipse.shrines import PlaceShrine, Shrine, judged, possible
from engine.eclipse.species import has_ability, shrine_bonuses
from engine.eclipse.state import Eclipse, wanderers_of
from engine.eclipse.terms import COLOURS, RESOURCES

DONE = "done"
BONUS = 0.9
"""The value of the bonus of a row of shrines, if it is no discovery."""
MISSES = 3
"""The greatest face that is rerolled."""


def best_swap(g: Eclipse, seat: int, options: Sequence[Value]) -> Swap | None:
    """The best resource to swap a colony ship for."""
    units = worth.units(g, seat)
    swaps = [option for option in options if isinstance(option, Swap)]
    return max(swaps, key=lambda swap: units[RESOURCES.index(swap.to)], default=None)


def best_shrine(g: Eclipse, seat: int) -> tuple[float, Shrine | None]:
    """The most valuable shrine less its price; None when none is worth it."""
    found: tuple[float, Shrine | None] = (0.0, None)
    for shrine, cost, problem in judged(g, seat):
        if problem is None:
            value = _shrine(g, seat, shrine) - cost * worth.material(g)
            if value > found[0]:
                found = value, shrine
    return found


def _shrine(g: Eclipse, seat: int, shrine: Shrine) -> float:
    """The value of a shrine: a point at the end, and a share of the bonus of its row, or all of it with the last
    shrine."""
    resource = RESOURCES.index(shrine.resource)
    row, gone = g.const.shrine_rows[resource], wanderers_of(g).placed[seat, resource]
    last = gone + 1 == len(row.costs)
    share = 1.0 if last else 0.3 * worth.rounds_to_come(g) / g.const.constants.rounds
    bonus = (
        0.0
        if row.bonus in shrine_bonuses(g, seat)
        else (worth.discovery() if row.bonus == "discovery" else BONUS) * share
    )
    return 1.0 + bonus


def shrine_value(g: Eclipse, seat: int) -> float:
    """The value of the shrine of a Research action."""
    return best_shrine(g, seat)[0] if has_ability(g, seat, "shrines") and possible(g, seat) else 0.0


def place_shrine(view: View, wait: PlaceShrine, rng: Random) -> Value:
    """Place the best shrine, if one is worth its price."""
    return best_shrine(view.g, wait.seat)[1] or DONE


def reroll_die(view: View, wait: RerollDie, rng: Random) -> Value:
    """Reroll the strongest die with a low face; colony ships have no other use before the combat phase ends."""
    poor = [option for option in wait.options(view.g) if isinstance(option, Reroll) and option.face <= MISSES]
    return max(poor, key=lambda die: (COLOURS.index(die.colour), -die.face), default=None)


ANSWERS: Mapping[type, Callable[[View, Any, Random], Value]] = MappingProxyType(
    {PlaceShrine: place_shrine, RerollDie: reroll_die}
)
"""The answers to the waits of these species."""
