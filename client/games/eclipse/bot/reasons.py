# SPDX-License-Identifier: GPL-3.0-or-later
"""The reasons of the greedy bot in Eclipse, by the word of the choice, and the worth of each action of a turn."""

from __future__ import annotations

from typing import Any, Final

from client.games.eclipse.bot.turn import PASS, weighed
from client.games.eclipse.bot.worth import last_round
from client.system.texts import N_
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.flow import Menu

REASONS: Final[dict[str, str]] = {
    "answer-offer": N_("a cube with an ambassador brings a point and income, as long as nobody here attacks the other"),
    "assign": N_("hits go where they sink most, the ship with the fewest hits left first"),
    "build": N_("what adds most for its materials: ships where a battle is near, orbitals and monoliths elsewhere"),
    "engage": N_("it stays as long as the prize times the chance to win is more than the ships that it may lose"),
    "explore": N_("the zone whose stack can still give the best sectors, near its own"),
    "influence": N_("the sector that brings most points and income for the upkeep of a disc"),
    "keep-tile": N_("the highest tile"),
    "kill-cubes": N_("what hurts the owner most"),
    "make-money": N_("the trade, or the sector, that costs it least"),
    "menu": N_("points that an action is worth to it, less the upkeep of its disc"),
    "move": N_("where the prize times the chance to win is more than the ships that it may lose"),
    "pick-species": N_("the species that this bot plays best"),
    "place-sector": N_("the turn with most ways to its own sectors, and fewest for others"),
    "research": N_("what the technology adds to its ships and income, less what it costs"),
    "settle": N_("the cube that raises the income it lacks most"),
    "take-control": N_("points and planets, less the upkeep of the disc"),
    "take-discovery": N_("the gift while there are rounds to use it, else the points"),
    "upgrade": N_("the part that makes the ships it has win most"),
}
"""Word of a choice → reason."""


def weigh(view: View, wait: Choose[Any]) -> list[tuple[float, Value]]:
    """The worth of each action of a turn in points, the best first. To pass is worth nothing, which is more than an
    action that loses; in the last round nobody passes while something is left."""
    if not isinstance(wait, Menu):
        return []
    found = weighed(view.g, wait.seat, list(wait.options(view.g)))
    if not last_round(view.g) or not found:
        found.append((0.0, PASS))
    return sorted(found, key=lambda pair: -pair[0])


def compared(view: View, wait: Choose[Any]) -> list[tuple[float, Value]]:
    """As `weigh`, without the pass while the seat has done nothing in this round: by it who errs forgets a whole round,
    and not one action."""
    found = weigh(view, wait)
    return found if view.g.seats.spent[wait.seat] else [pair for pair in found if pair[1] != PASS]
