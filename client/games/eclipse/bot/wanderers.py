"""What Magellan, Lyra and the Exiles do besides: colony ships for resources, shrines, dice rolled again."""

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

__all__ = ["ANSWERS", "best_shrine", "best_swap", "shrine_value"]

DONE = "done"
BONUS = {"disc": 0.9, "discovery": worth.DISCOVERY, "wormhole-generator": 0.9}
"""What the bonus of a row of shrines is worth."""
MISSES = 3
"""A die that shows no more than this is rolled again."""


def best_swap(g: Eclipse, seat: int, options: Sequence[Value]) -> Swap | None:
    """The resource that a colony ship is best swapped for."""
    units = worth.units(g, seat)
    swaps = [option for option in options if isinstance(option, Swap)]
    return max(swaps, key=lambda swap: units[RESOURCES.index(swap.to)], default=None)


def best_shrine(g: Eclipse, seat: int) -> tuple[float, Shrine | None]:
    """The shrine that is worth most after its price; None when none is worth it."""
    found: tuple[float, Shrine | None] = (0.0, None)
    for shrine, cost, problem in judged(g, seat):
        if problem is None:
            value = _shrine(g, seat, shrine) - cost * worth.material(g)
            if value > found[0]:
                found = value, shrine
    return found


def _shrine(g: Eclipse, seat: int, shrine: Shrine) -> float:
    """A point at the end, and a step towards the bonus of its row, which counts whole with the last of it."""
    resource = RESOURCES.index(shrine.resource)
    row, gone = g.const.shrine_rows[resource], wanderers_of(g).placed[seat, resource]
    last = gone + 1 == len(row.costs)
    share = 1.0 if last else 0.3 * worth.rounds_to_come(g) / g.const.constants.rounds
    bonus = 0.0 if row.bonus in shrine_bonuses(g, seat) else BONUS[row.bonus] * share
    return 1.0 + bonus


def shrine_value(g: Eclipse, seat: int) -> float:
    """What the shrine of a Research action adds to it."""
    return best_shrine(g, seat)[0] if has_ability(g, seat, "shrines") and possible(g, seat) else 0.0


def place_shrine(view: View, wait: PlaceShrine, rng: Random) -> Value:
    """The best shrine, if one is worth its price."""
    return best_shrine(view.g, wait.seat)[1] or DONE


def reroll_die(view: View, wait: RerollDie, rng: Random) -> Value:
    """The strongest die that shows little; colony ships are of no other use in the combat phase but after it."""
    poor = [option for option in wait.options(view.g) if isinstance(option, Reroll) and option.face <= MISSES]
    return max(poor, key=lambda die: (COLOURS.index(die.colour), -die.face), default=None)


ANSWERS: Mapping[type, Callable[[View, Any, Random], Value]] = MappingProxyType(
    {PlaceShrine: place_shrine, RerollDie: reroll_die}
)
"""What to do at the waits of these species."""
