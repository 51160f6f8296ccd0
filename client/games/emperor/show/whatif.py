# SPDX-License-Identifier: GPL-3.0-or-later
"""What if: a battle of Galactic Emperor with changed units or bonuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client.games.emperor.show.fight import first_phase
from client.games.emperor.show.odds import Side, chances, help_of, side_of
from client.games.emperor.wording import term
from client.show.battles import Chance, Number, Supposed
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.ids import Seat
from engine.emperor import combat, galaxy
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.terms import CRUISER, FIGHTER, UNITS

MOST: Final = 9
"""Most units of one kind."""


def suppose(frame: Frame, space: str, numbers: Mapping[str, int]) -> Supposed:
    """The present battle, or one between the seat and the units in a space, with some changed numbers."""
    g: Emperor = frame.g
    under_way = g.battle.site != NOBODY
    site = g.battle.site if under_way else g.const.space_index.get(space, NOBODY)
    owners = (g.battle.attacker, g.battle.defender) if under_way else _owners(frame, site)
    listed: list[Number] = []
    sides: list[Side] = []
    for at, owner in enumerate(owners):
        found = [*_numbers(frame, at, owner, site, numbers)]
        listed += found
        sides.append(_side(g, owner, {number.key[2:]: number.value for number in found}))
    wins, loses = chances(g.const.units, sides[0], sides[1], (), max(first_phase(frame), 1))
    shares = ((owners[0], wins), (owners[1], loses))
    name = g.const.spaces[site] if site != NOBODY else "-"
    return Supposed(_("space {space}").format(space=name), listed, Chance(_("if nobody retreats"), shares))


def _owners(frame: Frame, site: int) -> tuple[int, int]:
    """The attacker and the defender there."""
    g: Emperor = frame.g
    me = max(frame.view.seat, 0)
    foes = galaxy.foes(g, Seat(me), site) if site != NOBODY else []
    return me, foes[0] if foes else (me + 1) % g.table.seats


def _numbers(frame: Frame, at: int, owner: int, site: int, numbers: Mapping[str, int]) -> Iterator[Number]:
    """Units by kind, then their bonuses."""
    g: Emperor = frame.g
    now = combat.count(g, owner, site) if site != NOBODY else (0,) * len(UNITS)
    now = now if any(now) else tuple(int(kind == FIGHTER) for kind in range(len(UNITS)))
    for kind, count in enumerate(now):
        key = f"{at} {UNITS[kind]}"
        yield Number(key, owner, term(UNITS[kind]), numbers.get(key, count), MOST)
    stands = side_of(g, owner) if g.battle.site != NOBODY else Side(now)
    for name, value, text in (
        ("shield", stands.shield, _("Deflector Shields: hits that they stop")),
        ("targeting", int(bool(stands.better)), _("Targeting Computers help the cruisers")),
    ):
        key = f"{at} {name}"
        most = help_of(g, SHIELDS) if name == "shield" else 1
        yield Number(key, owner, text, numbers.get(key, value), most)


def _side(g: Emperor, owner: int, values: Mapping[str, int]) -> Side:
    counts = tuple(values[name] for name in UNITS)
    better = {CRUISER: help_of(g, TARGETING)} if values["targeting"] else {}
    fights = g.battle.site != NOBODY and owner == g.battle.attacker
    return Side(counts, values["shield"], g.battle.extra if fights else NOBODY, better)
