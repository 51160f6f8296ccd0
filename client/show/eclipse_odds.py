"""The chance to win a battle that a move would begin, for the hints of the move screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from client.texts import _
from engine.eclipse import sectors
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.combat.odds import ONE, Group, odds
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind, ship_owner
from engine.eclipse.terms import COLOURS

__all__ = ["battle_odds"]

MOST = 7
"""With more ships in all one would wait for the answer."""

Groups = tuple[Group, ...]


def battle_odds(g: Eclipse, seat: int, kind: int, tile: int) -> str:
    """How often a ship of that kind and the own ships in a sector win there; "" without a battle of two sides."""
    foes = sectors.enemies(g, seat, tile)
    owners = dict.fromkeys(ship_owner(g, ship) for ship in foes)
    own = sectors.fleet(g).get(tile, {}).get(seat, ())
    if len(owners) != 1 or len(foes) + len(own) + 1 > MOST:
        return ""
    (owner,) = owners
    mine = _groups(g, seat, [*_ships(g, own), (kind, 0)])
    theirs = _groups(g, owner, _ships(g, foes))
    damage = tuple(g.const.constants.dice_damage[colour] for colour in COLOURS)
    if g.sectors.owner[tile] == seat and owner != NOBODY:  # who controls the sector defends it
        wins = 1 - _attacker_wins(theirs, mine, damage)
    else:
        wins = _attacker_wins(mine, theirs, damage)
    return _("wins {chance}").format(chance=f"{wins:.0%}")


def _ships(g: Eclipse, ships: Sequence[int]) -> list[tuple[int, int]]:
    """Kind and damage of each."""
    return [(ship_kind(g, ship), g.ships.damage[ship]) for ship in ships]


def _groups(g: Eclipse, owner: int, ships: list[tuple[int, int]]) -> Groups:
    splitter = owner != NOBODY and has_effect(g, owner, "antimatter-splitter")
    return tuple(
        Group(
            kind,
            ship_stats(g, owner, kind),
            tuple(sorted(damage for other, damage in ships if other == kind)),
            by_rule=owner == NOBODY,
            splitter=splitter,
        )
        for kind in sorted(dict.fromkeys(kind for kind, _damage in ships))
    )


@lru_cache(1024)
def _attacker_wins(attacker: Groups, defender: Groups, damage: tuple[int, ...]) -> float:
    return odds(attacker, defender, damage).attacker_wins / ONE
