# SPDX-License-Identifier: GPL-3.0-or-later
"""A position as named figures of one seat, for the learned value.

Each figure is a whole number; those that are no counts are hundredths. They are read from what the seat sees: the
state without faces, and of reputation tiles those that its lens knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from client.games.eclipse.bot import raids, turn, worth
from client.games.eclipse.bot.battle import chance, side
from engine.core.sections import row_of
from engine.core.values import Handle
from engine.eclipse import population, sectors
from engine.eclipse.actions.influence import targets
from engine.eclipse.blueprints import stats
from engine.eclipse.catalog import ring
from engine.eclipse.scoring import points
from engine.eclipse.sectors import Fleet
from engine.eclipse.species import activations, artifacts, technologies_on
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import COMPUTER, DRIVE, HULL, MISSILES, SHIELD
from engine.eclipse.terms import ACTIONS, CATEGORIES, GRAY, MATERIALS, MONEY, PIECES, PLAYER_SHIPS, RARE, RESOURCES
from engine.eclipse.upkeep import balance, cost

MEAN_TILE: Final = 2
"""Points of a reputation tile whose face is unknown."""
RINGS: Final = 3
"""Sectors farther out count as of this ring."""


def figures(g: Eclipse, seat: int, lens: Mapping[Handle, Any]) -> dict[str, int]:
    """The figures of a seat, by name. An edition has always the same names."""
    ships = sectors.fleet(g)
    found: dict[str, int] = {}
    for part in (
        _points(g, seat, lens),
        _economy(g, seat),
        _map(g, seat, ships),
        _technologies(g, seat),
        _fleet(g, seat, ships),
        _battles(g, seat, ships),
        _others(g, seat, ships),
        _prospects(g, seat),
    ):
        found.update(part)
    return found


def reputation(g: Eclipse, seat: int, lens: Mapping[Handle, Any]) -> int:
    """Points of a seat's reputation tiles, as far as they are known."""
    held = row_of(g.seats.reputation, seat)
    return sum(int(lens.get(Handle("reputation", tile - 1)) or MEAN_TILE) for tile in held if tile > 0)


Found = Iterator[tuple[str, int]]


def _points(g: Eclipse, seat: int, lens: Mapping[Handle, Any]) -> Found:
    """Points as if the game ended now, by part of the score sheet."""
    counted = points(g, seat, g.seats.final[seat] or reputation(g, seat, lens))
    yield from ((f"points {part}", value) for part, value in counted)
    held = row_of(g.seats.reputation, seat)
    spaces = g.const.reputation_spaces[g.seats.species[seat]]
    yield "reputation tiles", sum(tile > 0 for tile in held)
    yield "reputation places", sum(not tile and space == 0 for tile, space in zip(held, spaces, strict=False))


def _economy(g: Eclipse, seat: int) -> Found:
    for at, name in enumerate(RESOURCES):
        yield f"store {name}", g.seats.store[seat, at]
        yield f"income {name}", population.income(g, seat, at)
        yield f"track {name}", g.seats.track[seat, at]
    money = balance(g, seat)
    yield "money after upkeep", max(0, money)
    yield "debt", max(0, -money)
    yield "upkeep", cost(g, seat)
    yield "discs free", g.seats.discs[seat]
    yield "discs spent", g.seats.spent[seat]
    yield "discs reserve", g.seats.reserve[seat]
    yield "passed", g.seats.passed[seat]
    yield "start tile", int(g.round.next_start == seat)
    yield "colony ships", g.seats.colony[seat]
    yield "colony ships owned", g.seats.colony_all[seat]
    yield "graveyard", sum(row_of(g.seats.graveyard, seat))
    for kind in (row.id for row in g.const.species):
        yield f"species {kind}", int(g.const.species[g.seats.species[seat]].id == kind)


def _map(g: Eclipse, seat: int, ships: Fleet) -> Found:
    owned = [tile for tile, owner in enumerate(g.sectors.owner) if owner == seat]
    rings = [min(RINGS, ring(g.sectors.q[tile], g.sectors.r[tile])) for tile in owned]
    yield from ((f"sectors ring {number}", rings.count(number)) for number in range(RINGS + 1))
    stars, vacant, closed = population.advanced(g, seat), [0] * (GRAY + 1), [0] * (GRAY + 1)
    for tile in owned:
        cubes = row_of(g.sectors.cubes, tile)
        for square, (kind, star) in enumerate(g.const.squares[tile]):
            if not cubes[square]:
                open_ = not star or (any(stars) if kind == GRAY else stars[kind])
                (vacant if open_ else closed)[kind] += 1
    for kind, name in enumerate((*RESOURCES, "gray")):
        yield f"vacant {name}", vacant[kind]
        yield f"advanced {name}", closed[kind]
    yield "orbitals", sum(g.sectors.orbital[tile] for tile in owned)
    yield "monoliths", sum(g.sectors.monolith[tile] for tile in owned)
    yield "artifacts", artifacts(g, seat)
    yield "open edges", sum(wormhole for tile in owned for _, _, wormhole in sectors.graph(g).open[tile])
    half = turn.half_wormholes(g, seat)
    near = {to for tile in owned for to in sectors.neighbours(g, tile, half)} - set(owned)
    yield "borders free", sum(g.sectors.owner[tile] == NOBODY and not ships.get(tile) for tile in near)
    yield "borders rival", sum(worth.rival(g, seat, g.sectors.owner[tile]) for tile in near)
    yield (
        "borders partner",
        sum(g.sectors.owner[tile] >= 0 and not worth.rival(g, seat, g.sectors.owner[tile]) for tile in near),
    )
    yield "borders ancients", sum(NOBODY in ships.get(tile, {}) for tile in near)
    yield "discoveries near", sum(g.sectors.discovery[tile] for tile in (*near, *owned))


def _technologies(g: Eclipse, seat: int) -> Found:
    for tech, name in enumerate(g.const.technology_ids):
        yield f"technology {name}", int(g.seats.techs[seat, tech] > 0)
    for track in range(RARE):
        yield f"track {CATEGORIES[track]}", technologies_on(g, seat, track)
    for at, action in enumerate(ACTIONS):
        yield f"activations {action}", activations(g, seat, at)
    yield "parts stored", sum(row_of(g.seats.parts, seat))


def _fleet(g: Eclipse, seat: int, ships: Fleet) -> Found:
    kinds = [ship_kind(g, ship) for here in ships.values() for ship in here.get(seat, ())]
    whole = 0.0
    for kind in PLAYER_SHIPS:
        can, count = stats(g, seat, kind), kinds.count(kind)
        name = PIECES[kind]
        yield f"ships {name}", count
        yield f"power {name}", round(100 * worth.power(can))
        yield f"hull {name}", can[HULL]
        yield f"computer {name}", can[COMPUTER]
        yield f"shield {name}", can[SHIELD]
        yield f"drive {name}", can[DRIVE]
        yield f"missiles {name}", sum(can[MISSILES:])
        whole += count * worth.power(can)
    groups = [
        sum(worth.power(stats(g, seat, ship_kind(g, ship))) for ship in here.get(seat, ())) for here in ships.values()
    ]
    yield "fleet", round(100 * whole)
    yield "largest group", round(100 * max((0.0, *groups)))


def _battles(g: Eclipse, seat: int, ships: Fleet) -> Found:
    """Battles to come: what they may bring, and what is at risk."""
    gain = draws = own = risk = lost = 0.0
    for tile, here in ships.items():
        foes = sectors.enemies(g, seat, tile, ships)
        if not foes or not (seat in here or g.sectors.owner[tile] == seat):
            continue
        theirs = tuple(
            one
            for owner, fleet in sorted(here.items())
            if owner != seat and set(fleet) & set(foes)
            for one in side(g, owner, fleet)
        )
        wins = chance(side(g, seat, here.get(seat, ())), theirs)
        prize = raids.prize(g, seat, tile, ships, 0)
        gain += wins * prize
        draws += wins * sum(g.const.draws[ship_kind(g, ship)] for ship in foes)
        own += len(here.get(seat, ()))
        risk += (1 - wins) * len(here.get(seat, ()))
        lost += (1 - wins) * (g.sectors.owner[tile] == seat)
    yield "battle gain", round(100 * gain)
    yield "battle draws", round(100 * draws)
    yield "battle ships", round(own)
    yield "battle ships at risk", round(100 * risk)
    yield "battle sectors at risk", round(100 * lost)


def _others(g: Eclipse, seat: int, ships: Fleet) -> Found:
    seats = [other for other in range(g.table.seats) if other != seat]
    totals = sorted(_public(g, other) for other in seats)
    yield "best other", totals[-1]
    yield "mean other", 100 * sum(totals) // len(totals)
    strengths = []
    for other in seats:
        kinds = [ship_kind(g, ship) for here in ships.values() for ship in here.get(other, ())]
        strengths.append(sum(worth.power(stats(g, other, kind)) for kind in kinds))
    yield "fleet strongest other", round(100 * max(strengths))
    yield "fleets others", round(100 * sum(strengths) / len(seats))
    yield "others acting", sum(not g.seats.passed[other] and not g.seats.out[other] for other in seats)
    yield "others sectors", 100 * sum(g.sectors.owner.count(other) for other in seats) // len(seats)


def _public(g: Eclipse, seat: int) -> int:
    held = sum(tile > 0 for tile in row_of(g.seats.reputation, seat))
    return sum(value for _, value in points(g, seat, MEAN_TILE * held))


def _prospects(g: Eclipse, seat: int) -> Found:
    """What the seat could do next, by greedy's measures."""
    ahead = raids.Raids(g, seat, 0)
    raid, far = ahead.best(raids.FARTHEST), ahead.best(2 * raids.FARTHEST)
    yield "raid", round(100 * raid.value) if raid else 0
    yield "raid by two actions", round(100 * far.value) if far else 0
    gains = [turn.take(g, seat, tile) for tile, _ in targets(g, seat)]
    yield "sectors worth taking", sum(gain > 0 for gain in gains)
    yield "best sector to take", round(100 * max((0.0, *gains)))
    allowed = any(
        g.seats.techs[seat, tech] > 0 for tech, row in enumerate(g.const.technologies) if row.builds == "monolith"
    )
    price = g.const.build_cost[g.seats.species[seat]][PIECES.index("monolith")]
    later = population.income(g, seat, MATERIALS) * worth.rounds_to_come(g)
    yield "monoliths payable", allowed * (g.seats.store[seat, MATERIALS] // price)
    yield "monoliths later", allowed * ((g.seats.store[seat, MATERIALS] + later) // price)
    yield "money to come", population.income(g, seat, MONEY) * worth.rounds_to_come(g)
