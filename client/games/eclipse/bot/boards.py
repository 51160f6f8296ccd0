# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of technologies, blueprints and new ships."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from client.games.eclipse.bot import raids, worth
from client.games.eclipse.bot.battle import side_of
from engine.core.values import Value
from engine.eclipse import population
from engine.eclipse.actions import upgrade
from engine.eclipse.actions.build import Construct
from engine.eclipse.actions.research import UNSEALS, Buy, cost
from engine.eclipse.actions.upgrade import Place
from engine.eclipse.blueprints import armed, stats_with
from engine.eclipse.species import artifacts, has_ability, technologies_on
from engine.eclipse.state import NOBODY, Eclipse, ships_of, wanderers_of
from engine.eclipse.stats import CANNONS, MISSILES
from engine.eclipse.terms import (
    CATEGORIES,
    CRUISER,
    DREADNOUGHT,
    GRAY,
    INTERCEPTOR,
    MATERIALS,
    MONEY,
    PIECES,
    RESOURCES,
    SCIENCE,
    STARBASE,
)

Board = list[list[int]]


def payable(g: Eclipse, seat: int, options: Iterable[Value], discs: int) -> list[Any]:
    """The technologies and pieces among the options that leave what the last upkeep needs after this many more
    discs."""
    return [option for option in options if _leaves_upkeep(g, seat, option, discs)]


def _leaves_upkeep(g: Eclipse, seat: int, option: Value, discs: int) -> bool:
    match option:
        case Buy(tech, track):
            price = cost(g, seat, g.const.technology_index[tech], CATEGORIES.index(track))
            return worth.solvent(g, seat, discs, science=price)
        case Construct(piece):
            price = g.const.build_cost[g.seats.species[seat]][PIECES.index(piece)]
            return worth.solvent(g, seat, discs, materials=price)
    return False


SPECIAL = {
    "neutron-bombs": 0.5,
    "starbase": 0.3,
    "nanorobots": 0.6,
    "orbital": 0.9,
    "wormhole-generator": 0.9,
    "antimatter-splitter": 0.3,
    "neutron-absorber": 0.2,
    "cloaking-device": 0.4,
    "improved-logistics": 0.6,
    "pico-modulator": 0.6,
    "warp-portal": 1.2,
}
"""The additional value of technologies, besides track, parts, discs and squares, at the start of the game."""
LASTING = frozenset({"warp-portal"})
"""Technologies whose value does not fall during the game."""


def technology_value(g: Eclipse, seat: int, buy: Buy, price: int) -> float:
    """The value of a technology: points of its track and what it unlocks, less its price."""
    e = g.const
    tech, track = e.technology_index[buy.tech], CATEGORIES.index(buy.track)
    row, lying, coming = e.technologies[tech], technologies_on(g, seat, track), worth.rounds_to_come(g)
    early = coming / e.constants.rounds
    value = float(e.technology_vp[lying + 1] - e.technology_vp[lying]) if lying + 1 < len(e.technology_vp) else 0.0
    value += worth.NUMBERS["technology"] * early
    value += worth.discovery() if buy.tech == "ancient-labs" else 0.0
    value += SPECIAL.get(buy.tech, 0.0) * (1.0 if buy.tech in LASTING else early)
    value += row.discs * (worth.NUMBERS["disc"] + 3.0 * worth.money(g) * coming) * min(1.0, early * 2)
    for name in row.advanced:
        value += _stars(g, seat, RESOURCES.index(name))
    if lying + 1 == UNSEALS and has_ability(g, seat, "sealed-discovery") and wanderers_of(g).sealed[seat]:
        value += worth.discovery()
    if row.part:
        value += worth.NUMBERS["part"] * part_gain(g, seat, e.part_index[row.part])
    if row.builds == "monolith":
        value += _monoliths(g, seat)
    if buy.tech == "artifact-key":
        value += 5 * artifacts(g, seat) * worth.NUMBERS["unit"] * (1.0 if coming else 0.4)
    return value - price * worth.material(g)


def _stars(g: Eclipse, seat: int, resource: int) -> float:
    """Expected number of advanced squares of a resource: the empty ones in the seat's sectors, and some future ones."""
    e, found = g.const, 0
    for tile, owner in enumerate(g.sectors.owner):
        if owner == seat:
            found += sum(
                star and kind in (resource, GRAY) and not g.sectors.cubes[tile, square]
                for square, (kind, star) in enumerate(e.squares[tile])
            )
    return sum(worth.cube(g, seat, resource, more) for more in range(found)) * 0.8 + 0.08 * worth.rounds_to_come(g)


def _monoliths(g: Eclipse, seat: int) -> float:
    """Points of the monoliths that future materials can pay for."""
    price = g.const.build_cost[g.seats.species[seat]][PIECES.index("monolith")]
    to_come = g.seats.store[seat, MATERIALS] + population.income(g, seat, MATERIALS) * worth.rounds_to_come(g)
    return min(3.0, worth.NUMBERS["monolith"] * (to_come // price)) * (g.const.constants.monolith_vp - 1.2)


# Blueprints


def part_gain(g: Eclipse, seat: int, part: int) -> float:
    """The gain of a part in its best place."""
    board = upgrade.blueprints(g, seat)
    return max((gain for gain, _ in _gains(g, seat, board, (part,))), default=0.0)


def disarms(g: Eclipse, seat: int, board: Board, place: Place) -> bool:
    """True if a part that is no weapon takes the place of a ship's only cannon, or of all that it fires with."""
    e, kind, species = g.const, PIECES.index(place.ship), g.seats.species[seat]
    part, slots = e.part_index[place.part], list(board[kind])
    now = stats_with(e, species, kind, tuple(slots))
    slots[place.slot - 1] = 1 + part
    then = stats_with(e, species, kind, tuple(slots))
    if any(armed(e.part_stats[part], weapons) for weapons in (CANNONS, MISSILES)) or armed(then):
        return False
    return armed(now) or (armed(now, MISSILES) and not armed(then, MISSILES))


def place_gain(g: Eclipse, seat: int, place: Place) -> float:
    """The gain of a part in one place."""
    part = g.const.part_index[place.part]
    return next((gain for gain, other in _gains(g, seat, upgrade.blueprints(g, seat), (part,)) if other == place), 0.0)


def best_part(g: Eclipse, seat: int, board: Board) -> tuple[float, Place | None]:
    """The greatest gain and its place; None when no part is a gain."""
    found = max(_gains(g, seat, board, upgrade.available(g, seat)), key=lambda one: one[0], default=(0.0, None))
    return found if found[0] > 0 else (0.0, None)


def upgrades(g: Eclipse, seat: int, activations: int) -> float:
    """The gain of this many activations of Upgrade."""
    board, total = upgrade.blueprints(g, seat), 0.0
    for _ in range(activations):
        gain, place = best_part(g, seat, board)
        if place is None:
            break
        total += gain
        board[PIECES.index(place.ship)][place.slot - 1] = 1 + g.const.part_index[place.part]
    return total


def _gains(g: Eclipse, seat: int, board: Board, parts: tuple[int, ...]) -> list[tuple[float, Place]]:
    """The gain of each legal place for one of the parts that does not disarm the ship."""
    found = []
    for kind, refit in zip(upgrade.BY_NAME, upgrade.refits(g, seat, board, parts), strict=True):
        weight, now = _weight(g, seat, kind), _power(g, seat, kind, board[kind])
        for place in refit.places if weight else ():
            if disarms(g, seat, board, place):
                continue
            slots = list(board[kind])
            slots[place.slot - 1] = 1 + g.const.part_index[place.part]
            found.append((weight * (_power(g, seat, kind, slots) - now), place))
    return found


def _power(g: Eclipse, seat: int, kind: int, slots: Sequence[int]) -> float:
    """The strength of a ship type with these tiles."""
    return worth.power(stats_with(g.const, g.seats.species[seat], kind, tuple(slots)))


def _weight(g: Eclipse, seat: int, kind: int) -> float:
    """The weight of a ship type's strength, by its present and possible ships."""
    flying = sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind))
    planned = {INTERCEPTOR: 0.4, CRUISER: 0.8, DREADNOUGHT: 0.35, STARBASE: 0.05}[kind]
    coming = worth.rounds_to_come(g) / g.const.constants.rounds
    return worth.NUMBERS["strength"] * (0.8 * flying + planned * min(1.0, 2 * coming)) * min(1.0, 0.3 + coming)


# Building


def build_value(g: Eclipse, seat: int, construct: Construct, activations: int, ahead: raids.Raids) -> float:
    """The value of a ship or structure, less its materials. ahead: the raids of the position."""
    e, tile = g.const, g.const.sector_index[construct.sector]
    piece = PIECES.index(construct.piece)
    price = e.build_cost[g.seats.species[seat]][piece] * worth.material(g)
    if construct.piece == "monolith":
        return e.constants.monolith_vp - price
    if construct.piece == "orbital":
        scored = "orbitals" in e.species[g.seats.species[seat]].scoring
        return scored + max(worth.cube(g, seat, MONEY), worth.cube(g, seat, SCIENCE)) - price
    return _fleet_value(g, seat, piece, tile, activations, ahead) - price


def _fleet_value(g: Eclipse, seat: int, kind: int, tile: int, activations: int, ahead: raids.Raids) -> float:
    """The value of a ship by the raids it permits, with as many more as the activations and materials allow."""
    price = g.const.build_cost[g.seats.species[seat]][kind]
    idle = sum(g.ships.place[ship] == NOBODY for ship in ships_of(seat, kind))
    count = max(1, min(activations, g.seats.store[seat, MATERIALS] // price, idle))
    guard = raids.hold(g, seat) * worth.power(side_of(g, seat, kind)) / 2
    if kind == STARBASE:
        return guard
    now, then = ahead.best(raids.FARTHEST), ahead.best(raids.FARTHEST, recruits=[(kind, tile)] * count)
    gain = (then.value if then else 0.0) - (now.value if now else 0.0)
    return guard + worth.NUMBERS["fleet"] * gain / count
