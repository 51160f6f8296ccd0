# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of spaces, battles and cards of Rex for the greedy bot; 1 is about two influence."""

from __future__ import annotations

from typing import Final

from client.bots.numbers import Numbers
from engine.core.cards import Handle, Lens
from engine.rex.city_map import shielded
from engine.rex.state import Rex
from engine.rex.terms import BOMBARDMENT
from engine.rex.victory import strongholds

NUMBERS: Final = Numbers(__package__)
"""The numbers in use; `numbers.toml` says what each of them is."""
CARDS: Final[dict[str, float]] = {
    "energy-rifle": 4, "x35-bio-weapon": 4, "plasma-annihilator": 3, "energy-shield": 4, "bio-filter": 4,
    "stand-in-officer": 2, "empty-crate": 0, "diplomatic-interference": 2, "sworn-testimony": 1, "fresh-recruits": 3,
    "fleet-sabotage": 2, "shield-bomb": 4, "forced-march": 3, "tracking-beacon": 2, "hidden-cache": 2,
    "turncoat-medic": 2,
}  # fmt: skip
"""The value of each Strategy card in influence."""


def last_round(g: Rex) -> bool:
    """True if saving is useless."""
    return bool(g.round.number >= g.const.numbers.rounds)


def shares_special(g: Rex) -> bool:
    """True if the allies of Sol or Hacan share its victory after the last round."""
    return g.table.options["shared-special-victory"] == "on"


def unit_worth(g: Rex) -> float:
    """The value of a unit in the city that survives a battle."""
    return 0.0 if last_round(g) else NUMBERS["unit"]


def progress(g: Rex, group: tuple[int, ...]) -> float:
    """The share of the strongholds for victory that a player or alliance controls."""
    return sum(strongholds(g, seat) for seat in group) / g.const.win[len(group) - 1]


def bomb_risk(g: Rex, lens: Lens, space: int) -> float:
    """The chance that the fleet destroys units there at the end of the round; Sol may know the next card."""
    if space == g.const.hub or shielded(g, space):
        return 0.0
    ahead = (g.const.spaces[space].sector - g.round.fleet - 1) % g.const.numbers.sectors + 1
    top = g.decks.order.get(BOMBARDMENT) or [0]
    known = lens.get(Handle(BOMBARDMENT, top[0]))
    if isinstance(known, int):
        return float(ahead <= known)
    numbers = g.const.numbers.bombardment
    return sum(number >= ahead for number in numbers) / len(numbers)
